/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* /metrics as text: what is shown, what is not any more, and that no parser stumbles over it. */

#include <locale.h>
#include <stdlib.h>

#include "../src/serve/own.h"
#include "serve_support.h"

#define TEXT _cleanup_(freep) char *

/* A host on which every value of every page is reported, as far as one number suits all. */
/* A drive has one of a vendor's layouts of an id: the first here. */
static bool is_first_of_its_id(const struct page *p)
{
	for (const struct page *const *q = pages; *q != p; q++)
		if ((*q)->command == p->command && (*q)->id == p->id)
			return false;
	return true;
}

static void host_full(struct host *h, unsigned n)
{
	host_init(h, n);
	for (unsigned i = 0; i < n; i++) {
		for (const struct page *const *p = pages; *p; p++) {
			uint8_t *bytes = is_first_of_its_id(*p) ? host_page(h, i, *p) : NULL;

			for (size_t k = 0; bytes && k < (*p)->n_fields; k++)
				for (unsigned x = 0; x < field_count(&(*p)->fields[k]); x++)
					(void)field_encode(&(*p)->fields[k], x,
							   &(struct value){ .type = VALUE_INTEGER,
									    .integer = 1 }, bytes);
		}
		page_put(&smart_page, h->bytes[i][page_index(&smart_page)], "temperature_celsius",
			 40);
	}
}

START_TEST(test_a_value_is_a_series_of_its_serial_alone)
{
	struct host h;

	host_init(&h, 1);
	page_put(&smart_page, host_page(&h, 0, &smart_page), "temperature_celsius", 41);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "# HELP nvmewatch_drive_temperature_celsius Composite temperature.\n"
			    "# TYPE nvmewatch_drive_temperature_celsius gauge\n"
			    "nvmewatch_drive_temperature_celsius{serial=\"D0\"} 41\n");
	ck_assert_has(text, "# TYPE nvmewatch_drive_power_cycles_total counter\n"
			    "nvmewatch_drive_power_cycles_total{serial=\"D0\"} 0\n");
	ck_assert_has(text, "\nnvmewatch_collector_up 1\n");
}
END_TEST

START_TEST(test_an_array_carries_its_index)
{
	struct host h;

	host_init(&h, 1);
	page_put(&smart_page, host_page(&h, 0, &smart_page), "sensor_temperature_celsius_3", 55);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_sensor_temperature_celsius{serial=\"D0\",sensor=\"3\"}"
			    " 55\n");
	ck_assert_uint_eq(occurrences(text, "\nnvmewatch_drive_sensor_temperature_celsius{"), 1);
}
END_TEST

/* Case TMP-02. */
START_TEST(test_what_is_not_reported_has_no_series)
{
	struct host h;

	host_init(&h, 1);
	host_page(&h, 0, &smart_page);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_lacks(text, "temperature_celsius");
	ck_assert_lacks(text, "-273");
}
END_TEST

/* Else increase() of a drive's first throttling would be nothing. */
START_TEST(test_throttling_is_counted_from_0_where_identify_says_that_it_is_counted)
{
	struct host h;

	host_init(&h, 2);
	for (unsigned i = 0; i < 2; i++) {
		host_page(&h, i, &smart_page);
		page_put(&identify_page, host_page(&h, i, &identify_page), "hctma", i);
	}
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_lacks(text, "{serial=\"D0\",level=");
	ck_assert_has(text, "nvmewatch_drive_thermal_transitions_total{serial=\"D1\",level=\"1\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_thermal_transitions_total{serial=\"D1\",level=\"2\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_thermal_throttle_seconds_total{serial=\"D1\",level=\"1\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_thermal_throttle_seconds_total{serial=\"D1\",level=\"2\"} 0\n");
}
END_TEST

/* Case PRM-10. */
START_TEST(test_critical_warning_has_a_byte_and_bits)
{
	static const char *const bits[] = { "spare", "temperature", "reliability", "read_only",
					    "backup_failed", "pmr" };
	struct host h;
	char line[128];

	host_init(&h, 1);
	uint8_t *bytes = host_page(&h, 0, &smart_page);
	bytes[1] = 0x40; /* not all zero */
	for (unsigned raw = 0; raw < 0x40; raw++) {
		bytes[0] = (uint8_t)raw;
		TEXT text = host_render(&h, NULL, NULL);
		snprintf(line, sizeof(line), "critical_warning_raw{serial=\"D0\"} %u\n", raw);
		ck_assert_has(text, line);
		for (unsigned bit = 0; bit < ELEMENTS(bits); bit++) {
			snprintf(line, sizeof(line),
				 "critical_warning{serial=\"D0\",bit=\"%s\"} %u\n", bits[bit],
				 raw >> bit & 1);
			ck_assert_has(text, line);
		}
	}
}
END_TEST

/* Case LOG-08. */
START_TEST(test_a_field_newer_than_its_page_has_no_series)
{
	struct host h;

	host_init(&h, 1);
	uint8_t *bytes = host_page(&h, 0, &ocp_smart_page);
	for (unsigned version = 0; version <= 6; version++) {
		bytes_put(bytes + ocp_smart_page.version_offset, 2, version);
		TEXT text = host_render(&h, NULL, NULL);
		ck_assert_has(text, "nvmewatch_ocp_xor_recoveries_total{");
		ck_assert_uint_eq(occurrences(text, "\nnvmewatch_ocp_pcie_link_retrains_total{"),
				  version >= 3);
	}
}
END_TEST

/* Case PRM-02. */
START_TEST(test_PRM_02_label_values_are_escaped)
{
	struct host h;

	host_init(&h, 1);
	strcpy(h.drives[0].drive.key, "a\\b\"c\nd");
	strcpy(h.drives[0].drive.model, "TOSHIBA 2.5\" X");
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "{serial=\"a\\\\b\\\"c\\nd\",device=\"nvme0\","
			    "model=\"TOSHIBA 2.5\\\" X\"} 1\n");
}
END_TEST

START_TEST(test_what_is_read_once_stays_while_its_drive_answers)
{
	struct host h;

	host_init(&h, 2);
	for (unsigned i = 0; i < 2; i++) {
		bytes_put(host_page(&h, i, &identify_page) + 266, 2, 343);
		h.pages[i][page_index(&identify_page)].cadence_us = 0;
	}
	h.drives[1].drive.responding = false;
	h.view.mono = h.snapshot.mono = NOW + 1000 * CADENCE;
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_temperature_limit_celsius{serial=\"D0\",limit=\"warning\"} 70\n");
	ck_assert_lacks(text, "nvmewatch_drive_temperature_limit_celsius{serial=\"D1\"");
}
END_TEST

START_TEST(test_values_go_after_three_cadences)
{
	struct host h;

	host_init(&h, 2);
	page_put(&smart_page, host_page(&h, 0, &smart_page), "temperature_celsius", 41);
	page_put(&smart_page, host_page(&h, 1, &smart_page), "temperature_celsius", 42);
	h.snapshot.mono = h.pages[1][page_index(&smart_page)].mono = NOW + CADENCE;

	h.view.mono = NOW + 3 * CADENCE;
	TEXT last = host_render(&h, NULL, NULL);
	ck_assert_has(last, "nvmewatch_drive_temperature_celsius{serial=\"D0\"} 41\n");
	h.view.mono++;
	TEXT gone = host_render(&h, NULL, NULL);
	ck_assert_lacks(gone, "nvmewatch_drive_temperature_celsius{serial=\"D0\"}");
	ck_assert_has(gone, "nvmewatch_drive_temperature_celsius{serial=\"D1\"} 42\n");
	/* How old it is stays to be seen. */
	ck_assert_has(gone, "nvmewatch_collect_last_success_timestamp_seconds{serial=\"D0\","
			    "page=\"smart\"} 1000\n");
}
END_TEST

START_TEST(test_a_rendering_is_good_until_its_first_value_goes)
{
	struct host h;
	int64_t until;

	host_init(&h, 2);
	host_page(&h, 0, &smart_page);
	host_page(&h, 1, &ocp_smart_page);
	h.pages[0][page_index(&smart_page)].mono = NOW - 7;
	TEXT text = host_render(&h, NULL, &until);
	ck_assert_int_eq(until, NOW - 7 + 3 * CADENCE);

	/* A page that has gone already does not matter, then the collector comes first. */
	h.pages[0][page_index(&smart_page)].mono = 1;
	h.snapshot.mono = NOW - 9;
	TEXT later = host_render(&h, NULL, &until);
	ck_assert_int_eq(until, NOW - 9 + 3 * CADENCE);
}
END_TEST

START_TEST(test_without_a_collector_there_are_no_drives)
{
	struct host h;
	int64_t until;

	host_full(&h, 2);
	h.view.up = false;
	TEXT text = host_render(&h, NULL, &until);
	ck_assert_has(text, "\nnvmewatch_collector_up 0\n");
	ck_assert_has(text, "\nnvmewatch_build_info{version=");
	ck_assert_lacks(text, "serial=");
	ck_assert_int_le(until, h.view.mono);

	h.view.snapshot = NULL;
	TEXT none = host_render(&h, NULL, NULL);
	ck_assert_str_eq(none, text);
}
END_TEST

/* Case PRM-06. */
START_TEST(test_a_host_without_drives_is_normal)
{
	struct host h;

	host_init(&h, 0);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "\nnvmewatch_collector_up 1\n");
	ck_assert_lacks(text, "serial=");
}
END_TEST

START_TEST(test_a_gone_drive_is_said_to_be_gone)
{
	struct host h;

	host_full(&h, 1);
	h.drives[0].drive.present = false;
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_present{serial=\"D0\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_info{serial=\"D0\",");
	ck_assert_lacks(text, "nvmewatch_drive_responding{");
	ck_assert_lacks(text, "nvmewatch_drive_state{");
	ck_assert_lacks(text, "nvmewatch_drive_temperature_celsius{");
}
END_TEST

/* Who has it gets the answers. */
START_TEST(test_a_lent_drive_neither_responds_nor_fails_to)
{
	struct host h;

	host_init(&h, 1);
	h.drives[0].drive.lent = true;
	h.drives[0].drive.responding = false;
	strcpy(h.drives[0].drive.state, "vfio-pci");
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_present{serial=\"D0\"} 1\n");
	ck_assert_has(text, "nvmewatch_drive_state{serial=\"D0\",state=\"vfio-pci\"} 1\n");
	ck_assert_has(text, "nvmewatch_health_status{serial=\"D0\",status=\"unknown\"} 1\n");
	ck_assert_lacks(text, "nvmewatch_drive_responding{");
}
END_TEST

START_TEST(test_states_are_a_set_of_flags)
{
	struct host h;

	host_init(&h, 2);
	strcpy(h.drives[0].drive.state, "deleting (no IO)");
	strcpy(h.drives[1].drive.state, "on holiday");
	h.drives[1].drive.responding = false;
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_state{serial=\"D0\",state=\"live\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_state{serial=\"D0\",state=\"deleting (no IO)\"} 1\n");
	ck_assert_has(text, "nvmewatch_drive_state{serial=\"D1\",state=\"live\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_state{serial=\"D1\",state=\"on holiday\"} 1\n");
	ck_assert_has(text, "nvmewatch_drive_responding{serial=\"D1\"} 0\n");
	ck_assert_has(text, "nvmewatch_health_status{serial=\"D1\",status=\"critical\"} 1\n");
	ck_assert_has(text, "nvmewatch_health_status{serial=\"D1\",status=\"ok\"} 0\n");
}
END_TEST

START_TEST(test_collection_is_shown_per_page)
{
	struct now_error errors[] = {
		{ &smart_page, "timeout", UINT64_C(9007199254740993) },
		{ &smart_page, "zero", 2 },
		{ &smart_page, "zero", 3 },
	};
	struct host h;

	host_init(&h, 1);
	host_page(&h, 0, &smart_page);
	h.pages[0][page_index(&smart_page)].time = INT64_C(1790000000123456);
	h.pages[0][page_index(&ocp_smart_page)].known = true;
	h.drives[0].errors = errors;
	h.drives[0].n_errors = ELEMENTS(errors);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "errors_total{serial=\"D0\",page=\"smart\",reason=\"timeout\"} "
			    "9007199254740993\n");
	ck_assert_has(text, "page=\"smart\",reason=\"zero\"} 2\n");
	ck_assert_uint_eq(occurrences(text, "reason=\"zero\""), 1);
	ck_assert_has(text, "supported{serial=\"D0\",page=\"smart\"} 1\n");
	ck_assert_has(text, "supported{serial=\"D0\",page=\"ocp_smart\"} 0\n");
	ck_assert_lacks(text, "supported{serial=\"D0\",page=\"identify\"}");
	ck_assert_has(text, "timestamp_seconds{serial=\"D0\",page=\"smart\"} 1790000000.123\n");
}
END_TEST

START_TEST(test_info_leaves_out_what_is_unknown)
{
	struct host h;
	struct drive *d;

	host_init(&h, 2);
	d = &h.drives[0].drive;
	d->device[0] = 0;
	d = &h.drives[1].drive;
	strcpy(d->transport, "pcie");
	strcpy(d->address, "0000:41:00.0");
	d->vendor = 0x144d;
	d->numa_node = 0;
	bytes_put(host_page(&h, 1, &identify_page) + 80, 4, 0x10400);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_info{serial=\"D0\"} 1\n");
	ck_assert_has(text, "nvmewatch_drive_info{serial=\"D1\",device=\"nvme1\","
			    "vendor=\"0x144d\",transport=\"pcie\",pci_address=\"0000:41:00.0\","
			    "numa_node=\"0\",nvme_version=\"1.4\"} 1\n");
}
END_TEST

/* A block page of namespace 1. */
static uint8_t *host_block(struct host *h, unsigned i, const char *name, const char *wwid)
{
	uint8_t *bytes = host_page(h, i, &block_page);

	strcpy((char *)bytes, name);
	strcpy((char *)bytes + 32, wwid);
	h->pages[i][page_index(&block_page)].instance = 1;
	page_put(&block_page, bytes, "read_completed", 7);
	return bytes;
}

START_TEST(test_namespaces_go_by_their_block_device)
{
	struct host h;

	host_init(&h, 2);
	host_block(&h, 0, "nvme5n1", "eui.0025385b71b00a3e");
	host_block(&h, 1, "", "");
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_io_completed_total{serial=\"D0\",namespace=\"nvme5n1\","
			    "op=\"read\"} 7\n");
	ck_assert_has(text, "nvmewatch_io_completed_total{serial=\"D1\",namespace=\"1\","
			    "op=\"read\"} 7\n");
	ck_assert_has(text, "# TYPE nvmewatch_namespace_info gauge\n"
			    "nvmewatch_namespace_info{serial=\"D0\",device=\"nvme0\","
			    "namespace=\"nvme5n1\",nsid=\"1\",wwid=\"eui.0025385b71b00a3e\"} 1\n");
	ck_assert_uint_eq(occurrences(text, "nvmewatch_namespace_info{"), 1);
}
END_TEST

/* The label of the namespace's other pages stays, whoever withdraws the counters. */
START_TEST(test_a_block_page_goes_with_its_age)
{
	struct host h;
	struct value name;

	host_init(&h, 1);
	host_block(&h, 0, "nvme5n1", "");
	h.pages[0][page_index(&block_page)].mono = 1;
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_lacks(text, "nvmewatch_io_");
	ck_assert_lacks(text, "nvmewatch_namespace_info");
	ck_assert(exposition_namespace(&h.drives[0], 1, &name));
	ck_assert_str_eq(name.text, "nvme5n1");
	ck_assert(!exposition_namespace(&h.drives[0], 2, &name));
}
END_TEST

/* Cases CAP-01 and CAP-02: TNVMCAP is 0 without namespace management, and the kernel's node may have
 * no size. */
START_TEST(test_CAP_01_capacity_is_the_sum_of_the_namespaces_where_TNVMCAP_is_0)
{
	struct host h;
	struct now_page more = { .instance = 2 };
	uint8_t second[4096] = { 0 };

	host_init(&h, 1);
	host_page(&h, 0, &identify_page);
	uint8_t *first = host_page(&h, 0, &namespace_page);
	bytes_put(first, 8, 2000409264);
	first[130] = 9;
	h.pages[0][page_index(&namespace_page)].instance = 1;
	TEXT one = host_render(&h, NULL, NULL);
	ck_assert_has(one, "nvmewatch_drive_capacity_bytes{serial=\"D0\"} 1024209543168\n");
	ck_assert_has(one, "nvmewatch_namespace_size_bytes{serial=\"D0\",namespace=\"1\"} 1024209543168\n");
	/* A second one is not known: its size is missing. */
	h.pages[0][page_index(&namespace_page)].more = &more;
	TEXT part = host_render(&h, NULL, NULL);
	ck_assert_lacks(part, "nvmewatch_drive_capacity_bytes{");
	bytes_put(second, 8, 1000);
	second[130] = 12;
	second[128] = 16; /* 4096 + 16 bytes */
	more.bytes = second;
	TEXT both = host_render(&h, NULL, NULL);
	ck_assert_has(both, "nvmewatch_drive_capacity_bytes{serial=\"D0\"} 1024213639168\n");
	/* Another controller has a third. */
	h.drives[0].drive.n_paths = 2;
	h.drives[0].drive.capacity_bytes = 2048000000000;
	TEXT paths = host_render(&h, NULL, NULL);
	ck_assert_has(paths, "nvmewatch_drive_capacity_bytes{serial=\"D0\"} 2048000000000\n");
}
END_TEST

START_TEST(test_capacity_comes_from_the_controller_or_else_the_kernel)
{
	struct host h;

	host_init(&h, 3);
	h.drives[0].drive.capacity_bytes = h.drives[1].drive.capacity_bytes = 960197124096;
	host_page(&h, 0, &identify_page); /* TNVMCAP is 0: not reported */
	bytes_put(host_page(&h, 1, &identify_page) + 280, 8, 7681501126656);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_capacity_bytes{serial=\"D0\"} 960197124096\n");
	ck_assert_has(text, "nvmewatch_drive_capacity_bytes{serial=\"D1\"} 7681501126656\n");
	ck_assert_lacks(text, "nvmewatch_drive_capacity_bytes{serial=\"D2\"}");
}
END_TEST

/* ---- Shape ---- */

/* The name of the line's metric: up to its labels or value. */
static size_t name_length(const char *line)
{
	return strcspn(line, "{ ");
}

/* Every family has its HELP and TYPE once, its samples directly behind them, none twice. */
static void assert_well_formed(char *text)
{
	const char *seen[8192], *family = "";
	size_t n = 0, length = 0;
	char *rest = text;

	for (char *line; (line = strsep(&rest, "\n")) && *line;) {
		if (!strncmp(line, "# HELP ", 7)) {
			family = line + 7;
			length = name_length(family);
		} else if (strncmp(line, "# ", 2)) {
			ck_assert_msg(name_length(line) == length && !strncmp(line, family, length),
				      "%s is not of family %.*s", line, (int)length, family);
			*strrchr(line, ' ') = 0; /* the series without its value */
		}
		if (!strncmp(line, "# HELP ", 7))
			line[7 + length] = 0;
		for (size_t i = 0; i < n; i++)
			ck_assert_str_ne(seen[i], line);
		ck_assert_uint_lt(n, ELEMENTS(seen));
		seen[n++] = line;
	}
	ck_assert_ptr_null(rest); /* the empty text behind the last line's end */
	ck_assert_uint_gt(n, 100);
}

/* Cases PRM-01, PRM-08. */
START_TEST(test_PRM_01_PRM_08_no_series_comes_twice)
{
	const struct exposition_options options = { .full = true };
	struct host h;

	host_full(&h, 3);
	strcpy(h.drives[1].drive.key, "D0"); /* as no collector would publish it */
	TEXT text = host_render(&h, &options, NULL);
	ck_assert_lacks(text, "nvme1");
	assert_well_formed(text);
}
END_TEST

static const struct field odd_fields[] = {
	{ .name = "up", .help = "Clashes with what serve says itself.", .kind = FIELD_GAUGE,
	  .size = 1 },
	{ .name = "load", .help = "First.", .kind = FIELD_GAUGE, .size = 1 },
	{ .name = "between", .help = "Another family.", .kind = FIELD_GAUGE, .size = 1 },
	{ .name = "load_again", .family = "load", .help = "Same labels.", .kind = FIELD_GAUGE,
	  .size = 1 },
	{ .name = "load_counter", .family = "load", .help = "Other type.", .kind = FIELD_COUNTER,
	  .size = 1 },
	{ .name = "load_a", .family = "load", .labels = "which=\"a\"", .help = "Other labels.",
	  .kind = FIELD_GAUGE, .size = 1 },
	{ .name = "load_array", .family = "load", .label = "n", .count = 4, .stride = 1,
	  .help = "An array.", .kind = FIELD_GAUGE, .size = 1 },
	{ .name = "load_overlap", .family = "load", .label = "n", .first = 3, .count = 2,
	  .stride = 1, .help = "Its last index again.", .kind = FIELD_GAUGE, .size = 1 },
	{ .name = "load_more", .family = "load", .label = "n", .first = 4, .count = 2, .stride = 1,
	  .help = "Further indices.", .kind = FIELD_GAUGE, .size = 1 },
};
static const struct page odd_page = {
	.name = "odd", .prefix = "collector", .size = 512, .fields = odd_fields,
	.n_fields = ELEMENTS(odd_fields),
};

START_TEST(test_rows_that_would_collide_are_left_out)
{
	const struct page *const list[] = { &odd_page, &odd_page, NULL };
	_cleanup_(families_freep) struct families *all = NULL;
	static const char *const kept[] = { "load", "load_a", "load_array", "load_more" };
	size_t n = 0;

	ck_assert_int_eq(families_new(list, &all), 0);
	ck_assert_uint_eq(all->n, 2);
	ck_assert_str_eq(all->items[0].name, "nvmewatch_collector_load");
	ck_assert_str_eq(all->items[1].name, "nvmewatch_collector_between");
	for (const struct family_row *row = all->items[0].rows; row; row = row->next) {
		ck_assert_uint_lt(n, ELEMENTS(kept));
		ck_assert_str_eq(row->field->name, kept[n++]);
	}
	ck_assert_uint_eq(n, ELEMENTS(kept));
}
END_TEST

START_TEST(test_the_tables_lose_no_row)
{
	_cleanup_(families_freep) struct families *all = NULL;
	char name[METRIC_NAME_MAX];
	size_t n = 0;
	unsigned index;

	for (const struct page *const *p = pages; *p; p++)
		for (size_t i = 0; i < (*p)->n_fields; i++)
			n += metric_name(*p, &(*p)->fields[i], name);
	ck_assert_int_eq(families_new(pages, &all), 0);
	ck_assert_uint_eq(all->n_rows, n);
	ck_assert(metric_name(&smart_page, page_field(&smart_page, "power_cycles", &index), name));
	ck_assert_str_eq(name, "nvmewatch_drive_power_cycles_total");
}
END_TEST

START_TEST(test_openmetrics_has_its_own_shape)
{
	const struct exposition_options options = { .openmetrics = true, .full = true };
	struct host h;

	host_full(&h, 2);
	TEXT text = host_render(&h, &options, NULL);
	ck_assert_str_eq(text + strlen(text) - 7, "\n# EOF\n");
	ck_assert_has(text, "# TYPE nvmewatch_drive info\nnvmewatch_drive_info{serial=\"D0\"");
	ck_assert_has(text, "# TYPE nvmewatch_build info\nnvmewatch_build_info{version=");
	ck_assert_has(text, "# TYPE nvmewatch_drive_power_cycles counter\n"
			    "nvmewatch_drive_power_cycles_total{serial=\"D0\"} 1\n");
	ck_assert_lacks(text, "_created");
	ck_assert_lacks(text, "# UNIT");
	ck_assert_lacks(text, "_total counter");
}
END_TEST

START_TEST(test_full_adds_to_core)
{
	const struct exposition_options full = { .full = true };
	struct host h;

	host_full(&h, 1);
	TEXT few = host_render(&h, NULL, NULL);
	TEXT many = host_render(&h, &full, NULL);
	ck_assert_lacks(few, "nvmewatch_drive_power_state_max_watts");
	ck_assert_has(many, "nvmewatch_drive_power_state_max_watts{serial=\"D0\",state=\"0\"}");
	ck_assert_uint_lt(occurrences(few, "\nnvmewatch_"), 160);
}
END_TEST

START_TEST(test_labels_can_be_added_to_values)
{
	char *labels[] = { "serial", "device", "slot", NULL };
	const struct exposition_options options = { .labels = labels };
	struct host h;

	host_init(&h, 1);
	host_page(&h, 0, &smart_page);
	TEXT text = host_render(&h, &options, NULL);
	/* An unknown slot is no label; what is about the drive needs none of them. */
	ck_assert_has(text, "power_cycles_total{serial=\"D0\",device=\"nvme0\"} 0\n");
	ck_assert_has(text, "nvmewatch_drive_present{serial=\"D0\"} 1\n");
}
END_TEST

START_TEST(test_families_can_be_picked)
{
	const char *only[] = { "nvmewatch_drive_temperature_celsius", "nvmewatch_drive_info",
			       "nvmewatch_collect_errors", "nothing", NULL };
	const struct exposition_options options = { .only = only };
	struct host h;

	host_full(&h, 1);
	h.drives[0].errors = &(struct now_error){ &smart_page, "zero", 1 };
	h.drives[0].n_errors = 1;
	TEXT text = host_render(&h, &options, NULL);
	ck_assert_uint_eq(occurrences(text, "# TYPE "), 3);
	ck_assert_has(text, "\nnvmewatch_drive_info{");
	ck_assert_has(text, "\nnvmewatch_collect_errors_total{");
	ck_assert_lacks(text, "nvmewatch_drive_present");
}
END_TEST

/* ---- Numbers ---- */

static double written(struct text *t, double x)
{
	t->out->length = 0;
	text_end_real(t, x);
	buffer_put(t->out, "", 1);
	return strtod(t->out->data + 2, NULL);
}

START_TEST(test_numbers_read_back_equal)
{
	_cleanup_(buffer_done) struct buffer out = { 0 };
	struct text t = { .out = &out };
	static const double xs[] = { 0, 1, 0.03, 2.55, 1e-6, 0.1 + 0.2, 1.0 / 3, -0.5, 1e15, 1e22,
				     5e-324, 1.7976931348623157e308, 9007199254740992,
				     1790000000.123 };

	for (size_t i = 0; i < ELEMENTS(xs); i++)
		ck_assert_double_eq(written(&t, xs[i]), xs[i]);
	for (int i = 0; i < 100000; i++) {
		double x = (double)random() / (double)(1 + random() % 1000000);
		ck_assert_double_eq(written(&t, x), x);
	}
	written(&t, 0.03);
	ck_assert_str_eq(out.data, "} 0.03\n");
	written(&t, 2);
	ck_assert_str_eq(out.data, "} 2\n");
}
END_TEST

START_TEST(test_counters_are_exact)
{
	struct host h;

	host_init(&h, 1);
	uint8_t *bytes = host_page(&h, 0, &smart_page);
	bytes_put(bytes + 112, 8, INT64_MAX); /* power cycles */
	bytes_put(bytes + 144, 8, (uint64_t)INT64_MAX + 1);
	bytes_put(bytes + 160 + 8, 8, 1); /* an upper half */
	bytes_put(bytes + 48, 8, 32381395004); /* case DEC-13 */
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "power_cycles_total{serial=\"D0\"} 9223372036854775807\n");
	ck_assert_has(text, "host_written_bytes_total{serial=\"D0\"} 16579274242048000\n");
	ck_assert_lacks(text, "unsafe_shutdowns_total{");
	ck_assert_lacks(text, "media_errors_total{");
}
END_TEST

/* Case DEC-06. */
START_TEST(test_no_locale_gets_into_numbers)
{
	struct host h;

	if (!setlocale(LC_ALL, "de_DE.UTF-8"))
		return; /* not installed */
	host_init(&h, 1);
	page_put(&smart_page, host_page(&h, 0, &smart_page), "available_spare_ratio", 0.97);
	TEXT text = host_render(&h, NULL, NULL);
	ck_assert_has(text, "nvmewatch_drive_available_spare_ratio{serial=\"D0\"} 0.97\n");
	setlocale(LC_ALL, "C");
}
END_TEST

START_TEST(test_durations_are_a_histogram_for_each_page)
{
	struct now_duration durations[] = {
		{ &smart_page, { 5, 0, 2, 0, 0, 1 }, 12000042 },
		{ &identify_page, { 0, 1 }, 1500 },
		{ &smart_page, { 9 }, 1 },                        /* of a damaged file */
		{ &ocp_smart_page, { UINT64_MAX, 1 }, 1 },        /* of another */
		{ &namespaces_page, { [5] = UINT64_MAX }, 1 },
	};
	struct exposition_options openmetrics = { .openmetrics = true };
	struct host h;

	host_init(&h, 1);
	TEXT none = host_render(&h, NULL, NULL);
	ck_assert_lacks(none, "collect_duration");
	h.snapshot.durations = durations;
	h.snapshot.n_durations = ELEMENTS(durations);
	for (int i = 0; i < 2; i++) {
		TEXT text = host_render(&h, i ? &openmetrics : NULL, NULL);
		ck_assert_has(text, "# TYPE nvmewatch_collect_duration_seconds histogram\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"0.001\"} 5\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"0.01\"} 5\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"0.1\"} 7\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"1.0\"} 7\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"10.0\"} 7\n"
				    "nvmewatch_collect_duration_seconds_bucket{page=\"smart\",le=\"+Inf\"} 8\n"
				    "nvmewatch_collect_duration_seconds_sum{page=\"smart\"} 12.000042\n"
				    "nvmewatch_collect_duration_seconds_count{page=\"smart\"} 8\n");
		ck_assert_has(text, "nvmewatch_collect_duration_seconds_sum{page=\"identify\"} 0.0015\n");
		ck_assert_uint_eq(occurrences(text, "nvmewatch_collect_duration_seconds_sum"), 2);
	}
	h.view.up = false;
	TEXT down = host_render(&h, NULL, NULL);
	ck_assert_lacks(down, "collect_duration");
}
END_TEST

START_TEST(test_own_families_are_documented)
{
	for (const struct own_family *f = own_families; f->name; f++) {
		ck_assert_int_eq(strncmp(f->name, "nvmewatch_", 10), 0);
		ck_assert_int_eq(f->help[strlen(f->help) - 1], '.');
		ck_assert_ptr_eq(own_find(f->name), f);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_value_is_a_series_of_its_serial_alone,
		test_an_array_carries_its_index,
		test_what_is_not_reported_has_no_series,
		test_throttling_is_counted_from_0_where_identify_says_that_it_is_counted,
		test_critical_warning_has_a_byte_and_bits,
		test_a_field_newer_than_its_page_has_no_series,
		test_PRM_02_label_values_are_escaped,
		test_what_is_read_once_stays_while_its_drive_answers,
		test_values_go_after_three_cadences,
		test_a_rendering_is_good_until_its_first_value_goes,
		test_without_a_collector_there_are_no_drives,
		test_a_host_without_drives_is_normal,
		test_a_gone_drive_is_said_to_be_gone,
		test_a_lent_drive_neither_responds_nor_fails_to,
		test_states_are_a_set_of_flags,
		test_collection_is_shown_per_page,
		test_info_leaves_out_what_is_unknown,
		test_namespaces_go_by_their_block_device,
		test_a_block_page_goes_with_its_age,
		test_CAP_01_capacity_is_the_sum_of_the_namespaces_where_TNVMCAP_is_0,
		test_capacity_comes_from_the_controller_or_else_the_kernel,
		test_PRM_01_PRM_08_no_series_comes_twice,
		test_rows_that_would_collide_are_left_out,
		test_the_tables_lose_no_row,
		test_openmetrics_has_its_own_shape,
		test_full_adds_to_core,
		test_labels_can_be_added_to_values,
		test_families_can_be_picked,
		test_numbers_read_back_equal,
		test_counters_are_exact,
		test_no_locale_gets_into_numbers,
		test_durations_are_a_histogram_for_each_page,
		test_own_families_are_documented,
		NULL,
	};

	return run_cases("exposition", tests);
}
