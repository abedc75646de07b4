/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/drives/{serial}/pages/{page} */

#include <string.h>

#include "api.h"
#include "json.h"
#include "nvmewatch/parse.h"

/* Every column, null where the drive does not report the value. */
static json_t *fields_json(const struct page *p, const uint8_t *bytes)
{
	json_t *fields = json_object();
	char column[FIELD_COLUMN_MAX];
	struct value v;

	for (size_t i = 0; i < p->n_fields; i++) {
		const struct field *f = &p->fields[i];

		for (unsigned index = 0; index < field_count(f); index++) {
			(void)page_decode(p, f, index, bytes, &v);
			field_column(f, index, column);
			json_put(fields, column, json_value(&v));
		}
	}
	return fields;
}

/* The page as last read, however long ago: `time` and `fresh` say so. */
json_t *api_page_document(const struct view *v, const struct now_drive *d, const struct page *p)
{
	const struct now_page *known = view_known(d, p);
	json_t *o = json_object();

	json_put(o, "time", json_time(known->time));
	json_put(o, "fresh", json_boolean(view_bytes(v, d, p)));
	json_put(o, "fields", fields_json(p, known->bytes));
	return o;
}

static int raw_answer(const struct now_page *known, const struct page *p, struct answer *ret)
{
	_cleanup_(buffer_done) struct buffer bytes = { 0 };

	buffer_put(&bytes, known->bytes, p->size);
	return answer_bytes(ret, &bytes, TYPE_BYTES);
}

static int page_answer(const struct view *v, const struct now_drive *d, const struct page *p,
		       bool raw, struct answer *ret)
{
	const struct now_page *known = view_known(d, p);

	if (known->known && !known->supported)
		return answer_problem(ret, 404, "This drive does not have the page \"%s\".",
				      p->name);
	if (!known->bytes)
		return answer_problem(ret, 404, "The page \"%s\" has not been read yet.", p->name);
	return raw ? raw_answer(known, p, ret) : answer_json(ret, api_page_document(v, d, p));
}

int api_page(struct server *s, const struct request *q, const char *const *names,
	     struct answer *ret)
{
	const char *text = request_parameter(q, "raw");
	const struct page *p = page_find(names[1]);
	const struct now_drive *d;
	bool raw = false;
	struct view v;
	int r;

	if (text && parse_bool(text, &raw) < 0)
		return answer_problem(ret, 400, "raw takes 1 or 0, not \"%s\".", text);
	if (!p)
		return answer_problem(ret, 404, "No page is called \"%s\".", names[1]);
	d = api_find_drive(s, names[0], &v, ret, &r);
	return d ? page_answer(&v, d, p, raw, ret) : r;
}
