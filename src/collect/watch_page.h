/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of one page of one drive, and what an answer makes of it. Pure: watch.c asks,
 * publishes and logs. */

#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/command.h"

/* Why a page could not be had, for nvmewatch_collect_errors_total. */
enum failure {
	FAILURE_NONE,
	FAILURE_REFUSED,  /* the drive does not have it */
	FAILURE_STATUS,   /* another NVMe status */
	FAILURE_IO,       /* open() or ioctl() failed */
	FAILURE_SIZE,
	FAILURE_ZERO,
	FAILURE_GUID,
	FAILURE_LAYOUT,
	FAILURE_IDENTITY, /* Identify of another drive, or rubbish */
	FAILURE_OVERFLOW, /* the page is good, but values in it do not fit */
	FAILURE_TIMEOUT,  /* no answer in poll.timeout */
	FAILURE_READER,   /* the reader died on it */
	FAILURES,
};

struct watch_page {
	const struct page *page;
	unsigned index;          /* page_index() */
	uint32_t instance;       /* of a page of which there are several */
	struct watch_page *more; /* the next of those */
	bool vacant;             /* there is none, or it is not known yet which there are */
	int64_t due;      /* mono; INT64_MAX: not asked again */
	bool known;       /* answered for at least once */
	bool supported;
	bool was_good;    /* bytes holds the last good read */
	int64_t read, read_time; /* mono and real, of that */
	int64_t recorded;        /* mono of the sample last kept */
	bool retried;     /* it was not ready, and is asked once more */
	enum failure last_failure; /* logged; FAILURE_NONE after a good read */
	bool unanswered;  /* the last read ended with an errno, or the reader's death */
	unsigned refusals; /* in a row */
	unsigned troubles; /* in a row: answers that are neither the page nor a refusal */
	bool sanitized;    /* the last answer was that a sanitize is in progress */
	bool other_length; /* asked for with another length than usual, which the drive did not like */
	unsigned hangs;    /* in a row: reads for which the driver reset the controller */
	int64_t rest;      /* mono: not asked before, for the sake of those two */
	bool denied;       /* the drive has refused the very command that would ask for it */
	bool unindexed;    /* it is had without the index of its UUID only */
	uint8_t *bytes;    /* page->size; NULL before there was a good read */
	unsigned length;   /* so many of them came from the drive, the rest is 0 */
};

/* So many are no passing weakness. */
#define WATCH_TROUBLES 3

/* The word for the `reason` label. */
const char *failure_name(enum failure f);

/* What an answer is worth: FAILURE_NONE or FAILURE_OVERFLOW where reply->data is the page. */
enum failure watch_page_judge(const struct page *p, const struct reply *reply);

/* Takes the verdict in: keeps good bytes, and gives the page up when the drive says that
 * it has none. A page that was good before is given up only after several refusals in a row, since
 * drives refuse pages during sanitize and reset. Returns whether the page may be asked again. Where there
 * is no memory for good bytes, they count as a failed read. */
bool watch_page_take(struct watch_page *wp, enum failure f, const struct reply *reply);
