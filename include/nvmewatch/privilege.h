/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the kernel lets this process do with a controller's device, and what to do where it does not.
 * Nothing here opens a device. Any thread. */

#include <stdbool.h>
#include <stddef.h>

/* Whether CAP_SYS_ADMIN is not in force: Linux refuses Get Log Page without it. */
bool privilege_lacks_admin(void);

/* Whether an errno (negative) of open() or ioctl() says that it was not allowed. */
bool privilege_is_denial(int error);

/* Why such an errno came of the device of that name, in a few words that say what is to be done. */
void privilege_explain(const char *device, int error, char *ret, size_t size);
