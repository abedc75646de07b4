/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Faults of drives as the kernel's driver shows them, through the real libnvme and the `linux`
 * source up to the verdict on a page. */

#include <errno.h>
#include <string.h>

#include "check_main.h"
#include "collect/watch_page.h"
#include "device/source.h"
#include "file_support.h"
#include "mock_ioctl.h"
#include "nvmewatch/cleanup.h"
#include "sim_support.h"

/* ---- One drive below the source. ---- */

static struct sim *drive;
static void *controller;
static struct reply reply;

/* Puts a drive of that text in and opens it. */
static void plug(const char *text)
{
	sim_freep(&drive);
	free(controller);
	drive = drive_of(text);
	mock_begin(drive);
	ck_assert_int_eq(linux_source.open("null", &controller), 0);
}

static void unplug(void)
{
	mock_begin(NULL);
	sim_freep(&drive);
	free(TAKE(controller));
}

static const struct reply *execute(const struct command *c)
{
	memset(&reply, 0, sizeof(reply));
	linux_source.execute(controller, c, &reply);
	return &reply;
}

static const struct reply *ask(const struct page *p)
{
	struct command c = command_for_page(p, 0, 0);

	return execute(&c);
}

static enum failure verdict(const struct page *p)
{
	return watch_page_judge(p, ask(p));
}

static int64_t error_log_entries(void)
{
	struct value v = value_of(&smart_page, ask(&smart_page), "error_log_entries");

	return v.integer;
}

/* ---- Statuses. ---- */

START_TEST(test_a_refused_page_is_refused_with_dnr)
{
	plug(SERIAL);
	ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_REFUSED);
	ck_assert_int_eq(mock_last()->result, 0x4109);
	ck_assert_uint_eq(reply.status, 0x109);
}
END_TEST

START_TEST(test_DEC_17_every_status_comes_through_whatever_its_flags)
{
	static const uint16_t statuses[] = { 0x001, 0x002, 0x004, 0x006, 0x007, 0x00b, 0x00c,
					     0x013, 0x015, 0x01c, 0x01d, 0x021, 0x022, 0x024,
					     0x082, 0x109, 0x10d, 0x11d, 0x281, 0x371, 0x7ff };
	static const uint16_t flags[] = { 0, 0x4000, 0x2000, 0x6000, 0x1000, 0x7800 };
	char text[256];

	for (size_t i = 0; i < ELEMENTS(statuses) * ELEMENTS(flags); i++) {
		uint16_t status = statuses[i / ELEMENTS(flags)];
		uint16_t wire = status | flags[i % ELEMENTS(flags)];
		snprintf(text, sizeof(text), SERIAL "[fault]\npage = smart\nwhat = status %#x\n", wire);
		plug(text);
		enum failure f = verdict(&smart_page);
		ck_assert_int_eq(mock_last()->result, wire);
		ck_assert_uint_eq(reply.status, status);
		ck_assert_uint_eq(reply.length, 0);
		ck_assert_int_eq(f, status_is_refusal(status) ? FAILURE_REFUSED : FAILURE_STATUS);
		ck_assert_int_eq(verdict(&identify_page), FAILURE_NONE);
	}
}
END_TEST

START_TEST(test_HNG_10_not_ready_once)
{
	plug(SERIAL "[fault]\nwhat = status 0x82\ntimes = 1\n");
	ck_assert_int_eq(verdict(&identify_page), FAILURE_STATUS);
	ck_assert_int_eq(verdict(&identify_page), FAILURE_NONE);
}
END_TEST

/* A drive that refuses one length of a page and not another. */
START_TEST(test_LOG_04_statuses_by_length)
{
	struct command c = command_for_page(&smart_page, 0, 0);

	plug(SERIAL "[fault]\npage = log 0x02\nlength = 256\nwhat = status 0x4013\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	c.length = 256;
	ck_assert_uint_eq(execute(&c)->status, 0x013);
}
END_TEST

START_TEST(test_SAN_01_sanitize_leaves_some_pages)
{
	plug(OCP_DRIVE "[fault a]\npage = ocp_smart\nwhat = status 0x401d\n"
		       "[fault b]\npage = identify\nwhat = status 0x401d\n");
	ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_STATUS);
	ck_assert_int_eq(verdict(&identify_page), FAILURE_STATUS);
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
}
END_TEST

/* ---- errno. ---- */

static const char *const errors[] = { "EAGAIN", "EINTR", "EACCES", "EIO", "ENOTTY", "ENOMEM",
				      "ETIMEDOUT" };

START_TEST(test_HNG_04_errno_comes_through_and_passes)
{
	static const int numbers[] = { EAGAIN, EINTR, EACCES, EIO, ENOTTY, ENOMEM, ETIMEDOUT };
	char text[256];

	snprintf(text, sizeof(text), SERIAL "[fault]\nwhat = errno %s\nat = 15s\nfor = 30s\n",
		 errors[_i]);
	plug(text);
	for (int poll = 0; poll < 5; poll++, mock_advance(15 * SECOND)) {
		enum failure f = verdict(&smart_page);
		ck_assert_int_eq(reply.error, poll == 1 || poll == 2 ? -numbers[_i] : 0);
		ck_assert_int_eq(f, reply.error ? FAILURE_IO : FAILURE_NONE);
	}
	ck_assert_uint_eq(mock_count(), 5);
	/* What never got to the drive is not in its error log. */
	ck_assert_int_eq(error_log_entries(), 0);
}
END_TEST

/* Case PRV-02: a refused command leaves nothing that could pass for zeros. */
START_TEST(test_PRV_02_what_is_not_permitted_has_no_values)
{
	plug(OCP_DRIVE "[fault]\nwhat = errno EACCES\n");
	for (unsigned i = 0; pages[i]; i++) {
		if (pages[i]->command == PAGE_HOST || pages[i]->command == PAGE_DERIVED)
			continue; /* no command */
		if (pages[i]->command == PAGE_FEATURE)
			continue; /* the mock lets log pages and Identify through only */
		ck_assert_int_eq(verdict(pages[i]), FAILURE_IO);
		ck_assert_int_eq(reply.error, -EACCES);
		ck_assert_uint_eq(reply.length, 0);
	}
}
END_TEST

/* Case PRV-01: a node of root's, mode 0600, and a reader that is not root. */
START_TEST(test_PRV_01_a_node_that_may_not_be_opened)
{
	char target[64];

	plug(SERIAL);
	folder_make();
	write_text(in_folder("nvme0"), "");
	ck_assert_int_eq(chmod(in_folder("nvme0"), geteuid() ? 0 : 0600), 0);
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(target, sizeof(target), "..%s", in_folder("nvme0"));
	free(controller);
	ck_assert_int_eq(linux_source.open(target, &controller), 0);
	ck_assert(geteuid() || seteuid(65534) == 0);
	enum failure f = verdict(&smart_page);
	ck_assert(getuid() || seteuid(0) == 0);
	folder_remove();
	ck_assert_int_eq(f, FAILURE_IO);
	ck_assert_int_eq(reply.error, -EACCES);
	ck_assert_uint_eq(reply.length, 0);
	ck_assert_uint_eq(mock_count(), 0);
}
END_TEST

/* ---- Silence. ---- */

START_TEST(test_a_delay_is_waited_for)
{
	plug(SERIAL "[fault]\npage = smart\nwhat = delay 10s\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	ck_assert_uint_eq(mock_now(), 10 * SECOND);
	ck_assert_int_eq(verdict(&identify_page), FAILURE_NONE);
	ck_assert_uint_eq(mock_now(), 10 * SECOND);
	ck_assert_uint_eq(mock_count(), 2);
}
END_TEST

START_TEST(test_HNG_01_a_hang_ends_with_the_kernels_time_out)
{
	plug(SERIAL "[fault]\nwhat = hang\ntimes = 1\nfor = 5m\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_IO);
	ck_assert_int_eq(reply.error, -EINTR);
	ck_assert_uint_eq(mock_now(), MOCK_ADMIN_TIMEOUT);
	ck_assert_uint_eq(mock_count(), 1); /* none was added to the stuck one */
}
END_TEST

START_TEST(test_a_hang_that_ends_is_an_answer)
{
	plug(SERIAL "[fault]\nwhat = hang\nfor = 20s\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	ck_assert_uint_eq(mock_now(), 20 * SECOND);
}
END_TEST

/* ---- Resets and removals. ---- */

START_TEST(test_HNG_08_a_reset_cancels_and_refuses)
{
	plug(SERIAL "[fault slow]\nwhat = delay 10s\ntimes = 1\n"
		    "[fault reset]\nwhat = reset\nat = 5s\nfor = 3s\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_IO);
	ck_assert_int_eq(reply.error, -EINTR);
	ck_assert_uint_eq(mock_now(), 5 * SECOND);
	ck_assert_int_eq(verdict(&smart_page), FAILURE_STATUS);
	ck_assert_uint_eq(reply.status, MOCK_HOST_PATH_ERROR);
	mock_advance(3 * SECOND);
	mock_advance(10 * SECOND); /* the slow command's turn is not over: it never ended */
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	ck_assert_int_eq(error_log_entries(), 0);
}
END_TEST

START_TEST(test_HOT_07_a_removed_drive_is_no_device)
{
	plug(SERIAL "[smart]\npower_cycles = 7\nunsafe_shutdowns = 2\n"
		    "[fault]\nwhat = remove\nat = 10s\nuntil = 20s\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	mock_advance(10 * SECOND);
	ck_assert_int_eq(verdict(&smart_page), FAILURE_IO);
	ck_assert_int_eq(reply.error, -ENODEV);
	mock_advance(10 * SECOND);
	/* The name may be another drive's by now: this reader asks no more. */
	ck_assert_int_eq(verdict(&smart_page), FAILURE_IO);
	ck_assert_int_eq(reply.error, -ENODEV);
	free(controller);
	ck_assert_int_eq(linux_source.open("null", &controller), 0);
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
	ck_assert_int_eq(value_of(&smart_page, &reply, "power_cycles").integer, 8);
	ck_assert_int_eq(value_of(&smart_page, &reply, "unsafe_shutdowns").integer, 3);
}
END_TEST

/* ---- Bytes. ---- */

START_TEST(test_LOG_15_zeros_are_no_page)
{
	plug(OCP_DRIVE "[fault]\nwhat = zero\n");
	ck_assert_int_eq(verdict(&identify_page), FAILURE_ZERO);
	ck_assert_int_eq(verdict(&smart_page), FAILURE_ZERO);
	ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_ZERO);
}
END_TEST

START_TEST(test_garbage_is_no_ocp_page)
{
	plug(OCP_DRIVE "[fault]\nwhat = garbage\n");
	for (int i = 0; i < 1000; i++, mock_advance(SECOND))
		ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_GUID);
}
END_TEST

/* The SMART page has nothing to know it by; its values are within their bounds, or absent. */
START_TEST(test_garbage_is_decoded_within_bounds)
{
	struct value v;

	plug(SERIAL "[fault]\nwhat = garbage\n");
	for (int i = 0; i < 1000; i++, mock_advance(SECOND)) {
		ask(&smart_page);
		for (size_t n = 0; n < smart_page.n_fields; n++)
			page_decode(&smart_page, &smart_page.fields[n], 0, reply.data, &v);
		unsigned index;
		const struct field *f = page_field(&smart_page, "temperature_celsius", &index);
		page_decode(&smart_page, f, index, reply.data, &v);
		ck_assert(v.type == VALUE_ABSENT || (v.integer >= -73 && v.integer <= 127));
	}
}
END_TEST

/* The guid is at the end of the page. */
START_TEST(test_LOG_10_a_short_transfer_is_no_ocp_page)
{
	plug(OCP_DRIVE "[fault]\nwhat = truncate 299\ntimes = 1\n");
	ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_GUID);
	for (unsigned i = 299; i < 512; i++)
		ck_assert_uint_eq(reply.data[i], 0);
	ck_assert_int_eq(verdict(&ocp_smart_page), FAILURE_NONE);
}
END_TEST

/* Drives that answer garbage where RAE is set (quirk 1): the fault sees the bit on the wire. */
START_TEST(test_faults_see_rae)
{
	plug(SERIAL "[fault]\npage = smart\nrae = 1\nwhat = zero\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_ZERO);
	plug(SERIAL "[fault]\npage = smart\nrae = 0\nwhat = zero\n");
	ck_assert_int_eq(verdict(&smart_page), FAILURE_NONE);
}
END_TEST

/* ---- The error log. ---- */

/* check_harm.c polls every page there is, as the collector does. */
static const struct page *const polled[] = { &identify_page, &smart_page, &ocp_smart_page };

static uint8_t bytes[ELEMENTS(polled)][PAGE_SIZE_MAX];

/* Polls every page that may still be asked for, every 15 s. Returns the drive's entries. */
static int64_t poll(struct watch_page *wps, bool *asked, int polls)
{
	for (int i = 0; i < polls; i++, mock_advance(15 * SECOND))
		for (unsigned n = 0; n < ELEMENTS(polled); n++)
			if (asked[n])
				asked[n] = watch_page_take(&wps[n], verdict(polled[n]), &reply);
	return error_log_entries();
}

static void watch_begin(struct watch_page *wps, bool *asked)
{
	for (unsigned n = 0; n < ELEMENTS(polled); n++) {
		wps[n] = (struct watch_page){ .page = polled[n], .bytes = bytes[n] };
		asked[n] = true;
	}
}

static const char *const refusing[] = {
	SERIAL,
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x109\n",
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x2109\n",
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x6109\n",
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x4002\n",
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x6002\n",
	OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x1\n",
};

START_TEST(test_ERR_01_a_thousand_polls_add_no_entry)
{
	struct watch_page wps[ELEMENTS(polled)];
	bool asked[ELEMENTS(polled)];

	plug(refusing[_i]);
	watch_begin(wps, asked);
	int64_t first = poll(wps, asked, 1);
	ck_assert_int_le(first, 1); /* the page was asked for once */
	ck_assert_int_eq(poll(wps, asked, 1000), first);
}
END_TEST

/* A page that was there and is refused from then on is given up after three refusals. */
START_TEST(test_ERR_01_a_page_that_goes_adds_three)
{
	struct watch_page wps[ELEMENTS(polled)];
	bool asked[ELEMENTS(polled)];

	plug(OCP_DRIVE "[fault]\npage = ocp_smart\nwhat = status 0x4109\nat = 5m\n");
	watch_begin(wps, asked);
	ck_assert_int_eq(poll(wps, asked, 20), 0);
	ck_assert_int_eq(poll(wps, asked, 1000), 3);
}
END_TEST

/* ---- The mock itself. ---- */

static struct nvme_passthru_cmd64 good_log(void)
{
	return (struct nvme_passthru_cmd64){ .opcode = 0x02, .nsid = NSID_ALL, .addr = 0x10000,
					     .data_len = 512, .cdw10 = 0x007f8002 };
}

START_TEST(test_the_mock_lets_through_what_is_right)
{
	struct nvme_passthru_cmd64 log = good_log();
	struct nvme_passthru_cmd64 identify = { .opcode = 0x06, .addr = 0x10000, .data_len = 4096,
						.cdw10 = 0x17 };

	ck_assert_ptr_null(mock_objection(&log));
	ck_assert_ptr_null(mock_objection(&identify));
	log.cdw10 = 0x007f80c0;
	log.cdw14 = 3;
	ck_assert_ptr_null(mock_objection(&log));
}
END_TEST

/* HNG-06: only what reads. */
START_TEST(test_HNG_06_the_mock_objects_to_other_opcodes)
{
	for (unsigned opcode = 0; opcode < 256; opcode++) {
		struct nvme_passthru_cmd64 w = good_log();
		w.opcode = (uint8_t)opcode;
		if (opcode != 0x02 && opcode != 0x06)
			ck_assert_ptr_nonnull(mock_objection(&w));
	}
}
END_TEST

static const struct {
	size_t offset;
	uint32_t value;
} wrongs[] = {
#define WRONG(member_, value_) { offsetof(struct nvme_passthru_cmd64, member_), value_ }
	WRONG(timeout_ms, 5000),
	WRONG(nsid, 1),
	WRONG(nsid, 0),
	WRONG(cdw2, 1),
	WRONG(metadata_len, 8),
	WRONG(addr, 0x10004),
	WRONG(data_len, 510),
	WRONG(data_len, 1024),
	WRONG(data_len, 0),
	WRONG(cdw10, 0x007f0002), /* RAE is clear: AEN-01 */
	WRONG(cdw10, 0x007f8102), /* LSP */
	WRONG(cdw10, 0x007f8080), /* reservation notification: AEN-02 */
	WRONG(cdw10, 0xffff8002), /* LOG-17 */
	WRONG(cdw11, 0x10000),
	WRONG(cdw12, 512),
	WRONG(cdw14, 0x80),
#undef WRONG
};

START_TEST(test_the_mock_objects_to_what_is_wrong)
{
	struct nvme_passthru_cmd64 w = good_log();

	memcpy((char *)&w + wrongs[_i].offset, &wrongs[_i].value, sizeof(wrongs[_i].value));
	ck_assert_ptr_nonnull(mock_objection(&w));
}
END_TEST

START_TEST(test_a_feature_is_its_result_and_its_data)
{
	plug(SERIAL "[identify]\napsta = 1\nwctemp_celsius = 77\n[apst]\napst_enabled = 1\n"
	     "apst_idle_seconds_31 = 2\n");
	ck_assert_int_eq(verdict(&apst_page), FAILURE_NONE);
	ck_assert_uint_eq(reply.length, 260);
	ck_assert_uint_eq(reply.data[0], 1);
	ck_assert_uint_eq(bytes_get(reply.data + 4 + 8 * 31, 4) >> 8, 2000);
	ck_assert_int_eq(verdict(&over_temperature_threshold_page), FAILURE_NONE);
	ck_assert_uint_eq(bytes_get(reply.data, 4), 350);
	ck_assert_int_eq(verdict(&under_temperature_threshold_page), FAILURE_NONE);
	ck_assert_uint_eq(bytes_get(reply.data, 4), 0);
}
END_TEST

START_TEST(test_the_mock_records)
{
	plug(SERIAL "[fault]\npage = smart\nwhat = delay 2s\n");
	ask(&identify_page);
	mock_advance(SECOND);
	ask(&smart_page);
	ck_assert_uint_eq(mock_count(), 2);
	ck_assert_uint_eq(mock_command(0)->wire.opcode, 0x06);
	ck_assert_uint_eq(mock_command(1)->wire.cdw10, 0x007f8002);
	ck_assert_uint_eq(mock_command(1)->issued, SECOND);
	ck_assert_uint_eq(mock_command(1)->ended, 3 * SECOND);
	ck_assert_int_eq(mock_last()->result, 0);
}
END_TEST

/* ---- The Persistent Event Log. ---- */

#define LOGGING SERIAL "[identify]\nlpa = 0x10\n"

/* LID and LSP of a command on the wire, as CDW10 has them; the read retains its event. */
static unsigned wire_lsp(unsigned i)
{
	ck_assert_uint_eq(mock_command(i)->wire.cdw10 & 0x80ff, 0x800d);
	return mock_command(i)->wire.cdw10 >> 8 & 0x7f;
}

/* Whether the drive has a context: it answers a read in it. */
static bool has_context(void)
{
	struct command c = command_for_page(&persistent_events_page, 0, 0);
	static struct reply answer;

	c.lsp = 0;
	sim_execute(drive, mock_now(), &c, &answer);
	return !answer.error && answer.status != 0x00c;
}

static const char *const log_faults[] = {
	"", "what = status 0x6", "what = status 0x4109", "what = status 0x371", "what = errno EIO",
	"what = errno EACCES", "what = zero", "what = garbage", "what = truncate 100", "what = delay 30s",
	"what = hang\nfor = 90s", "what = status 0x82",
};

/* Whatever became of the read, the context is let go at once, and after the read alone. */
START_TEST(test_the_context_is_released_after_every_read)
{
	char text[256];

	snprintf(text, sizeof(text), LOGGING "%s%s\ntimes = 1\n",
		 *log_faults[_i] ? "[fault]\npage = persistent_events\n" : "", log_faults[_i]);
	if (!*log_faults[_i])
		snprintf(text, sizeof(text), LOGGING);
	plug(text);
	enum failure f = verdict(&persistent_events_page);
	ck_assert_uint_eq(mock_count(), 2);
	ck_assert_uint_eq(wire_lsp(0), 1);
	ck_assert_uint_eq(mock_command(0)->wire.data_len, 4096);
	ck_assert_uint_eq(wire_lsp(1), 2);
	ck_assert_uint_eq(mock_command(1)->wire.data_len, 512);
	ck_assert(!has_context());
	/* The release does not touch what was read. */
	if (!*log_faults[_i]) {
		ck_assert_int_eq(f, FAILURE_NONE);
		ck_assert_uint_eq(reply.data[0], 0x0d);
		ck_assert_uint_eq(value_of(&persistent_events_page, &reply, "events").integer, 2);
	}
	/* And so the next read is as the first. */
	f = verdict(&persistent_events_page);
	ck_assert_uint_eq(mock_count(), 4);
	ck_assert_uint_eq(wire_lsp(2), 1);
	ck_assert_uint_eq(wire_lsp(3), 2);
	ck_assert_int_ne(f, FAILURE_STATUS);
	ck_assert(!has_context());
}
END_TEST

/* Another tool's context: it goes on reading, and we may come again. */
START_TEST(test_another_tools_context_is_left_alone)
{
	struct command c = command_for_page(&persistent_events_page, 0, 0);

	plug(LOGGING);
	ck_assert_uint_eq(run(drive, 0, c).status, 0);
	for (unsigned n = 1; n <= 3; n++) {
		ck_assert_int_eq(verdict(&persistent_events_page), FAILURE_STATUS);
		ck_assert(status_is_busy(reply.status));
		ck_assert_uint_eq(mock_count(), n);
		ck_assert_uint_eq(wire_lsp(n - 1), 1);
		ck_assert(has_context());
	}
	c.lsp = 2;
	ck_assert_uint_eq(run(drive, 0, c).status, 0);
	ck_assert_int_eq(verdict(&persistent_events_page), FAILURE_NONE);
	ck_assert(!has_context());
}
END_TEST

int main(void)
{
	const TTest *const faults[] = {
		test_a_refused_page_is_refused_with_dnr,
		test_DEC_17_every_status_comes_through_whatever_its_flags,
		test_HNG_10_not_ready_once,
		test_LOG_04_statuses_by_length,
		test_SAN_01_sanitize_leaves_some_pages,
		test_PRV_02_what_is_not_permitted_has_no_values,
		test_PRV_01_a_node_that_may_not_be_opened,
		test_a_delay_is_waited_for,
		test_HNG_01_a_hang_ends_with_the_kernels_time_out,
		test_a_hang_that_ends_is_an_answer,
		test_HNG_08_a_reset_cancels_and_refuses,
		test_HOT_07_a_removed_drive_is_no_device,
		test_LOG_15_zeros_are_no_page,
		test_garbage_is_no_ocp_page,
		test_garbage_is_decoded_within_bounds,
		test_LOG_10_a_short_transfer_is_no_ocp_page,
		test_faults_see_rae,
		test_ERR_01_a_page_that_goes_adds_three,
		test_the_mock_lets_through_what_is_right,
		test_HNG_06_the_mock_objects_to_other_opcodes,
		test_a_feature_is_its_result_and_its_data,
		test_the_mock_records,
		test_another_tools_context_is_left_alone,
	};
	Suite *suite = suite_create("linux faults");
	TCase *tcase = tcase_create("linux faults");

	tcase_set_timeout(tcase, CHECK_TIMEOUT);
	tcase_add_checked_fixture(tcase, NULL, unplug);
	for (size_t i = 0; i < ELEMENTS(faults); i++)
		tcase_add_test(tcase, faults[i]);
	tcase_add_loop_test(tcase, test_HNG_04_errno_comes_through_and_passes, 0,
			    (int)ELEMENTS(errors));
	tcase_add_loop_test(tcase, test_ERR_01_a_thousand_polls_add_no_entry, 0,
			    (int)ELEMENTS(refusing));
	tcase_add_loop_test(tcase, test_the_mock_objects_to_what_is_wrong, 0,
			    (int)ELEMENTS(wrongs));
	tcase_add_loop_test(tcase, test_the_context_is_released_after_every_read, 0,
			    (int)ELEMENTS(log_faults));
	suite_add_tcase(suite, tcase);
	return run_suite(suite);
}
