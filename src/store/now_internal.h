/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of now.db share. */

#include "nvmewatch/now.h"
#include "sql.h"

enum statement {
	PUT_DRIVE,
	PUT_PATH,
	PUT_PAGE,
	ADD_PAGE,
	REMOVE_PAGE,
	PUT_SUPPORT,
	ADD_ERROR,
	ADD_EVENT,
	PUT_PUBLICATION,
	REMOVE_PATHS,
	REMOVE_DRIVE,
	REMOVE_PAGES,
	REMOVE_ERRORS,
	REMOVE_EVENTS,
	STATEMENTS,
};

/* The database lives in memory and is changed row by row, so that a publication costs one copy. */
struct now {
	sqlite3 *db;
	sqlite3_stmt *statements[STATEMENTS];
	sqlite3_stmt *put_store, *put_duration;
	uint64_t cadence_us;
	char boot_id[40];
	struct now_duration *durations; /* by page_index(); .page is NULL where nothing is to be written */
};

/* now_self.c: what the collector tells of itself. 0 or a negative errno. */
int now_self_prepare(struct now *n);
int now_self_put(struct now *n);
int now_self_read(sqlite3 *db, struct now_snapshot *s);
