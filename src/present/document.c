/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/document.h"

#include <stdio.h>

#include "nvmewatch/json.h"

static json_t *health_json(const struct view *v, const struct now_drive *d)
{
	json_t *reasons = json_array(), *object = json_object();
	struct health health;

	view_health(v, d, &health);
	for (unsigned i = 0; i < health.n_reasons; i++)
		json_add(reasons, json_string(health.reasons[i]));
	json_put(object, "status", json_string(health_status_name(health.status)));
	json_put(object, "reasons", reasons);
	return object;
}

/* What the collector says of this moment is null once it does not live any more. */
static json_t *flag_json(const struct view *v, bool flag)
{
	return v->up ? json_boolean(flag) : json_null();
}

static json_t *live_json(const struct view *v, const struct now_drive *d, const struct page *p,
			 const char *column)
{
	struct value value = { .type = VALUE_ABSENT };

	(void)view_value(v, d, p, column, &value);
	return json_value(&value);
}

/* The controllers of a drive that has several; else an empty list. */
static json_t *paths_json(const struct drive *drive)
{
	json_t *list = json_array();

	for (unsigned i = 0; i < drive->n_paths; i++) {
		json_t *path = json_object();

		json_put(path, "device", json_text(drive->paths[i].device));
		json_put(path, "transport", json_text(drive->paths[i].transport));
		json_put(path, "address", json_text(drive->paths[i].address));
		json_put(path, "state", json_text(drive->paths[i].state));
		json_add(list, path);
	}
	return list;
}

static json_t *summary_json(const struct view *v, const struct now_drive *d)
{
	const struct drive *drive = &d->drive;
	json_t *o = json_object();
	int64_t capacity = 0;
	const char *from = view_capacity(d, &capacity);

	json_put(o, "serial", json_string(drive->key));
	json_put(o, "device", json_text(drive->device));
	json_put(o, "model", json_text(drive->model));
	json_put(o, "firmware", json_text(drive->firmware));
	json_put(o, "slot", json_text(drive->slot));
	json_put(o, "address", json_text(drive->address));
	json_put(o, "transport", json_text(drive->transport));
	json_put(o, "subsystem_nqn", json_text(drive->subsystem_nqn));
	json_put(o, "paths", paths_json(drive));
	json_put(o, "capacity_bytes", from ? json_integer(capacity) : json_null());
	json_put(o, "capacity_from", from ? json_string(from) : json_null());
	json_put(o, "present", flag_json(v, drive->present));
	/* Who has it gets the answers. */
	json_put(o, "responding", drive->present && drive->lent ? json_null() :
				  flag_json(v, drive->present && drive->responding));
	json_put(o, "state", v->up && drive->present ? json_text(drive->state) : json_null());
	json_put(o, "health", health_json(v, d));
	json_put(o, "endurance_used_ratio", live_json(v, d, &smart_page, "endurance_used_ratio"));
	json_put(o, "host_written_bytes", live_json(v, d, &smart_page, "host_written_bytes"));
	json_put(o, "temperature_celsius", live_json(v, d, &smart_page, "temperature_celsius"));
	return o;
}

/* Every column, null where the drive does not report the value. */
static json_t *fields_json(const struct now_drive *d, const struct page *p, const uint8_t *bytes)
{
	json_t *fields = json_object();
	char column[FIELD_COLUMN_MAX];
	struct value v;

	for (size_t i = 0; i < p->n_fields; i++) {
		const struct field *f = &p->fields[i];

		for (unsigned index = 0; index < field_count(f); index++) {
			(void)view_decode(d, p, f, index, bytes, &v);
			field_column(f, index, column);
			json_put(fields, column, json_value(&v));
		}
	}
	return fields;
}

/* The page as last read, however long ago: `time` and `fresh` say so. */
static json_t *page_json(const struct view *v, const struct now_drive *d, const struct page *p,
			 const struct now_page *known)
{
	json_t *o = json_object();

	json_put(o, "time", json_time(known->time));
	json_put(o, "fresh", json_boolean(view_live(v, d, known)));
	json_put(o, "fields", fields_json(d, p, known->bytes));
	return o;
}

static json_t *pages_json(const struct view *v, const struct now_drive *d)
{
	json_t *o = json_object();
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more)
			if (known->bytes) {
				page_instance_name(*p, known->instance, name);
				json_put(o, name, page_json(v, d, *p, known));
			}
	return o;
}

static json_t *unsupported_json(const struct now_drive *d)
{
	json_t *names = json_array();
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more)
			if (known->known && !known->supported) {
				page_instance_name(*p, known->instance, name);
				json_add(names, json_string(name));
			}
	return names;
}

static json_t *errors_json(const struct now_drive *d)
{
	json_t *errors = json_array();

	for (size_t i = 0; i < d->n_errors; i++) {
		const struct now_error *error = &d->errors[i];
		json_t *o = json_object();

		json_put(o, "page", json_string(error->page->name));
		json_put(o, "reason", json_text(error->reason));
		json_put(o, "count", json_integer((json_int_t)error->count));
		json_add(errors, o);
	}
	return errors;
}

/* What its maker rates it for, in short; null for a drive that is not in the catalogue. */
static json_t *rating_json(const struct now_drive *d)
{
	static const char *const columns[][2] = {
		{ "family", "family" },
		{ "rated_drive_writes_per_day", "rated_drive_writes_per_day" },
		{ "rated_written_bytes", "rated_written_bytes" },
		{ "basis", "basis" },
		{ "warranty_years", "rated_warranty_years" },
		{ "entry", "entry" },
		{ "pattern", "pattern" },
		{ "file", "file" },
		{ "origin", "origin" },
		{ "source", "source" },
	};
	const uint8_t *bytes = view_known(d, &rating_page)->bytes;
	json_t *o = bytes ? json_object() : json_null();
	unsigned index;
	struct value v;

	for (size_t i = 0; bytes && i < ELEMENTS(columns); i++) {
		const struct field *f = page_field(&rating_page, columns[i][1], &index);

		(void)page_decode(&rating_page, f, index, bytes, &v);
		json_put(o, columns[i][0], json_value(&v));
	}
	return o;
}

static json_t *drive_json(const struct view *v, const struct now_drive *d)
{
	json_t *o = summary_json(v, d);

	json_put(o, "pages", pages_json(v, d));
	json_put(o, "unsupported", unsupported_json(d));
	json_put(o, "errors", errors_json(d));
	json_put(o, "rating", rating_json(d));
	return o;
}

void document_done(struct document *d)
{
	json_decref(d->json);
	*d = (struct document){ 0 };
}

void document_problem(struct document *ret, unsigned status, const char *format, ...)
{
	va_list args;

	*ret = (struct document){ .status = status };
	va_start(args, format);
	vsnprintf(ret->problem, sizeof(ret->problem), format, args);
	va_end(args);
}

static void document_set(struct document *ret, json_t *json)
{
	*ret = (struct document){ .status = 200, .json = json };
}

/* What is shown while there is no publication: not an empty list, which would say that the host
 * has no drives. */
static void no_publication(struct document *ret)
{
	document_problem(ret, 503, "The collector has not published anything yet.");
}

const struct now_drive *document_find_drive(const struct view *v, const char *key,
					    struct document *ret)
{
	const struct now_drive *d = v->snapshot ? now_find(v->snapshot, key) : NULL;

	if (!v->snapshot)
		no_publication(ret);
	else if (!d)
		document_problem(ret, 404, "No drive of this host has the serial \"%s\".", key);
	return d;
}

/* The page of that name, also of a drive that has one of several only. */
static const struct page *find_page(const char *name, uint32_t *ret_instance, struct document *ret)
{
	const struct page *p = page_find_instance(name, ret_instance);

	if (!p && page_find(name))
		document_problem(ret, 404, "A drive may have several of the page \"%s\": ask for \"%s_1\".",
				 name, name);
	else if (!p)
		document_problem(ret, 404, "No page is called \"%s\".", name);
	return p;
}

const struct now_page *document_find_page(const struct view *v, const char *key, const char *name,
					  const struct page **ret_page, struct document *ret)
{
	uint32_t instance;
	const struct page *p = find_page(name, &instance, ret);
	const struct now_drive *d = p ? document_find_drive(v, key, ret) : NULL;

	if (!d)
		return NULL;
	const struct now_page *known = view_instance(d, p, instance);
	if (known && known->known && !known->supported)
		document_problem(ret, 404, "This drive does not have the page \"%s\".", name);
	else if (!known || !known->bytes)
		document_problem(ret, 404, "The page \"%s\" has not been read yet.", name);
	else {
		*ret_page = p;
		return known;
	}
	return NULL;
}

void document_drives(const struct view *v, struct document *ret)
{
	json_t *drives, *o;

	if (!v->snapshot) {
		no_publication(ret);
		return;
	}
	drives = json_array();
	for (size_t i = 0; i < v->snapshot->n_drives; i++)
		json_add(drives, summary_json(v, &v->snapshot->drives[i]));
	o = json_object();
	json_put(o, "drives", drives);
	document_set(ret, o);
}

void document_drive(const struct view *v, const char *key, struct document *ret)
{
	const struct now_drive *d = document_find_drive(v, key, ret);

	if (d)
		document_set(ret, drive_json(v, d));
}

void document_page(const struct view *v, const char *key, const char *name, struct document *ret)
{
	const struct page *p;
	const struct now_page *known = document_find_page(v, key, name, &p, ret);

	if (known)
		document_set(ret, page_json(v, now_find(v->snapshot, key), p, known));
}
