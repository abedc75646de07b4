/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* HTTPS over real sockets: who is answered, what a reload changes, and what handshakes that nobody
 * ends cost. */

#include <errno.h>

#include "tls_support.h"

#define REQUEST_MS 500

static const char *const versions[] = { ONLY_1_2, ONLY_1_3 };
static struct identity authority, server, client;
static bool asks_clients;

static void keys(struct settings *s)
{
	char error[256], option[600];
	static const char *const options[][2] = {
		{ "tls_cert", "server.pem" }, { "tls_key", "server.key" }, { "client_ca", "ca.pem" },
	};

	for (unsigned i = 0; i < (asks_clients ? 3 : 2); i++) {
		snprintf(option, sizeof(option), "serve.%s=%s", options[i][0],
			 in_folder(options[i][1]));
		ck_assert_int_eq(settings_override(s, option, error, sizeof(error)), 0);
	}
}

static void assert_answered(const char *priorities, const struct identity *who, bool answered)
{
	_cleanup_(freep) char *text = session_exchange(priorities, who, HEALTHZ);

	if (answered)
		ck_assert_has(text, "{\"status\":\"ok\"}\n");
	else
		ck_assert_str_eq(text, "");
}

static struct identity make(const char *name, uint8_t serial, const char *purpose)
{
	return identity_make(&(struct identity_options){ name, serial, purpose, DAY, false },
			     &authority);
}

static void setup(void)
{
	folder_make();
	authority = identity_make(&(struct identity_options){ "ca", 1, NULL, DAY, true }, NULL);
	server = make("server", 2, GNUTLS_KP_TLS_WWW_SERVER);
	client = make("client", 3, GNUTLS_KP_TLS_WWW_CLIENT);
	identity_write(&authority, "ca");
	identity_write(&server, "server");
	configure = keys;
	server_start();
	assert_answered(ANY_VERSION, &client, true);
}

static void setup_mutual(void)
{
	asks_clients = true;
	setup();
}

static void setup_impatient(void)
{
	times.request_us = REQUEST_MS * 1000;
	setup();
}

static void teardown(void)
{
	server_stop();
	identity_done(&authority);
	identity_done(&server);
	identity_done(&client);
	folder_remove();
}

/* ---- With the deadlines as they are ---- */

START_TEST(test_only_new_versions_are_spoken)
{
	assert_answered(ANY_VERSION, NULL, true);
	for (size_t i = 0; i < ELEMENTS(versions); i++)
		assert_answered(versions[i], NULL, true);
	assert_answered(ONLY_1_1, NULL, false);
}
END_TEST

START_TEST(test_a_connection_serves_many_requests)
{
	for (size_t v = 0; v < ELEMENTS(versions); v++) {
		struct session s;

		GOOD(session_open(&s, versions[v], NULL));
		for (int i = 0; i < 50; i++) {
			session_say(&s, "GET /api/v1/fields HTTP/1.1\r\nHost: x\r\n\r\n");
			_cleanup_(freep) char *text = session_hear(&s, "\n");
			ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
			_cleanup_(freep) char *rest = session_hear(&s, "]}\n");
		}
		session_close(&s);
	}
}
END_TEST

START_TEST(test_what_is_no_handshake_harms_nobody)
{
	static const char *const broken[] = {
		HEALTHZ, "\r\n\r\n", "\x16\x03\x01\x02", "\x16\x03\x01\xff\xff\x01\xff\xff\xff",
		"\x15\x03\x03\x02\x02\x28", "\x17\x03\x03\x01\x01", "\x80\x2e\x01\x02\x03\x01\x01",
	};
	unsigned before = idle_descriptors();

	for (size_t i = 0; i < ELEMENTS(broken); i++) {
		_cleanup_(closep) int fd = dial();
		say(fd, broken[i]);
		assert_answered(ANY_VERSION, NULL, true);
		shutdown(fd, SHUT_WR);
		_cleanup_(freep) char *text = hear(fd, NULL);
		ck_assert_lacks(text, "HTTP");
	}
	wait_descriptors(before);
}
END_TEST

START_TEST(test_a_reload_changes_the_certificate_of_new_connections)
{
	struct identity next = make("server", 7, GNUTLS_KP_TLS_WWW_SERVER);
	struct session old, new;
	unsigned serial = 0;

	GOOD(session_open(&old, ANY_VERSION, NULL));
	ck_assert_uint_eq(session_serial(&old), 2);
	identity_write(&next, "server");
	kill(child, SIGHUP);
	for (uint64_t end = now_ms() + PATIENCE_MS; serial != 7; usleep(10000)) {
		GOOD(session_open(&new, ANY_VERSION, NULL));
		serial = session_serial(&new);
		session_close(&new);
		ck_assert_uint_lt(now_ms(), end);
	}
	session_say(&old, HEALTHZ);
	_cleanup_(freep) char *text = session_hear(&old, NULL);
	ck_assert_has(text, "200 OK");
	session_close(&old);
	identity_done(&next);
}
END_TEST

START_TEST(test_bad_files_leave_the_former_in_force)
{
	static const char *const contents[] = { "", "nonsense", "-----BEGIN CERTIFICATE-----\n" };
	struct session s;

	for (size_t i = 0; i < ELEMENTS(contents); i++) {
		write_text(in_folder("server.pem"), contents[i]);
		kill(child, SIGHUP);
		assert_answered(ANY_VERSION, NULL, true);
	}
	/* The certificate of one, the key of another. */
	identity_write(&client, "server");
	identity_write(&server, "other");
	ck_assert_int_eq(rename(in_folder("other.key"), in_folder("server.key")), 0);
	kill(child, SIGHUP);
	for (int i = 0; i < 10; i++) {
		GOOD(session_open(&s, ANY_VERSION, NULL));
		ck_assert_uint_eq(session_serial(&s), 2);
		session_close(&s);
		usleep(10000);
	}
}
END_TEST

static ssize_t pull_nothing(gnutls_transport_ptr_t transport, void *bytes, size_t size)
{
	(void)transport, (void)bytes, (void)size;
	errno = EAGAIN;
	return -1;
}

/* All that a client says first; the server then waits for its answer. */
static void say_hello(int fd)
{
	gnutls_certificate_credentials_t none;
	gnutls_session_t tls;

	GOOD(gnutls_init(&tls, GNUTLS_CLIENT | GNUTLS_NONBLOCK));
	GOOD(gnutls_set_default_priority(tls));
	GOOD(gnutls_certificate_allocate_credentials(&none));
	GOOD(gnutls_credentials_set(tls, GNUTLS_CRD_CERTIFICATE, none));
	gnutls_transport_set_int(tls, fd);
	gnutls_transport_set_pull_function(tls, pull_nothing);
	ck_assert_int_eq(gnutls_handshake(tls), GNUTLS_E_AGAIN);
	gnutls_deinit(tls);
	gnutls_certificate_free_credentials(none);
}

/* Neither those who say nothing nor those who stop in between. */
START_TEST(test_open_handshakes_cost_no_time)
{
	int fds[PER_PEER - 1];

	for (size_t i = 0; i < ELEMENTS(fds); i++) {
		fds[i] = dial();
		if (i % 3 == 0)
			say(fds[i], "\x16\x03\x01\x02");
		if (i % 3 == 1)
			say_hello(fds[i]);
	}
	assert_answered(ANY_VERSION, NULL, true);
	assert_idle();
	for (size_t i = 0; i < ELEMENTS(fds); i++)
		close(fds[i]);
}
END_TEST

/* Case HTT-04, where nobody gets as far as a request. */
START_TEST(test_open_handshakes_count)
{
	static const char alert[] = { 21, 3, 3, 0, 2, 2, 80 };
	unsigned before = idle_descriptors();
	char bytes[64];
	int fds[PER_PEER];

	for (int i = 0; i < PER_PEER; i++)
		fds[i] = dial_from("127.0.0.2");
	for (int i = 0; i < 50; i++) {
		_cleanup_(closep) int fd = dial_from("127.0.0.2");
		ck_assert_int_eq(recv(fd, bytes, sizeof(bytes), 0), sizeof(alert));
		ck_assert_mem_eq(bytes, alert, sizeof(alert));
	}
	assert_answered(ANY_VERSION, NULL, true); /* from elsewhere */
	for (int i = 0; i < PER_PEER; i++)
		close(fds[i]);
	wait_descriptors(before);
}
END_TEST

/* A client that does not read its answer holds up nobody else. */
START_TEST(test_a_slow_reader_waits_alone)
{
	struct session s;

	GOOD(session_open(&s, ANY_VERSION, NULL));
	for (int i = 0; i < 30; i++)
		session_say(&s, "GET /api/v1/fields HTTP/1.1\r\nHost: x\r\n\r\n");
	for (int i = 0; i < 20; i++)
		assert_answered(ANY_VERSION, NULL, true);
	session_say(&s, HEALTHZ);
	_cleanup_(freep) char *text = session_hear(&s, "\"ok\"");
	ck_assert_uint_eq(occurrences(text, "HTTP/1.1 200 OK\r\n"), 31);
	session_close(&s);
}
END_TEST

/* ---- With client_ca ---- */

START_TEST(test_only_holders_of_a_certificate_are_answered)
{
	static const char *const client_purpose = GNUTLS_KP_TLS_WWW_CLIENT;
	struct identity any = make("any", 9, NULL);
	struct identity past = identity_make(
		&(struct identity_options){ "past", 4, client_purpose, -DAY, false }, &authority);
	struct identity self = identity_make(
		&(struct identity_options){ "self", 5, client_purpose, DAY, false }, NULL);
	struct identity other_ca = identity_make(
		&(struct identity_options){ "ca", 1, NULL, DAY, true }, NULL);
	struct identity other = identity_make(
		&(struct identity_options){ "client", 3, client_purpose, DAY, false }, &other_ca);
	const struct identity *const refused[] = { NULL, &past, &self, &other, &server };

	for (size_t v = 0; v < ELEMENTS(versions); v++) {
		assert_answered(versions[v], &client, true);
		assert_answered(versions[v], &any, true);
		for (size_t i = 0; i < ELEMENTS(refused); i++)
			assert_answered(versions[v], refused[i], false);
	}
	identity_done(&any);
	identity_done(&past);
	identity_done(&self);
	identity_done(&other_ca);
	identity_done(&other);
}
END_TEST

START_TEST(test_a_reload_changes_whose_clients_are_answered)
{
	struct identity ca = identity_make(&(struct identity_options){ "ca2", 1, NULL, DAY, true },
					   NULL);
	struct identity holder = identity_make(
		&(struct identity_options){ "holder", 8, NULL, DAY, false }, &ca);

	assert_answered(ANY_VERSION, &holder, false);
	identity_write(&ca, "ca");
	kill(child, SIGHUP);
	for (uint64_t end = now_ms() + PATIENCE_MS; now_ms() < end; usleep(10000)) {
		_cleanup_(freep) char *text = session_exchange(ANY_VERSION, &holder, HEALTHZ);
		if (*text)
			break;
	}
	assert_answered(ANY_VERSION, &holder, true);
	assert_answered(ANY_VERSION, &client, false);
	identity_done(&ca);
	identity_done(&holder);
}
END_TEST

/* ---- With deadlines that end within a test ---- */

/* A handshake has no time of its own, however far it came. */
START_TEST(test_handshakes_end_with_the_time_of_a_request)
{
	static const char *const begins[] = { "", "\x16\x03\x01\x02", NULL };
	unsigned before = idle_descriptors();

	for (size_t i = 0; i < ELEMENTS(begins); i++) {
		_cleanup_(closep) int fd = dial();
		uint64_t start = now_ms();

		if (begins[i])
			say(fd, begins[i]);
		else
			say_hello(fd);
		_cleanup_(freep) char *text = hear(fd, NULL);
		ck_assert_uint_ge(now_ms() - start, REQUEST_MS - 1);
	}
	wait_descriptors(before);
	assert_answered(ANY_VERSION, NULL, true);
}
END_TEST

START_TEST(test_a_flood_of_handshakes_passes)
{
	unsigned before = idle_descriptors();
	int fds[3 * PER_PEER];

	for (size_t i = 0; i < ELEMENTS(fds); i++) {
		fds[i] = dial_from((const char *[]){ "127.0.0.2", "127.0.0.3", "127.0.0.4" }[i % 3]);
		say(fds[i], "\x16\x03\x01\x02");
	}
	assert_answered(ANY_VERSION, NULL, true);
	wait_descriptors(before);
	for (size_t i = 0; i < ELEMENTS(fds); i++)
		close(fds[i]);
	assert_answered(ANY_VERSION, NULL, true);
}
END_TEST

int main(void)
{
	const TTest *const plain[] = {
		test_only_new_versions_are_spoken,
		test_a_connection_serves_many_requests,
		test_what_is_no_handshake_harms_nobody,
		test_a_reload_changes_the_certificate_of_new_connections,
		test_bad_files_leave_the_former_in_force,
		test_open_handshakes_cost_no_time,
		test_open_handshakes_count,
		test_a_slow_reader_waits_alone,
		NULL,
	}, *const mutual[] = {
		test_only_holders_of_a_certificate_are_answered,
		test_a_reload_changes_whose_clients_are_answered,
		NULL,
	}, *const impatient[] = {
		test_handshakes_end_with_the_time_of_a_request,
		test_a_flood_of_handshakes_passes,
		NULL,
	};

	return run_fixture("tls", setup, teardown, plain) |
	       run_fixture("tls of clients", setup_mutual, teardown, mutual) |
	       run_fixture("tls deadlines", setup_impatient, teardown, impatient);
}
