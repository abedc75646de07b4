/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/episode.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"

/* ---- Device Self-test (NVMe Base 2.3, 5.2.12.1.7). ---- */

#define OPERATION 0xf /* of byte 0, and in bits 7:4 of a result */
#define NEWEST 4      /* result */
#define RESULT_SIZE 28
#define UNUSED 0xf

static const char *operation_name(unsigned operation)
{
	switch (operation) {
	case 1: return "short";
	case 2: return "extended";
	case 3: return "host-initiated refresh";
	case 0xe: return "vendor's";
	default: return "unknown";
	}
}

static const char *result_name(unsigned result)
{
	static const char *const names[] = {
		"passed", "aborted by a command", "aborted by a reset", "aborted, a namespace was removed",
		"aborted by a format", "ended by a fatal error", "failed", "failed, the segment is known",
		"aborted", "aborted by a sanitize",
	};

	return result < ELEMENTS(names) ? names[result] : "ended for a reason that is reserved";
}

static bool has_new_result(const uint8_t *before, const uint8_t *now)
{
	/* Zeros are no result either: there is no self-test of that number. */
	return (now[NEWEST] & UNUSED) != UNUSED && now[NEWEST] >> 4 &&
	       memcmp(before + NEWEST, now + NEWEST, RESULT_SIZE) != 0;
}

enum episode episode_self_test(const uint8_t *before, const uint8_t *now, char *ret, size_t size)
{
	unsigned was = before ? before[0] & OPERATION : 0, is = now[0] & OPERATION;

	if (is && !was) {
		snprintf(ret, size, "%s", operation_name(is));
		return EPISODE_BEGUN;
	}
	if (!before || is || (!was && !has_new_result(before, now)))
		return EPISODE_SAME;
	if (has_new_result(before, now))
		snprintf(ret, size, "%s, %s", operation_name(now[NEWEST] >> 4),
			 result_name(now[NEWEST] & UNUSED));
	else
		snprintf(ret, size, "%s, without a result", operation_name(was));
	return EPISODE_ENDED;
}

/* ---- Sanitize Status (NVMe Base 2.3, 5.2.12.1.33). ---- */

#define SSTAT 2
#define MOST_RECENT 0x7 /* bits of SSTAT */
#define IN_PROGRESS 2

static const char *sanitize_result_name(unsigned status)
{
	switch (status) {
	case 1: return "done";
	case 3: return "failed";
	case 4: return "done, deallocated although that was not asked for";
	default: return "ended";
	}
}

static const char *sanitize_action_name(const uint8_t *bytes)
{
	switch (bytes[4] & 7) { /* SCDW10: the action */
	case 1: return "exit failure mode";
	case 2: return "block erase";
	case 3: return "overwrite";
	case 4: return "crypto erase";
	default: return "unknown action";
	}
}

enum episode episode_sanitize(const uint8_t *before, const uint8_t *now, char *ret, size_t size)
{
	unsigned was = before ? before[SSTAT] & MOST_RECENT : 0, is = now[SSTAT] & MOST_RECENT;

	if (is == IN_PROGRESS && was != IN_PROGRESS) {
		snprintf(ret, size, "%s", sanitize_action_name(now));
		return EPISODE_BEGUN;
	}
	if (!before || is == was || is == IN_PROGRESS)
		return EPISODE_SAME;
	snprintf(ret, size, "%s, %s", sanitize_action_name(now), sanitize_result_name(is));
	return EPISODE_ENDED;
}
