/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "column_value.h"
#include "sheet_codec.h"
#include "sheet_format.h"

/* A sheet that is being written: room for a column's numbers and groups. */
struct encoding {
	const struct sheet *sheet;
	struct codec codec;
	uint64_t *numbers;
	uint32_t *starts;
};

static int put_presence(struct encoding *e, const uint8_t *present, struct buffer *out)
{
	struct groups g;

	for (size_t i = 0; i < e->sheet->n_rows; i++)
		e->numbers[i] = present[i];
	sheet_groups(e->sheet, 0, NULL, e->starts, &g);
	return stream_put(&e->codec, e->numbers, &g, out);
}

/* The values that are present, one behind the other. */
static size_t gather(const struct sheet_column *c, const uint8_t *present, size_t n, uint64_t *ret)
{
	size_t k = 0;

	for (size_t i = 0; i < n; i++)
		if (!present || present[i])
			ret[k++] = (uint64_t)c->values[i];
	return k;
}

static int put_values(struct encoding *e, size_t column, const uint8_t *present, bool relative,
		      struct buffer *out)
{
	const struct sheet_column *c = &e->sheet->columns[column];
	enum value_type type = e->sheet->layout->columns[column].type;
	size_t n = gather(c, present, e->sheet->n_rows, e->numbers);
	struct groups g;
	int r = 0;

	if (relative)
		sheet_relate(e->sheet, present, e->numbers, false);
	if (type == VALUE_REAL)
		real_put(e->numbers, n, out);
	else if (type == VALUE_TEXT)
		r = text_put(&e->codec, c, e->numbers, n, out);
	sheet_groups(e->sheet, column, present, e->starts, &g);
	return r < 0 ? r : stream_put(&e->codec, e->numbers, &g, out);
}

static size_t count_present(const struct sheet_column *c, size_t n)
{
	size_t k = 0;

	for (size_t i = 0; c->loaded && i < n; i++)
		k += c->present[i];
	return k;
}

static int put_column(struct encoding *e, size_t column, struct buffer *table, struct buffer *out)
{
	const struct sheet_column *c = &e->sheet->columns[column];
	size_t n = e->sheet->n_rows, before = out->length;
	size_t present = column < SHEET_FIXED ? n : count_present(c, n);
	/* The two clocks go alike, but for what somebody or the network sets. */
	bool relative = column == SHEET_MONO, sparse = present < n;
	int r = 0;

	if (present > 0 && sparse)
		r = put_presence(e, c->present, out);
	if (present > 0 && r == 0)
		r = put_values(e, column, sparse ? c->present : NULL, relative, out);
	varint_put(table, (out->length - before) << COLUMN_FLAGS | (relative ? COLUMN_RELATIVE : 0) |
				  (sparse ? COLUMN_SPARSE : 0));
	return r;
}

static int put_sheet(struct encoding *e, struct buffer *ret)
{
	_cleanup_(buffer_done) struct buffer body = { 0 };
	const struct sheet *s = e->sheet;
	int r = 0;

	byte_put(ret, SHEET_FORMAT);
	varint_put(ret, s->n_rows);
	varint_put(ret, s->layout->n_columns);
	for (size_t i = 0; r == 0 && i < s->layout->n_columns; i++)
		r = put_column(e, i, ret, &body);
	buffer_put(ret, body.data, body.length);
	return r < 0 || body.failed || ret->failed ? -ENOMEM : 0;
}

int sheet_encode(const struct sheet *s, int level, struct buffer *out)
{
	struct encoding e = { .sheet = s, .codec.level = level };
	_cleanup_(buffer_done) struct buffer bytes = { 0 };

	if (s->n_rows > SHEET_ROWS_MAX)
		return -E2BIG;
	e.numbers = reallocarray(NULL, s->n_rows + 1, sizeof(*e.numbers));
	e.starts = reallocarray(NULL, s->n_rows + 2, sizeof(*e.starts));
	int r = e.numbers && e.starts ? put_sheet(&e, &bytes) : -ENOMEM;
	free(e.numbers);
	free(e.starts);
	codec_done(&e.codec);
	if (r < 0)
		return r;
	uint8_t crc[SHEET_CRC_SIZE];
	bytes_put(crc, sizeof(crc), crc32_z(0, (const uint8_t *)bytes.data, bytes.length));
	buffer_put(out, crc, sizeof(crc));
	buffer_put(out, bytes.data, bytes.length);
	return out->failed ? -ENOMEM : 0;
}
