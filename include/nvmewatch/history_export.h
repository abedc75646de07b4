/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* History as text that outlives nvmewatch: SQL that any sqlite3 reads back, or CSV. Integers are exact,
 * times milliseconds, absent values NULL (CSV: empty). */

#include "nvmewatch/history_read.h"

enum history_format {
	/* One transaction: tables named after the pages (drive, the number of which of several, time,
	 * mono, boot, then the fields), drives, boots and events. */
	HISTORY_SQL,
	/* RFC 4180 of one page: a line of names, then drive (its key), the number of which of several,
	 * time, mono, boot and the fields. */
	HISTORY_CSV,
};

struct history_export {
	enum history_format format;
	const char *drive;       /* key; NULL: every drive */
	const struct page *page; /* NULL: every page that is kept; HISTORY_CSV needs one */
	int64_t start, end;      /* both included */
};

/* Takes a piece of the text. 0, or what the export is to end with. */
typedef int (*history_text)(void *userdata, const char *text, size_t length);

/* Rows of each page are those of one moment. 0 or a negative errno: -EINVAL (CSV without a page),
 * -ENOENT (no such drive in history). */
int history_export(struct history_reader *r, const struct history_export *what, history_text write,
		   void *userdata);

/* The same into a file that is open for writing; what cannot be written is -EIO. */
int history_export_file(struct history_reader *r, const struct history_export *what, FILE *f);
