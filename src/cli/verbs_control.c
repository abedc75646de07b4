/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The verbs that tell the collector something. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "call.h"
#include "cli.h"
#include "human.h"
#include "nvmewatch/page.h"
#include "nvmewatch/parse.h"

#define SECOND UINT64_C(1000000)

/* Asks for it, and says how that went: "SERIAL (nvme0) done". */
static int tell(struct cli *c, struct control_request *q, const char *done)
{
	const char *name = c->arguments.words[0], *key, *device;
	_cleanup_(buffer_done) struct buffer out = { 0 };
	json_auto_t *drive = NULL;
	char error[256];
	int r = source_find_drive(&c->source, name, &drive);

	if (r < 0)
		return r;
	key = json_string_value(json_object_get(drive, "serial"));
	device = json_string_value(json_object_get(drive, "device"));
	snprintf(q->drive, sizeof(q->drive), "%s", key);
	if (call_collector(c->settings.run_dir, q, error, sizeof(error)) < 0) {
		cli_say("%s: %s", key, error);
		return -EREMOTEIO;
	}
	human_text(key, &out);
	if (device)
		buffer_printf(&out, " (%s)", device);
	buffer_printf(&out, " %s\n", done);
	return cli_print(&out);
}

int verb_pause(struct cli *c)
{
	struct control_request q = { .verb = CONTROL_PAUSE };
	const char *word = c->arguments.words[1];
	uint64_t us = 0;
	char done[64];

	if (strcmp(word, "resume") &&
	    (parse_duration(word, &us) < 0 || us / SECOND > CONTROL_PAUSE_MAX)) {
		cli_say("\"%s\" is no duration as 30m, 2h or 1d of at most 30d, nor \"resume\"",
			word);
		return -EINVAL;
	}
	q.seconds = us / SECOND;
	snprintf(done, sizeof(done), us ? "is paused for %s" : "goes on", word);
	return tell(c, &q, done);
}

int verb_forget(struct cli *c)
{
	struct control_request q = { .verb = CONTROL_FORGET };

	return tell(c, &q, "is forgotten");
}

int verb_read(struct cli *c)
{
	struct control_request q = { .verb = CONTROL_READ };
	const struct page *p = page_find(c->arguments.words[1]);

	if (!p || p->cadence != CADENCE_ASKED) {
		cli_say(p ? "Page %s is read by schedule." : "No page is called \"%s\".",
			c->arguments.words[1]);
		return -EINVAL;
	}
	snprintf(q.page, sizeof(q.page), "%s", p->name);
	return tell(c, &q, "is asked for it");
}
