/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field table, for clients that want to know what a name means. */

#include <stdio.h>

#include "nvmewatch/document.h"
#include "nvmewatch/json.h"
#include "nvmewatch/metric.h"

static const char *kind_name(enum field_kind kind)
{
	switch (kind) {
	case FIELD_GAUGE: return "gauge";
	case FIELD_COUNTER: return "counter";
	case FIELD_INFO: break;
	}
	return "info";
}

static const char *type_name(const struct field *f)
{
	switch (field_value_type(f)) {
	case VALUE_INTEGER: return "integer";
	case VALUE_REAL: return "real";
	case VALUE_TEXT:
	case VALUE_ABSENT: break;
	}
	return "text";
}

static json_t *columns_json(const struct field *f)
{
	json_t *columns = json_array();
	char column[FIELD_COLUMN_MAX];

	for (unsigned index = 0; index < field_count(f); index++) {
		field_column(f, index, column);
		json_add(columns, json_string(column));
	}
	return columns;
}

/* `key="value",…` of the table as an object; the table has no escapes in it. */
static json_t *labels_json(const char *labels)
{
	json_t *o = json_object();
	char key[64], value[64];
	int length;

	while (labels && sscanf(labels, "%63[^=]=\"%63[^\"]\"%n", key, value, &length) == 2) {
		json_put(o, key, json_string(value));
		labels += length;
		labels += *labels == ',';
	}
	return o;
}

static json_t *index_json(const struct field *f)
{
	json_t *o;

	if (!f->count)
		return json_null();
	o = json_object();
	json_put(o, "label", json_text(f->label));
	json_put(o, "first", json_integer(f->first));
	json_put(o, "last", json_integer(f->first + f->count - 1));
	json_put(o, "stride", json_integer(f->stride));
	return o;
}

static json_t *field_json(const struct page *p, const struct field *f)
{
	char metric[METRIC_NAME_MAX];
	json_t *o = json_object();
	bool series = metric_name(p, f, metric);

	json_put(o, "name", json_string(f->name));
	json_put(o, "columns", columns_json(f));
	json_put(o, "help", json_text(f->help));
	json_put(o, "kind", json_string(kind_name(f->kind)));
	json_put(o, "type", json_string(type_name(f)));
	json_put(o, "metric", series ? json_string(metric) : json_null());
	json_put(o, "labels", labels_json(f->labels));
	json_put(o, "full", json_boolean(f->full));
	json_put(o, "item", f->item ? json_integer(f->item) : json_null());
	json_put(o, "offset", json_integer(f->offset));
	json_put(o, "size", json_integer(f->size));
	json_put(o, "since", json_integer(f->since));
	json_put(o, "index", index_json(f));
	return o;
}

static json_t *page_json(const struct page *p)
{
	json_t *o = json_object(), *fields = json_array();

	for (size_t i = 0; i < p->n_fields; i++)
		json_add(fields, field_json(p, &p->fields[i]));
	json_put(o, "name", json_string(p->name));
	json_put(o, "title", json_text(p->title));
	json_put(o, "size", json_integer(p->size));
	json_put(o, "fields", fields);
	return o;
}

void document_fields(const struct page *const *list, struct document *ret)
{
	json_t *o = json_object(), *array = json_array();

	for (; *list; list++)
		json_add(array, page_json(*list));
	json_put(o, "pages", array);
	*ret = (struct document){ .status = 200, .json = o };
}
