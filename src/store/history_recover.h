/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A history.db that is damaged is set aside as PATH.damaged-YYYYMMDDTHHMMSSZ, and what reads of it copied into
 * a new one: at once who the numbers are (so that they stay the same) and what is not packed, then, some rows
 * at a time, events, rollups and chunks. In the new one, state "recovered" names the last file that was dealt
 * with, "recovering" the one that is at hand, "replaced" the event's id. */

#include "history_internal.h"

/* history_aside.c. Renames the files; the two newest that are set aside stay. 0 or a negative errno. */
int history_set_aside(const char *path, int64_t time_us);

/* Ends what a crash in the middle of it left. */
void history_end_set_aside(const char *path);

/* The name, without its folder, of the newest file set aside; NULL: there is none. */
char *history_aside(const char *path);

/* Whether the file is damaged, looked at as a whole. */
bool history_is_damaged(const char *path);

struct recovery;

/* Looks whether there is something to recover into the database, which was opened now, and begins with it.
 * *ret: NULL where there is not. 0 or a negative errno. */
int history_recover(struct history *h, const char *path, int64_t time_us, int64_t mono_us,
		    struct recovery **ret);

/* Some more rows. full: the disk has no room for more, it ends here. Returns 1: there is more; 0: all is done; or
 * a negative errno. */
int history_recover_step(struct recovery *r, struct history *h, bool full);
void recovery_free(struct recovery *r);
DEFINE_CLEANUP(struct recovery *, recovery_free)

/* history_salvage.c: drives, boots, pages, layouts, refusals, packings and batches, with their numbers, and the
 * state; *ret_rows: of batches. 0, or what went wrong with the new database. */
int history_name_drive(struct history *h, int64_t id); /* of which nothing else is known */
int history_salvage(sqlite3 *from, struct history *h, uint64_t *ret_rows, bool *ret_whole);
