/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Every row of a page as a table of SQL, whatever its age: columns drive (drives.id), the number of
 * which of several, time, mono, boot, the fields, and, hidden, key (of the drive). Terms on drive,
 * key, that number and time are used to read what is needed only. Read-only. */

#include "nvmewatch/history_read.h"
#include "sql.h"

/* Makes a module for every page that is kept, of its name: a table by itself in a database that has
 * no other of that name; else to be made by CREATE VIRTUAL TABLE temp.NAME USING NAME. Rows are those
 * of the history in file `history`, and of spool.db in the folder that SQL function
 * nvmewatch_spool(FOLDER) is given. Both are opened when they are asked for the first time. 0 or a
 * negative errno. */
int history_vtab_register(sqlite3 *db, const char *history);

/* Makes the tables in temp, so that they are found instead of the views of history.db. 0 or a
 * negative errno. */
int history_vtab_shadow(sqlite3 *db);
