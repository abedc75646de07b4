/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Host pages from sysfs: trees made up in a folder, read as a reader reads /sys. */

#include <errno.h>

#include "device/host.h"
#include "file_support.h"
#include "nvmewatch/command.h"
#include "page_support.h"

static struct host host;
static uint8_t bytes[PAGE_SIZE_MAX];

/* An attribute, and the folders to it. */
static void attribute(const char *name, const char *text)
{
	char path[512];

	snprintf(path, sizeof(path), "%s", in_folder(name));
	for (char *slash = strchr(path + strlen(folder) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		mkdir(path, 0777);
		*slash = '/';
	}
	write_text(path, text);
}

static void setup(void)
{
	folder_make();
	attribute("class/nvme/nvme3/cntlid", "7\n");
	host_open(folder, "nvme3", &host);
}

static void teardown(void)
{
	host_close(&host);
	folder_remove();
}

/* Reads a page as the reader does. */
static int read_page(const struct page *p, uint32_t nsid)
{
	memset(bytes, 0x5a, sizeof(bytes));
	return host_read(&host, p->id, nsid, bytes, p->size);
}

START_TEST(test_a_controller_that_is_not_there_is_gone)
{
	struct host other;

	host_open(folder, "nvme9", &other);
	ck_assert_int_eq(host_read(&other, HOST_PCIE_LINK, 0, bytes, HOST_LINK_SIZE), -ENODEV);
	host_close(&other);
	host_open("/nowhere", "nvme3", &other);
	ck_assert_int_eq(host_read(&other, HOST_PCIE_LINK, 0, bytes, HOST_LINK_SIZE), -ENODEV);
	host_close(&other);
}
END_TEST

/* Another drive takes the name: the folder that is open stays that of the old one. */
START_TEST(test_a_name_that_leads_to_another_controller_is_not_followed)
{
	attribute("class/nvme/nvme3/device/current_link_speed", "8.0 GT/s PCIe\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), 0);
	folder_remove();
	ck_assert_int_eq(mkdir(folder, 0777), 0);
	attribute("class/nvme/nvme3/cntlid", "8\n");
	attribute("class/nvme/nvme3/device/current_link_speed", "16.0 GT/s PCIe\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), -ENODEV);
}
END_TEST

START_TEST(test_pages_that_do_not_exist_or_do_not_fit_are_nothing)
{
	ck_assert_int_eq(host_read(&host, 0, 0, bytes, sizeof(bytes)), -ENODATA);
	for (unsigned id = 16; id < 256; id++)
		ck_assert_int_eq(host_read(&host, id, 0, bytes, sizeof(bytes)), -ENODATA);
	attribute("class/nvme/nvme3/device/current_link_speed", "8.0 GT/s PCIe\n");
	for (size_t size = 0; size < HOST_LINK_SIZE; size += 4)
		ck_assert_int_eq(host_read(&host, HOST_PCIE_LINK, 0, bytes, size), -ENODATA);
}
END_TEST

START_TEST(test_speeds_in_every_way_the_kernel_writes_them)
{
	static const struct {
		const char *text;
		uint64_t speed; /* 0: unknown */
	} cases[] = {
		{ "2.5 GT/s PCIe", 2500000000 }, { "5.0 GT/s PCIe", 5000000000 },
		{ "8.0 GT/s PCIe", 8000000000 }, { "16.0 GT/s PCIe", 16000000000 },
		{ "32.0 GT/s PCIe", 32000000000 }, { "64.0 GT/s PCIe", 64000000000 },
		{ "8 GT/s", 8000000000 }, { "2.5 GT/s", 2500000000 },
		{ "Unknown", 0 }, { "Unknown speed", 0 }, { "", 0 }, { "16.0", 0 }, { "GT/s", 0 },
		{ "0 GT/s", 0 }, { "16.0 GT/sec", 0 }, { "99999 GT/s", 0 }, { "-8.0 GT/s", 0 },
		{ "16.05 GT/s", 0 },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		uint64_t speed = 0;

		ck_assert_msg(host_parse_speed(cases[i].text, &speed) == (cases[i].speed != 0), "%s",
			      cases[i].text);
		ck_assert_uint_eq(speed, cases[i].speed);
	}
}
END_TEST

START_TEST(test_a_degraded_link)
{
	attribute("class/nvme/nvme3/device/current_link_speed", "8.0 GT/s PCIe\n");
	attribute("class/nvme/nvme3/device/max_link_speed", "16.0 GT/s PCIe\n");
	attribute("class/nvme/nvme3/device/current_link_width", "2\n");
	attribute("class/nvme/nvme3/device/max_link_width", "4\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), 0);
	ck_assert_int_eq(page_check(&pcie_link_page, bytes, 32), PAGE_SOUND);
	check_value(&pcie_link_page, bytes, "current_link_speed_transfers_per_second", "8000000000");
	check_value(&pcie_link_page, bytes, "max_link_speed_transfers_per_second", "16000000000");
	check_value(&pcie_link_page, bytes, "current_link_width", "2");
	check_value(&pcie_link_page, bytes, "max_link_width", "4");
	ck_assert_uint_eq(bytes_get(bytes + 16, 8), 2);
}
END_TEST

START_TEST(test_a_link_that_is_down_is_absent)
{
	attribute("class/nvme/nvme3/device/current_link_speed", "Unknown\n");
	attribute("class/nvme/nvme3/device/max_link_speed", "16.0 GT/s PCIe\n");
	attribute("class/nvme/nvme3/device/current_link_width", "63\n");
	attribute("class/nvme/nvme3/device/max_link_width", "255\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), 0);
	check_value(&pcie_link_page, bytes, "current_link_speed_transfers_per_second", "absent");
	check_value(&pcie_link_page, bytes, "current_link_width", "absent");
	check_value(&pcie_link_page, bytes, "max_link_width", "absent");
	attribute("class/nvme/nvme3/device/current_link_width", "0\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), 0);
	check_value(&pcie_link_page, bytes, "current_link_width", "absent");
}
END_TEST

START_TEST(test_a_controller_of_a_fabric_has_no_link)
{
	attribute("class/nvme/nvme3/device/uevent", "\n");
	ck_assert_int_eq(read_page(&pcie_link_page, 0), -ENODATA);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_controller_that_is_not_there_is_gone,
		test_a_name_that_leads_to_another_controller_is_not_followed,
		test_pages_that_do_not_exist_or_do_not_fit_are_nothing,
		test_speeds_in_every_way_the_kernel_writes_them,
		test_a_degraded_link,
		test_a_link_that_is_down_is_absent,
		test_a_controller_of_a_fabric_has_no_link,
		NULL,
	};

	return check_main_with("host", tests, setup, teardown);
}
