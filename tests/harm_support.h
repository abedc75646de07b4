/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* For the tests of what is asked of a drive, and how often: drives to ask, and what they were asked. */

#include "check_main.h"
#include "collect/control.h"
#include "fake_host.h"
#include "nvmewatch/control.h"

#define MODEL(serial, model, firmware) \
	"[identity]\nserial = " serial "\nmodel = " model "\nfirmware = " firmware "\n"
#define OCP "[ocp_smart]\nlog_page_version = 3\nplp_starts = 7\n"
#define MINUTE (60 * SECOND)
#define C0 0xc0

static inline void pause_drive(const char *key, uint64_t seconds)
{
	struct control_request r = { .version = CONTROL_VERSION, .verb = CONTROL_PAUSE,
				     .seconds = seconds };

	snprintf(r.drive, sizeof(r.drive), "%s", key);
	ck_assert_int_eq(control_execute(&host, &r, 0), 0);
}
