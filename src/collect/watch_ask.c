/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Pages that are read only when an administrator asks for them, or when a drive gives a sign of trouble
 * that they may explain. */

#include <errno.h>

#include "nvmewatch/boot.h"
#include "watch_internal.h"

#define LOOK_EVERY INT64_C(3600000000) /* microseconds */

int watch_ask(struct watch *w, const struct page *p)
{
	struct watch_page *wp = watch_page(w, p);
	struct page_facts facts = watch_facts(w);

	if (p->cadence != CADENCE_ASKED)
		return -EINVAL;
	if (!w->drive.present || !w->target[0])
		return -ENODEV;
	if ((wp->known && !wp->supported) || page_presence(p, &facts) == PAGE_LACKED)
		return -EOPNOTSUPP;
	wp->due = clock_mono();
	return 0;
}

void watch_look_back(struct watch *w)
{
	int64_t now = clock_mono();

	if (w->looked_back && now - w->looked_back < LOOK_EVERY)
		return;
	if (watch_ask(w, &persistent_events_page) == 0)
		w->looked_back = now;
}
