/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "column_value.h"
#include "sheet_codec.h"
#include "sheet_format.h"
#include "sheet_internal.h"

/* A sheet that is being read: room for a column's groups. */
struct decoding {
	struct sheet *sheet;
	struct codec *codec;
	uint32_t *starts;
	struct groups all; /* of the page's columns that are present in every row */
	uint32_t *all_starts;
};

/* Reads the presences by way of the values' room. */
static int get_presence(struct decoding *d, struct intake *in, struct sheet_column *c, uint64_t *numbers)
{
	struct groups g;
	int r;

	sheet_groups(d->sheet, 0, NULL, d->starts, &g);
	r = stream_get(d->codec, in, numbers, &g);
	for (size_t i = 0; r == 0 && i < d->sheet->n_rows; i++) {
		if (numbers[i] > 1)
			r = -EUCLEAN;
		c->present[i] = (uint8_t)numbers[i];
	}
	return r;
}

static int get_groups(struct decoding *d, size_t column, const uint8_t *present, struct groups *ret)
{
	if (!present && column > SHEET_INSTANCE && d->all.n)
		*ret = d->all;
	else if (!present && column > SHEET_INSTANCE) {
		sheet_groups(d->sheet, column, NULL, d->all_starts, &d->all);
		*ret = d->all;
	} else {
		sheet_groups(d->sheet, column, present, d->starts, ret);
	}
	return ret->n ? 0 : -EUCLEAN;
}

static int get_values(struct decoding *d, struct intake *in, size_t column, const uint8_t *present,
		      uint64_t *numbers, struct groups *ret_groups)
{
	enum value_type type = d->sheet->layout->columns[column].type;
	struct sheet_column *c = &d->sheet->columns[column];
	uint8_t form = 0;
	int r = get_groups(d, column, present, ret_groups);

	if (r < 0)
		return r;
	size_t n = ret_groups->starts[ret_groups->n];
	if (type == VALUE_REAL && !real_get(in, &form))
		return -EUCLEAN;
	if (type == VALUE_TEXT)
		r = text_get(d->codec, in, n, c);
	if (r == 0)
		r = stream_get(d->codec, in, numbers, ret_groups);
	if (r < 0)
		return r;
	if (type == VALUE_REAL)
		real_undo(form, numbers, n);
	for (size_t i = 0; type == VALUE_TEXT && i < n; i++)
		if (numbers[i] >= c->n_texts)
			return -EUCLEAN;
	return 0;
}

/* The values, one behind the other, to the rows where they are present; 0 elsewhere. */
static void scatter(const uint8_t *present, uint64_t *numbers, size_t rows, size_t n)
{
	for (size_t i = rows; i-- > 0;)
		numbers[i] = present[i] ? numbers[--n] : 0;
}

static int get_column(struct decoding *d, struct intake in, size_t column, unsigned flags)
{
	struct sheet_column *c = &d->sheet->columns[column];
	uint64_t *numbers = (uint64_t *)c->values;
	bool sparse = flags & COLUMN_SPARSE;
	const uint8_t *present = sparse ? c->present : NULL;
	size_t n = d->sheet->n_rows;
	struct groups g;

	if (n == 0 || (in.at == in.end && column >= SHEET_FIXED)) {
		memset(numbers, 0, n * sizeof(*numbers));
		memset(c->present, 0, n);
		return in.at == in.end ? 0 : -EUCLEAN;
	}
	if ((column < SHEET_FIXED && sparse) || (column <= SHEET_TIME && flags & COLUMN_RELATIVE))
		return -EUCLEAN;
	memset(c->present, 1, n);
	int r = sparse ? get_presence(d, &in, c, numbers) : 0;
	if (r == 0)
		r = get_values(d, &in, column, present, numbers, &g);
	if (r < 0 || in.at < in.end)
		return r < 0 ? r : -EUCLEAN;
	if (flags & COLUMN_RELATIVE)
		sheet_relate(d->sheet, present, numbers, true);
	if (sparse)
		scatter(present, numbers, n, g.starts[g.n]);
	return 0;
}

static void drop_room(struct sheet_column *c)
{
	free(c->values);
	free(c->present);
	c->values = NULL;
	c->present = NULL;
}

/* Room for the sheet's rows. */
static int make_room(const struct sheet *s, struct sheet_column *c)
{
	if (c->values && c->present)
		return 0;
	drop_room(c);
	c->values = reallocarray(NULL, s->room, sizeof(*c->values));
	c->present = malloc(s->room);
	return c->values && c->present ? 0 : -ENOMEM;
}

/* The columns, one behind the other as the table says; those that nobody wants are passed over. */
static int get_columns(struct decoding *d, struct intake table, struct intake body, const bool *wanted)
{
	struct sheet *s = d->sheet;
	struct intake in;
	uint64_t entry;
	int r = 0;

	for (size_t i = 0; r == 0 && i < s->layout->n_columns; i++) {
		if (!varint_get(&table, &entry) || !intake_take(&body, entry >> COLUMN_FLAGS, &in))
			return -EUCLEAN;
		s->columns[i].loaded = i < SHEET_FIXED || !wanted || wanted[i];
		if (!s->columns[i].loaded) {
			drop_room(&s->columns[i]);
			continue;
		}
		r = make_room(s, &s->columns[i]);
		if (r == 0)
			r = get_column(d, in, i, entry & ((1 << COLUMN_FLAGS) - 1));
	}
	return r == 0 && body.at < body.end ? -EUCLEAN : r;
}

/* What is before the columns: sets *in to their table, *ret_rows. */
static int get_header(struct intake *in, const struct layout *l, size_t *ret_rows)
{
	struct intake crc;
	uint64_t rows, columns;

	if (!intake_take(in, SHEET_CRC_SIZE, &crc) || in->at == in->end ||
	    crc32_z(0, in->at, (size_t)(in->end - in->at)) != bytes_get(crc.at, SHEET_CRC_SIZE))
		return -EUCLEAN;
	uint8_t format = *in->at++;
	if (format != SHEET_FORMAT)
		return format > SHEET_FORMAT ? -EPROTO : -EUCLEAN;
	if (!varint_get(in, &rows) || !varint_get(in, &columns) || rows > SHEET_ROWS_MAX ||
	    columns != l->n_columns)
		return -EUCLEAN;
	*ret_rows = rows;
	return 0;
}

static int get_sheet(struct decoding *d, struct intake in, const bool *wanted)
{
	struct intake body = in;
	uint64_t unused;

	for (size_t i = 0; i < d->sheet->layout->n_columns; i++)
		if (!varint_get(&body, &unused))
			return -EUCLEAN;
	size_t room = d->sheet->n_rows + 2;
	d->starts = reallocarray(NULL, 2 * room, sizeof(*d->starts));
	if (!d->starts)
		return -ENOMEM;
	d->all_starts = d->starts + room;
	int r = get_columns(d, in, body, wanted);
	free(d->starts);
	return r;
}

static int decode_into(struct codec *c, const void *data, size_t size, const bool *wanted, struct sheet *s)
{
	struct intake in = { data, (const uint8_t *)data + size };
	size_t rows = 0;
	int r = get_header(&in, s->layout, &rows);

	if (rows >= s->room)
		sheet_forget(s);
	else
		sheet_clear(s);
	s->n_rows = rows;
	s->room = s->room ? s->room : rows + 1;
	if (r == 0)
		r = get_sheet(&(struct decoding){ .sheet = s, .codec = c }, in, wanted);
	if (r < 0)
		sheet_forget(s);
	return r;
}

int sheet_decode_into(const void *data, size_t size, const bool *wanted, struct sheet *s)
{
	struct codec c = { 0 };
	int r = decode_into(&c, data, size, wanted, s);

	codec_done(&c);
	return r;
}

int sheet_decode_with(struct codec *c, const void *data, size_t size, const struct layout *l, const bool *wanted,
		      struct sheet **ret)
{
	_cleanup_(sheet_freep) struct sheet *s = NULL;
	int r = sheet_new(l, &s);

	if (r == 0)
		r = decode_into(c, data, size, wanted, s);
	if (r < 0)
		return r;
	*ret = TAKE(s);
	return 0;
}

int sheet_decode(const void *data, size_t size, const struct layout *l, const bool *wanted,
		 struct sheet **ret)
{
	struct codec c = { 0 };
	int r = sheet_decode_with(&c, data, size, l, wanted, ret);

	codec_done(&c);
	return r;
}
