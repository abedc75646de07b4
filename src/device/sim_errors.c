/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The error log of a simulated drive: what it has refused since power-on, in front of the entries that its
 * file gives it (NVMe Base 2.0, figure 206). */

#include <string.h>

#include "nvmewatch/error_log.h"
#include "sim_internal.h"

#define CDW10 0x28 /* where the commands that are refused here are wrong: byte 40 */

/* How many entries it keeps: ELPE is 0's based. */
static unsigned kept(const struct sim *s)
{
	const struct sim_page *identify = sim_page_find(s, &identify_page, 0);
	unsigned n = (unsigned)bytes_get(identify->bytes + 262, 1) + 1;

	return n < ERROR_ENTRIES_MAX ? n : ERROR_ENTRIES_MAX;
}

bool sim_errors_have(const struct sim *s, uint32_t length)
{
	return length <= kept(s) * ERROR_ENTRY_SIZE;
}

void sim_errors_note(struct sim *s)
{
	s->refused[s->failures++ % ERROR_ENTRIES_MAX] = s->status;
}

/* The number of the newest entry at power-on, which is that of all there were. */
static uint64_t first_count(const struct sim *s, const uint8_t *log)
{
	uint64_t count = bytes_get(log, 8);

	return count ? count : bytes_get(sim_page_find(s, &smart_page, 0)->bytes + 176, 8);
}

void sim_errors_put(const struct sim *s, uint8_t *bytes)
{
	unsigned room = kept(s), fresh = s->failures < room ? (unsigned)s->failures : room;
	uint64_t count = first_count(s, bytes) + s->failures;

	memmove(bytes + (size_t)fresh * ERROR_ENTRY_SIZE, bytes,
		(size_t)(room - fresh) * ERROR_ENTRY_SIZE);
	for (unsigned i = 0; i < fresh; i++) {
		uint8_t *e = bytes + (size_t)i * ERROR_ENTRY_SIZE;
		uint16_t status = s->refused[(s->failures - 1 - i) % ERROR_ENTRIES_MAX];

		memset(e, 0, ERROR_ENTRY_SIZE);
		bytes_put(e, 8, count - i);
		bytes_put(e + 12, 2, (uint64_t)status << 1);
		bytes_put(e + 14, 2, CDW10);
		bytes_put(e + 16, 8, UINT64_MAX); /* of no logical block */
	}
}
