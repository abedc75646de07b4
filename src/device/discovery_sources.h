/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* struct discovery, and how each kind of source fills a scan. */

#include <systemd/sd-device.h>

#include "nvmewatch/discovery.h"
#include "nvmewatch/sim.h"

struct simulated_drive {
	char *path;
	struct sim *sim;
};

struct discovery {
	/* Simulated drives; none: the kernel's controllers. */
	bool simulated;
	struct simulated_drive *drives;
	size_t n_drives;
	int64_t start; /* mono: when they were powered on */

	/* Of fabrics, as the last scan found and left them out. */
	struct skipped {
		char device[32], subsystem_nqn[257];
	} *skipped;
	size_t n_skipped;

	sd_device_monitor *monitor;
	discovery_event_fn *fn;
	void *userdata;
};

/* A growing scan. */
struct scan {
	struct discovered *found;
	size_t n;
};

/* Room for one more, zeroed; NULL: out of memory. */
struct discovered *scan_add(struct scan *s);

/* Says which controllers of the scan are left out for being of a fabric, those that the last scan
 * found as well excepted. */
void discovery_note_skipped(struct discovery *d, const struct scan *scan, const struct settings *s);

/* Whether the controller is one of a fabric: tcp, rdma, fc, loop. */
bool discovery_is_fabric(const struct drive *d);

int discovery_scan_linux(struct scan *s);
int discovery_scan_pci(struct scan *s);
int discovery_scan_sim(const struct discovery *d, int64_t now, struct scan *s);
int discovery_load_sims(struct discovery *d, const char *folder, char *error, size_t error_size);
void discovery_free_sims(struct discovery *d);

/* Where the PCI function of that address sits, by the sysfs at root; empty where nobody says. */
void discovery_slot(const char *root, const char *address, char *ret, size_t size);

/* Copies a sysfs attribute, trimmed, cut to fit; empty where there is none. */
void sysfs_text(sd_device *device, const char *name, char *ret, size_t size);
int64_t sysfs_number(sd_device *device, const char *name, int64_t otherwise);

/* Whether the device is still there: one that goes loses its attributes at any moment. */
bool sysfs_is_there(const char *syspath);

/* An enumerator of a subsystem's devices. 0 or a negative errno. */
int sysfs_enumerate(const char *subsystem, sd_device_enumerator **ret);
void sd_device_enumerator_unrefp_(sd_device_enumerator **e);
