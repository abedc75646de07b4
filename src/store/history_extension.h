/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Included before everything else where code is compiled for nvmewatch_history.so: there each call of
 * SQLite goes to the library of the program that loads it, which need not be ours. */

#include <sqlite3ext.h>

extern const sqlite3_api_routines *sqlite3_api;
