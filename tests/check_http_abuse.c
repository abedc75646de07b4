/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Clients that take what they can get. Cases HTT-01, HTT-02, HTT-04 and HTT-06. */

#include "http_support.h"

#define REQUEST_MS 500
#define IDLE_MS 3000
#define KEEP "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

static void setup(void)
{
	server_start();
	assert_alive();
}

static void setup_impatient(void)
{
	times = (struct client_times){ REQUEST_MS * 1000, IDLE_MS * 1000 };
	setup();
}

/* Sends `begin`, then a byte every 20 ms; milliseconds until the server hangs up. */
static uint64_t trickle(const char *begin, const char *byte)
{
	_cleanup_(closep) int fd = dial_from("127.0.0.2");
	struct pollfd p = { .fd = fd, .events = POLLIN };
	uint64_t start = now_ms();

	say(fd, begin);
	while (poll(&p, 1, 20) == 0) {
		(void)!send(fd, byte, strlen(byte), MSG_NOSIGNAL);
		ck_assert_msg(now_ms() < start + PATIENCE_MS, "still there: %s", begin);
	}
	return now_ms() - start;
}

START_TEST(test_slow_senders_are_cut_off)
{
	static const struct {
		const char *begin, *byte;
	} slow[] = {
		{ "", "" }, { "", "\r\n" }, { "G", "E" }, { "GET /metrics", "x" },
		{ "GET /metrics HTTP/1.1\r\n", "" }, { "GET /metrics HTTP/1.1\r\nX: ", "x" },
	};
	unsigned before = idle_descriptors();

	for (size_t i = 0; i < ELEMENTS(slow); i++) {
		ck_assert_uint_ge(trickle(slow[i].begin, slow[i].byte), REQUEST_MS - 1);
		assert_alive();
	}
	wait_descriptors(before);
}
END_TEST

/* The answers fill every buffer on the way, and nobody takes them. */
START_TEST(test_a_client_that_does_not_read_is_cut_off)
{
	static const char request[] = "GET /api/v1/fields HTTP/1.1\r\nHost: x\r\n\r\n";
	unsigned before = idle_descriptors();
	_cleanup_(closep) int fd = dial_from("127.0.0.2");

	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 1024 }, sizeof(int));
	for (int i = 0; i < 1000; i++)
		(void)!send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	assert_alive();
	ck_assert_uint_gt(descriptors(), before);
	wait_descriptors(before);
	assert_alive();
}
END_TEST

START_TEST(test_each_request_has_its_own_time)
{
	_cleanup_(closep) int fd = dial();

	for (int i = 0; i < 3; i++) {
		say(fd, KEEP);
		_cleanup_(freep) char *text = hear(fd, "\"ok\"");
		ck_assert_has(text, "200 OK");
		usleep((REQUEST_MS + 200) * 1000);
	}
	/* Idle until its time is over. */
	_cleanup_(freep) char *rest = hear(fd, NULL);
	ck_assert_str_eq(rest, "");
}
END_TEST

/* Fills the quota of an address; the caller closes. */
static void occupy(int *fds, const char *source)
{
	for (int i = 0; i < PER_PEER; i++)
		fds[i] = dial_from(source);
}

static void leave(int *fds, unsigned n)
{
	while (n > 0)
		close(fds[--n]);
}

START_TEST(test_a_peer_at_its_cap_keeps_nobody_else_out)
{
	unsigned before = idle_descriptors();
	int fds[PER_PEER];

	occupy(fds, "127.0.0.1");
	_cleanup_(freep) char *refused = exchange(HEALTHZ);
	ck_assert_has(refused, "HTTP/1.1 503 Service Unavailable\r\n");
	_cleanup_(freep) char *text = exchange_from("127.0.0.2", "GET /metrics HTTP/1.1\r\nHost: x"
						    "\r\nConnection: close\r\n\r\n");
	ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
	ck_assert_has(text, "\nnvmewatch_collector_up 0\n");
	leave(fds, PER_PEER);
	wait_descriptors(before);
	assert_alive();
}
END_TEST

START_TEST(test_a_full_house_says_so_at_once)
{
	static const char *const sources[] = { "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4" };
	int fds[ELEMENTS(sources)][PER_PEER];
	unsigned before = idle_descriptors();

	ck_assert_uint_eq(ELEMENTS(sources) * PER_PEER, CONNECTIONS);
	for (size_t i = 0; i < ELEMENTS(sources); i++)
		occupy(fds[i], sources[i]);
	for (int i = 0; i < 100; i++) {
		_cleanup_(freep) char *text = exchange_from("127.0.0.5", HEALTHZ);
		ck_assert_has(text, "HTTP/1.1 503 Service Unavailable\r\n");
		ck_assert_has(text, "Content-Type: application/problem+json\r\n");
	}
	leave(&fds[0][0], CONNECTIONS);
	wait_descriptors(before);
	_cleanup_(freep) char *text = exchange_from("127.0.0.5", HEALTHZ);
	ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
}
END_TEST

START_TEST(test_aborted_connections_leave_nothing)
{
	static const char request[] = "GET /api/v1/fields HTTP/1.1\r\nHost: x\r\n\r\n";
	unsigned before = idle_descriptors();

	for (size_t i = 0; i < 300; i++) {
		_cleanup_(closep) int fd = dial();
		(void)!send(fd, request, i % sizeof(request), MSG_NOSIGNAL);
		/* RST instead of FIN. */
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ 1, 0 },
			   sizeof(struct linger));
	}
	wait_descriptors(before);
	assert_alive();
}
END_TEST

int main(void)
{
	const TTest *const impatient[] = {
		test_slow_senders_are_cut_off,
		test_a_client_that_does_not_read_is_cut_off,
		test_each_request_has_its_own_time,
		NULL,
	}, *const patient[] = {
		test_a_peer_at_its_cap_keeps_nobody_else_out,
		test_a_full_house_says_so_at_once,
		test_aborted_connections_leave_nothing,
		NULL,
	};

	return run_fixture("http abuse", setup, server_stop, patient) |
	       run_fixture("http deadlines", setup_impatient, server_stop, impatient);
}
