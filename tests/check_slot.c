/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Where a drive sits, from made-up trees of sysfs: a drive at 0000:3c:00.0 behind a switch at
 * 0000:3a:00.0, the root port above that at 0000:00:1c.0. */

#include "device/discovery_sources.h"
#include "file_support.h"

#define PORTS "devices/pci0000:00/0000:00:1c.0/0000:3a:00.0/0000:3b:04.0/"
#define DRIVE PORTS "0000:3c:00.0"

static void make(const char *path, const char *text)
{
	char name[512];

	snprintf(name, sizeof(name), "%s", in_folder(path));
	char *slash = name + strlen(folder);
	while ((slash = strchr(slash + 1, '/'))) {
		*slash = 0;
		mkdir(name, 0777);
		*slash = '/';
	}
	write_text(name, text);
}

static void setup(void)
{
	folder_make();
	make(DRIVE "/class", "0x010802\n");
	make("bus/pci/devices/.keep", "");
	ck_assert_int_eq(symlink("../../../" DRIVE, in_folder("bus/pci/devices/0000:3c:00.0")), 0);
}

static void check_slot(const char *expected)
{
	char slot[64] = "untouched";

	discovery_slot(folder, "0000:3c:00.0", slot, sizeof(slot));
	ck_assert_str_eq(slot, expected);
}

START_TEST(test_a_drive_that_nobody_places)
{
	char slot[64] = "untouched";

	check_slot("");
	make("bus/pci/slots/7/address", "0000:3d:00\n");
	make("bus/pci/slots/8/address", "0000:3c\n");
	make("bus/pci/slots/9/address", "\n");
	check_slot("");
	discovery_slot("/nowhere", "0000:3c:00.0", slot, sizeof(slot));
	ck_assert_str_eq(slot, "");
	discovery_slot(folder, "", slot, sizeof(slot));
	ck_assert_str_eq(slot, "");
}
END_TEST

START_TEST(test_its_own_slot_goes_first)
{
	make("bus/pci/slots/12/address", "0000:3c:00\n");
	make("bus/pci/slots/3/address", "0000:3a:00\n");
	make(DRIVE "/label", "Bay 5\n");
	check_slot("12");
}
END_TEST

START_TEST(test_then_what_firmware_calls_it)
{
	make("bus/pci/slots/3/address", "0000:3a:00\n");
	make(DRIVE "/acpi_index", "2\n");
	check_slot("index 2");
	make(DRIVE "/label", "NVMe SSD Bay 5  \n");
	check_slot("NVMe SSD Bay 5");
	make(DRIVE "/label", "\n");
	check_slot("index 2");
}
END_TEST

START_TEST(test_then_the_slot_of_the_card_above)
{
	make("bus/pci/slots/28/address", "0000:00:1c\n");
	check_slot("28");
	make("bus/pci/slots/3/address", "0000:3a:00\n");
	check_slot("3");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_drive_that_nobody_places,
		test_its_own_slot_goes_first,
		test_then_what_firmware_calls_it,
		test_then_the_slot_of_the_card_above,
		NULL,
	};

	return check_main_with("slot", tests, setup, folder_remove);
}
