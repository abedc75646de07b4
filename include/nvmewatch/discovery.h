/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Which drives there are, now and whenever that changes. For the kernel's controllers this reads
 * names in sysfs only: nothing here opens a device, sends a command or blocks on a drive. Called by
 * collect, one thread. */

#include <systemd/sd-event.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "nvmewatch/settings.h"

struct discovery;

/* Prepares the configured source. Simulated drives are powered on at `start` (mono). Returns 0, or a
 * negative errno with a message in error[]. */
int discovery_new(const struct settings *s, int64_t start, struct discovery **ret, char *error,
		  size_t error_size);
void discovery_free(struct discovery *d);
DEFINE_CLEANUP(struct discovery *, discovery_free)

/* A controller that there is at this moment. */
struct discovered {
	struct drive drive;     /* .key is not set */
	const char *source;     /* for reader_spawn() */
	char target[512];       /* likewise; empty: it cannot be read, drive.state says why */
	bool may_sleep;         /* the kernel may suspend it, see discovery_is_suspended() */
	uint16_t cntlid;        /* tells the controllers of one subsystem apart */
};

/* Lists the controllers that the settings let through, in the order of device names, at `now`
 * (mono). *ret is the caller's to free(). Returns 0 or a negative errno. */
int discovery_scan(struct discovery *d, const struct settings *s, int64_t now,
		   struct discovered **ret, size_t *ret_n);

/* What the kernel said of a controller. */
struct discovery_event {
	const char *device; /* nvme0; empty: some block or PCI device changed */
	bool connected;     /* it was (re)initialised: what was known of it may be wrong */
	uint32_t aen;       /* the asynchronous event as the drive sent it (NVMe Base, figure 151), or 0 */
};

typedef void discovery_event_fn(void *userdata, const struct discovery_event *event);

/* Calls fn in e's loop whenever a scan may find something else. A host on which udev's events cannot
 * be had returns a negative errno and is to be scanned from time to time. */
int discovery_watch(struct discovery *d, sd_event *e, discovery_event_fn *fn, void *userdata);

/* When a simulated drive will come, go or change next (mono); INT64_MAX: never, or only the kernel
 * knows. */
int64_t discovery_next_change(const struct discovery *d, int64_t now);

/* Whether collect.include, collect.exclude and collect.fabrics let the drive through. Pure. */
bool discovery_wants(const struct settings *s, const struct drive *d);

/* Reads d->state anew for a controller of the kernel (an attribute that no drive can block). */
void discovery_state(struct drive *d);

/* Whether the kernel has put the controller to sleep (runtime suspend): a command would wake it. */
bool discovery_is_suspended(const struct drive *d);
