/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "watch_page.h"

#include <stdlib.h>
#include <string.h>

#define REFUSALS_OF_GOOD_PAGE 3

const char *failure_name(enum failure f)
{
	static const char *const names[FAILURES] = {
		[FAILURE_NONE] = "none",
		[FAILURE_REFUSED] = "refused",
		[FAILURE_STATUS] = "status",
		[FAILURE_IO] = "io",
		[FAILURE_SIZE] = "size",
		[FAILURE_ZERO] = "zero",
		[FAILURE_GUID] = "guid",
		[FAILURE_LAYOUT] = "layout",
		[FAILURE_IDENTITY] = "identity",
		[FAILURE_OVERFLOW] = "overflow",
		[FAILURE_TIMEOUT] = "timeout",
		[FAILURE_READER] = "reader",
	};

	return names[f];
}

enum failure watch_page_judge(const struct page *p, const struct reply *reply)
{
	if (reply->error)
		return FAILURE_IO;
	if (reply->status)
		return status_is_refusal(reply->status) ? FAILURE_REFUSED : FAILURE_STATUS;
	switch (page_check(p, reply->data, reply->length)) {
	case PAGE_WRONG_SIZE: return FAILURE_SIZE;
	case PAGE_ALL_ZERO: return FAILURE_ZERO;
	case PAGE_WRONG_GUID: return FAILURE_GUID;
	case PAGE_WRONG_LAYOUT: return FAILURE_LAYOUT;
	case PAGE_SOUND: break;
	}
	return page_overflows(p, reply->data) ? FAILURE_OVERFLOW : FAILURE_NONE;
}

bool watch_page_take(struct watch_page *wp, enum failure f, const struct reply *reply)
{
	bool denied = f == FAILURE_REFUSED || f == FAILURE_GUID || f == FAILURE_LAYOUT;

	wp->refusals = denied ? wp->refusals + 1 : 0;
	if (f == FAILURE_STATUS || f == FAILURE_SIZE || f == FAILURE_ZERO)
		wp->troubles++;
	else if (f != FAILURE_IO && f != FAILURE_TIMEOUT && f != FAILURE_READER)
		wp->troubles = 0;
	if (f == FAILURE_NONE || f == FAILURE_OVERFLOW) {
		if (!wp->bytes && !(wp->bytes = malloc(wp->page->size)))
			return true;
		memcpy(wp->bytes, reply->data, wp->page->size);
		wp->length = reply->length;
		wp->known = wp->supported = wp->was_good = true;
		return true;
	}
	if (!denied || (wp->was_good && wp->refusals < REFUSALS_OF_GOOD_PAGE))
		return true;
	wp->known = true;
	wp->supported = false;
	return false;
}
