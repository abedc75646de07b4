/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The HTTP server over real sockets. */

#include "http_support.h"

START_TEST(test_a_connection_serves_many_requests)
{
	_cleanup_(closep) int fd = dial();

	for (int i = 0; i < 100; i++) {
		say(fd, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
		_cleanup_(freep) char *text = hear(fd, "nvmewatch_build_info{version=");
		ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
		ck_assert_has(text, "Content-Type: text/plain; version=0.0.4; charset=utf-8\r\n");
		ck_assert_has(text, "Vary: Accept, Accept-Encoding\r\n");
		ck_assert_has(text, "\nnvmewatch_collector_up 0\n");
		ck_assert_lacks(text, "Connection: close");
	}
}
END_TEST

START_TEST(test_head_is_get_without_the_body)
{
	_cleanup_(freep) char *text = exchange("HEAD /healthz HTTP/1.1\r\nHost: x\r\n"
					       "Connection: close\r\n\r\n");

	ck_assert_has(text, "Content-Length: 16\r\n");
	ck_assert_str_eq(strstr(text, "\r\n\r\n"), "\r\n\r\n");
}
END_TEST

START_TEST(test_a_post_is_refused_unread)
{
	_cleanup_(freep) char *text = exchange("POST /metrics HTTP/1.1\r\nHost: x\r\n"
					       "Content-Length: 1000000000\r\n\r\nabc");

	ck_assert_has(text, "HTTP/1.1 405 Method Not Allowed\r\n");
	ck_assert_has(text, "Allow: GET, HEAD\r\n");
	ck_assert_has(text, "Content-Type: application/problem+json\r\n");
	assert_alive();
}
END_TEST

START_TEST(test_a_slash_in_a_serial_stays_in_it)
{
	_cleanup_(freep) char *text = exchange("GET /api/v1/drives/A%2FB/pages/a%2fb HTTP/1.1\r\n"
					       "Host: x\r\nConnection: close\r\n\r\n");

	ck_assert_has(text, "HTTP/1.1 404 Not Found\r\n");
	ck_assert_has(text, "No page is called \\\"a/b\\\".");
}
END_TEST

START_TEST(test_broken_requests_harm_nobody)
{
	static const char *const broken[] = {
		"\r\n\r\n\r\n\r\n", "GET\r\n\r\n", "GET /%zz HTTP/1.1\r\nHost: x\r\n\r\n",
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "GET / HTTP/9.9\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nContent-Length: -1\r\nHost: x\r\n\r\n",
		"GET /metrics HTTP/1.1\r\nTransfer-Encoding: chunked\r\nHost: x\r\n\r\nzz\r\n",
		": : :\r\n: : :\r\n\r\n",
	};

	for (size_t i = 0; i < ELEMENTS(broken); i++) {
		_cleanup_(closep) int fd = dial();
		say(fd, broken[i]);
		assert_alive();
		shutdown(fd, SHUT_WR);
		_cleanup_(freep) char *text = hear(fd, NULL);
		assert_alive();
	}
}
END_TEST

START_TEST(test_an_oversized_request_is_refused)
{
	static const char *const begins[] = { "GET /", "GET / HTTP/1.1\r\nHost: x\r\nX: " };
	char filler[4097];

	memset(filler, 'a', sizeof(filler) - 1);
	filler[sizeof(filler) - 1] = 0;
	for (size_t i = 0; i < ELEMENTS(begins); i++) {
		_cleanup_(closep) int fd = dial();
		say(fd, begins[i]);
		/* It may be cut off while it still sends. */
		for (int n = 0; n < 16; n++)
			(void)!send(fd, filler, sizeof(filler) - 1, MSG_NOSIGNAL);
		_cleanup_(freep) char *text = hear(fd, NULL);
		ck_assert_msg(!text[0] || !strncmp(text, "HTTP/1.1 4", 10), "%s", text);
		assert_alive();
	}
}
END_TEST

/* Case HTT-04. */
START_TEST(test_one_peer_too_many_is_told_at_once)
{
	int fds[PER_PEER];

	for (int i = 0; i < PER_PEER; i++) {
		fds[i] = dial();
		say(fds[i], "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
		_cleanup_(freep) char *text = hear(fds[i], "\"ok\"");
		ck_assert_has(text, "200 OK");
	}
	for (int i = 0; i < 200; i++) {
		_cleanup_(freep) char *text = exchange("GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
		const char *body = strstr(text, "\r\n\r\n");

		ck_assert_has(text, "HTTP/1.1 503 Service Unavailable\r\n");
		ck_assert_has(text, "Retry-After: 1\r\n");
		ck_assert_uint_eq(strlen(body + 4), strtoul(strstr(text, "Content-Length: ") + 16,
							    NULL, 10));
	}
	/* Who was in stays in, and who leaves makes room. */
	say(fds[0], "GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n");
	_cleanup_(freep) char *text = hear(fds[0], "detail");
	ck_assert_has(text, "503 Service Unavailable");
	for (int i = 0; i < PER_PEER; i++)
		close(fds[i]);
	usleep(100000);
	assert_alive();
}
END_TEST

/* A client that does not read its answer holds up nobody else. */
START_TEST(test_a_slow_reader_waits_alone)
{
	static const char request[] = "GET /api/v1/fields HTTP/1.1\r\nHost: x\r\n\r\n";
	_cleanup_(closep) int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ 1024 }, sizeof(int));
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	for (int i = 0; i < 100; i++)
		(void)!send(fd, request, sizeof(request) - 1, MSG_NOSIGNAL | MSG_DONTWAIT);
	for (int i = 0; i < 100; i++)
		assert_alive();
	_cleanup_(freep) char *text = hear(fd, "\"pages\"");
	ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
}
END_TEST

START_TEST(test_idle_connections_cost_no_time)
{
	_cleanup_(closep) int half = dial(), open = dial();

	say(half, "GET /metr");
	say(open, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
	_cleanup_(freep) char *text = hear(open, "\"ok\"");
	assert_idle();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_connection_serves_many_requests,
		test_head_is_get_without_the_body,
		test_a_post_is_refused_unread,
		test_a_slash_in_a_serial_stays_in_it,
		test_broken_requests_harm_nobody,
		test_an_oversized_request_is_refused,
		test_one_peer_too_many_is_told_at_once,
		test_a_slow_reader_waits_alone,
		test_idle_connections_cost_no_time,
		NULL,
	};

	return run_fixture("http", server_start, server_stop, tests);
}
