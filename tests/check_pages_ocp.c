/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The OCP latency monitor, log page C3h: every value of a page made by hand. */

#include "pages_ocp_support.h"

/* As the reference writes the offsets out: bucket 0 to 3, and in each read, write, trim. */
static const unsigned active_counters[4][3] = {
	{ 44, 40, 36 }, { 60, 56, 52 }, { 76, 72, 68 }, { 92, 88, 84 },
};
static const unsigned active_stamps[4][3] = {
	{ 184, 176, 168 }, { 160, 152, 144 }, { 136, 128, 120 }, { 112, 104, 96 },
};
static const unsigned active_latencies[4][3] = {
	{ 214, 212, 210 }, { 208, 206, 204 }, { 202, 200, 198 }, { 196, 194, 192 },
};
static const char *const ops[] = { "read", "write", "trim" };

static const struct golden latency_bytes[] = {
	{ 0, "07 ee 64 00 e0 07 05 13 1e 2e ff 0f 0a" },
	{ 216, "ff 0f" },
	{ 424, "ff 0f" },
	{ 436, "01 02 00 00 00 00 00 00 00 00 00 00" }, /* 513 dwords */
	{ 448, "c0 0f 7b 00" },                         /* triggers; 123 ms */
	{ 452, "f8 24 01 3c 8b 01 02 00" },             /* 1697518789880 ms, and origin bits */
	{ 460, "34 12 40 00 01" },                      /* pointer, source, units */
	{ 494, "04 00" },
	{ 496, "92 7a c0 8c d0 84 6c 9c 70 43 e6 d4 58 5e d4 85" },
};

static const struct expected latency_values[] = {
	{ "feature_status_raw", "7" },
	{ "active_bucket_timer_seconds", "30000" },
	{ "active_bucket_timer_threshold_seconds", "604800" },
	{ "latency_threshold_seconds_0", "0.03" },
	{ "latency_threshold_seconds_1", "0.1" },
	{ "latency_threshold_seconds_2", "0.155" },
	{ "latency_threshold_seconds_3", "0.235" },
	{ "active_latency_configuration_raw", "4095" },
	{ "active_latency_minimum_window_seconds", "1" },
	{ "active_latency_stamp_units_raw", "4095" },
	{ "static_latency_stamp_units_raw", "4095" },
	{ "debug_log_size_bytes", "2052" },
	{ "debug_log_trigger_enable_raw", "4032" },
	{ "debug_log_measured_latency_seconds", "0.123" },
	{ "debug_log_timestamp_seconds", "1697518789.88" },
	{ "debug_log_pointer", "4660" },
	{ "debug_log_trigger_source_raw", "64" },
	{ "debug_log_stamp_units_raw", "1" },
	{ "log_page_version", "4" },
	{ "log_page_guid", "\"85d45e58d4e643709c6c84d08cc07a92\"" },
};

/* Numbers that tell set, bucket and command: 1000 static, 100 per bucket, 1 to 3 per command. */
static void latency_fill(uint8_t *bytes)
{
	for (unsigned set = 0; set < 2; set++)
		for (unsigned b = 0; b < 4; b++)
			for (unsigned op = 0; op < 3; op++) {
				unsigned n = 1000 * set + 100 * b + op + 1;
				put_number(bytes, active_counters[b][op] + 208 * set, 4, n);
				put_number(bytes, active_stamps[b][op] + 208 * set, 8,
					   (UINT64_C(2) << 48) + 1600000000000 + n);
				put_number(bytes, active_latencies[b][op] + 208 * set, 2, n + 5000);
			}
}

static void latency_page(uint8_t *bytes)
{
	memset(bytes, 0xee, PAGE_SIZE_MAX);
	for (size_t i = 0; i < ELEMENTS(latency_bytes); i++)
		put_hex(bytes, latency_bytes[i].offset, latency_bytes[i].bytes);
	latency_fill(bytes);
	ck_assert_int_eq(page_check(&ocp_latency_monitor_page, bytes, 512), PAGE_SOUND);
}

static void check_bucket(const uint8_t *bytes, unsigned set, unsigned b, unsigned op)
{
	const struct page *p = &ocp_latency_monitor_page;
	const char *window = set ? "static" : "active";
	unsigned n = 1000 * set + 100 * b + op + 1;
	char column[FIELD_COLUMN_MAX];
	struct value v;

	snprintf(column, sizeof(column), "%s_bucket_%s_ios_%u", window, ops[op], b);
	v = value_at(p, bytes, column);
	ck_assert_msg(v.type == VALUE_INTEGER && v.integer == n, "%s", column);
	snprintf(column, sizeof(column), "%s_measured_latency_%s_%u_seconds", window, ops[op], b);
	v = value_at(p, bytes, column);
	ck_assert_msg(v.type == VALUE_REAL && v.real == (n + 5000) / 1000.0, "%s", column);
	snprintf(column, sizeof(column), "%s_latency_stamp_%s_%u_timestamp_seconds", window, ops[op], b);
	v = value_at(p, bytes, column);
	ck_assert_msg(v.type == VALUE_REAL && v.real == (1600000000000 + n) / 1000.0, "%s", column);
}

START_TEST(test_every_bucket_is_in_its_place)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	latency_page(bytes);
	for (unsigned i = 0; i < 24; i++)
		check_bucket(bytes, i / 12, i / 3 % 4, i % 3);
}
END_TEST

START_TEST(test_latency_monitor_values)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	latency_page(bytes);
	golden_check(&ocp_latency_monitor_page, bytes, latency_values, ELEMENTS(latency_values));
	ck_assert_uint_eq(page_columns(&ocp_latency_monitor_page),
			  ELEMENTS(latency_values) + 3 * 2 * 4 * 3);
}
END_TEST

START_TEST(test_labels_tell_the_bucket_that_the_column_tells)
{
	char labels[128];

	for (size_t i = 0; i < ocp_latency_monitor_page.n_fields; i++) {
		const struct field *f = &ocp_latency_monitor_page.fields[i];
		char window[8], op[8];
		unsigned b;

		if (sscanf(f->name, "%6[a-z]_measured_latency_%5[a-z]_%u", window, op, &b) != 3 &&
		    sscanf(f->name, "%6[a-z]_latency_stamp_%5[a-z]_%u", window, op, &b) != 3)
			continue;
		snprintf(labels, sizeof(labels), "op=\"%s\",bucket=\"%u\",window=\"%s\"", op, b, window);
		ck_assert_str_eq(f->labels, labels);
	}
}
END_TEST

/* One bit each: of bucket b, 3b read, 3b + 1 write, 3b + 2 trim. */
START_TEST(test_a_stamp_by_power_on_time_is_no_moment)
{
	uint8_t bytes[PAGE_SIZE_MAX];
	char column[FIELD_COLUMN_MAX];

	latency_page(bytes);
	for (unsigned i = 0; i < 24; i++) {
		unsigned set = i / 12, b = i / 3 % 4, op = i % 3;

		for (unsigned bit = 0; bit < 12; bit++) {
			put_number(bytes, set ? 424 : 216, 2, 0xfff & ~(1u << bit));
			snprintf(column, sizeof(column), "%s_latency_stamp_%s_%u_timestamp_seconds",
				 set ? "static" : "active", ops[op], b);
			struct value v = value_at(&ocp_latency_monitor_page, bytes, column);
			ck_assert_msg((v.type == VALUE_ABSENT) == (bit == 3 * b + op), "%s %u", column,
				      bit);
		}
	}
}
END_TEST

START_TEST(test_what_the_monitor_has_not_seen_is_absent)
{
	const struct page *p = &ocp_latency_monitor_page;
	uint8_t bytes[PAGE_SIZE_MAX];

	latency_page(bytes);
	memset(bytes + 184, 0xff, 8);
	put_number(bytes, 214, 2, 0);
	put_number(bytes, 44, 4, 0);
	check_value(p, bytes, "active_latency_stamp_read_0_timestamp_seconds", "absent");
	check_value(p, bytes, "active_measured_latency_read_0_seconds", "absent");
	check_value(p, bytes, "active_bucket_read_ios_0", "0");
	put_number(bytes, 44, 4, UINT32_MAX);
	check_value(p, bytes, "active_bucket_read_ios_0", "4294967295");
	put_number(bytes, 4, 2, 0); /* never */
	check_value(p, bytes, "active_bucket_timer_threshold_seconds", "0");
	bytes[464] = 0; /* by power-on time */
	check_value(p, bytes, "debug_log_timestamp_seconds", "absent");
	put_number(bytes, 462, 2, 0); /* nothing has triggered it */
	check_value(p, bytes, "debug_log_measured_latency_seconds", "absent");
	check_value(p, bytes, "debug_log_pointer", "absent");
	check_value(p, bytes, "debug_log_trigger_source_raw", "absent");
	put_number(bytes, 436, 12, 0);
	check_value(p, bytes, "debug_log_size_bytes", "absent");
	put_number(bytes, 444, 1, 1);
	check_value(p, bytes, "debug_log_size_bytes", "absent");
}
END_TEST

START_TEST(test_a_monitor_that_is_off_says_nothing)
{
	const struct page *p = &ocp_latency_monitor_page;
	uint8_t bytes[PAGE_SIZE_MAX];
	char column[FIELD_COLUMN_MAX];

	latency_page(bytes);
	bytes[0] = 6;
	check_value(p, bytes, "feature_status_raw", "6");
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			field_column(&p->fields[i], n, column);
			if (strncmp(column, "log_page", 8) != 0 && strcmp(column, "feature_status_raw") &&
			    strcmp(column, "debug_log_size_bytes"))
				check_value(p, bytes, column, "absent");
		}
}
END_TEST

START_TEST(test_the_debug_log_has_a_size_from_version_4_on)
{
	static const unsigned versions[] = { 0, 1, 3, 4, 9, 65535 };
	uint8_t bytes[PAGE_SIZE_MAX];

	latency_page(bytes);
	for (size_t i = 0; i < ELEMENTS(versions); i++) {
		put_number(bytes, 494, 2, versions[i]);
		check_value(&ocp_latency_monitor_page, bytes, "debug_log_size_bytes",
			    versions[i] < 4 ? "absent" : "2052");
		check_value(&ocp_latency_monitor_page, bytes, "active_bucket_trim_ios_3", "303");
	}
}
END_TEST

START_TEST(test_stamps_can_be_written)
{
	const struct page *p = &ocp_latency_monitor_page;
	uint8_t bytes[PAGE_SIZE_MAX];
	struct value v = { .type = VALUE_REAL, .real = 1700000000.5 };
	unsigned index;
	const struct field *f = page_field(p, "static_latency_stamp_write_2_timestamp_seconds", &index);

	page_blank(p, bytes);
	bytes[0] = 7;
	check_value(p, bytes, f->name, "absent");
	ck_assert_int_eq(field_encode(f, index, &v, bytes), 0);
	check_value(p, bytes, f->name, "1700000000.5");
	ck_assert_uint_eq(bytes_get(bytes + 336, 8), 1700000000500);
	ck_assert_uint_eq(bytes_get(bytes + 424, 2), 1 << 7);
	v.real = -1;
	ck_assert_int_lt(field_encode(f, index, &v, bytes), 0);
	v.real = 3e14;
	ck_assert_int_lt(field_encode(f, index, &v, bytes), 0);
	check_value(p, bytes, f->name, "1700000000.5");
}
END_TEST

START_TEST(test_only_drives_with_c0h_are_asked_for_the_monitor)
{
	const struct page *p = &ocp_latency_monitor_page;

	ck_assert_int_eq(presence_without(p, false), PAGE_LATER);
	ck_assert_int_eq(presence_without(p, true), PAGE_LACKED);
	for (unsigned version = 0; version < 10; version++)
		ck_assert_int_eq(presence_with(p, version), PAGE_POSSIBLE);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_bucket_is_in_its_place,
		test_latency_monitor_values,
		test_labels_tell_the_bucket_that_the_column_tells,
		test_a_stamp_by_power_on_time_is_no_moment,
		test_what_the_monitor_has_not_seen_is_absent,
		test_a_monitor_that_is_off_says_nothing,
		test_the_debug_log_has_a_size_from_version_4_on,
		test_stamps_can_be_written,
		test_only_drives_with_c0h_are_asked_for_the_monitor,
		NULL,
	};

	return check_main("pages ocp", tests);
}
