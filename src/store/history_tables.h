/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The fixed tables of history.db; those of each page are made by history_schema.c. */

#define HISTORY_TABLES                                                                             \
	"CREATE TABLE IF NOT EXISTS drives (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE,"     \
	" serial TEXT, model TEXT, firmware TEXT, first_seen INTEGER, last_seen INTEGER,"          \
	" address TEXT, error_count INTEGER, packed INTEGER NOT NULL DEFAULT 0);"                  \
	"CREATE TABLE IF NOT EXISTS boots (id INTEGER PRIMARY KEY, boot_id TEXT NOT NULL UNIQUE);" \
	"CREATE TABLE IF NOT EXISTS pages (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"    \
	"CREATE TABLE IF NOT EXISTS layouts (id INTEGER PRIMARY KEY,"                              \
	" page INTEGER NOT NULL REFERENCES pages, columns TEXT NOT NULL, UNIQUE (page, columns));" \
	"CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY, time INTEGER NOT NULL,"        \
	" mono INTEGER NOT NULL, drive INTEGER REFERENCES drives, type TEXT NOT NULL,"             \
	" detail TEXT);"                                                                           \
	"CREATE INDEX IF NOT EXISTS events_time ON events (time);"                                 \
	"CREATE INDEX IF NOT EXISTS events_drive ON events (drive, type);"                         \
	"CREATE TABLE IF NOT EXISTS refusals (model TEXT, firmware TEXT, page TEXT, time INTEGER," \
	" PRIMARY KEY (model, firmware, page)) WITHOUT ROWID;"                                     \
	"CREATE TABLE IF NOT EXISTS batches (id INTEGER PRIMARY KEY,"                              \
	" page INTEGER NOT NULL REFERENCES pages, layout INTEGER REFERENCES layouts,"              \
	" flush INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,"                   \
	" n_rows INTEGER NOT NULL, data);"                                                         \
	"CREATE TABLE IF NOT EXISTS packings (flush INTEGER PRIMARY KEY, start INTEGER NOT NULL,"  \
	" end INTEGER NOT NULL);"                                                                  \
	"CREATE TABLE IF NOT EXISTS chunks (drive INTEGER NOT NULL REFERENCES drives,"             \
	" flush INTEGER NOT NULL REFERENCES packings, layout INTEGER NOT NULL REFERENCES layouts," \
	" instance INTEGER NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,"                \
	" n_rows INTEGER NOT NULL, data BLOB NOT NULL,"                                            \
	" PRIMARY KEY (drive, flush, layout, instance));"                                          \
	"CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value) WITHOUT ROWID;"
