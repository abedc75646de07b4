/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The kernel's controllers under the real libnvme: this program's own ioctl() takes the commands
 * and answers them. /dev/null stands for the drive. */

#include <errno.h>
#include <libnvme.h>
#include <stdarg.h>
#include <string.h>

#include "device/source.h"
#include "check_main.h"
#include "nvmewatch/cleanup.h"

static struct nvme_passthru_cmd64 seen; /* the last command */
static unsigned ioctls;
static int answer, answer_errno;   /* what ioctl() returns */
static size_t transferred = 8192;  /* how many bytes it writes at most */

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;

	va_start(args, request);
	const void *command = va_arg(args, const void *);
	va_end(args);
	(void)fd;
	memset(&seen, 0, sizeof(seen));
	/* The two structs differ behind cdw15 only. */
	memcpy(&seen, command, offsetof(struct nvme_passthru_cmd, timeout_ms));
	ck_assert(request == NVME_IOCTL_ADMIN_CMD || request == NVME_IOCTL_ADMIN64_CMD);
	ioctls++;
	if (answer == 0 && seen.addr)
		memset((void *)(uintptr_t)seen.addr, 0x5a,
		       seen.data_len < transferred ? seen.data_len : transferred);
	errno = answer_errno;
	return answer;
}

static struct reply reply;

static void execute(const char *target, const struct command *c)
{
	void *drive;

	memset(&reply, 0, sizeof(reply));
	ck_assert_int_eq(linux_source.open(target, &drive), 0);
	linux_source.execute(drive, c, &reply);
	free(drive);
}

static void execute_page(const struct page *p, uint8_t uuid_index)
{
	struct command c = command_for_page(p, 0, uuid_index);

	execute("null", &c);
}

/* Cases AEN-01, LOG-06, LOG-14, LOG-17: what the kernel gets is what the specification wants. */
START_TEST(test_AEN_01_smart_on_the_wire)
{
	execute_page(&smart_page, 0);
	ck_assert_uint_eq(ioctls, 1);
	ck_assert_uint_eq(seen.opcode, 0x02);
	ck_assert_uint_eq(seen.nsid, 0xffffffff);
	ck_assert_uint_eq(seen.cdw10, 0x007f8002); /* 128 dwords, RAE, no LSP, LID 02h */
	ck_assert_uint_eq(seen.cdw11, 0);
	ck_assert_uint_eq(seen.cdw12, 0);
	ck_assert_uint_eq(seen.cdw13, 0);
	ck_assert_uint_eq(seen.cdw14, 0);
	ck_assert_uint_eq(seen.data_len, 512);
	ck_assert_int_eq(reply.error, 0);
	ck_assert_uint_eq(reply.status, 0);
	ck_assert_uint_eq(reply.length, 512);
	ck_assert_uint_eq(reply.data[0], 0x5a);
	ck_assert_uint_eq(reply.data[511], 0x5a);
}
END_TEST

START_TEST(test_ocp_page_on_the_wire)
{
	execute_page(&ocp_smart_page, 3);
	ck_assert_uint_eq(seen.cdw10, 0x007f80c0);
	ck_assert_uint_eq(seen.cdw14, 3);
	ck_assert_uint_eq(seen.nsid, 0xffffffff);
}
END_TEST

START_TEST(test_identify_on_the_wire)
{
	execute_page(&identify_page, 0);
	ck_assert_uint_eq(seen.opcode, 0x06);
	ck_assert_uint_eq(seen.nsid, 0);
	ck_assert_uint_eq(seen.cdw10, 0x01);
	ck_assert_uint_eq(seen.cdw11, 0);
	ck_assert_uint_eq(seen.cdw14, 0);
	ck_assert_uint_eq(seen.data_len, 4096);
	ck_assert_uint_eq(reply.length, 4096);
}
END_TEST

/* A shorter time-out than the kernel's would make it reset the controller. */
START_TEST(test_the_time_out_is_the_kernels)
{
	execute_page(&smart_page, 0);
	ck_assert_uint_eq(seen.timeout_ms, 0);
}
END_TEST

START_TEST(test_DEC_17_flag_bits_do_not_make_another_status)
{
	static const int statuses[] = { 0x0109, 0x2109, 0x4109, 0x6109, 0x1109, 0x7909 };

	for (size_t i = 0; i < ELEMENTS(statuses); i++) {
		answer = statuses[i];
		execute_page(&ocp_smart_page, 0);
		ck_assert_uint_eq(reply.status, 0x109);
		ck_assert(status_is_refusal(reply.status));
		ck_assert_int_eq(reply.error, 0);
		ck_assert_uint_eq(reply.length, 0);
	}
}
END_TEST

START_TEST(test_status_code_types_come_through)
{
	static const int statuses[] = { 0x001, 0x0ff, 0x1ff, 0x2ff, 0x3ff, 0x700, 0x7ff };

	for (size_t i = 0; i < ELEMENTS(statuses); i++) {
		answer = statuses[i];
		execute_page(&smart_page, 0);
		ck_assert_uint_eq(reply.status, (unsigned)statuses[i]);
	}
}
END_TEST

/* Whatever is not success must not pass for it. */
START_TEST(test_flags_without_a_status_are_a_failure)
{
	answer = 0x4000;
	execute_page(&smart_page, 0);
	ck_assert_uint_ne(reply.status, 0);
	ck_assert(!status_is_refusal(reply.status));
	ck_assert_uint_eq(reply.length, 0);
}
END_TEST

START_TEST(test_errno_comes_through)
{
	static const int errors[] = { ENODEV, ENXIO, EACCES, EINTR, ENOTTY, EIO, EAGAIN };

	answer = -1;
	for (size_t i = 0; i < ELEMENTS(errors); i++) {
		answer_errno = errors[i];
		execute_page(&smart_page, 0);
		ck_assert_int_eq(reply.error, -errors[i]);
		ck_assert_uint_eq(reply.status, 0);
		ck_assert_uint_eq(reply.length, 0);
	}
}
END_TEST

START_TEST(test_a_device_that_is_not_there_gets_no_command)
{
	struct command c = command_for_page(&smart_page, 0, 0);

	execute("nvme-that-is-not-there", &c);
	ck_assert_int_eq(reply.error, -ENOENT);
	ck_assert_uint_eq(ioctls, 0);
}
END_TEST

/* Case LOG-15: a driver that returns success and no bytes gives zeros, which are no page. */
START_TEST(test_LOG_15_bytes_of_the_last_command_are_not_shown_again)
{
	struct command c = command_for_page(&smart_page, 0, 0);
	void *drive;

	ck_assert_int_eq(linux_source.open("null", &drive), 0);
	linux_source.execute(drive, &c, &reply);
	ck_assert_uint_eq(reply.data[511], 0x5a);
	transferred = 0;
	linux_source.execute(drive, &c, &reply);
	ck_assert_int_eq(page_check(&smart_page, reply.data, reply.length), PAGE_ALL_ZERO);
	free(drive);
}
END_TEST

/* What the kernel says is read without a command, and its silence ends nothing. */
START_TEST(test_a_host_page_sends_no_command)
{
	struct command host = command_for_page(&pcie_link_page, 0, 0);
	struct command smart = command_for_page(&smart_page, 0, 0);
	void *drive;

	ck_assert_int_eq(linux_source.open("null", &drive), 0);
	memset(&reply, 0, sizeof(reply));
	linux_source.execute(drive, &host, &reply);
	ck_assert_uint_eq(ioctls, 0);
	ck_assert_int_eq(reply.error, 0);
	ck_assert_uint_eq(reply.status, 0x002);
	ck_assert_uint_eq(reply.length, 0);
	memset(&reply, 0, sizeof(reply));
	linux_source.execute(drive, &smart, &reply);
	ck_assert_uint_eq(ioctls, 1);
	ck_assert_uint_eq(reply.length, 512);
	free(drive);
}
END_TEST

/* Some firmware refuses other buffers (PRP Offset Invalid). */
START_TEST(test_the_buffer_is_page_aligned)
{
	for (unsigned i = 0; pages[i]; i++) {
		execute_page(pages[i], 0);
		ck_assert_uint_eq(seen.addr % 4096, 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_AEN_01_smart_on_the_wire,
		test_ocp_page_on_the_wire,
		test_identify_on_the_wire,
		test_the_time_out_is_the_kernels,
		test_DEC_17_flag_bits_do_not_make_another_status,
		test_status_code_types_come_through,
		test_flags_without_a_status_are_a_failure,
		test_errno_comes_through,
		test_a_device_that_is_not_there_gets_no_command,
		test_a_host_page_sends_no_command,
		test_LOG_15_bytes_of_the_last_command_are_not_shown_again,
		test_the_buffer_is_page_aligned,
		NULL,
	};

	return check_main("source linux", tests);
}
