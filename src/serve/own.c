/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "own_internal.h"

#include <string.h>

struct buffer *own_sample(struct exposition *e, const struct drive_labels *l)
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

const struct own_family own_families[] = {
	{ "nvmewatch_collector_up", METRIC_GAUGE,
	  "1 while the collector publishes, 0 when it does not; then no drive has series.",
	  put_up, true },
	{ "nvmewatch_build", METRIC_INFO, "The program that serves this.", put_build, true },
	{ "nvmewatch_store_bytes", METRIC_GAUGE, "Size of history.db.", own_put_store_bytes, true },
	{ "nvmewatch_store_oldest_sample_timestamp_seconds", METRIC_GAUGE,
	  "When the oldest sample in history was taken, in Unix time.", own_put_store_oldest, true },
	{ "nvmewatch_store_last_write_timestamp_seconds", METRIC_GAUGE,
	  "When history.db was last written by this collector, in Unix time.", own_put_store_written,
	  true },
	{ "nvmewatch_store_spooled_samples", METRIC_GAUGE,
	  "Samples on tmpfs that wait to be written to history.db.", own_put_store_spooled, true },
	{ "nvmewatch_store_write_errors", METRIC_COUNTER,
	  "Times that history.db could not be written since the collector was started.",
	  own_put_store_errors, true },
	{ "nvmewatch_store_dropped_samples", METRIC_COUNTER,
	  "Samples that found no room to wait for history.db since the collector was started.",
	  own_put_store_dropped, true },
	{ "nvmewatch_drive", METRIC_INFO, "A drive of this host and where it sits.", own_put_info,
	  false },
	{ "nvmewatch_namespace", METRIC_INFO, "A namespace of a drive and its block device.",
	  own_put_namespaces, false },
	{ "nvmewatch_drive_capacity_bytes", METRIC_GAUGE, "Capacity of the drive.", own_put_capacity,
	  false },
	{ "nvmewatch_drive_present", METRIC_GAUGE,
	  "1 while the host sees the drive, 0 for one that has vanished.", own_put_present, false },
	{ "nvmewatch_drive_responding", METRIC_GAUGE,
	  "1 while the drive answers commands, 0 while one is overdue.", own_put_responding, false },
	{ "nvmewatch_drive_state", METRIC_GAUGE,
	  "1 for the state of the controller as the kernel calls it, 0 for the others.", own_put_state,
	  false },
	{ "nvmewatch_path_state", METRIC_GAUGE,
	  "1 for the state of one of several controllers of a drive, 0 for the others.", own_put_paths,
	  false },
	{ "nvmewatch_health_status", METRIC_GAUGE,
	  "1 for the drive's health in a word, 0 for the other words.", own_put_health, false },
	{ "nvmewatch_collect_errors", METRIC_COUNTER,
	  "Reads of a page that failed, and values that did not fit, by reason.", own_put_errors,
	  false },
	{ "nvmewatch_collect_duration_seconds", METRIC_HISTOGRAM,
	  "How long the command for a page took, of all drives together, since the collector was started.",
	  own_put_durations, true },
	{ "nvmewatch_collect_last_success_timestamp_seconds", METRIC_GAUGE,
	  "When the page was last read, in Unix time.", own_put_last_success, false },
	{ "nvmewatch_collect_supported", METRIC_GAUGE,
	  "1 where the drive has the page, 0 where it has said that it does not.", own_put_supported,
	  false },
	{ "nvmewatch_events", METRIC_COUNTER,
	  "Events of the drive since the collector was started, by type.", own_put_events, false },
	{ "nvmewatch_event_timestamp_seconds", METRIC_GAUGE,
	  "When an event of that type was last seen, in Unix time.", own_put_event_time, false },
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
