/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "column_value.h"

/* Collects the texts in the order in which they are used first, a NUL behind each. Returns how many. */
static size_t collect(const struct sheet_column *column, uint64_t *places, uint64_t *numbers, size_t n,
		      struct buffer *texts)
{
	size_t used = 0;

	for (size_t i = 0; i < column->n_texts; i++)
		places[i] = UINT64_MAX;
	for (size_t i = 0; i < n; i++) {
		uint64_t *place = &places[numbers[i]];
		if (*place == UINT64_MAX) {
			const char *text = column->texts[numbers[i]];
			buffer_put(texts, text, strlen(text) + 1);
			*place = used++;
		}
		numbers[i] = *place;
	}
	return used;
}

int text_put(struct codec *c, const struct sheet_column *column, uint64_t *numbers, size_t n,
	     struct buffer *out)
{
	_cleanup_(freep) uint64_t *places = reallocarray(NULL, column->n_texts + 1, sizeof(*places));
	_cleanup_(buffer_done) struct buffer texts = { 0 }, frame = { 0 };

	if (!places)
		return -ENOMEM;
	varint_put(out, collect(column, places, numbers, n, &texts));
	if (texts.failed || frame_put(c, texts.data, texts.length, &frame) < 0 || frame.failed)
		return -ENOMEM;
	bool framed = frame.length < texts.length;
	varint_put(out, texts.length << 1 | framed);
	buffer_put(out, framed ? frame.data : texts.data, framed ? frame.length : texts.length);
	return 0;
}

/* The texts of `in`, of which there must be n, and nothing else. */
static int separate(struct intake in, size_t n, struct sheet_column *column)
{
	if (!(column->texts = calloc(n, sizeof(*column->texts))))
		return -ENOMEM;
	for (; column->n_texts < n; column->n_texts++) {
		const uint8_t *end = memchr(in.at, 0, (size_t)(in.end - in.at));
		if (!end || end - in.at > FIELD_TEXT_MAX)
			return -EUCLEAN;
		if (!(column->texts[column->n_texts] = strdup((const char *)in.at)))
			return -ENOMEM;
		in.at = end + 1;
	}
	return in.at == in.end ? 0 : -EUCLEAN;
}

int text_get(struct codec *c, struct intake *in, size_t most, struct sheet_column *column)
{
	uint64_t n, size;
	struct intake texts;

	if (!varint_get(in, &n) || !varint_get(in, &size) || n == 0 || n > most ||
	    size >> 1 > n * (FIELD_TEXT_MAX + 1))
		return -EUCLEAN;
	int r = size & 1 ? frame_get(c, in, size >> 1, &texts)
			 : intake_take(in, size >> 1, &texts) ? 0 : -EUCLEAN;
	return r < 0 ? r : separate(texts, n, column);
}
