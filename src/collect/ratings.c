/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "ratings.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/catalogue.h"
#include "nvmewatch/log.h"
#include "watch.h"

#define FOLDER "drives.d"

static void load_file(struct catalogue *c, const char *path, bool site)
{
	char error[512] = "out of memory";

	catalogue_begin(c, path, site);
	int r = catalogue_end(c, ini_read(path, catalogue_key, c, error, sizeof(error)), error, sizeof(error));
	if (r < 0)
		log_msg(LOG_ERR, "%s; no rating of that file is used", error);
}

static void load_folder(struct catalogue *c, const char *folder, bool site)
{
	char **files;
	int r = ini_folder(folder, &files);

	if (r < 0) {
		log_msg(LOG_ERR, "folder %s cannot be read: %s; its ratings are not used", folder,
			strerror(-r));
		return;
	}
	for (char **p = files; *p; p++)
		load_file(c, *p, site);
	ini_folder_free(files);
}

static void load_shipped(struct catalogue *c)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof(path));
	char *base = n > 0 && n < (ssize_t)sizeof(path) ? memrchr(path, '/', (size_t)n) : NULL;
	struct stat st;

	if (base && base + sizeof("/" FOLDER) <= path + sizeof(path)) {
		strcpy(base + 1, FOLDER);
		if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
			load_folder(c, path, false);
			return;
		}
	}
	load_folder(c, PKGDATADIR "/" FOLDER, false);
}

void ratings_load(struct collector *c)
{
	struct catalogue *former = c->catalogue, *fresh;

	if (catalogue_new(&fresh) < 0)
		return; /* the former one stays */
	load_shipped(fresh);
	load_folder(fresh, c->settings.drives_dir, true);
	c->catalogue = fresh;
	for (size_t i = 0; i < c->n_watches; i++)
		watch_rate(c->watches[i]);
	catalogue_free(former);
}
