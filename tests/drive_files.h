/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Real drives (tests/data/drives) as simulated ones: the text of a drive file that reports what each was
 * published to report. Includers have <jansson.h>'s library. */

#include <stdlib.h>

#include "drive_samples.h"

/* Every number of the page that is reported, by its column. */
static inline void page_write(FILE *out, const struct page *p, const char *section, const uint8_t *bytes)
{
	char column[FIELD_COLUMN_MAX], shown[VALUE_SHOWN_MAX];
	struct value v;

	fprintf(out, "[%s]\n", section);
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			if (page_decode(p, &p->fields[i], n, bytes, &v) < 0 || v.type == VALUE_TEXT)
				continue;
			field_column(&p->fields[i], n, column);
			value_show(&v, shown);
			fprintf(out, "%s = %s\n", column, shown);
		}
}

/* The keys' bytes. */
static inline void keys_put(const struct sample_key *keys, json_t *object, uint8_t *bytes)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		const struct sample_key *key = key_find(keys, name);
		if (json_is_integer(value) && key->length)
			put_number(bytes, key->offset, key->length, (uint64_t)json_integer_value(value));
	}
}

/* The number is its serial, as some made-up ones are of two drives, and its firmware, so that none is a
 * sibling of another. */
static inline void identity_write(FILE *out, json_t *drive, unsigned number)
{
	json_t *identify = json_object_get(drive, "identify_ctrl"),
	       *ns = json_array_get(json_object_get(drive, "namespaces"), 0),
	       *model = json_object_get(drive, "model");

	fprintf(out, "[identity]\nserial = D%u\nfirmware = F%u\n", number, number);
	if (json_string_length(model) <= 40) /* one sample has a remark in the place of it */
		fprintf(out, "model = %s\n", json_string_value(model));
	if (integer_in(identify, "vid"))
		fprintf(out, "vendor = %" PRId64 "\n", integer_in(identify, "vid"));
	if (ns)
		fprintf(out, "capacity = %" PRId64 "\n",
			integer_in(ns, "nsze_blocks") * integer_in(ns, "lba_bytes"));
}

static inline void identify_write(FILE *out, json_t *drive)
{
	json_t *identify = json_object_get(drive, "identify_ctrl");
	uint8_t bytes[4096] = { 0 };

	if (!json_is_object(identify))
		return;
	put_number(bytes, 516, 4, 1); /* NN, of those that do not say */
	keys_put(identify_keys, identify, bytes);
	page_write(out, &identify_page, "identify", bytes);
}

static inline void smart_write(FILE *out, json_t *drive)
{
	json_t *smart = json_object_get(drive, "smart_02"), *kelvin;
	uint8_t bytes[512] = { 0 };
	size_t i;

	if (!json_is_object(smart))
		return;
	keys_put(smart_keys, smart, bytes);
	json_array_foreach(json_object_get(smart, "sensor_k"), i, kelvin)
		put_number(bytes, 200 + 2 * (unsigned)i, 2, (uint64_t)json_integer_value(kelvin));
	page_write(out, &smart_page, "smart", bytes);
}

static inline void logs_write(FILE *out, json_t *drive)
{
	json_t *ocp = json_object_get(drive, "ocp_c0"), *test = json_object_get(drive, "self_test_06"),
	       *entry;
	uint8_t smart[512] = { 0 }, errors[PAGE_SIZE_MAX] = { 0 };
	size_t i;

	if (json_is_object(ocp)) {
		keys_put(ocp_keys, ocp, smart);
		page_write(out, &ocp_smart_page, "ocp_smart", smart);
	}
	json_array_foreach(json_object_get(drive, "error_log_01"), i, entry)
		keys_put(error_keys, entry, errors + (size_t)64 * i);
	if (i)
		page_write(out, &error_information_page, "error_information", errors);
	if (json_object_get(test, "read_status"))
		fprintf(out, "[fault]\npage = self_test\nwhat = status 0x4002\n");
}

/* The drive's file, for free(). */
static inline char *drive_file_of(json_t *drive, unsigned number)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	ck_assert_ptr_nonnull(out);
	identity_write(out, drive, number);
	identify_write(out, drive);
	smart_write(out, drive);
	logs_write(out, drive);
	ck_assert_int_eq(fclose(out), 0);
	return text;
}
