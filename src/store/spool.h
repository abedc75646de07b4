/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What was sampled and is not in history.db yet: spool.db in the run folder, on tmpfs, so that a crash
 * of the collector loses nothing and no disk is worn. Everything waits here, samples as the bytes of
 * their page; numbers (seq) grow over restarts and are history's to count by. One thread.
 *
 * Table: spool (seq INTEGER PRIMARY KEY, what INTEGER, key TEXT, page TEXT, instance INTEGER, time INTEGER,
 * mono INTEGER, boot TEXT, bytes BLOB); `what` is enum spool_what; times are microseconds; bytes lack the
 * zeros at their end. */

#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "sql.h"

enum spool_what {
	SPOOL_PAGE = 0,
};
