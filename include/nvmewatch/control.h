/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What an administrator may tell the running collector: one fixed-size request and one fixed-size
 * answer over an AF_UNIX SOCK_SEQPACKET socket, paths.run/control. The collector looks at the peer's
 * credentials: root, or the user it runs as. Texts are NUL-terminated data, never paths. */

#include <stdint.h>

#define CONTROL_VERSION 1
#define CONTROL_SOCKET "control" /* in paths.run */

enum control_verb {
	CONTROL_PAUSE = 1, /* no command is sent to .drive for .seconds; 0: go on now */
	CONTROL_FORGET,    /* a drive that is gone is no longer shown */
	CONTROL_READ,      /* a page that is read when asked for only, .page, is read now */
};

struct control_request {
	uint32_t version; /* CONTROL_VERSION */
	uint32_t verb;
	char drive[128];  /* its key */
	char page[32];    /* read: its name; else empty */
	uint64_t seconds; /* at most CONTROL_PAUSE_MAX */
};

#define CONTROL_PAUSE_MAX (30u * 86400)

struct control_answer {
	uint32_t version;
	int32_t error; /* 0, or a negative errno: -ENOENT no such drive, -EBUSY it is there (forget),
			* -EINVAL not a request, -EPERM not you; of read -ENODEV it is not there,
			* -EOPNOTSUPP it has no such page */
};
