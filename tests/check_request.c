/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What comes in: targets, negotiation, addresses, and who may connect. */

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <unistd.h>

#include "../src/serve/accept.h"
#include "../src/serve/client.h"
#include "../src/serve/listen.h"
#include "../src/serve/request.h"
#include "serve_support.h"

#define REQUEST _cleanup_(request_freep) struct request *

static struct request *parse(const char *target)
{
	struct request *q = NULL;

	ck_assert_int_eq(request_parse(target, &q), 0);
	return q;
}

START_TEST(test_a_path_is_split_before_it_is_decoded)
{
	REQUEST q = parse("/api/v1/drives/A%2fB%20%40%3f%25/pages");

	ck_assert_uint_eq(q->n_segments, 5);
	ck_assert_str_eq(q->segments[3], "A/B @?%");
	ck_assert_str_eq(q->segments[4], "pages");
}
END_TEST

START_TEST(test_a_plus_is_a_blank_in_the_query_only)
{
	REQUEST q = parse("/a+b?c+d=e+f%2B&&g&h=&=i&c+d=again");

	ck_assert_str_eq(q->segments[0], "a+b");
	ck_assert_uint_eq(q->n_parameters, 5);
	ck_assert_str_eq(request_parameter(q, "c d"), "e f+");
	ck_assert_str_eq(request_parameter(q, "g"), "");
	ck_assert_str_eq(request_parameter(q, "h"), "");
	ck_assert_str_eq(request_parameter(q, ""), "i");
	ck_assert_ptr_null(request_parameter(q, "i"));
}
END_TEST

START_TEST(test_a_target_may_name_the_host)
{
	REQUEST q = parse("http://[::1]:9917/metrics?x=http://y/z");

	ck_assert_uint_eq(q->n_segments, 1);
	ck_assert_str_eq(q->segments[0], "metrics");
}
END_TEST

START_TEST(test_broken_targets_are_refused)
{
	static const char *const broken[] = {
		"", "*", "metrics", "http://host", "/%", "/%4", "/%g0", "/a%00b", "/?%zz",
		"/?a=%0", "/a/b/c/d/e/f/g/h/i/j/k/l/m",
		"/?a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a&a",
	};
	struct request *q = NULL;

	for (size_t i = 0; i < ELEMENTS(broken); i++)
		ck_assert_msg(request_parse(broken[i], &q) == -EINVAL && !q, "%s", broken[i]);
}
END_TEST

/* No bytes, however odd, get past the end of anything (under the sanitizers). */
START_TEST(test_random_bytes_are_survived)
{
	static const char alphabet[] = "/?&=%%%+20aF;,.q*\" \xff:\x01[]version=gzip";
	char text[64];

	for (int i = 0; i < 100000; i++) {
		REQUEST q = NULL;
		struct sockaddr_storage address;
		socklen_t length;
		size_t n = (size_t)random() % sizeof(text);

		for (size_t k = 0; k < n; k++)
			text[k] = alphabet[(size_t)random() % (sizeof(alphabet) - 1)];
		text[n] = 0;
		(void)request_parse(text, &q);
		(void)accept_openmetrics(text);
		(void)accept_gzip(text);
		if (i % 100 == 0)
			(void)listen_parse(text, &address, &length);
	}
}
END_TEST

START_TEST(test_openmetrics_is_served_to_who_prefers_it)
{
	static const struct {
		const char *accept;
		bool openmetrics;
	} cases[] = {
		{ NULL, false },
		{ "", false },
		{ "*/*", false },
		{ "text/html,application/xhtml+xml,*/*;q=0.8", false },
		{ "text/plain", false },
		{ "application/openmetrics-text", true },
		{ "Application/OpenMetrics-Text ; Version=1.0.0 ; q=1", true },
		{ "application/openmetrics-text; version=\"1.0.0\"", true },
		{ "application/openmetrics-text;version=0.0.1", false },
		{ "application/openmetrics-text;q=0", false },
		{ "application/openmetrics-text;q=0.000,*/*", false },
		{ "application/openmetrics-text;q=x", false },
		{ "application/openmetrics-text;q=0.3,text/plain;q=0.5", false },
		{ "text/plain;q=0.5,application/openmetrics-text;q=0.75", true },
		{ "application/openmetrics-text;version=1.0.0,"
		  "application/openmetrics-text;version=0.0.1;q=0.75,"
		  "text/plain;version=0.0.4;q=0.5,*/*;q=0.1", true }, /* Prometheus 2.42 */
		{ "application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,"
		  "application/openmetrics-text;version=0.0.1;q=0.5,"
		  "text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,"
		  "text/plain;version=0.0.4;q=0.3,*/*;q=0.2", true }, /* Prometheus 3 */
		{ ",;,=;q=,application/openmetrics-text", true },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++)
		ck_assert_msg(accept_openmetrics(cases[i].accept) == cases[i].openmetrics, "%s",
			      cases[i].accept);
}
END_TEST

START_TEST(test_csv_is_sent_to_who_names_it)
{
	static const struct {
		const char *accept;
		bool csv;
	} cases[] = {
		{ NULL, false }, { "", false }, { "*/*", false }, { "text/*", false },
		{ "application/json", false }, { "text/csv", true }, { "Text/CSV; charset=utf-8", true },
		{ "text/csv;q=0", false }, { "text/csv, application/json", true },
		{ "application/json, text/csv;q=0.9", false }, { "text/csv;q=0.9, */*;q=0.1", true },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++)
		ck_assert_msg(accept_csv(cases[i].accept) == cases[i].csv, "%s", cases[i].accept);
}
END_TEST

START_TEST(test_gzip_is_sent_to_who_takes_it)
{
	static const struct {
		const char *accept;
		bool gzip;
	} cases[] = {
		{ NULL, false },
		{ "", false },
		{ "gzip", true },
		{ "deflate, GZIP;q=0.5, br", true },
		{ "x-gzip", true },
		{ "*", true },
		{ "gzip;q=0", false },
		{ "gzip;q=0.0, *", false },
		{ "*;q=0", false },
		{ "identity", false },
		{ "identity;q=1, gzip;q=0.5", false },
		{ "identity;q=0.5, gzip;q=1.0", true },
		{ "gzipped", false },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++)
		ck_assert_msg(accept_gzip(cases[i].accept) == cases[i].gzip, "%s", cases[i].accept);
}
END_TEST

START_TEST(test_listen_addresses)
{
	static const char *const bad[] = {
		"", ":", ":9917", "9917", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "[::1]",
		"127.0.0.1:65536", "127.0.0.1:-1", "::1:9917", "[::1:9917", "[127.0.0.1:80",
		"[]:80", "localhost:9917", "127.0.0.256:9917", "127.0.0.1 :9917",
	};
	struct sockaddr_storage address;
	socklen_t length;

	for (size_t i = 0; i < ELEMENTS(bad); i++)
		ck_assert_msg(listen_parse(bad[i], &address, &length) == -EINVAL, "%s", bad[i]);
	ck_assert_int_eq(listen_parse("0.0.0.0:9917", &address, &length), 0);
	ck_assert_int_eq(address.ss_family, AF_INET);
	ck_assert_int_eq(ntohs(((struct sockaddr_in *)&address)->sin_port), 9917);
	ck_assert_int_eq(listen_parse("[::1]:80", &address, &length), 0);
	ck_assert_int_eq(address.ss_family, AF_INET6);
	ck_assert_int_eq(ntohs(((struct sockaddr_in6 *)&address)->sin6_port), 80);
}
END_TEST

START_TEST(test_a_taken_port_is_said_to_be_taken)
{
	struct sockaddr_in address = { 0 };
	socklen_t length = sizeof(address);
	char error[256] = "", text[64];
	_cleanup_(closep) int first = listen_open("127.0.0.1:0", error, sizeof(error));

	ck_assert_msg(first >= 0, "%s", error);
	ck_assert_int_eq(getsockname(first, (struct sockaddr *)&address, &length), 0);
	snprintf(text, sizeof(text), "127.0.0.1:%u", ntohs(address.sin_port));
	ck_assert_int_eq(listen_open(text, error, sizeof(error)), -EADDRINUSE);
	ck_assert_has(error, text);
	ck_assert_has(error, "another program listens there");
	ck_assert_int_eq(listen_open("nonsense", error, sizeof(error)), -EINVAL);
	ck_assert_has(error, "\"nonsense\" is not ADDRESS:PORT");
}
END_TEST

/* ---- Clients ---- */

static struct sockaddr_storage peer(const char *text)
{
	struct sockaddr_storage s = { 0 };
	struct sockaddr_in6 *six = (void *)&s;
	struct sockaddr_in *four = (void *)&s;

	s.ss_family = strchr(text, ':') ? AF_INET6 : AF_INET;
	ck_assert_int_eq(inet_pton(s.ss_family, text,
				   s.ss_family == AF_INET ? (void *)&four->sin_addr
							  : (void *)&six->sin6_addr), 1);
	return s;
}

static void clients_add(struct clients *c, const char *from)
{
	struct sockaddr_storage s = peer(from);

	ck_assert_msg(clients_admit(c, &s), "%s", from);
	ck_assert_ptr_nonnull(client_new(c, -1, &s, 0));
}

static bool admitted(const struct clients *c, const char *from)
{
	struct sockaddr_storage s = peer(from);

	return clients_admit(c, &s);
}

START_TEST(test_nobody_takes_every_connection)
{
	struct clients c = { .max = 8, .max_per_peer = 2 };

	clients_add(&c, "192.0.2.1");
	clients_add(&c, "192.0.2.1");
	ck_assert(!admitted(&c, "192.0.2.1"));
	clients_add(&c, "192.0.2.2");
	clients_add(&c, "2001:db8::1");
	clients_add(&c, "2001:db8::ffff:2");
	ck_assert(!admitted(&c, "2001:db8::3")); /* the same /64 */
	clients_add(&c, "2001:db8:0:1::1");
	clients_add(&c, "::ffff:192.0.2.7"); /* IPv4 through an IPv6 socket: no /64 there */
	clients_add(&c, "::ffff:192.0.2.8");
	ck_assert(!admitted(&c, "192.0.2.9")); /* full */
	client_free(&c, c.first->next);
	ck_assert_uint_eq(c.n, 7);
	ck_assert(admitted(&c, "192.0.2.9"));
	while (c.first)
		client_free(&c, c.first);
	ck_assert_uint_eq(c.n, 0);
}
END_TEST

START_TEST(test_an_expired_client_sees_the_end)
{
	struct clients c = { .max = 8, .max_per_peer = 8 };
	struct sockaddr_storage local = { .ss_family = AF_UNIX };
	int late[2], early[2];

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, early), 0);
	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, late), 0);
	client_new(&c, late[0], &local, 20);
	client_new(&c, early[0], &local, 10);
	ck_assert_uint_eq(clients_expire(&c, 9), 10);
	ck_assert_uint_eq(clients_expire(&c, 10), 20);
	ck_assert_int_eq(poll(&(struct pollfd){ .fd = early[1], .events = POLLIN }, 1, 0), 1);
	ck_assert_int_eq(poll(&(struct pollfd){ .fd = late[1], .events = POLLIN }, 1, 0), 0);
	while (c.first)
		client_free(&c, c.first);
	ck_assert_uint_eq(clients_expire(&c, 30), UINT64_MAX);
	for (int i = 0; i < 2; i++) {
		close(early[i]);
		close(late[i]);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_path_is_split_before_it_is_decoded,
		test_a_plus_is_a_blank_in_the_query_only,
		test_a_target_may_name_the_host,
		test_broken_targets_are_refused,
		test_random_bytes_are_survived,
		test_openmetrics_is_served_to_who_prefers_it,
		test_csv_is_sent_to_who_names_it,
		test_gzip_is_sent_to_who_takes_it,
		test_listen_addresses,
		test_a_taken_port_is_said_to_be_taken,
		test_nobody_takes_every_connection,
		test_an_expired_client_sees_the_end,
		NULL,
	};

	return run_cases("request", tests);
}
