/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by history.c (writing) and history_memory.c (what is read back at the start). */

#include "nvmewatch/history.h"
#include "sql.h"

/* Of a row of drives: the last that history has of it is that it went. */
#define HISTORY_REMOVED                                                                     \
	"ifnull((SELECT max(id) FROM events WHERE drive = drives.id AND type = 'remove'), 0)" \
	" > ifnull((SELECT max(id) FROM events WHERE drive = drives.id AND type = 'attach'), 0)"

struct history {
	sqlite3 *db;
	sqlite3_stmt *put_drive, *put_errors, *add_drive, *forget_drive, *find_drive, *put_event, *put_refusal;
	sqlite3_stmt **put_sample; /* by page_index(); NULL: not kept */
};
