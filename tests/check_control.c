/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The control socket: who may say what, and what comes of it. */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "check_main.h"
#include "collect/control.h"
#include "fake_host.h"
#include "nvmewatch/control.h"

static struct fake_drive *drive;
static struct control_request request;

static void setup(void)
{
	host_setup();
	drive = fake_plug("nvme0", "[identity]\nserial = A\nmodel = M1\nfirmware = FW1\n");
	host_start();
	host_run(2 * SECOND);
	request = (struct control_request){ .version = CONTROL_VERSION, .verb = CONTROL_PAUSE,
					    .drive = "A", .seconds = 60 };
}

static int execute(void)
{
	return control_execute(&host, &request, 0);
}

START_TEST(test_a_pause_is_executed)
{
	unsigned before = drive->commands;

	ck_assert_int_eq(execute(), 0);
	host_run(59 * SECOND);
	ck_assert_uint_eq(drive->commands, before);
	host_run(20 * SECOND);
	ck_assert_uint_gt(drive->commands, before);
}
END_TEST

START_TEST(test_root_and_we_ourselves_are_obeyed)
{
	ck_assert_int_eq(control_execute(&host, &request, 0), 0);
	ck_assert_int_eq(control_execute(&host, &request, geteuid()), 0);
}
END_TEST

START_TEST(test_others_are_not_told_even_whether_a_drive_exists)
{
	static const uint32_t others[] = { 1, 1000, 65534, UINT32_MAX };

	for (size_t i = 0; i < ELEMENTS(others); i++) {
		if (others[i] == geteuid())
			continue;
		ck_assert_int_eq(control_execute(&host, &request, others[i]), -EPERM);
		strcpy(request.drive, "none");
		ck_assert_int_eq(control_execute(&host, &request, others[i]), -EPERM);
		request.version = 9;
		ck_assert_int_eq(control_execute(&host, &request, others[i]), -EPERM);
	}
}
END_TEST

START_TEST(test_another_version_is_no_request)
{
	for (uint32_t version = 0; version < 10; version++) {
		request.version = version;
		ck_assert_int_eq(execute(), version == CONTROL_VERSION ? 0 : -EINVAL);
	}
}
END_TEST

START_TEST(test_unknown_verbs_are_refused)
{
	for (uint32_t verb = 0; verb < 1000; verb++) {
		request.verb = verb;
		if (verb != CONTROL_PAUSE && verb != CONTROL_FORGET && verb != CONTROL_READ)
			ck_assert_int_eq(execute(), -EINVAL);
	}
	request.verb = UINT32_MAX;
	ck_assert_int_eq(execute(), -EINVAL);
}
END_TEST

/* Bytes without an end are not read beyond their field. */
START_TEST(test_an_unterminated_name_is_refused)
{
	memset(request.drive, 'A', sizeof(request.drive));
	memset(request.page, 'A', sizeof(request.page));
	ck_assert_int_eq(execute(), -EINVAL);
	request.drive[sizeof(request.drive) - 1] = 0;
	ck_assert_int_eq(execute(), -ENOENT);
}
END_TEST

START_TEST(test_an_unknown_drive_is_not_found)
{
	static const char *const names[] = { "", "a", "A ", "nvme0", "../A", "%41" };

	for (size_t i = 0; i < ELEMENTS(names); i++) {
		strcpy(request.drive, names[i]);
		request.verb = CONTROL_PAUSE;
		ck_assert_int_eq(execute(), -ENOENT);
		request.verb = CONTROL_FORGET;
		ck_assert_int_eq(execute(), -ENOENT);
	}
}
END_TEST

START_TEST(test_a_pause_has_a_bound)
{
	request.seconds = CONTROL_PAUSE_MAX;
	ck_assert_int_eq(execute(), 0);
	request.seconds = CONTROL_PAUSE_MAX + UINT64_C(1);
	ck_assert_int_eq(execute(), -EINVAL);
	request.seconds = UINT64_MAX;
	ck_assert_int_eq(execute(), -EINVAL);
	request.seconds = UINT64_MAX / 1000000 + 2; /* would wrap around to little */
	ck_assert_int_eq(execute(), -EINVAL);
}
END_TEST

START_TEST(test_a_drive_that_is_there_cannot_be_forgotten)
{
	request.verb = CONTROL_FORGET;
	ck_assert_int_eq(execute(), -EBUSY);
	host_remove(drive);
	ck_assert_int_eq(execute(), 0);
	ck_assert_ptr_null(host_shown("A"));
	ck_assert_int_eq(execute(), -ENOENT);
	host_add(drive);
	host_run(2 * SECOND);
	ck_assert(host_shown("A")->drive.present);
}
END_TEST

/* What was paused when it went is not paused when it is forgotten and comes back. */
START_TEST(test_a_pause_does_not_outlive_the_drive)
{
	ck_assert_int_eq(execute(), 0);
	host_remove(drive);
	request.verb = CONTROL_FORGET;
	ck_assert_int_eq(execute(), 0);
	host_add(drive);
	host_run(2 * SECOND);
	ck_assert_int_ge(host_value("A", &smart_page, "power_cycles"), 0);
}
END_TEST

/* ---- The socket. ---- */

static struct sockaddr_un socket_address(void)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };

	snprintf(a.sun_path, sizeof(a.sun_path), "%.90s/" CONTROL_SOCKET, host.settings.run_dir);
	return a;
}

static int connect_to_it(void)
{
	struct sockaddr_un a = socket_address();
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&a, sizeof(a)), 0);
	return fd;
}

static void spin(void)
{
	for (int i = 0; i < 10; i++)
		sd_event_run(host.event, 1000);
}

/* Sends bytes; what the answer says, 1: none came, 2: it hung up. */
static int say(int fd, const void *bytes, size_t size)
{
	struct control_answer answer;

	ck_assert_int_eq(send(fd, bytes, size, MSG_NOSIGNAL), (ssize_t)size);
	spin();
	ssize_t n = recv(fd, &answer, sizeof(answer), MSG_DONTWAIT);
	if (n == 0)
		return 2;
	if (n < 0)
		return 1;
	ck_assert_int_eq(n, sizeof(answer));
	ck_assert_uint_eq(answer.version, CONTROL_VERSION);
	return answer.error;
}

START_TEST(test_a_request_over_the_socket)
{
	int fd = connect_to_it();
	unsigned before = drive->commands;

	ck_assert_int_eq(say(fd, &request, sizeof(request)), 0);
	host_run(30 * SECOND);
	ck_assert_uint_eq(drive->commands, before);
	/* One connection, several requests. */
	strcpy(request.drive, "none");
	ck_assert_int_eq(say(fd, &request, sizeof(request)), -ENOENT);
	close(fd);
	spin();
	ck_assert_int_eq(host_drives(), 1);
}
END_TEST

START_TEST(test_what_is_no_request_is_answered)
{
	char bytes[2 * sizeof(request)];
	int fd = connect_to_it();

	memset(bytes, 0, sizeof(bytes));
	memcpy(bytes, &request, sizeof(request));
	ck_assert_int_eq(say(fd, bytes, 1), -EINVAL);
	ck_assert_int_eq(say(fd, bytes, sizeof(request) - 1), -EINVAL);
	/* Longer, though it begins as one. */
	ck_assert_int_eq(say(fd, bytes, sizeof(request) + 1), -EINVAL);
	ck_assert_int_eq(say(fd, bytes, sizeof(bytes)), -EINVAL);
	ck_assert_int_eq(say(fd, &request, sizeof(request)), 0);
	close(fd);
}
END_TEST

START_TEST(test_only_its_owner_may_connect)
{
	struct sockaddr_un a = socket_address();
	struct stat st;

	ck_assert_int_eq(stat(a.sun_path, &st), 0);
	ck_assert(S_ISSOCK(st.st_mode));
	ck_assert_uint_eq(st.st_mode & 0777, 0600);
}
END_TEST

/* Idle connections cost nothing but themselves; when one ends there is room again. */
START_TEST(test_too_many_at_once_are_turned_away)
{
	int fds[32];

	for (size_t i = 0; i < ELEMENTS(fds); i++) {
		fds[i] = connect_to_it();
		spin();
	}
	ck_assert_int_eq(say(fds[0], &request, sizeof(request)), 0);
	for (size_t i = 0; i < ELEMENTS(fds); i++)
		close(fds[i]);
	spin();
	spin();
	int fd = connect_to_it();
	ck_assert_int_eq(say(fd, &request, sizeof(request)), 0);
	close(fd);
}
END_TEST

/* What a killed collector leaves is taken over; one that ends leaves nothing. */
START_TEST(test_the_socket_is_replaced_and_removed)
{
	struct sockaddr_un a = socket_address();
	struct stat st;

	host_stop();
	ck_assert_int_lt(stat(a.sun_path, &st), 0);
	int stale = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	ck_assert_int_eq(bind(stale, (struct sockaddr *)&a, sizeof(a)), 0);
	close(stale);
	host_start();
	int fd = connect_to_it();
	ck_assert_int_eq(say(fd, &request, sizeof(request)), 0);
	close(fd);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_pause_is_executed,
		test_root_and_we_ourselves_are_obeyed,
		test_others_are_not_told_even_whether_a_drive_exists,
		test_another_version_is_no_request,
		test_unknown_verbs_are_refused,
		test_an_unterminated_name_is_refused,
		test_an_unknown_drive_is_not_found,
		test_a_pause_has_a_bound,
		test_a_drive_that_is_there_cannot_be_forgotten,
		test_a_pause_does_not_outlive_the_drive,
		test_a_request_over_the_socket,
		test_what_is_no_request_is_answered,
		test_only_its_owner_may_connect,
		test_too_many_at_once_are_turned_away,
		test_the_socket_is_replaced_and_removed,
		NULL,
	};

	return check_main_with("control", tests, setup, host_teardown);
}
