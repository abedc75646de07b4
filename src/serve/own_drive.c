/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is known of a drive besides its pages: what it is, where it sits, how it is. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "own_internal.h"

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

void own_put_info(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	const struct drive *drive = &d->drive;
	struct buffer *out = own_sample(e, l);
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

void own_put_capacity(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	int64_t capacity;

	if (!view_capacity(d, &capacity))
		return;
	own_sample(e, l);
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
	out = own_sample(e, l);
	known_label(out, "device", d->drive.device);
	text_label(out, true, "namespace", name.text);
	text_label(out, true, "nsid", nsid);
	if (page_decode(&block_page, page_field(&block_page, "wwid", &index), 0, block->bytes,
			&wwid) == 0)
		text_label(out, true, "wwid", wwid.text);
	text_end_integer(&e->text, 1);
}

void own_put_namespaces(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (const struct now_page *block = view_known(d, &block_page); block; block = block->more)
		if (view_live(e->view, d, block))
			put_namespace(e, d, l, block);
}

void own_put_present(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	own_sample(e, l);
	text_end_integer(&e->text, d->drive.present);
}

/* A drive that is gone, or another driver's, neither responds nor fails to. */
void own_put_responding(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	if (!d->drive.present || d->drive.lent)
		return;
	own_sample(e, l);
	text_end_integer(&e->text, d->drive.responding);
}

static void put_one_of(struct exposition *e, const struct drive_labels *l, const char *label,
		       const char *value, bool holds)
{
	text_label(own_sample(e, l), true, label, value);
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
		struct buffer *out = own_sample(e, l);
		text_label(out, true, "subsystem", d->drive.subsystem_nqn);
		text_label(out, true, "controller", path->device);
		text_label(out, true, "transport", path->transport);
		text_label(out, true, "state", states[i]);
		text_end_integer(&e->text, !strcmp(states[i], path->state));
	}
}

void own_put_paths(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	for (unsigned i = 0; d->drive.present && i < d->drive.n_paths; i++)
		put_path(e, d, l, &d->drive.paths[i]);
}

void own_put_state(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
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

void own_put_health(struct exposition *e, const struct now_drive *d, const struct drive_labels *l)
{
	struct health health;

	view_health(e->view, d, &health);
	for (enum health_status status = 0; status < HEALTH_STATUSES; status++)
		put_one_of(e, l, "status", health_status_name(status), status == health.status);
}
