/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The Persistent Event Log: bytes as the specification lays them out, lengths that lie, and whose the
 * reporting context is. */

#include "device/source.h"
#include "model/persistent_event.h"
#include "page_facts.h"
#include "sim_support.h"

#define check_log(bytes, column, expected) check_value(&persistent_events_page, bytes, column, expected)

static uint8_t log_bytes[4096];

/* A header of revision 2. */
static void begin_log(uint32_t events, uint64_t length)
{
	memset(log_bytes, 0, sizeof(log_bytes));
	log_bytes[0] = 0x0d;
	put_number(log_bytes, 4, 4, events);
	put_number(log_bytes, 8, 8, length);
	log_bytes[16] = 2;
	put_number(log_bytes, 18, 2, 492);
}

/* An event: header of EHL + 3 bytes, vendor information, data. Returns where the next one goes. */
static unsigned put_event(unsigned at, uint8_t type, unsigned ehl, unsigned vsil, unsigned el)
{
	log_bytes[at] = type;
	log_bytes[at + 1] = 3;
	log_bytes[at + 2] = (uint8_t)ehl;
	put_number(log_bytes, at + 4, 2, 0x41);
	put_hex(log_bytes, at + 6, "80 28 72 8e 9e 01 02 00"); /* 1780506306688 ms, set by the host */
	put_number(log_bytes, at + 20, 2, vsil);
	put_number(log_bytes, at + 22, 2, el);
	return at + ehl + 3 + el;
}

START_TEST(test_header)
{
	begin_log(70000, 1 << 20);
	put_hex(log_bytes, 20, "80 28 72 8e 9e 01 02 00");
	put_number(log_bytes, 28, 16, 1000);
	put_number(log_bytes, 44, 8, 17);
	put_number(log_bytes, 372, 2, 513);
	put_number(log_bytes, 374, 4, 0x40001);
	check_log(log_bytes, "events", "70000");
	check_log(log_bytes, "log_size_bytes", "1048576");
	check_log(log_bytes, "log_page_version", "2");
	check_log(log_bytes, "timestamp_seconds", "1780506306.688");
	check_log(log_bytes, "power_on_seconds", "3600000");
	check_log(log_bytes, "power_cycles", "17");
	check_log(log_bytes, "generation", "513");
	check_log(log_bytes, "context_exists", "1");
	/* NVMe 1.4 had neither. */
	log_bytes[16] = 1;
	check_log(log_bytes, "generation", "absent");
	check_log(log_bytes, "context_exists", "absent");
	/* A clock that nobody has set. */
	log_bytes[26] = 0;
	check_log(log_bytes, "timestamp_seconds", "absent");
}
END_TEST

START_TEST(test_events)
{
	unsigned at = 512, next;

	begin_log(11, 4096);
	next = put_event(at, 0x0d, 21, 0, 2); /* thermal excursion */
	put_hex(log_bytes, at + 24, "05 02");
	at = next;
	next = put_event(at, 0x02, 21, 4, 4 + 22); /* firmware commit, behind vendor information */
	memcpy(log_bytes + at + 24, "\1\2\3\4OLD1    NEW2    \3\2\1\x0b", 24);
	at = next;
	next = put_event(at, 0x04, 29, 0, 8 + 36); /* power-on, with a longer header */
	memcpy(log_bytes + at + 32, "FW9     ", 8);
	at = next;
	next = put_event(at, 0x07, 21, 0, 12); /* format */
	put_hex(log_bytes, at + 24, "01 00 00 00 04 00 00 00 00 02 00 00");
	at = next;
	next = put_event(at, 0x08, 21, 0, 12);
	put_hex(log_bytes, at + 24, "01 00 00 00 00 02 00 00 0a 01 00 00");
	at = next;
	next = put_event(at, 0x09, 21, 0, 12); /* sanitize */
	put_hex(log_bytes, at + 24, "07 00 00 60 02 00 00 00 78 56 34 12");
	at = next;
	next = put_event(at, 0x0a, 21, 0, 8);
	put_hex(log_bytes, at + 24, "ff ff 01 01 00 00 00 00");
	at = put_event(next, 0x01, 21, 0, 512);
	put_event(at, 0x05, 21, 0, 2);
	check_log(log_bytes, "event_type_1", "\"thermal_excursion\"");
	check_log(log_bytes, "event_type_raw_1", "13");
	check_log(log_bytes, "event_revision_1", "3");
	check_log(log_bytes, "event_controller_1", "65");
	check_log(log_bytes, "event_timestamp_seconds_1", "1780506306.688");
	check_log(log_bytes, "event_detail_1", "\"over temperature 5, threshold 2\"");
	check_log(log_bytes, "event_detail_2",
		  "\"OLD1 to NEW2, slot 2, commit action 3, SCT 1h, SC 0bh\"");
	check_log(log_bytes, "event_type_3", "\"power_on_or_reset\"");
	check_log(log_bytes, "event_detail_3", "\"firmware FW9\"");
	check_log(log_bytes, "event_detail_4", "\"nsid 1, CDW10 00000200h\"");
	check_log(log_bytes, "event_detail_5", "\"nsid 1, format status 02h, status 010ah\"");
	check_log(log_bytes, "event_detail_6", "\"CDW10 00000002h, CDW11 12345678h\"");
	check_log(log_bytes, "event_detail_7", "\"progress 65535 of 65536, status 1\"");
	check_log(log_bytes, "event_type_8", "\"smart_snapshot\"");
	check_log(log_bytes, "event_detail_8", "absent");
	/* A type of the future is a number. */
	log_bytes[512] = 0x77;
	check_log(log_bytes, "event_type_1", "absent");
	check_log(log_bytes, "event_type_raw_1", "119");
	check_log(log_bytes, "event_detail_1", "absent");
}
END_TEST

static unsigned events_found(void)
{
	struct persistent_event e;
	unsigned n = 0;

	while (event_find(log_bytes, n, &e)) {
		ck_assert_uint_le(e.at + EVENT_HEADER, e.data);
		ck_assert_uint_eq(e.data + e.length, e.end);
		ck_assert_uint_le(e.end, EVENT_LOG_SIZE);
		n++;
	}
	return n;
}

START_TEST(test_a_length_that_cannot_be_ends_the_list)
{
	static const struct {
		unsigned ehl, vsil, el, found;
	} cases[] = {
		{ 21, 0, 2, 3 },
		{ 21, 0, 0, 3 },     /* no data, and yet a step forward */
		{ 0, 0, 0, 1 },      /* a header that is none */
		{ 20, 0, 2, 1 },
		{ 255, 0, 2, 1 },    /* 258 bytes are more than are left */
		{ 21, 0, 0xffff, 1 },
		{ 21, 3, 2, 1 },     /* more of the vendor's than there is in all */
		{ 21, 0xffff, 0xffff, 1 },
		{ 21, 2, 2, 3 },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		begin_log(3, 512 + 3 * 26);
		unsigned at = put_event(512, 0x0d, 21, 0, 2);
		at = put_event(at, 0x0d, cases[i].ehl, cases[i].vsil, cases[i].el);
		if (cases[i].found == 3)
			put_event(at, 0x0d, 21, 0, cases[i].el ? 2 : 4);
		ck_assert_uint_eq(events_found(), cases[i].found);
		check_log(log_bytes, "event_type_raw_4", "absent");
	}
}
END_TEST

/* What the log's own length leaves out, and what was not read of it. */
START_TEST(test_an_event_that_is_not_whole_is_left_out)
{
	begin_log(3, 512 + 26 + 25);
	unsigned at = put_event(512, 0x0d, 21, 0, 2);
	put_event(at, 0x0d, 21, 0, 2);
	ck_assert_uint_eq(events_found(), 1);
	begin_log(3, 1 << 30);
	at = put_event(512, 0x0c, 21, 0, 4096 - 512 - 24 - 26);
	ck_assert_uint_eq(put_event(at, 0x0d, 21, 0, 2), 4096);
	ck_assert_uint_eq(events_found(), 2);
	put_event(at, 0x0d, 21, 0, 3);
	ck_assert_uint_eq(events_found(), 1);
	put_number(log_bytes, 8, 8, UINT64_MAX);
	ck_assert_uint_eq(events_found(), 1);
	check_log(log_bytes, "log_size_bytes", "absent");
	put_number(log_bytes, 8, 8, 0);
	ck_assert_uint_eq(events_found(), 0);
	/* A header that is longer than all that is read. */
	put_number(log_bytes, 8, 8, 1 << 30);
	put_number(log_bytes, 18, 2, 0xffff);
	ck_assert_uint_eq(events_found(), 0);
	put_number(log_bytes, 18, 2, 492);
	put_number(log_bytes, 4, 4, 0);
	ck_assert_uint_eq(events_found(), 0);
}
END_TEST

/* Too short for what the type has to say. */
START_TEST(test_data_that_are_cut_off_are_not_told)
{
	for (unsigned type = 0; type < 256; type++) {
		begin_log(1, 4096);
		put_event(512, (uint8_t)type, 21, 40, 41);
		memset(log_bytes + 536, 'A', 100);
		check_log(log_bytes, "event_detail_1", "absent");
	}
}
END_TEST

START_TEST(test_rubbish_is_walked_within_bounds)
{
	uint64_t seed = 1;

	for (unsigned n = 0; n < 2000; n++) {
		for (unsigned i = 0; i < sizeof(log_bytes); i++) {
			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
			log_bytes[i] = (uint8_t)(seed >> 56);
		}
		put_number(log_bytes, 8, 8, n % 2 ? n * 4 : UINT64_MAX - n);
		put_number(log_bytes, 18, 2, n % 3 ? 492 : n);
		if (n % 5)
			put_event(512, 4, 21, 0, n % 64);
		(void)events_found();
		for (size_t i = 0; i < persistent_events_page.n_fields; i++) {
			const struct field *f = &persistent_events_page.fields[i];
			struct value v;
			for (unsigned k = 0; k < field_count(f); k++)
				(void)page_decode(&persistent_events_page, f, k, log_bytes, &v);
		}
	}
}
END_TEST

START_TEST(test_who_has_the_log)
{
	uint8_t identify[4096] = { 0 };
	struct known k = { 0 };

	ck_assert_int_eq(presence_of(&persistent_events_page, &k), PAGE_LATER);
	known_set(&k, &supported_logs_page, NULL);
	known_set(&k, &identify_page, identify);
	ck_assert_int_eq(presence_of(&persistent_events_page, &k), PAGE_LACKED);
	identify[261] = 0x10;
	ck_assert_int_eq(presence_of(&persistent_events_page, &k), PAGE_POSSIBLE);
}
END_TEST

/* ---- Simulated drives. ---- */

#define LOGGING SERIAL "[identify]\nlpa = 0x10\n[smart]\npower_cycles = 9\npower_on_seconds = 7200\n"

static struct command with_lsp(uint8_t lsp)
{
	struct command c = command_for_page(&persistent_events_page, 0, 0);

	ck_assert_uint_eq(c.lsp, 1);
	c.lsp = lsp;
	return c;
}

START_TEST(test_a_simulated_drive_that_says_so_has_a_log)
{
	struct sim *s = drive_of(LOGGING);
	struct reply r = run(s, 0, with_lsp(1));

	ck_assert_uint_eq(r.length, 4096);
	ck_assert_uint_eq(r.data[0], 0x0d);
	check_log(r.data, "events", "2");
	check_log(r.data, "log_page_version", "1");
	check_log(r.data, "power_cycles", "9");
	check_log(r.data, "power_on_seconds", "7200");
	check_log(r.data, "event_type_1", "\"power_on_or_reset\"");
	check_log(r.data, "event_detail_1", "\"firmware SIM1\"");
	check_log(r.data, "event_type_2", "\"smart_snapshot\"");
	check_log(r.data, "event_type_raw_3", "absent");
	sim_free(s);
	s = drive_of(SERIAL);
	ck_assert_uint_eq(run(s, 0, with_lsp(1)).status, 0x109);
	sim_free(s);
}
END_TEST

START_TEST(test_events_of_a_drive_file)
{
	struct sim *s = drive_of(SERIAL "[identify]\nlpa = 0x10\n[persistent_events]\ngeneration = 5\n"
				 "event_type_1 = thermal_excursion\nevent_timestamp_seconds_1 = 1.5\n"
				 "event_type_raw_2 = 200\nevent_revision_2 = 7\nevent_controller_2 = 3\n");
	struct reply r = run(s, 0, with_lsp(1));

	check_log(r.data, "events", "2");
	check_log(r.data, "generation", "5");
	check_log(r.data, "event_type_1", "\"thermal_excursion\"");
	check_log(r.data, "event_timestamp_seconds_1", "1.5");
	check_log(r.data, "event_type_2", "absent");
	check_log(r.data, "event_type_raw_2", "200");
	check_log(r.data, "event_revision_2", "7");
	check_log(r.data, "event_controller_2", "3");
	check_log(r.data, "event_timestamp_seconds_2", "absent");
	sim_free(s);
}
END_TEST

START_TEST(test_a_controller_has_one_context)
{
	struct sim *s = drive_of(LOGGING "[fault]\nwhat = reset\nat = 10s\nfor = 1s\n");

	ck_assert_uint_eq(run(s, 0, with_lsp(0)).status, 0x00c);
	ck_assert_uint_eq(run(s, 0, with_lsp(1)).status, 0);
	ck_assert_uint_eq(run(s, 0, with_lsp(1)).status, 0x00c);
	ck_assert_uint_eq(run(s, 0, with_lsp(0)).status, 0);
	struct reply r = run(s, 0, with_lsp(2));
	ck_assert_uint_eq(r.status, 0);
	ck_assert_uint_eq(r.data[0], 0);
	ck_assert_uint_eq(run(s, 0, with_lsp(0)).status, 0x00c);
	ck_assert_uint_eq(run(s, 0, with_lsp(2)).status, 0);
	ck_assert_uint_eq(run(s, 0, with_lsp(3)).status, 0x002);
	ck_assert_uint_eq(run(s, 0, with_lsp(1)).status, 0);
	/* A reset ends it. */
	ck_assert_uint_eq(run(s, 12 * SECOND, with_lsp(0)).status, 0x00c);
	ck_assert_uint_eq(run(s, 12 * SECOND, with_lsp(1)).status, 0);
	sim_free(s);
}
END_TEST

/* What a source has read of a drive leaves no context behind. */
START_TEST(test_the_reader_of_a_simulated_drive_releases)
{
	static const char *const faults[] = {
		"", "[fault]\npage = persistent_events\nwhat = status 0x6\n",
		"[fault]\npage = persistent_events\nwhat = errno EIO\n",
		"[fault]\npage = persistent_events\nwhat = truncate 8\n",
	};
	struct command c = with_lsp(1);
	char path[] = "/tmp/check_events_XXXXXX";
	struct reply r;
	void *drive;

	close(mkstemp(path));
	for (size_t i = 0; i < ELEMENTS(faults); i++) {
		FILE *f = fopen(path, "w");
		ck_assert_ptr_nonnull(f);
		fprintf(f, "%s%s", LOGGING, faults[i]);
		fclose(f);
		ck_assert_int_eq(sim_source.open(path, &drive), 0);
		for (int n = 0; n < 3; n++) {
			sim_source.execute(drive, &c, &r);
			ck_assert_uint_ne(r.status, 0x00c);
			ck_assert_int_eq(!r.error && !r.status, i == 0 || i == 3);
			ck_assert_uint_eq(r.data[0], i == 0 || i == 3 ? 0x0d : r.data[0]);
		}
	}
	unlink(path);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_header,
		test_events,
		test_a_length_that_cannot_be_ends_the_list,
		test_an_event_that_is_not_whole_is_left_out,
		test_data_that_are_cut_off_are_not_told,
		test_rubbish_is_walked_within_bounds,
		test_who_has_the_log,
		test_a_simulated_drive_that_says_so_has_a_log,
		test_events_of_a_drive_file,
		test_a_controller_has_one_context,
		test_the_reader_of_a_simulated_drive_releases,
		NULL,
	};

	return check_main("persistent events", tests);
}
