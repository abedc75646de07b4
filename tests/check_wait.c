/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Requests that wait for a job, over real sockets. Instead of the routes there is one that takes as
 * long as it is asked to: /MILLISECONDS, or /MILLISECONDS/BYTES for more than a line. */

#include <stdatomic.h>
#include <sys/mman.h>

#include "../src/serve/json.h"
#include "../src/serve/routes.h"
#include "../src/serve/work.h"
#include "http_support.h"

#define DEADLINE_MS 1500

/* Of the server, seen from the test. */
static struct {
	atomic_uint begun, stopped, freed;
} *seen;

struct nap {
	struct job job;
	unsigned long ms, bytes;
	atomic_bool stop;
};

static void nap_stop(void *what)
{
	atomic_store((atomic_bool *)what, true);
}

static int nap_make(struct job *j, struct answer *ret)
{
	struct nap *nap = (struct nap *)j;

	atomic_fetch_add(&seen->begun, 1);
	if (job_stoppable(j, nap_stop, &nap->stop) >= 0)
		for (unsigned long i = 0; i < nap->ms && !atomic_load(&nap->stop); i++)
			usleep(1000);
	job_unstoppable(j);
	atomic_fetch_add(&seen->stopped, atomic_load(&nap->stop));
	if (nap->bytes) {
		struct buffer text = { .data = calloc(1, nap->bytes), .length = nap->bytes };

		return answer_bytes(ret, &text, TYPE_BYTES);
	}
	return answer_json(ret, json_pack("{sI}", "slept", (json_int_t)nap->ms));
}

static void nap_free(struct job *j)
{
	atomic_fetch_add(&seen->freed, 1);
	free(j);
}

int routes_answer(struct server *s, const struct request *q, struct answer *ret)
{
	struct nap *nap = calloc(1, sizeof(*nap));

	(void)s;
	nap->ms = strtoul(q->segments[0], NULL, 10);
	nap->bytes = q->n_segments > 1 ? strtoul(q->segments[1], NULL, 10) : 0;
	if (nap->ms) {
		nap->job = (struct job){ .make = nap_make, .free = nap_free };
		ret->job = &nap->job;
		return 0;
	}
	free(nap);
	return answer_json(ret, json_pack("{ss}", "status", "ok"));
}

#define ASK(path) "GET /" path " HTTP/1.1\r\nHost: x\r\n\r\n"

static void setup(void)
{
	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(seen, MAP_FAILED);
	work = (struct work_limits){ 2, 3, DEADLINE_MS * UINT64_C(1000) };
	server_start();
}

static void teardown(void)
{
	server_stop();
	munmap(seen, sizeof(*seen));
}

static void wait_seen(atomic_uint *n, unsigned least)
{
	for (uint64_t end = now_ms() + PATIENCE_MS; atomic_load(n) < least; usleep(1000))
		ck_assert_uint_lt(now_ms(), end);
}

START_TEST(test_others_are_served_meanwhile)
{
	_cleanup_(closep) int fd = dial();
	uint64_t begin = now_ms();

	say(fd, ASK("400"));
	wait_seen(&seen->begun, 1);
	assert_alive();
	ck_assert_uint_lt(now_ms() - begin, 400);
	_cleanup_(freep) char *text = hear(fd, "}\n");
	ck_assert_uint_ge(now_ms() - begin, 400);
	ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
	ck_assert_has(text, "{\"slept\":400}\n");
}
END_TEST

START_TEST(test_a_connection_goes_on_after_it)
{
	_cleanup_(closep) int fd = dial();

	for (int i = 0; i < 20; i++) {
		say(fd, i % 2 ? ASK("healthz") : ASK("3"));
		_cleanup_(freep) char *text = hear(fd, "}\n");
		ck_assert_has(text, i % 2 ? "{\"status\":\"ok\"}" : "{\"slept\":3}");
	}
}
END_TEST

START_TEST(test_requests_sent_ahead_are_answered_in_their_order)
{
	_cleanup_(closep) int fd = dial();

	say(fd, ASK("30") ASK("healthz") ASK("20"));
	_cleanup_(freep) char *text = hear(fd, "{\"slept\":20}\n");
	const char *first = strstr(text, "{\"slept\":30}"), *second = strstr(text, "\"ok\"");
	ck_assert(first && second && first < second);
}
END_TEST

START_TEST(test_waiting_costs_nothing)
{
	_cleanup_(closep) int fd = dial();

	say(fd, ASK("1000000"));
	wait_seen(&seen->begun, 1);
	usleep(20000);
	unsigned long before = cpu_ns();
	usleep(300000);
	ck_assert_uint_lt(cpu_ns() - before, 30000000);
}
END_TEST

START_TEST(test_at_the_deadline_it_is_said_so)
{
	_cleanup_(closep) int fd = dial();
	uint64_t begin = now_ms();

	say(fd, ASK("1000000"));
	_cleanup_(freep) char *text = hear(fd, "}\n");
	ck_assert_uint_ge(now_ms() - begin, DEADLINE_MS);
	ck_assert_has(text, "HTTP/1.1 504 Gateway Timeout\r\n");
	ck_assert_has(text, "Content-Type: application/problem+json\r\n");
	wait_seen(&seen->stopped, 1);
	say(fd, ASK("healthz"));
	_cleanup_(freep) char *next = hear(fd, "}\n");
	ck_assert_has(next, "\"ok\"");
	wait_seen(&seen->freed, 1);
}
END_TEST

START_TEST(test_who_goes_away_is_not_worked_for)
{
	int going = dial(), running = dial(), waiting = dial();

	say(going, ASK("1000000"));
	say(running, ASK("1000000"));
	wait_seen(&seen->begun, 2);
	say(waiting, ASK("1000001"));
	usleep(20000);
	close(waiting);
	close(going);
	shutdown(running, SHUT_WR);
	wait_seen(&seen->stopped, 2);
	wait_seen(&seen->freed, 3);
	ck_assert_uint_eq(atomic_load(&seen->begun), 2);
	_cleanup_(freep) char *text = hear(running, NULL);
	ck_assert_str_eq(text, "");
	close(running);
	assert_alive();
}
END_TEST

START_TEST(test_too_many_are_told_to_come_later)
{
	int fds[5];

	for (unsigned i = 0; i < ELEMENTS(fds); i++) {
		fds[i] = dial();
		say(fds[i], ASK("1000000"));
		wait_seen(&seen->begun, i < 2 ? i + 1 : 2);
		assert_alive(); /* and the request was read */
	}
	_cleanup_(closep) int fd = dial();
	say(fd, ASK("1"));
	_cleanup_(freep) char *text = hear(fd, "}\n");
	ck_assert_has(text, "HTTP/1.1 503 Service Unavailable\r\n");
	ck_assert_has(text, "\r\nRetry-After: 5\r\n");
	for (unsigned i = 0; i < ELEMENTS(fds); i++)
		close(fds[i]);
	wait_seen(&seen->freed, 5 + 1);
	say(fd, ASK("1"));
	_cleanup_(freep) char *next = hear(fd, "}\n");
	ck_assert_has(next, "{\"slept\":1}");
}
END_TEST

START_TEST(test_who_does_not_take_large_answers_gets_no_more_of_them)
{
	int fds[4];

	for (unsigned i = 0; i < ELEMENTS(fds); i++) {
		fds[i] = dial();
		say(fds[i], ASK("1/12000000"));
		wait_seen(&seen->freed, i < 3 ? i + 1 : 4);
		assert_alive();
	}
	_cleanup_(freep) char *text = hear(fds[3], "}\n");
	ck_assert_has(text, "HTTP/1.1 503 Service Unavailable\r\n");
	for (unsigned i = 0; i < 3; i++)
		close(fds[i]);
	usleep(20000);
	assert_alive();
	say(fds[3], ASK("1"));
	_cleanup_(freep) char *next = hear(fds[3], "}\n");
	ck_assert_has(next, "{\"slept\":1}");
	close(fds[3]);
}
END_TEST

START_TEST(test_the_server_ends_while_somebody_waits)
{
	_cleanup_(closep) int fd = dial();
	uint64_t begin = now_ms();

	say(fd, ASK("1000000"));
	wait_seen(&seen->begun, 1);
	server_stop();
	ck_assert_uint_lt(now_ms() - begin, DEADLINE_MS);
	ck_assert_uint_eq(atomic_load(&seen->freed), 1);
	server_start(); /* for teardown() */
	assert_alive();
}
END_TEST

START_TEST(test_a_request_with_a_body_does_not_wait)
{
	_cleanup_(freep) char *text = exchange("GET /50 HTTP/1.1\r\nHost: x\r\n"
					       "Content-Length: 5\r\n\r\nabcde");

	ck_assert_has(text, "HTTP/1.1 400 Bad Request\r\n");
	ck_assert_uint_eq(atomic_load(&seen->begun), 0);
	assert_alive();
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_others_are_served_meanwhile,
		test_a_connection_goes_on_after_it,
		test_requests_sent_ahead_are_answered_in_their_order,
		test_waiting_costs_nothing,
		test_at_the_deadline_it_is_said_so,
		test_who_goes_away_is_not_worked_for,
		test_too_many_are_told_to_come_later,
		test_who_does_not_take_large_answers_gets_no_more_of_them,
		test_the_server_ends_while_somebody_waits,
		test_a_request_with_a_body_does_not_wait,
		NULL,
	};

	return run_fixture("wait", setup, teardown, tests);
}
