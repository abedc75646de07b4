/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "human.h"
#include "nvmewatch/json.h"

void cli_say(const char *format, ...)
{
	_cleanup_(buffer_done) struct buffer line = { 0 };
	_cleanup_(freep) char *text = NULL;
	va_list args;

	va_start(args, format);
	text = format_text_va(format, args);
	va_end(args);
	human_text(text ? text : "out of memory", &line);
	buffer_put(&line, "", 1);
	fprintf(stderr, "nvmewatch: %s\n", line.failed ? "out of memory" : line.data);
}

bool cli_colour(void)
{
	const char *no = getenv("NO_COLOR"), *term = getenv("TERM"); /* no-color.org */

	return isatty(STDOUT_FILENO) && !(no && no[0]) && term && strcmp(term, "dumb");
}

int cli_print(const struct buffer *out)
{
	if (out->failed) {
		cli_say("out of memory");
		return -ENOMEM;
	}
	errno = 0;
	if (fwrite(out->data, 1, out->length, stdout) == out->length && fflush(stdout) == 0)
		return 0;
	cli_say("cannot write: %s", strerror(errno));
	return -EIO;
}

int cli_print_json(const json_t *document)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };

	if (json_write(document, &out) < 0)
		out.failed = true;
	return cli_print(&out);
}
