/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* udev's events about controllers, their block devices and the PCI functions behind them. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "discovery_sources.h"

static const char *property(sd_device *device, const char *name)
{
	const char *value;

	return sd_device_get_property_value(device, name, &value) < 0 ? "" : value;
}

/* A host has many block and PCI devices; only those of NVMe concern us. */
static bool concerns_us(sd_device *device, const char *subsystem)
{
	const char *name;

	if (!strcmp(subsystem, "nvme"))
		return true;
	if (!strcmp(subsystem, "block"))
		return sd_device_get_sysname(device, &name) >= 0 && !strncmp(name, "nvme", 4);
	/* PCI_CLASS=10802, as the kernel prints the class of NVMe. */
	return !strcmp(property(device, "PCI_CLASS"), "10802");
}

static int on_device(sd_device_monitor *m, sd_device *device, void *userdata)
{
	struct discovery *d = userdata;
	struct discovery_event event = { .device = "" };
	const char *subsystem;

	(void)m;
	if (sd_device_get_subsystem(device, &subsystem) < 0 || !concerns_us(device, subsystem))
		return 0;
	if (!strcmp(subsystem, "nvme"))
		sd_device_get_sysname(device, &event.device);
	event.connected = !strcmp(property(device, "NVME_EVENT"), "connected");
	event.aen = (uint32_t)strtoul(property(device, "NVME_AEN"), NULL, 16);
	d->fn(d->userdata, &event);
	return 0;
}

static int start(struct discovery *d, sd_event *e)
{
	int r;

	if ((r = sd_device_monitor_new(&d->monitor)) < 0 ||
	    (r = sd_device_monitor_filter_add_match_subsystem_devtype(d->monitor, "nvme", NULL)) < 0 ||
	    (r = sd_device_monitor_filter_add_match_subsystem_devtype(d->monitor, "pci", NULL)) < 0 ||
	    (r = sd_device_monitor_filter_add_match_subsystem_devtype(d->monitor, "block", "disk")) <
		    0 ||
	    (r = sd_device_monitor_attach_event(d->monitor, e)) < 0)
		return r;
	return sd_device_monitor_start(d->monitor, on_device, d);
}

int discovery_watch(struct discovery *d, sd_event *e, discovery_event_fn *fn, void *userdata)
{
	if (d->simulated)
		return 0; /* discovery_next_change() knows */
	d->fn = fn;
	d->userdata = userdata;
	int r = start(d, e);
	if (r < 0)
		d->monitor = sd_device_monitor_unref(d->monitor);
	return r;
}
