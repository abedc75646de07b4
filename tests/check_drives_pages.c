/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The error logs, namespaces and self-tests of real drives. */

#include "drive_samples.h"

#define ENTRY_SIZE 64
#define ENTRIES_SHOWN 8
#define FORMATS 128

/* Negative is "not reported". */
static void entry_value(const uint8_t *bytes, const char *name, size_t n, int64_t expected)
{
	char column[64], text[32] = "absent";

	snprintf(column, sizeof(column), "%s_%zu", name, n + 1);
	if (expected >= 0)
		snprintf(text, sizeof(text), "%" PRId64, expected);
	compare(&error_information_page, bytes, column, text);
}

static void put_entry(uint8_t *at, json_t *entry)
{
	const char *name;
	json_t *value;

	json_object_foreach(entry, name, value) {
		const struct sample_key *key = key_find(error_keys, name);
		put_number(at, key->offset, key->length, (uint64_t)json_integer_value(value));
	}
}

static void compare_entry(const uint8_t *bytes, size_t n, json_t *entry)
{
	int64_t place = integer_in(entry, "param_err_loc");
	bool known = place != 0xffff;

	entry_value(bytes, "error_count", n, integer_in(entry, "error_count"));
	entry_value(bytes, "submission_queue", n, integer_in(entry, "sqid"));
	entry_value(bytes, "command_id", n, integer_in(entry, "cmdid"));
	/* Its lowest bit is the phase tag, its three highest are flags. */
	entry_value(bytes, "status", n, integer_in(entry, "status_field_smartctl") >> 1 & 0x7ff);
	entry_value(bytes, "parameter_byte", n, known ? place & 0xff : -1);
	entry_value(bytes, "parameter_bit", n, known ? place >> 8 & 7 : -1);
	entry_value(bytes, "lba", n, integer_in(entry, "lba"));
	entry_value(bytes, "nsid", n, integer_in(entry, "nsid"));
}

static void check_error_log(json_t *log)
{
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };
	json_t *entry;
	size_t i;

	json_array_foreach(log, i, entry)
		put_entry(bytes + ENTRY_SIZE * i, entry);
	ck_assert_int_eq(page_check(&error_information_page, bytes, 4096), PAGE_SOUND);
	for (i = 0; i < ENTRIES_SHOWN; i++)
		if ((entry = json_array_get(log, i)))
			compare_entry(bytes, i, entry);
		else
			entry_value(bytes, "error_count", i, -1);
}

static void namespace_value(const uint8_t *bytes, const char *column, bool known, int64_t n)
{
	char text[32] = "absent";

	if (known)
		snprintf(text, sizeof(text), "%" PRId64, n);
	compare(&namespace_page, bytes, column, text);
}

static void put_formats(uint8_t *bytes, json_t *formats)
{
	json_t *format;
	size_t i;

	json_array_foreach(formats, i, format) {
		put_number(bytes, FORMATS + 4 * (unsigned)i, 2, (uint64_t)integer_in(format, "ms"));
		bytes[FORMATS + 4 * i + 2] = (uint8_t)integer_in(format, "ds");
		bytes[FORMATS + 4 * i + 3] = (uint8_t)integer_in(format, "rp");
	}
}

/* A namespace of every format the drive has. */
static void check_formats(json_t *formats)
{
	uint8_t bytes[4096] = { 0 };
	json_t *format;
	size_t i;

	put_formats(bytes, formats);
	put_number(bytes, 0, 8, 1000);
	json_array_foreach(formats, i, format) {
		int64_t shift = integer_in(format, "ds");

		bytes[26] = (uint8_t)i; /* FLBAS */
		namespace_value(bytes, "block_bytes", shift, INT64_C(1) << shift);
		namespace_value(bytes, "size_bytes", shift, INT64_C(1000) << shift);
		namespace_value(bytes, "metadata_bytes", true, integer_in(format, "ms"));
	}
}

static void check_namespace(json_t *ns)
{
	uint8_t bytes[4096] = { 0 };
	int64_t block = integer_in(ns, "lba_bytes");

	bytes[FORMATS + 2] = (uint8_t)__builtin_ctzll((uint64_t)block);
	put_number(bytes, 0, 8, (uint64_t)integer_in(ns, "nsze_blocks"));
	put_number(bytes, 8, 8, (uint64_t)integer_in(ns, "ncap_blocks"));
	put_number(bytes, 16, 8, (uint64_t)integer_in(ns, "nuse_blocks"));
	namespace_value(bytes, "block_bytes", true, block);
	namespace_value(bytes, "size_bytes", true, integer_in(ns, "nsze_blocks") * block);
	namespace_value(bytes, "used_bytes", true, integer_in(ns, "nuse_blocks") * block);
	if (json_is_integer(json_object_get(ns, "ncap_blocks")))
		namespace_value(bytes, "capacity_bytes", true, integer_in(ns, "ncap_blocks") * block);
}

/* None was ever run. */
static void check_self_test(json_t *log)
{
	uint8_t bytes[564] = { 0 };
	json_t *operation = json_object_get(log, "current_operation");

	if (!operation) /* the drive refused it */
		return;
	ck_assert_uint_eq(json_array_size(json_object_get(log, "results")), 0);
	for (unsigned i = 0; i < 20; i++)
		bytes[4 + 28 * i] = 0x0f;
	bytes[0] = (uint8_t)json_integer_value(operation);
	ck_assert_int_eq(page_check(&self_test_page, bytes, 564), PAGE_SOUND);
	compare(&self_test_page, bytes, "self_test_operation", "0");
	compare(&self_test_page, bytes, "self_test_progress_ratio", "absent");
	compare(&self_test_page, bytes, "result_1", "absent");
	compare(&self_test_page, bytes, "result_20", "absent");
}

static void check_lists(json_t *drive)
{
	json_t *ns;
	size_t i;

	if (json_is_array(json_object_get(drive, "error_log_01")))
		check_error_log(json_object_get(drive, "error_log_01"));
	check_formats(json_object_get(drive, "lba_formats"));
	json_array_foreach(json_object_get(drive, "namespaces"), i, ns)
		check_namespace(ns);
	if (json_is_object(json_object_get(drive, "self_test_06")))
		check_self_test(json_object_get(drive, "self_test_06"));
}

START_TEST(test_every_published_value_comes_back)
{
	each_drive(check_lists, 373);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_every_published_value_comes_back, NULL };

	return check_main("drives pages", tests);
}
