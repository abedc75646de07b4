/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "own.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* `name{serial="…"`, to which more labels may be added. */
static struct buffer *sample(struct exposition *e, const struct drive_labels *l)
{
	text_sample(&e->text);
	buffer_put(e->text.out, e->labels.data + l->at, l->own);
	return e->text.out;
}

static void put_up(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	text_bare(&e->text, e->view->up);
}

static void put_build(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	(void)d, (void)l;
	text_sample(&e->text);
	text_label(e->text.out, false, "version", PACKAGE_VERSION);
	text_end_integer(&e->text, 1);
}

/* An unknown text is no label: Prometheus takes an empty one for absent anyway. */
static void known_label(struct buffer *out, const char *key, const char *value)
{
	if (value[0])
		text_label(out, true, key, value);
}

static void version_labels(struct exposition *e, const struct now_drive *d, struct buffer *out)
{
	struct value a, b;
	char text[48];

	if (view_value(e->view, d, &identify_page, "ver", &a)) {
		unsigned version = (unsigned)a.integer;
		snprintf(text, sizeof(text), version & 0xff ? "%u.%u.%u" : "%u.%u", version >> 16,
			 version >> 8 & 0xff, version & 0xff);
		text_label(out, true, "nvme_version", text);
	}
	if (view_value(e->view, d, &ocp_smart_page, "dssd_major_version", &a) &&
	    view_value(e->view, d, &ocp_smart_page, "dssd_minor_version", &b)) {
		snprintf(text, sizeof(text), "%" PRId64 ".%" PRId64, a.integer, b.integer);
		text_label(out, true, "ocp_version", text);
	}
}

static void put_info(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	const struct drive *drive = &d->drive;
	struct buffer *out = sample(e, l);
	char text[24];

	known_label(out, "device", drive->device);
	known_label(out, "model", drive->model);
	known_label(out, "firmware", drive->firmware);
	snprintf(text, sizeof(text), "0x%04x", drive->vendor);
	known_label(out, "vendor", drive->vendor ? text : "");
	known_label(out, "subsystem_nqn", drive->subsystem_nqn);
	known_label(out, "transport", drive->transport);
	known_label(out, "pci_address", strcmp(drive->transport, "pcie") ? "" : drive->address);
	known_label(out, "slot", drive->slot);
	snprintf(text, sizeof(text), "%" PRId32, drive->numa_node);
	known_label(out, "numa_node", drive->numa_node >= 0 ? text : "");
	version_labels(e, d, out);
	text_end_integer(&e->text, 1);
}

static void put_capacity(struct exposition *e, const struct now_drive *d,
			 const struct drive_labels *l)
{
	int64_t capacity;

	if (!view_capacity(d, &capacity))
		return;
	sample(e, l);
	text_end_integer(&e->text, capacity);
}

static void put_namespace(struct exposition *e, const struct now_drive *d,
			  const struct drive_labels *l, const struct now_page *block)
{
	struct buffer *out;
	struct value name, wwid;
	unsigned index;
	char nsid[16];

	if (!exposition_namespace(d, block->instance, &name))
		return;
	snprintf(nsid, sizeof(nsid), "%" PRIu32, block->instance);
	out = sample(e, l);
	known_label(out, "device", d->drive.device);
	text_label(out, true, "namespace", name.text);
	text_label(out, true, "nsid", nsid);
	if (page_decode(&block_page, page_field(&block_page, "wwid", &index), 0, block->bytes,
			&wwid) == 0)
		text_label(out, true, "wwid", wwid.text);
	text_end_integer(&e->text, 1);
}

static void put_namespaces(struct exposition *e, const struct now_drive *d,
			   const struct drive_labels *l)
{
	for (const struct now_page *block = view_known(d, &block_page); block; block = block->more)
		if (view_live(e->view, d, block))
			put_namespace(e, d, l, block);
}

static void put_present(struct exposition *e, const struct now_drive *d,
			const struct drive_labels *l)
{
	sample(e, l);
	text_end_integer(&e->text, d->drive.present);
}

/* A drive that is gone, or another driver's, neither responds nor fails to. */
static void put_responding(struct exposition *e, const struct now_drive *d,
			   const struct drive_labels *l)
{
	if (!d->drive.present || d->drive.lent)
		return;
	sample(e, l);
	text_end_integer(&e->text, d->drive.responding);
}

static void put_one_of(struct exposition *e, const struct drive_labels *l, const char *label,
		       const char *value, bool holds)
{
	text_label(sample(e, l), true, label, value);
	text_end_integer(&e->text, holds);
}

/* The kernel's states (drivers/nvme/host/sysfs.c); one that it may add later is shown too. */
static const char *const states[] = {
	"new", "live", "resetting", "connecting", "deleting", "deleting (no IO)", "dead",
};

static void put_path(struct exposition *e, const struct now_drive *d, const struct drive_labels *l,
		     const struct drive_path *path)
{
	for (size_t i = 0; i < ELEMENTS(states); i++) {
		struct buffer *out = sample(e, l);
		text_label(out, true, "subsystem", d->drive.subsystem_nqn);
		text_label(out, true, "controller", path->device);
		text_label(out, true, "transport", path->transport);
		text_label(out, true, "state", states[i]);
		text_end_integer(&e->text, !strcmp(states[i], path->state));
	}
}

static void put_paths(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (unsigned i = 0; d->drive.present && i < d->drive.n_paths; i++)
		put_path(e, d, l, &d->drive.paths[i]);
}

static void put_state(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	const char *state = d->drive.state;
	bool found = false;

	if (!d->drive.present || !state[0])
		return;
	for (size_t i = 0; i < ELEMENTS(states); i++) {
		bool holds = !strcmp(states[i], state);

		put_one_of(e, l, "state", states[i], holds);
		found |= holds;
	}
	if (!found)
		put_one_of(e, l, "state", state, true);
}

static void put_health(struct exposition *e, const struct now_drive *d,
		       const struct drive_labels *l)
{
	struct health health;

	view_health(e->view, d, &health);
	for (enum health_status status = 0; status < HEALTH_STATUSES; status++)
		put_one_of(e, l, "status", health_status_name(status), status == health.status);
}

static bool same_error(const struct now_error *a, const struct now_error *b)
{
	return a->page == b->page && !strcmp(a->reason, b->reason);
}

static void put_errors(struct exposition *e, const struct now_drive *d,
		       const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_errors; i++) {
		const struct now_error *error = &d->errors[i];
		bool again = error->count > INT64_MAX;

		for (size_t n = 0; n < i && !again; n++)
			again = same_error(&d->errors[n], error);
		if (again)
			continue;
		text_label(sample(e, l), true, "page", error->page->name);
		text_label(e->text.out, true, "reason", error->reason);
		text_end_integer(&e->text, (int64_t)error->count);
	}
}

/* A damaged file may have a type twice, or no number at all. */
static bool is_sound(const struct now_drive *d, size_t i)
{
	for (size_t n = 0; n < i; n++)
		if (!strcmp(d->events[n].type, d->events[i].type))
			return false;
	return d->events[i].count <= INT64_MAX;
}

static void put_count(struct exposition *e, const struct drive_labels *l, const struct now_event *event)
{
	text_label(sample(e, l), true, "type", event->type);
	text_end_integer(&e->text, (int64_t)event->count);
}

static void put_events(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_events; i++)
		if (is_sound(d, i))
			put_count(e, l, &d->events[i]);
}

static void put_event_time(struct exposition *e, const struct now_drive *d,
			   const struct drive_labels *l)
{
	for (size_t i = 0; i < d->n_events; i++) {
		if (!is_sound(d, i))
			continue;
		text_label(sample(e, l), true, "type", d->events[i].type);
		text_end_real(&e->text, (double)(d->events[i].time / 1000) / 1000);
	}
}

/* Shown whatever its age: it is the age. Pages that are read once, or once an hour, are many, and nothing
 * that an alert would wait for. */
static void put_last_success(struct exposition *e, const struct now_drive *d,
			     const struct drive_labels *l)
{
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more) {
			if (!known->bytes || (*p)->command == PAGE_DERIVED ||
			    ((*p)->cadence >= CADENCE_SLOW && !e->options->full))
				continue;
			page_instance_name(*p, known->instance, name);
			text_label(sample(e, l), true, "page", name);
			text_end_real(&e->text, (double)(known->time / 1000) / 1000);
		}
}

/* Of those, only what is lacking. */
static void put_supported(struct exposition *e, const struct now_drive *d,
			  const struct drive_labels *l)
{
	char name[PAGE_NAME_MAX];

	for (const struct page *const *p = pages; *p; p++)
		for (const struct now_page *known = view_known(d, *p); known; known = known->more) {
			if (!known->known || (*p)->command == PAGE_DERIVED ||
			    (known->supported && (*p)->cadence >= CADENCE_SLOW && !e->options->full))
				continue;
			page_instance_name(*p, known->instance, name);
			text_label(sample(e, l), true, "page", name);
			text_end_integer(&e->text, known->supported);
		}
}

const struct own_family own_families[] = {
	{ "nvmewatch_collector_up", METRIC_GAUGE,
	  "1 while the collector publishes, 0 when it does not; then no drive has series.",
	  put_up, true },
	{ "nvmewatch_build", METRIC_INFO, "The program that serves this.", put_build, true },
	{ "nvmewatch_drive", METRIC_INFO, "A drive of this host and where it sits.", put_info,
	  false },
	{ "nvmewatch_namespace", METRIC_INFO, "A namespace of a drive and its block device.",
	  put_namespaces, false },
	{ "nvmewatch_drive_capacity_bytes", METRIC_GAUGE, "Capacity of the drive.", put_capacity,
	  false },
	{ "nvmewatch_drive_present", METRIC_GAUGE,
	  "1 while the host sees the drive, 0 for one that has vanished.", put_present, false },
	{ "nvmewatch_drive_responding", METRIC_GAUGE,
	  "1 while the drive answers commands, 0 while one is overdue.", put_responding, false },
	{ "nvmewatch_drive_state", METRIC_GAUGE,
	  "1 for the state of the controller as the kernel calls it, 0 for the others.", put_state,
	  false },
	{ "nvmewatch_path_state", METRIC_GAUGE,
	  "1 for the state of one of several controllers of a drive, 0 for the others.", put_paths,
	  false },
	{ "nvmewatch_health_status", METRIC_GAUGE,
	  "1 for the drive's health in a word, 0 for the other words.", put_health, false },
	{ "nvmewatch_collect_errors", METRIC_COUNTER,
	  "Reads of a page that failed, and values that did not fit, by reason.", put_errors,
	  false },
	{ "nvmewatch_collect_last_success_timestamp_seconds", METRIC_GAUGE,
	  "When the page was last read, in Unix time.", put_last_success, false },
	{ "nvmewatch_collect_supported", METRIC_GAUGE,
	  "1 where the drive has the page, 0 where it has said that it does not.", put_supported,
	  false },
	{ "nvmewatch_events", METRIC_COUNTER,
	  "Events of the drive since the collector was started, by type.", put_events, false },
	{ "nvmewatch_event_timestamp_seconds", METRIC_GAUGE,
	  "When an event of that type was last seen, in Unix time.", put_event_time, false },
	{ 0 },
};

const struct own_family *own_find(const char *name)
{
	for (const struct own_family *f = own_families; f->name; f++)
		if (!strcmp(f->name, name))
			return f;
	return NULL;
}

void own_put_process(struct exposition *e)
{
	for (const struct own_family *f = own_families; f->name; f++)
		if (f->process && text_family(&e->text, f->name, f->type, f->help))
			f->put(e, NULL, NULL);
}

void own_put_drives(struct exposition *e)
{
	const struct now_snapshot *s = e->view->snapshot;

	for (const struct own_family *f = own_families; f->name; f++) {
		if (f->process || !text_family(&e->text, f->name, f->type, f->help))
			continue;
		for (size_t i = 0; i < s->n_drives; i++)
			if (!e->drives[i].skip)
				f->put(e, &s->drives[i], &e->drives[i]);
	}
}
