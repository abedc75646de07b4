/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>

#include "history_export_internal.h"

#define PIECE 65536 /* bytes handed over at once */

int export_write(struct export *e, bool all)
{
	int r = 0;

	if (e->text.failed)
		return -ENOMEM;
	if (e->text.length && (all || e->text.length >= PIECE)) {
		r = e->write(e->userdata, e->text.data, e->text.length);
		e->text.length = 0;
	}
	return r;
}

int export_scan(struct export *e, const struct page *p, export_rows callback)
{
	const struct history_span span = { .drive = e->what->drive, .page = p, .every_instance = true,
					   .start = e->what->start, .end = e->what->end };
	_cleanup_(scan_freep) struct scan *s = NULL;
	const struct sheet *rows;
	int r = scan_open(e->reader, &span, 0, &s);

	while (r == 0 && (r = scan_next(s, &rows)) > 0)
		r = callback(e, p, scan_key(s), rows);
	return r;
}

bool export_has(const struct export *e, const struct sheet *rows, size_t row)
{
	int64_t time = sheet_fixed(rows, row, SHEET_TIME);

	return time >= e->what->start && time <= e->what->end;
}

const char *export_column(const struct page *p, const struct layout *l, size_t column)
{
	if (column != SHEET_INSTANCE)
		return l->columns[column].name;
	return p->selector == SELECT_NOTHING ? NULL : p->instance;
}

int history_export(struct history_reader *reader, const struct history_export *what, history_text write,
		   void *userdata)
{
	struct export e = { .reader = reader, .what = what, .write = write, .userdata = userdata };
	int r;

	if (what->format == HISTORY_CSV && !what->page)
		return -EINVAL;
	if ((r = reader_begin(reader)) < 0)
		return r;
	r = what->format == HISTORY_CSV ? export_csv(&e) : export_sql(&e);
	reader_end(reader);
	if (r == 0)
		r = export_write(&e, true);
	buffer_done(&e.text);
	return reader_result(reader, r);
}

static int write_file(void *userdata, const char *text, size_t length)
{
	return fwrite(text, 1, length, userdata) == length ? 0 : -EIO;
}

int history_export_file(struct history_reader *r, const struct history_export *what, FILE *f)
{
	int result = history_export(r, what, write_file, f);

	return result == 0 && fflush(f) != 0 ? -EIO : result;
}
