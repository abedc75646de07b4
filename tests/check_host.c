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
	char *slash = path + strlen(folder);
	while ((slash = strchr(slash + 1, '/'))) {
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

START_TEST(test_of_a_controller_that_is_not_there_nothing_is_said)
{
	struct host other;

	host_open(folder, "nvme9", &other);
	ck_assert_int_eq(host_read(&other, HOST_PCIE_LINK, 0, bytes, HOST_LINK_SIZE), -ENODATA);
	host_close(&other);
	host_open("/nowhere", "nvme3", &other);
	ck_assert_int_eq(host_read(&other, HOST_PCIE_LINK, 0, bytes, HOST_LINK_SIZE), -ENODATA);
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

/* ---- The block device of a namespace. ---- */

/* Every column another number: column n (from 1) is 1000 * n + n. */
#define STAT \
	" 1001 2002 3003 4004 5005 6006 7007 8008 9009 10010 11011 12012 13013 14014 15015 16016 17017\n"

/* A block device in the tree, at a folder of it. */
static void block(const char *at, const char *nsid, const char *stat)
{
	static const char *const names[] = { "nsid", "stat", "wwid", "queue/logical_block_size",
					     "queue/iostats" };
	const char *const texts[] = { nsid, stat, "eui.0025385b71b00a3e\n", "4096\n", "1\n" };
	char path[256];

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		snprintf(path, sizeof(path), "%s/%s", at, names[i]);
		attribute(path, texts[i]);
	}
}

static void check_block(const char *column, const char *expected)
{
	check_value(&block_page, bytes, column, expected);
}

START_TEST(test_every_column_of_stat)
{
	block("class/nvme/nvme3/nvme3n1", "1\n", STAT);
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	ck_assert_int_eq(page_check(&block_page, bytes, 336), PAGE_SOUND);
	check_block("name", "\"nvme3n1\"");
	check_block("wwid", "\"eui.0025385b71b00a3e\"");
	check_block("logical_block_bytes", "4096");
	check_block("read_completed", "1001");
	check_block("read_merged", "2002");
	check_block("read_bytes", "1537536");
	check_block("read_latency_seconds", "4.004");
	check_block("write_completed", "5005");
	check_block("write_merged", "6006");
	check_block("write_bytes", "3587584");
	check_block("write_latency_seconds", "8.008");
	check_block("in_flight", "9009");
	check_block("busy_seconds", "10.01");
	check_block("queued_seconds", "11.011");
	check_block("discard_completed", "12012");
	check_block("discard_merged", "13013");
	check_block("discard_bytes", "7175168");
	check_block("discard_latency_seconds", "15.015");
	check_block("flush_completed", "16016");
	check_block("flush_latency_seconds", "17.017");
}
END_TEST

/* Before 4.18 there were 11 columns, before 5.5 15; one day there will be more. */
START_TEST(test_a_kernel_with_other_columns)
{
	block("class/nvme/nvme3/nvme3n1", "1\n", "1 2 3 4 5 6 7 8 9 10 11\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("queued_seconds", "0.011");
	check_block("discard_completed", "absent");
	check_block("flush_latency_seconds", "absent");
	attribute("class/nvme/nvme3/nvme3n1/stat",
		  "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("flush_latency_seconds", "0.017");
	attribute("class/nvme/nvme3/nvme3n1/stat", "1 two 3\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("read_completed", "1");
	check_block("read_merged", "absent");
	check_block("read_bytes", "absent");
}
END_TEST

/* An id is not the number in the name. */
START_TEST(test_namespaces_are_told_by_their_id)
{
	block("class/nvme/nvme3/nvme3n1", "12\n", "1 0\n");
	block("class/nvme/nvme3/nvme3n2", "1\n", "2 0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("name", "\"nvme3n2\"");
	check_block("read_completed", "2");
	ck_assert_int_eq(read_page(&block_page, 12), 0);
	check_block("name", "\"nvme3n1\"");
	ck_assert_int_eq(read_page(&block_page, 2), -ENODATA);
	ck_assert_int_eq(read_page(&block_page, 0xffffffff), -ENODATA);
}
END_TEST

/* Case MPA-01: two paths to one namespace, counted once, where the host uses it. */
START_TEST(test_MPA_01_paths_are_not_counted)
{
	block("class/nvme/nvme3/nvme0c3n1", "1\n", "111 0\n");
	block("class/nvme/nvme4/nvme0c4n1", "1\n", "222 0\n");
	ck_assert_int_eq(read_page(&block_page, 1), -ENODATA);
	block("class/block/nvme0n1", "1\n", "333 0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("name", "\"nvme0n1\"");
	check_block("read_completed", "333");
}
END_TEST

/* The name may be that of another namespace by now. */
START_TEST(test_a_block_device_of_another_namespace_is_none)
{
	block("class/nvme/nvme3/nvme0c3n1", "1\n", "111 0\n");
	block("class/block/nvme0n1", "2\n", "333 0\n");
	ck_assert_int_eq(read_page(&block_page, 1), -ENODATA);
}
END_TEST

/* Before 6.3 the kernel did not count where it joins paths, but on the way. */
START_TEST(test_the_counters_of_the_only_path)
{
	attribute("class/nvme/nvme0/cntlid", "1\n");
	block("class/nvme/nvme3/nvme0c3n1", "1\n", "111 0\n");
	block("class/block/nvme0n1", "1\n", "0 0\n");
	attribute("class/block/nvme0n1/queue/iostats", "0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("name", "\"nvme0n1\"");
	check_block("read_completed", "111");
	/* Off on the way too. */
	attribute("class/nvme/nvme3/nvme0c3n1/queue/iostats", "0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("read_completed", "absent");
}
END_TEST

/* Of two, neither is the whole, and the sum would fall when one goes. */
START_TEST(test_MPA_01_the_counters_of_two_paths_are_nobodys)
{
	block("class/nvme/nvme3/nvme0c3n1", "1\n", "111 0\n");
	block("class/nvme/nvme4/nvme0c4n1", "1\n", "222 0\n");
	block("class/block/nvme0n1", "1\n", "0 0\n");
	attribute("class/block/nvme0n1/queue/iostats", "0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("name", "\"nvme0n1\"");
	check_block("read_completed", "absent");
}
END_TEST

START_TEST(test_what_is_not_counted_is_absent)
{
	block("class/nvme/nvme3/nvme3n1", "1\n", "0 0 0 0 0 0 0 0 0 0 0\n");
	attribute("class/nvme/nvme3/nvme3n1/queue/iostats", "0\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("name", "\"nvme3n1\"");
	check_block("logical_block_bytes", "4096");
	for (size_t i = 3; i < block_page.n_fields; i++)
		check_block(block_page.fields[i].name, "absent");
}
END_TEST

START_TEST(test_MPA_08_zero_ids_are_no_ids)
{
	static const char *const none[] = {
		"eui.0000000000000000", "eui.00000000000000000000000000000000",
		"uuid.00000000-0000-0000-0000-000000000000", "", "eui.", "wwn", "0x0000000000000000",
	};

	for (size_t i = 0; i < ELEMENTS(none); i++)
		ck_assert_msg(!host_is_wwid(none[i]), "%s", none[i]);
	ck_assert(host_is_wwid("eui.0000000000000001"));
	ck_assert(host_is_wwid("uuid.6d5a9c1e-0f0b-4c2e-9c57-3f3b1d2a7e01"));
	ck_assert(host_is_wwid("nvme.144d-5331-53-00000001"));
	block("class/nvme/nvme3/nvme3n1", "1\n", STAT);
	attribute("class/nvme/nvme3/nvme3n1/wwid", "eui.0000000000000000\n");
	ck_assert_int_eq(read_page(&block_page, 1), 0);
	check_block("wwid", "absent");
}
END_TEST

START_TEST(test_names_of_block_devices)
{
	static const struct {
		const char *folder, *name;
	} cases[] = {
		{ "nvme0n1", "nvme0n1" }, { "nvme12n34", "nvme12n34" }, { "nvme0c3n1", "nvme0n1" },
		{ "nvme0n1p1", NULL }, { "nvme0", NULL }, { "ng0n1", NULL }, { "nvme0c3", NULL },
		{ "hwmon4", NULL }, { "nvme0c3n1x", NULL }, { "", NULL }, { "nvmen1", NULL },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		char name[HOST_BLOCK_NAME_SIZE];

		ck_assert_msg(host_block_name(cases[i].folder, name, sizeof(name)) ==
			      (cases[i].name != NULL), "%s", cases[i].folder);
		if (cases[i].name)
			ck_assert_str_eq(name, cases[i].name);
	}
}
END_TEST

/* ---- Advanced Error Reporting. ---- */

static const char correctable[] =
	"RxErr 101\n"
	"BadTLP 102\n"
	"BadDLLP 103\n"
	"Rollover 104\n"
	"Timeout 105\n"
	"NonFatalErr 106\n"
	"CorrIntErr 107\n"
	"HeaderOF 108\n" "TOTAL_ERR_COR 109\n";
static const char uncorrectable[] =
	"Undefined 301\n"
	"DLP 302\n"
	"SDES 303\n"
	"TLP 304\n"
	"FCP 305\n"
	"CmpltTO 306\n"
	"CmpltAbrt 307\n"
	"UnxCmplt 308\n"
	"RxOF 309\n"
	"MalfTLP 310\n"
	"ECRC 311\n"
	"UnsupReq 312\n"
	"ACSViol 313\n"
	"UncorrIntErr 314\n"
	"BlockedTLP 315\n"
	"AtomicOpBlocked 316\n"
	"TLPBlockedErr 317\n"
	"PoisonTLPBlocked 318\n"
	"DMWrReqBlocked 319\n"
	"IDECheck 320\n"
	"MisIDETLP 321\n"
	"PCRC_CHECK 322\n"
	"TLPXlatBlocked 323\n" "TOTAL_ERR_FATAL 324\n";

START_TEST(test_every_error_is_counted_under_its_name)
{
	attribute("class/nvme/nvme3/device/aer_dev_correctable", correctable);
	attribute("class/nvme/nvme3/device/aer_dev_fatal", uncorrectable);
	ck_assert_int_eq(read_page(&pcie_aer_page, 0), 0);
	check_value(&pcie_aer_page, bytes, "correctable_rx_err_errors", "101");
	check_value(&pcie_aer_page, bytes, "correctable_bad_tlp_errors", "102");
	check_value(&pcie_aer_page, bytes, "correctable_bad_dllp_errors", "103");
	check_value(&pcie_aer_page, bytes, "correctable_rollover_errors", "104");
	check_value(&pcie_aer_page, bytes, "correctable_timeout_errors", "105");
	check_value(&pcie_aer_page, bytes, "correctable_non_fatal_err_errors", "106");
	check_value(&pcie_aer_page, bytes, "correctable_corr_int_err_errors", "107");
	check_value(&pcie_aer_page, bytes, "correctable_header_of_errors", "108");
	check_value(&pcie_aer_page, bytes, "correctable_total_errors", "109");
	check_value(&pcie_aer_page, bytes, "fatal_total_errors", "324");
	check_value(&pcie_aer_page, bytes, "nonfatal_total_errors", "absent");
	check_value(&pcie_aer_page, bytes, "nonfatal_undefined_errors", "absent");
	ck_assert_uint_eq(pcie_aer_page.n_fields, 9 + 24 + 24);
	for (size_t i = 9 + 24 + 1; i < pcie_aer_page.n_fields; i++) {
		char number[8];

		snprintf(number, sizeof(number), "%zu", 301 + i - 9 - 24 - 1);
		check_value(&pcie_aer_page, bytes, pcie_aer_page.fields[i].name, number);
	}
}
END_TEST

/* Linux 6.1 knows fewer errors, one day there will be more; a link without any is a page of zeros. */
START_TEST(test_a_kernel_with_other_errors)
{
	attribute("class/nvme/nvme3/device/aer_dev_nonfatal",
		  "Undefined 0\nDLP 0\nNewErr 5\nUnsupReq 2\nTOTAL_ERR_NONFATAL 7\n");
	ck_assert_int_eq(read_page(&pcie_aer_page, 0), 0);
	ck_assert_int_eq(page_check(&pcie_aer_page, bytes, pcie_aer_page.size), PAGE_SOUND);
	check_value(&pcie_aer_page, bytes, "nonfatal_dlp_errors", "0");
	check_value(&pcie_aer_page, bytes, "nonfatal_unsup_req_errors", "2");
	check_value(&pcie_aer_page, bytes, "nonfatal_ecrc_errors", "absent");
	check_value(&pcie_aer_page, bytes, "nonfatal_total_errors", "7");
	memset(bytes, 0, sizeof(bytes));
	ck_assert_int_eq(page_check(&pcie_aer_page, bytes, pcie_aer_page.size), PAGE_SOUND);
}
END_TEST

START_TEST(test_a_function_without_error_reporting)
{
	attribute("class/nvme/nvme3/device/max_link_speed", "8.0 GT/s PCIe\n");
	ck_assert_int_eq(read_page(&pcie_aer_page, 0), -ENODATA);
}
END_TEST

/* ---- The controller. ---- */

START_TEST(test_every_attribute_of_the_controller)
{
	static const struct {
		const char *name, *text;
	} attributes[] = {
		{ "queue_count", "9" }, { "sqsize", "1023" }, { "kato", "5" }, { "numa_node", "1" },
		{ "hmb", "1" }, { "diag/command_error_count", "12" }, { "diag/reset_count", "3" },
		{ "diag/reconnect_count", "18446744073709551614" }, { "firmware_rev", "7CV10100" },
	};
	char path[128];

	for (size_t i = 0; i < ELEMENTS(attributes); i++) {
		snprintf(path, sizeof(path), "class/nvme/nvme3/%s", attributes[i].name);
		attribute(path, attributes[i].text);
	}
	ck_assert_int_eq(read_page(&controller_page, 0), 0);
	check_value(&controller_page, bytes, "cntlid", "7");
	check_value(&controller_page, bytes, "queue_count", "9");
	check_value(&controller_page, bytes, "io_queue_entries", "1024");
	check_value(&controller_page, bytes, "kato_seconds", "5");
	check_value(&controller_page, bytes, "numa_node", "1");
	check_value(&controller_page, bytes, "hmb", "1");
	check_value(&controller_page, bytes, "command_errors", "12");
	check_value(&controller_page, bytes, "reset_events", "3");
	check_value(&controller_page, bytes, "reconnect_events", "absent");
	check_value(&controller_page, bytes, "firmware", "\"7CV10100\"");
	ck_assert_uint_eq(controller_page.n_fields, 10);
}
END_TEST

/* Of an older kernel, on a board without NUMA. */
START_TEST(test_what_the_kernel_does_not_have_is_absent)
{
	attribute("class/nvme/nvme3/numa_node", "-1\n");
	ck_assert_int_eq(read_page(&controller_page, 0), 0);
	check_value(&controller_page, bytes, "cntlid", "7");
	for (size_t i = 1; i < controller_page.n_fields; i++)
		check_value(&controller_page, bytes, controller_page.fields[i].name, "absent");
}
END_TEST

/* Case FWU-01: the kernel remembers the firmware that was there at the last reset. */
START_TEST(test_FWU_01_the_firmware_that_the_kernel_remembers)
{
	attribute("class/nvme/nvme3/firmware_rev", "OLD1    \n");
	ck_assert_int_eq(read_page(&controller_page, 0), 0);
	check_value(&controller_page, bytes, "firmware", "\"OLD1\"");
	attribute("class/nvme/nvme3/firmware_rev", "far more than eight characters\n");
	ck_assert_int_eq(read_page(&controller_page, 0), 0);
	check_value(&controller_page, bytes, "firmware", "\"far more than ei\"");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_of_a_controller_that_is_not_there_nothing_is_said,
		test_a_name_that_leads_to_another_controller_is_not_followed,
		test_pages_that_do_not_exist_or_do_not_fit_are_nothing,
		test_speeds_in_every_way_the_kernel_writes_them,
		test_a_degraded_link,
		test_a_link_that_is_down_is_absent,
		test_a_controller_of_a_fabric_has_no_link,
		test_every_column_of_stat,
		test_a_kernel_with_other_columns,
		test_namespaces_are_told_by_their_id,
		test_MPA_01_paths_are_not_counted,
		test_a_block_device_of_another_namespace_is_none,
		test_the_counters_of_the_only_path,
		test_MPA_01_the_counters_of_two_paths_are_nobodys,
		test_what_is_not_counted_is_absent,
		test_MPA_08_zero_ids_are_no_ids,
		test_names_of_block_devices,
		test_every_error_is_counted_under_its_name,
		test_a_kernel_with_other_errors,
		test_a_function_without_error_reporting,
		test_every_attribute_of_the_controller,
		test_what_the_kernel_does_not_have_is_absent,
		test_FWU_01_the_firmware_that_the_kernel_remembers,
		NULL,
	};

	return check_main_with("host", tests, setup, teardown);
}
