/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* nvmewatch, the command line: one verb per call. What all verbs share. A verb writes to stdout,
 * says on stderr what went wrong, and returns 0 or a negative errno, -EINVAL for a word that is
 * none. One thread. */

#include <jansson.h>
#include <stdbool.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/settings.h"

#include "arguments.h"
#include "source.h"

struct cli {
	struct arguments arguments;
	struct settings settings; /* of this host; all zero with --url, which needs none */
	struct source source;
};

/* "nvmewatch: message" on stderr; what drives or servers put into it does nothing to a terminal. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Whether stdout is a terminal that shows colours, and whoever sits there wants them. */
bool cli_colour(void);

/* Writes to stdout. 0, or a negative errno after saying so. */
int cli_print(const struct buffer *out);

/* The same for a document as the API writes it. */
int cli_print_json(const json_t *document);

/* For the table of verbs: those of verbs_history.c, verbs_events.c, verbs_export.c and verbs_control.c. */
int verb_history(struct cli *c);
int verb_events(struct cli *c);
int verb_export(struct cli *c);
int verb_pause(struct cli *c);
int verb_forget(struct cli *c);
int verb_read(struct cli *c);
