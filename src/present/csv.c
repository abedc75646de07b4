/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/csv.h"

#include <math.h>
#include <string.h>

void csv_text(struct buffer *out, const char *text)
{
	if (!text)
		return;
	if (!strpbrk(text, ",\"\r\n")) {
		buffer_text(out, text);
		return;
	}
	buffer_put(out, "\"", 1);
	for (; *text; text++) {
		if (*text == '"')
			buffer_put(out, "\"", 1);
		buffer_put(out, text, 1);
	}
	buffer_put(out, "\"", 1);
}

void csv_value(struct buffer *out, const struct value *v)
{
	switch (v->type) {
	case VALUE_INTEGER: buffer_integer(out, v->integer); break;
	case VALUE_REAL:
		if (isfinite(v->real))
			buffer_real(out, v->real);
		break;
	case VALUE_TEXT: csv_text(out, v->text); break;
	case VALUE_ABSENT: break;
	}
}

void csv_next(struct buffer *out)
{
	buffer_put(out, ",", 1);
}

void csv_end(struct buffer *out)
{
	buffer_put(out, "\r\n", 2);
}
