/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The simulated drive: its file and its answers. */

#include <errno.h>
#include <stdlib.h>

#include "sim_support.h"

/* ---- Loading. ---- */

START_TEST(test_identity_describes_the_drive)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		"[identity]\nserial = S1\nmodel = A model\nfirmware = FW1\ndevice = nvme7\n"
		"address = 0000:41:00.0\nslot = 3\nnuma_node = 1\nvendor = 0x1c5f\n"
		"capacity = 3.84T\nnqn = nqn.2019-08.org:x\ntransport = pcie\n");
	struct reply r = run(s, 0, identify_cns(1));
	struct drive d;

	sim_describe(s, &d);
	ck_assert_str_eq(d.serial, "S1");
	ck_assert_str_eq(d.model, "A model");
	ck_assert_str_eq(d.firmware, "FW1");
	ck_assert_str_eq(d.device, "nvme7");
	ck_assert_str_eq(d.address, "0000:41:00.0");
	ck_assert_str_eq(d.slot, "3");
	ck_assert_str_eq(d.transport, "pcie");
	ck_assert_str_eq(d.subsystem_nqn, "nqn.2019-08.org:x");
	ck_assert_int_eq(d.numa_node, 1);
	ck_assert_uint_eq(d.vendor, 0x1c5f);
	ck_assert_uint_eq(d.capacity_bytes, UINT64_C(3840000000000));
	ck_assert(d.present);
	ck_assert_str_eq(value_of(&identify_page, &r, "sn").text, "S1");
	ck_assert_str_eq(value_of(&identify_page, &r, "mn").text, "A model");
	ck_assert_int_eq(value_of(&identify_page, &r, "vid").integer, 0x1c5f);
	ck_assert_int_eq(value_of(&identify_page, &r, "tnvmcap_bytes").integer, 3840000000000);
}
END_TEST

START_TEST(test_a_serial_is_enough)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL);
	struct drive d;

	sim_describe(s, &d);
	ck_assert_str_eq(d.transport, "sim");
	ck_assert_str_eq(d.device, "");
	ck_assert_int_eq(d.numa_node, -1);
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "temperature_celsius"), 30);
	ck_assert_int_eq(run(s, 0, get_log(0xc0)).status, 0x109);
}
END_TEST

/* cases IDN-06, IDN-08: what sysfs shows is what the bytes say. */
START_TEST(test_identity_is_read_from_patched_bytes)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[raw]\nidentify.4 = 20 20 41 42 00\nidentify.0x18 = 00 00 00 00\n");
	struct drive d;

	sim_describe(s, &d);
	ck_assert_str_eq(d.serial, "AB");
}
END_TEST

static const struct {
	const char *text, *error; /* behind FILE */
} bad[] = {
	{ "[identity]\nmodel = X\n", ": [identity] lacks serial" },
	{ "serial = X\n", ":1: \"serial\" stands before any [section]" },
	{ "[identity]\nserial\n", ":2: expected \"key = value\"" },
	{ "[identity\n", ":1: a section is written [name]" },
	{ "[weather]\nx = 1\n", ":2: unknown section [weather]; allowed are identity, raw, " },
	{ "[identity]\ncolour = red\n", ":2: [identity] has no key \"colour\"; allowed are serial, "
					"model, firmware, device, " },
	{ "[identity]\nserial = 123456789012345678901\n",
	  ":2: [identity] serial = 123456789012345678901: allowed is a text of at most 20 bytes" },
	{ "[identity]\ncapacity = 4X\n",
	  ":2: [identity] capacity = 4X: allowed is a number, also with K, M, G, T or P as 3.84T" },
	{ "[identity]\nnuma_node = 5000\n",
	  ":2: [identity] numa_node = 5000: allowed is a whole number from -1 to 1023" },
	{ "[smart]\ntemp = 3\n", ":2: [smart] has no field \"temp\"; allowed are " },
	{ "[smart]\nsensor_temperature_celsius_9 = 3\n",
	  ":2: [smart] has no field \"sensor_temperature_celsius_9\"; allowed are " },
	{ "[smart]\ntemperature_celsius = 300\n",
	  ":2: [smart] temperature_celsius = 300: allowed is a whole number from -73 to 127" },
	{ "[smart]\ntemperature_celsius = warm\n",
	  ":2: [smart] temperature_celsius = warm: allowed is a whole number from -73 to 127" },
	{ "[smart]\navailable_spare_ratio = 2\n",
	  ":2: [smart] available_spare_ratio = 2: allowed is a number from 0 to 1" },
	{ "[smart]\npower_cycles = absent\n",
	  ":2: [smart] power_cycles cannot be absent; allowed is a whole number from 0 to " },
	{ "[identify]\nieee = 12\n",
	  ":2: [identify] ieee = 12: allowed is 6 lower-case hexadecimal digits" },
	{ "[raw]\nsmart = 1\n", ":2: [raw] \"smart\" names no page; allowed are those of "
				"nvmewatch-metrics(7) with a dot behind" },
	{ "[raw]\nsmart.first = 1\n", ":2: [raw] smart.first: allowed are an offset, as smart.1" },
	{ "[raw]\nsmart.512 = 01\n", ":2: [raw] smart.512: the page has offsets 0 to 511" },
	{ "[raw]\nsmart.511 = 01 02\n", ":2: [raw] smart.511: more than the 1 bytes" },
	{ "[raw]\nsmart.1 = 0\n", ":2: [raw] smart.1 = 0: allowed are hexadecimal bytes" },
	{ "[raw]\nsmart.length = 5000\n", ":2: [raw] smart.length = 5000: allowed is 1 to 4096" },
	{ "[behaviour]\nspeed = 1\n", ":2: [behaviour] has no key \"speed\"; allowed are workload, " },
	{ "[behaviour]\nworkload = heavy\n", ":2: [behaviour] workload = heavy: allowed is one of "
					     "idle, steady, diurnal, bursty" },
	{ "[behaviour]\nambient = 200\n",
	  ":2: [behaviour] ambient = 200: allowed is a number from -40 to 80" },
	{ "[behaviour]\ntime_constant = 3\n",
	  ":2: [behaviour] time_constant = 3: allowed is a whole number with s, m, h or d as 20s" },
	{ SERIAL "[behaviour]\nidle_temperature = 60\nload_temperature = 50\n",
	  ": [behaviour] load_temperature = 50: allowed is idle_temperature (60) or more" },
	{ SERIAL "[behaviour]\nheavy_temperature = 80\n",
	  ": [behaviour] heavy_temperature = 80: allowed is throttle_temperature or more" },
	{ SERIAL "[behaviour]\nidle_power = 80\n",
	  ": [behaviour] load_power = 12: allowed is idle_power (80) or more" },
};

START_TEST(test_bad_files_say_what_is_allowed)
{
	struct sim *s = NULL;
	char error[4096] = "";
	int r = load_text(bad[_i].text, &s, error, sizeof(error));
	const char *message = strchr(error, ':');

	ck_assert_int_lt(r, 0);
	ck_assert_ptr_null(s);
	ck_assert_msg(message && !strncmp(message, bad[_i].error, strlen(bad[_i].error)),
		      "\"%s\" is not \"%s\"", error, bad[_i].error);
}
END_TEST

START_TEST(test_a_missing_file_is_an_error)
{
	struct sim *s = NULL;
	char error[256];

	ck_assert_int_eq(sim_load("/nonexistent.drive", &s, error, sizeof(error)), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error, "/nonexistent.drive: cannot be opened"));
}
END_TEST

/* ---- Pages. ---- */

START_TEST(test_values_come_back_as_written)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[smart]\ntemperature_celsius = -8\nhost_written_bytes = 16579274242048000\n"
		       "sensor_temperature_celsius_2 = 82\navailable_spare_ratio = 0.97\n"
		       "[ocp_smart]\nlog_page_version = 5\nphysical_media_written_bytes = 9007199254740993\n"
		       "capacitor_health_ratio = absent\nlowest_permitted_firmware = E2MU110\n");

	ck_assert_int_eq(integer_at(s, 0, &smart_page, "temperature_celsius"), -8);
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "host_written_bytes"), 16579274242048000);
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "sensor_temperature_celsius_2"), 82);
	ck_assert_double_eq(real_at(s, 0, &smart_page, "available_spare_ratio"), 0.97);
	ck_assert_int_eq(integer_at(s, 0, &ocp_smart_page, "physical_media_written_bytes"),
			 9007199254740993);

	struct reply r = run(s, 0, get_log(0xc0));
	ck_assert_int_eq(value_of(&ocp_smart_page, &r, "capacitor_health_ratio").type, VALUE_ABSENT);
	ck_assert_str_eq(value_of(&ocp_smart_page, &r, "lowest_permitted_firmware").text, "E2MU110");
	ck_assert_int_eq(page_version(&ocp_smart_page, r.data), 5);
}
END_TEST

START_TEST(test_raw_bytes_rule)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[raw]\nsmart.1 = 09 01\n[smart]\ntemperature_celsius = 50\n"
		       "[behaviour]\nworkload = steady\n");

	ck_assert_int_eq(integer_at(s, HOUR, &smart_page, "temperature_celsius"), -8);
}
END_TEST

START_TEST(test_pages_can_be_short_and_long)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(
		SERIAL "[raw]\nsmart.length = 300\nocp_smart.length = 1024\nocp_smart.600 = 77\n");
	struct reply r = run(s, 0, get_log(2));

	ck_assert_uint_eq(r.length, 300);
	ck_assert_int_eq(page_check(&smart_page, r.data, r.length), PAGE_WRONG_SIZE);
	r = run(s, 0, get_log(0xc0));
	ck_assert_uint_eq(r.length, 1024);
	ck_assert_uint_eq(r.data[600], 0x77);
	ck_assert_uint_eq(r.data[601], 0);
}
END_TEST

START_TEST(test_the_rest_of_a_long_read_is_zero)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(OCP_DRIVE);
	struct command c = get_log(0xc0);

	c.length = 4096;
	struct reply r = run(s, 0, c);
	ck_assert_uint_eq(r.length, 4096);
	for (unsigned i = 512; i < 4096; i++)
		ck_assert_uint_eq(r.data[i], 0);
	c.length = 16;
	ck_assert_uint_eq(run(s, 0, c).length, 16);
}
END_TEST

/* ---- Statuses. ---- */

static const struct {
	const char *text;
	struct command c;
	uint16_t status;
} refusals[] = {
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xc0, .nsid = NSID_ALL, .length = 512 }, 0x109 },
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xca, .nsid = NSID_ALL, .length = 512 }, 0x109 },
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = 1, .length = 512 }, 0x002 },
	{ SERIAL "[identify]\nlpa = 1\n",
	  { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = 1, .length = 512 }, 0 },
	{ SERIAL "[identify]\nlpa = 1\n",
	  { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = 2, .length = 512 }, 0x00b },
	{ OCP_DRIVE "[identify]\nlpa = 1\n",
	  { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xc0, .nsid = 1, .length = 512 }, 0x002 },
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = 0, .length = 512 }, 0 },
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = NSID_ALL, .length = 2 }, 0x002 },
	{ SERIAL, { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .nsid = NSID_ALL, .length = 8192 }, 0x002 },
	{ SERIAL, { .opcode = OPCODE_IDENTIFY, .id = 0x02, .length = 4096 }, 0 },
	{ SERIAL, { .opcode = OPCODE_IDENTIFY, .id = 0x13, .length = 4096 }, 0x002 },
	{ SERIAL, { .opcode = OPCODE_IDENTIFY, .id = 0x17, .length = 4096 }, 0x002 },
	{ SERIAL, { .opcode = 0x0a, .id = 0x7f, .length = 4 }, 0x002 },
	{ SERIAL, { .opcode = 0x09, .id = 0x02, .length = 4 }, 0x001 },
	{ OCP_DRIVE, { .opcode = OPCODE_IDENTIFY, .id = 0x17, .length = 4096 }, 0 },
	{ OCP_DRIVE, { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xc0, .uuid_index = 1, .nsid = NSID_ALL,
		       .length = 512 }, 0 },
	{ OCP_DRIVE, { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xc0, .uuid_index = 2, .nsid = NSID_ALL,
		       .length = 512 }, 0x002 },
	{ OCP_DRIVE, { .opcode = OPCODE_GET_LOG_PAGE, .id = 2, .uuid_index = 1, .nsid = NSID_ALL,
		       .length = 512 }, 0x002 },
	/* case DEC-17: flag bits do not reach the caller. */
	{ OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x4109\n",
	  { .opcode = OPCODE_GET_LOG_PAGE, .id = 0xc0, .nsid = NSID_ALL, .length = 512 }, 0x109 },
};

START_TEST(test_commands_end_as_on_a_real_drive)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(refusals[_i].text);
	struct reply r = run(s, 0, refusals[_i].c);

	ck_assert_int_eq(r.error, 0);
	ck_assert_uint_eq(r.status, refusals[_i].status);
	ck_assert_uint_eq(r.length, r.status ? 0 : refusals[_i].c.length);
}
END_TEST

START_TEST(test_uuid_list_names_ocp_first)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(OCP_DRIVE);
	struct reply r = run(s, 0, identify_cns(0x17));

	ck_assert_uint_eq(r.data[48], 0xc1);
	ck_assert_uint_eq(r.data[63], 0x6f);
	for (unsigned i = 64; i < 96; i++)
		ck_assert_uint_eq(r.data[i], 0);
}
END_TEST

/* case ERR-01: a poller that keeps asking for what the drive refuses shows in its log. */
START_TEST(test_refusals_count_as_error_log_entries)
{
	_cleanup_(sim_freep) struct sim *s = drive_of(SERIAL "[smart]\nerror_log_entries = 40\n");

	ck_assert_int_eq(integer_at(s, 0, &smart_page, "error_log_entries"), 40);
	run(s, 0, get_log(0xc0));
	run(s, 0, identify_cns(0x17));
	ck_assert_int_eq(integer_at(s, 0, &smart_page, "error_log_entries"), 42);
	ck_assert_int_eq(integer_at(s, HOUR, &smart_page, "error_log_entries"), 42);
}
END_TEST

int main(void)
{
	Suite *suite = suite_create("sim");
	TCase *load = tcase_create("load"), *pages_ = tcase_create("pages");
	TCase *status = tcase_create("status");

	tcase_add_test(load, test_identity_describes_the_drive);
	tcase_add_test(load, test_a_serial_is_enough);
	tcase_add_test(load, test_identity_is_read_from_patched_bytes);
	tcase_add_loop_test(load, test_bad_files_say_what_is_allowed, 0, (int)ELEMENTS(bad));
	tcase_add_test(load, test_a_missing_file_is_an_error);
	tcase_add_test(pages_, test_values_come_back_as_written);
	tcase_add_test(pages_, test_raw_bytes_rule);
	tcase_add_test(pages_, test_pages_can_be_short_and_long);
	tcase_add_test(pages_, test_the_rest_of_a_long_read_is_zero);
	tcase_add_loop_test(status, test_commands_end_as_on_a_real_drive, 0,
			    (int)ELEMENTS(refusals));
	tcase_add_test(status, test_uuid_list_names_ocp_first);
	tcase_add_test(status, test_refusals_count_as_error_log_entries);
	suite_add_tcase(suite, load);
	suite_add_tcase(suite, pages_);
	suite_add_tcase(suite, status);
	return run_suite(suite);
}
