/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by watch.c (a drive's reader: start, answer, silence, death), watch_poll.c (its pages: what to
 * ask), watch_instances.c (of which there are several), watch_answer.c (what an answer means),
 * watch_derive.c, watch_errors.c, watch_wear.c and watch_peers.c (what follows from it), watch_ask.c (what is read only when asked
 * for), watch_harm.c (what is not asked) and watch_presence.c (coming, going, changing). */

#include "collector.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/quirk.h"
#include "nvmewatch/reader.h"
#include "nvmewatch/thermal.h"
#include "nvmewatch/trend.h"
#include "nvmewatch/wear.h"
#include "watch.h"
#include "watch_page.h"

/* Whether 02h is asked for with its asynchronous event retained. It is, but some drives answer rubbish
 * then: such an answer is compared with one without, and that with one more with it; only where both
 * with it are bad is it done without, which clears the event for whoever waits for it. */
enum rae {
	RAE_UNTRIED, /* with it; no bad answer so far */
	RAE_WITHOUT, /* the first bad answer is being compared with one without */
	RAE_COMPARE, /* which was good; the next is with it once more */
	RAE_RETAIN,  /* settled */
	RAE_CLEAR,   /* settled: without */
};

/* What hosts asked of the drive, and how long that took; NAN: not known. */
struct watch_requests {
	uint64_t namespaces; /* the sum of their ids */
	double reads, read_seconds, writes, write_seconds;
};

struct watch {
	struct collector *collector;
	struct drive drive;
	const char *source; /* "linux" or "sim" */
	char *target;       /* empty: it cannot be read, drive.state says why */

	/* As discovery sees it. */
	int64_t attached;  /* mono of its coming, or coming back */
	int64_t seen;      /* mono of the last scan that found it */
	int64_t gone;      /* mono since when it is not found, 0: it is there */
	bool recalled;     /* history has it as being there, and it was not found so far */
	int64_t noted;     /* mono of when history was last told that it is lent */
	int64_t unsettled; /* mono since when its state is not live, 0: it is */
	int64_t paused;    /* mono until when nothing is asked */
	int64_t reread;    /* mono since when every page was last read out of turn, 0: never */
	bool reset_known;  /* there is an event for the reset that the kernel will tell of */
	char found_firmware[32]; /* what sysfs said; .drive has what Identify says */
	bool identified;         /* .drive.firmware is that of Identify */

	struct reader *reader; /* NULL: none runs, see .restart */
	sd_event_source *reader_source; /* its death; with .awaited its answer too */
	bool woken;      /* by .reader_source */
	unsigned deaths; /* of the reader since its last answer, and starts that failed */
	int64_t restart; /* mono: when it is started again */

	struct watch_page *pages; /* by page_index(); see watch_next_page() */
	struct wear *wear;           /* NULL: nothing was read so far */
	const struct rating *rating; /* of the collector's catalogue; NULL: the drive is not in it */
	int64_t media_written;       /* read since .wear had a sample, or WEAR_UNKNOWN */
	bool media_seen;             /* .wear had a sample with it */
	bool hot;                 /* close to its limit, or throttling: its slow pages are read with 02h */
	struct throttling throttling;
	struct trend trend; /* of the composite temperature */
	struct watch_requests requests; /* when it was last compared with its peers */
	bool errors_seen;         /* the error log was read by this process */
	uint64_t error_count;     /* the newest of its entries that is dealt with */
	uint64_t errors_logged[2]; /* new ones since, by enum error_cause */
	bool was_reset;      /* the driver has reset it for a command that it did not answer */
	int64_t looked_back; /* mono: its event log was read for a sign of trouble, 0: never */
	char fell[256]; /* which counters went down; told of when Identify says that it is no other drive */

	bool waiting;             /* a command is outstanding */
	bool awaited;             /* it is slow: its answer wakes the loop */
	bool overdue;             /* it has outlasted poll.timeout */
	struct watch_page *asked; /* its page */
	int64_t sent;

	unsigned quirks;    /* enum quirk together */
	bool sleepy;        /* changes power states by itself: read less often */
	bool may_sleep;     /* the kernel may suspend it */
	enum rae rae;
};

/* What is known of a page; of the first instance, where there may be several. */
struct watch_page *watch_page(const struct watch *w, const struct page *p);

/* All pages of the drive in the order of pages[], each with its instances, vacant ones included: the
 * one after wp, NULL is before the first and behind the last. */
struct watch_page *watch_next_page(const struct watch *w, const struct watch_page *wp);

/* Frees what the page's instances hold, and those behind the first. */
void watch_free_pages(struct watch_page *first);

/* Looks which instances there are by what the drive's other pages tell: new ones are due at once, those
 * that are no more are no longer published. */
void watch_take_instances(struct watch *w);

/* The page that is due first; of those that are due together, the first in the order of pages[]. But
 * nothing holds up 02h, which feeds the temperature, except Identify: who it is comes before. */
struct watch_page *watch_first_due(const struct watch *w, int64_t now);

/* The command for it; sets .asked. */
struct command watch_command(struct watch *w, struct watch_page *wp);

/* When the page is due next. done: it was just read. */
int64_t watch_next_due(const struct watch *w, const struct page *p, bool done);

/* The page as it was last read, NULL: never yet. Of the first instance, where there are several. */
const uint8_t *watch_good_bytes(const struct watch *w, const struct page *p);

/* The same for the model's rules. Valid as long as w. */
struct page_facts watch_facts(const struct watch *w);

/* Every page that the drive may have is due, whatever its cadence, but for those that are read when asked
 * for only: now, or where that was so a moment ago, in a minute, as a drive may have many events to tell
 * of. */
void watch_reread(struct watch *w);

/* A good page that was read just now: published and recorded. */
void watch_take_page(struct watch *w, struct watch_page *wp);

/* Its bytes go into the next publication, and where history keeps them, there. */
void watch_publish_page(struct watch *w, struct watch_page *wp);

/* What follows from a page that was just read. before: its bytes at the read before, NULL: there was none. */
void watch_derive(struct watch *w, const struct watch_page *wp, const uint8_t *before);

/* The bytes of a derived page, which are to be written and then published; NULL: no memory. */
uint8_t *watch_derived_bytes(struct watch_page *wp);

/* A derived page is there no more, if it was. */
void watch_withdraw_page(struct watch *w, struct watch_page *wp);

/* What a page that was just read says of what was written. */
void watch_take_wear(struct watch *w, const struct watch_page *wp);

/* New entries of the error log, which was just read: events. */
void watch_take_errors(struct watch *w, const struct watch_page *wp);

/* The drive has given a sign of trouble: its event log is read, at most once an hour. */
void watch_look_back(struct watch *w);

/* The drive has gone, or is another: a spell of throttling ends here. */
void watch_end_throttling(struct watch *w);

/* The last of each page goes to history, whatever its interval: the drive has gone or fallen silent. */
void watch_record_last(struct watch *w);

/* What is known of its model and firmware. */
void watch_take_quirks(struct watch *w);

/* Whether the page may be asked for now; where not, its .due is moved. */
bool watch_may_ask(struct watch *w, struct watch_page *wp, int64_t now);

/* The driver waited for the page in vain and has reset the controller, which must not happen over
 * and over: the page is left alone, longer each time. */
void watch_timed_out(struct watch *w, struct watch_page *wp, int64_t now);

/* The page cannot be had, though the drive does not say that it lacks it: where that goes on, it is asked
 * for less often, as each time may cost an entry in the drive's error log. */
void watch_troubled(const struct watch *w, struct watch_page *wp, int64_t now);

/* The drive said that it does not have the page: remembered for its model and firmware. */
void watch_refused(struct watch *w, struct watch_page *wp);

/* The outstanding command was answered. */
void watch_answered(struct watch *w, const struct reply *reply);

/* The outstanding command failed without an answer: FAILURE_TIMEOUT (it may still come) or
 * FAILURE_READER. */
void watch_failed(struct watch *w, enum failure f);

/* The reader and the command it has are given up, at once. */
void watch_stop_reader(struct watch *w);

/* Who it is and how it is are asked again as soon as can be. */
void watch_reidentify(struct watch *w);

/* What Identify says that its firmware is. */
void watch_set_firmware(struct watch *w, const char *firmware);

/* The kernel's controller state. */
void watch_set_state(struct watch *w, const char *state, int64_t now);

/* Reads that state anew, where the kernel has one to tell. Returns whether it has. */
bool watch_read_state(struct watch *w, int64_t now);

/* Something that history keeps: a type of the contract and its detail. */
void watch_event(struct watch *w, const char *type, const char *detail);

/* Whether the drive answers; logs and publishes a change. */
void watch_set_responding(struct watch *w, bool responding, const char *why);

/* Puts the drive's facts into the next publication. */
void watch_publish_drive(struct watch *w);
