/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The control socket: what an administrator may tell the running collector (nvmewatch/control.h). */

#include "collector.h"
#include "nvmewatch/cleanup.h"

struct control;
struct control_request;

/* Listens in run_dir. 0 or a negative errno. */
int control_start(struct collector *c, struct control **ret);

/* Closes and removes the socket. */
void control_stop(struct control *ctl);

/* What a request of a peer with that user id does; the answer's error. Our own user and root may
 * tell us anything. */
int control_execute(struct collector *c, const struct control_request *request, uint32_t uid);
