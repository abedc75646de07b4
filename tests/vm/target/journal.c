/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NAME.jsonl: what a drive was sent, a JSON object a line, in the order of the answers. Who sent
 * it the drive cannot know; marks tell what was going on. */

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "target.h"

static void write_line(struct subsystem *s, struct buffer *line)
{
	buffer_text(line, "}\n");
	if (line->failed || write(s->journal, line->data, line->length) != (ssize_t)line->length)
		fprintf(stderr, "nvme-target: a line of the journal of %s is lost\n", s->name);
}

void journal_command(struct subsystem *s, uint16_t queue, const uint8_t *sqe, int64_t arrival,
		     const struct answer *a)
{
	_cleanup_(buffer_done) struct buffer line = { 0 };

	buffer_printf(&line,
		      "{\"at\":%" PRId64 ",\"queue\":%u,\"opcode\":%u,\"nsid\":%" PRIu32, arrival,
		      queue, sqe[0], command_nsid(sqe));
	for (unsigned i = 10; i < 16; i++)
		buffer_printf(&line, ",\"cdw%u\":%" PRIu32, i, cdw(sqe, i));
	if (a)
		buffer_printf(&line, ",\"status\":%u,\"result\":%" PRIu64 ",\"took\":%" PRId64,
			      a->status, a->result, clock_mono() - arrival);
	else
		buffer_text(&line, ",\"status\":null");
	write_line(s, &line);
}

void journal_mark(struct subsystem *s, const char *text)
{
	_cleanup_(buffer_done) struct buffer line = { 0 };

	buffer_printf(&line, "{\"at\":%" PRId64 ",\"mark\":\"%s\"", clock_mono(), text);
	write_line(s, &line);
}
