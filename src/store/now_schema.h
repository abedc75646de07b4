/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The tables of now.db, for its writer and its reader. A publication of another version is not
 * read: it lives on tmpfs for a moment, so nothing is migrated. Of a page's bytes those that are 0 to its
 * end are left out, which is most of all pages; `length` counts them too. */

#define NOW_VERSION 5

#define NOW_SCHEMA                                                                        \
	"CREATE TABLE publication (id INTEGER PRIMARY KEY CHECK (id = 1), version TEXT,"  \
	" boot_id TEXT, time INTEGER, mono INTEGER, cadence INTEGER);"                    \
	"CREATE TABLE store (id INTEGER PRIMARY KEY CHECK (id = 1), last_write INTEGER,"  \
	" oldest INTEGER, bytes INTEGER, spooled INTEGER, errors INTEGER,"                \
	" dropped INTEGER);"                                                              \
	"CREATE TABLE durations (page TEXT PRIMARY KEY, n1 INTEGER, n2 INTEGER,"          \
	" n3 INTEGER, n4 INTEGER, n5 INTEGER, more INTEGER, sum INTEGER);"                \
	"CREATE TABLE drives (key TEXT PRIMARY KEY, serial TEXT, model TEXT,"             \
	" firmware TEXT, device TEXT, transport TEXT, address TEXT, slot TEXT,"           \
	" subsystem_nqn TEXT, state TEXT, reason TEXT, numa_node INTEGER,"                \
	" vendor INTEGER, capacity INTEGER, present INTEGER, lent INTEGER,"               \
	" responding INTEGER);"                                                           \
	"CREATE TABLE paths (drive TEXT, device TEXT, transport TEXT, address TEXT,"      \
	" state TEXT, UNIQUE (drive, device));"                                           \
	"CREATE TABLE pages (drive TEXT, page TEXT, instance INTEGER, supported INTEGER," \
	" time INTEGER, mono INTEGER, cadence INTEGER, length INTEGER, bytes BLOB,"       \
	" UNIQUE (drive, page, instance));"                                               \
	"CREATE TABLE errors (drive TEXT, page TEXT, reason TEXT, count INTEGER,"         \
	" UNIQUE (drive, page, reason));"                                                 \
	"CREATE TABLE events (drive TEXT, type TEXT, count INTEGER, time INTEGER,"        \
	" UNIQUE (drive, type));"
