/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* NVMe functions on the PCI bus that another driver has taken, vfio-pci for a virtual machine say, or
 * none: they are drives of this host that cannot be read, which is not the same as gone. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "discovery_sources.h"

#define CLASS_NVME 0x010802

static int add(struct scan *s, sd_device *device, const char *address)
{
	const char *driver, *syspath;
	struct discovered *found;

	if (sd_device_get_driver(device, &driver) < 0)
		driver = "no driver";
	else if (!strcmp(driver, "nvme"))
		return 0; /* seen as a controller, or about to be */
	if (sd_device_get_syspath(device, &syspath) < 0 || !sysfs_is_there(syspath))
		return 0; /* it has lost its driver because it goes */
	found = scan_add(s);
	if (!found)
		return -ENOMEM;
	found->drive = (struct drive){ .numa_node = -1, .present = true };
	found->source = "linux";
	snprintf(found->drive.transport, sizeof(found->drive.transport), "pcie");
	snprintf(found->drive.address, sizeof(found->drive.address), "%s", address);
	snprintf(found->drive.state, sizeof(found->drive.state), "%s", driver);
	found->drive.vendor = (uint32_t)sysfs_number(device, "vendor", 0);
	found->drive.numa_node = (int32_t)sysfs_number(device, "numa_node", -1);
	return 0;
}

int discovery_scan_pci(struct scan *s)
{
	_cleanup_(sd_device_enumerator_unrefp_) sd_device_enumerator *e = NULL;
	int r = sysfs_enumerate("pci", &e);

	for (sd_device *device = r < 0 ? NULL : sd_device_enumerator_get_device_first(e);
	     device && r >= 0; device = sd_device_enumerator_get_device_next(e)) {
		const char *address;

		if (sysfs_number(device, "class", 0) == CLASS_NVME &&
		    sd_device_get_sysname(device, &address) >= 0)
			r = add(s, device, address);
	}
	return r < 0 ? r : 0;
}
