/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/privilege.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

bool privilege_lacks_admin(void)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	return syscall(SYS_capget, &header, sets) == 0 &&
	       !(sets[CAP_TO_INDEX(CAP_SYS_ADMIN)].effective & CAP_TO_MASK(CAP_SYS_ADMIN));
}

bool privilege_is_denial(int error)
{
	return error == -EACCES || error == -EPERM;
}

/* Who may open it, where that can be told. */
static void describe_node(const char *path, char *ret, size_t size)
{
	struct stat st;

	ret[0] = 0;
	if (stat(path, &st) == 0)
		snprintf(ret, size, " (mode %04o, owner %u:%u)", (unsigned)st.st_mode & 07777,
			 st.st_uid, st.st_gid);
}

void privilege_explain(const char *device, int error, char *ret, size_t size)
{
	char path[64], node[48];

	snprintf(path, sizeof(path), "/dev/%s", device);
	describe_node(path, node, sizeof(node));
	/* As open() would: by the effective user, and by the device list of the control group. */
	if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == 0)
		snprintf(ret, size, "%s takes no commands: %s", path,
			 privilege_lacks_admin() ? "nvmewatch-collect needs CAP_SYS_ADMIN" :
						   strerror(-error));
	else if (errno == EPERM)
		snprintf(ret, size, "%s may not be opened: its unit or container has to allow the "
				    "device", path);
	else
		snprintf(ret, size, "%s may not be opened%s: nvmewatch-collect has to run as root, or "
				    "as its owner", path, node);
}
