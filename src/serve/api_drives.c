/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /api/v1/drives and /api/v1/drives/{serial} */

#include <string.h>

#include "api.h"
#include "json.h"

/* What is shown while there is no publication: not an empty list, which would say that the host
 * has no drives. */
static int no_publication(struct answer *ret)
{
	return answer_problem(ret, 503, "The collector has not published anything yet.");
}

const struct now_drive *api_find_drive(struct server *s, const char *key, struct view *ret_view,
				       struct answer *ret, int *ret_r)
{
	const struct now_drive *d;

	live_look(&s->live, ret_view);
	if (!ret_view->snapshot) {
		*ret_r = no_publication(ret);
		return NULL;
	}
	d = now_find(ret_view->snapshot, key);
	if (!d)
		*ret_r = answer_problem(ret, 404, "No drive of this host has the serial \"%s\".",
					key);
	return d;
}

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

json_t *api_drive_summary(const struct view *v, const struct now_drive *d)
{
	const struct drive *drive = &d->drive;
	json_t *o = json_object();
	int64_t capacity;

	json_put(o, "serial", json_string(drive->key));
	json_put(o, "device", json_text(drive->device));
	json_put(o, "model", json_text(drive->model));
	json_put(o, "firmware", json_text(drive->firmware));
	json_put(o, "slot", json_text(drive->slot));
	json_put(o, "address", json_text(drive->address));
	json_put(o, "transport", json_text(drive->transport));
	json_put(o, "subsystem_nqn", json_text(drive->subsystem_nqn));
	json_put(o, "capacity_bytes",
		 view_capacity(d, &capacity) ? json_integer(capacity) : json_null());
	json_put(o, "present", flag_json(v, drive->present));
	json_put(o, "responding", flag_json(v, drive->present && drive->responding));
	json_put(o, "state", v->up && drive->present ? json_text(drive->state) : json_null());
	json_put(o, "health", health_json(v, d));
	json_put(o, "temperature_celsius", live_json(v, d, &smart_page, "temperature_celsius"));
	return o;
}

int api_drives(struct server *s, const struct request *q, const char *const *names,
	       struct answer *ret)
{
	struct view v;

	(void)q, (void)names;
	live_look(&s->live, &v);
	if (!v.snapshot)
		return no_publication(ret);
	json_t *drives = json_array(), *document = json_object();
	for (size_t i = 0; i < v.snapshot->n_drives; i++)
		json_add(drives, api_drive_summary(&v, &v.snapshot->drives[i]));
	json_put(document, "drives", drives);
	return answer_json(ret, document);
}

static json_t *pages_json(const struct view *v, const struct now_drive *d)
{
	json_t *o = json_object();

	for (const struct page *const *p = pages; *p; p++)
		if (view_known(d, *p)->bytes)
			json_put(o, (*p)->name, api_page_document(v, d, *p));
	return o;
}

static json_t *unsupported_json(const struct now_drive *d)
{
	json_t *names = json_array();

	for (const struct page *const *p = pages; *p; p++)
		if (view_known(d, *p)->known && !view_known(d, *p)->supported)
			json_add(names, json_string((*p)->name));
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

json_t *api_drive_document(const struct view *v, const struct now_drive *d)
{
	json_t *o = api_drive_summary(v, d);

	json_put(o, "pages", pages_json(v, d));
	json_put(o, "unsupported", unsupported_json(d));
	json_put(o, "errors", errors_json(d));
	return o;
}

int api_drive(struct server *s, const struct request *q, const char *const *names,
	      struct answer *ret)
{
	const struct now_drive *d;
	struct view v;
	int r;

	(void)q;
	d = api_find_drive(s, names[0], &v, ret, &r);
	return d ? answer_json(ret, api_drive_document(&v, d)) : r;
}
