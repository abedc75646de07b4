/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/log.h"

int live_init(struct live *l, const char *run_dir)
{
	*l = (struct live){ .generation = 1 };
	l->path = format_text("%s/now.db", run_dir);
	if (!l->path)
		return -ENOMEM;
	/* Without an id every publication counts as of another boot: absent, never wrong. */
	boot_id(l->boot_id);
	return 0;
}

void live_done(struct live *l)
{
	now_snapshot_free(l->snapshot);
	free(l->path);
	*l = (struct live){ 0 };
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino && a->st_size == b->st_size &&
	       a->st_mtim.tv_sec == b->st_mtim.tv_sec && a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* Read once per file: a broken one is as good as none until it is replaced. */
static void live_reload(struct live *l)
{
	struct stat now = { 0 };
	struct now_snapshot *snapshot = NULL;
	int r;

	if (stat(l->path, &now) < 0)
		now = (struct stat){ 0 };
	if (same_file(&now, &l->seen))
		return;
	/* Before the next comes: whatever that is, this one is over, and two take twice the memory. */
	now_snapshot_free(TAKE(l->snapshot));
	r = now.st_ino ? now_read(l->path, &snapshot) : 0;
	/* Told once, not with each of the publications that follow. */
	if (r < 0 && r != -ENOENT && !l->broken)
		log_msg(LOG_WARNING, "%s is unreadable, serving without drives: %s", l->path,
			strerror(-r));
	l->broken = r < 0;
	l->snapshot = snapshot;
	l->seen = now;
	l->generation++;
}

void live_look(struct live *l, struct view *ret)
{
	live_reload(l);
	/* The clock after the file: nothing in it may lie in the future. */
	*ret = view_make(l->snapshot, l->boot_id, clock_mono());
}
