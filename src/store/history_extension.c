/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch_history.so for sqlite3's .load: with `sqlite3 -readonly history.db`, every row of every
 * page. */

#include "history_extension.h"

#include <errno.h>
#include <string.h>

#include "history_vtab.h"

SQLITE_EXTENSION_INIT1

__attribute__((visibility("default"))) int
sqlite3_nvmewatchhistory_init(sqlite3 *db, char **ret_message, const sqlite3_api_routines *api);

int sqlite3_nvmewatchhistory_init(sqlite3 *db, char **ret_message, const sqlite3_api_routines *api)
{
	SQLITE_EXTENSION_INIT2(api);
	const char *path = sqlite3_db_filename(db, "main");

	if (!path || !*path) {
		*ret_message = sqlite3_mprintf("open history.db first");
		return SQLITE_ERROR;
	}
	int r = history_vtab_register(db, path);
	if (r == 0)
		r = history_vtab_shadow(db);
	if (r == 0)
		return SQLITE_OK;
	*ret_message = sqlite3_mprintf("%s: %s", path, strerror(-r));
	return SQLITE_ERROR;
}
