/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/quirk.h"

#include <fnmatch.h>
#include <stddef.h>

#include "nvmewatch/cleanup.h"

static const struct {
	uint32_t vendor; /* 0: any */
	const char *model, *firmware; /* shell patterns */
	unsigned quirks;
	const char *source;
} table[] = {
	{ 0x15b7, "WDS*3X0C-*", "*", QUIRK_NO_RAE | QUIRK_NO_OCP, "nvme-cli issue 1729 (WD Black SN750)" },
	{ 0x144d, "Samsung SSD 970 EVO Plus *", "*", QUIRK_NO_RAE | QUIRK_NO_OCP,
	  "nvme-cli pull request 1731" },
	{ 0x144d, "Samsung SSD 9[67]0 *", "*", QUIRK_NO_OCP, "nvme-cli issue 391 (960 EVO)" },
	{ 0x1bb1, "Seagate FireCuda 5*", "*", QUIRK_NO_OCP, "collectd issue 4127 (FireCuda 530)" },
	{ 0x1987, "Sabrent*", "*", QUIRK_NO_OCP, "linuxhw/SMART samples (Rocket 4.0)" },
	{ 0x1b36, "QEMU NVMe Ctrl", "*", QUIRK_VARIES, "QEMU: the pages are options of each drive" },
	{ 0x15b7, "WDC CL SN720 *", "*", QUIRK_NO_OCP, "nvme-cli issue 500" },
};

unsigned quirks_of(uint32_t vendor, const char *model, const char *firmware)
{
	unsigned quirks = 0;

	for (size_t i = 0; i < ELEMENTS(table); i++)
		if ((!vendor || !table[i].vendor || vendor == table[i].vendor) &&
		    !fnmatch(table[i].model, model, 0) && !fnmatch(table[i].firmware, firmware, 0))
			quirks |= table[i].quirks;
	return quirks;
}
