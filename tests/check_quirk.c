/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The table of models that misbehave: each report's drive is known by it, and its relatives are not. */

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/quirk.h"

static const struct {
	uint32_t vendor;
	const char *model, *firmware;
	unsigned quirks;
} drives[] = {
	{ 0x1b36, "QEMU NVMe Ctrl", "10.0.2", QUIRK_VARIES },
	{ 0x15b7, "WDS100T3X0C-00SJG0", "111110WD", QUIRK_NO_RAE | QUIRK_NO_OCP },
	{ 0x144d, "Samsung SSD 970 EVO Plus 1TB", "2B2QEXM7", QUIRK_NO_RAE | QUIRK_NO_OCP },
	{ 0x144d, "Samsung SSD 960 EVO 250GB", "2B7QCXE7", QUIRK_NO_OCP },
	{ 0x144d, "Samsung SSD 970 PRO 512GB", "1B2QEXP7", QUIRK_NO_OCP },
	{ 0x1bb1, "Seagate FireCuda 530 ZP2000GM30013", "SU6SM003", QUIRK_NO_OCP },
	{ 0x1987, "Sabrent Rocket 4.0 1TB", "RKT401.3", QUIRK_NO_OCP },
	{ 0x15b7, "WDC CL SN720 SDAQNTW-512G-1001", "10104122", QUIRK_NO_OCP },
	/* Drives with the page, and others of the same makers. */
	{ 0x144d, "SAMSUNG MZQL23T8HCLS-00A07", "GDC5602Q", 0 },
	{ 0x144d, "Samsung SSD 980 PRO 1TB", "2B2QGXA7", 0 },
	{ 0x15b7, "WUS4BB019D7P3E4", "R1410002", 0 },
	{ 0x1344, "Micron_7450_MTFDKCC3T8TFR", "E2MU200", 0 },
	{ 0x1c5f, "PBlaze6 6536", "00A01", 0 },
	{ 0x1bb1, "Seagate Nytro 5350", "", 0 },
	{ 0, "", "", 0 },
};

START_TEST(test_each_drive_has_its_quirks)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++)
		ck_assert_msg(quirks_of(drives[i].vendor, drives[i].model, drives[i].firmware) ==
				      drives[i].quirks, "%s", drives[i].model);
}
END_TEST

/* Discovery without PCI knows no vendor: the model alone must do. */
START_TEST(test_an_unknown_vendor_is_any)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++)
		ck_assert_msg(quirks_of(0, drives[i].model, drives[i].firmware) == drives[i].quirks,
			      "%s", drives[i].model);
}
END_TEST

/* A model that another vendor uses too is another drive. */
START_TEST(test_another_vendor_is_another_drive)
{
	for (size_t i = 0; i < ELEMENTS(drives); i++)
		ck_assert_uint_eq(quirks_of(0xabcd, drives[i].model, drives[i].firmware), 0);
}
END_TEST

/* Models are texts, whatever a drive puts there. */
START_TEST(test_patterns_are_ours_not_the_drives)
{
	ck_assert_uint_eq(quirks_of(0x144d, "*", "*"), 0);
	ck_assert_uint_eq(quirks_of(0x144d, "[", "\\"), 0);
	ck_assert_uint_eq(quirks_of(0x15b7, "WDS", "?"), 0);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_each_drive_has_its_quirks,
		test_an_unknown_vendor_is_any,
		test_another_vendor_is_another_drive,
		test_patterns_are_ours_not_the_drives,
		NULL,
	};

	return check_main("quirk", tests);
}
