/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Jobs, the threads that do them and the loop that hears of it. No sockets. */

#include <pthread.h>
#include <stdatomic.h>

#include "../src/serve/work.h"
#include "serve_support.h"

#define LIMITS ((struct work_limits){ .threads = 2, .waiting = 4, .deadline_us = 1 })

static struct {
	sd_event *event;
	struct work *work;
	pthread_t loop;
	unsigned done;
	atomic_uint begun, freed, stopped;
	atomic_bool go; /* jobs that wait for it end */
} t;

struct task {
	struct job job;
	bool waits;
	bool fails;
	atomic_bool stop;
};

static void task_stop(void *what)
{
	atomic_store((atomic_bool *)what, true);
}

static int task_make(struct job *j, struct answer *ret)
{
	struct task *task = (struct task *)j;
	struct buffer text = { 0 };

	atomic_fetch_add(&t.begun, 1);
	if (job_stoppable(j, task_stop, &task->stop) >= 0)
		while (task->waits && !atomic_load(&t.go) && !atomic_load(&task->stop))
			usleep(1000);
	job_unstoppable(j);
	atomic_fetch_add(&t.stopped, atomic_load(&task->stop));
	if (task->fails)
		return -ENOMEM;
	for (int i = 0; i < 1000; i++)
		buffer_text(&text, "done ");
	return answer_bytes(ret, &text, TYPE_BYTES);
}

static void task_free(struct job *j)
{
	atomic_fetch_add(&t.freed, 1);
	free(j);
}

static struct task *task_new(bool waits)
{
	struct task *task = calloc(1, sizeof(*task));

	task->job = (struct job){ .make = task_make, .free = task_free };
	task->waits = waits;
	return task;
}

static void on_done(void *userdata, int r, struct answer *a)
{
	ck_assert(pthread_equal(pthread_self(), t.loop));
	ck_assert_int_eq(r, 0);
	ck_assert_uint_eq(a->status, 200);
	ck_assert_uint_eq(a->body->length, 5000);
	t.done++;
	*(bool *)userdata = true;
}

static void begin(struct task *task, bool *done)
{
	ck_assert_int_eq(work_begin(t.work, &task->job, on_done, done), 0);
}

static void run_until(const unsigned *n, unsigned least)
{
	while (*n < least)
		ck_assert_int_gt(sd_event_run(t.event, 5000000), 0);
}

static void wait_atomic(atomic_uint *n, unsigned least)
{
	for (int i = 0; atomic_load(n) < least; i++) {
		ck_assert_int_lt(i, 5000);
		usleep(1000);
	}
}

static void setup(void)
{
	memset(&t, 0, sizeof(t));
	t.loop = pthread_self();
	ck_assert_int_ge(sd_event_new(&t.event), 0);
	ck_assert_int_eq(work_new(t.event, &LIMITS, &t.work), 0);
}

static void teardown(void)
{
	work_free(t.work);
	sd_event_unref(t.event);
}

START_TEST(test_every_job_is_done_once)
{
	bool done[40] = { false };

	for (unsigned i = 0; i < ELEMENTS(done); i += 4) {
		for (unsigned k = 0; k < 4; k++)
			begin(task_new(false), &done[i + k]);
		run_until(&t.done, i + 4);
	}
	for (unsigned i = 0; i < ELEMENTS(done); i++)
		ck_assert(done[i]);
	ck_assert_uint_eq(t.done, ELEMENTS(done));
	ck_assert_uint_eq(atomic_load(&t.freed), ELEMENTS(done));
}
END_TEST

START_TEST(test_beyond_its_limit_a_job_stays_the_callers)
{
	bool done[7] = { false };
	struct task *more = task_new(true);

	begin(task_new(true), &done[0]);
	begin(task_new(true), &done[1]);
	wait_atomic(&t.begun, 2); /* both threads are busy */
	for (unsigned i = 2; i < 6; i++)
		begin(task_new(true), &done[i]);
	ck_assert_int_eq(work_begin(t.work, &more->job, on_done, &done[6]), -EBUSY);
	atomic_store(&t.go, true);
	run_until(&t.done, 6);
	begin(more, &done[6]);
	run_until(&t.done, 7);
}
END_TEST

START_TEST(test_an_abandoned_job_is_stopped_and_nobody_hears_of_it)
{
	struct task *running = task_new(true), *waiting = task_new(true), *other = task_new(true);
	bool done[3] = { false };

	begin(running, &done[0]);
	begin(other, &done[1]);
	wait_atomic(&t.begun, 2);
	begin(waiting, &done[2]);
	work_abandon(&waiting->job);
	ck_assert_uint_eq(atomic_load(&t.freed), 1);
	work_abandon(&running->job);
	wait_atomic(&t.stopped, 1);
	atomic_store(&t.go, true);
	run_until(&t.done, 1);
	while (atomic_load(&t.freed) < 3)
		ck_assert_int_gt(sd_event_run(t.event, 5000000), 0);
	ck_assert(done[1] && !done[0] && !done[2]);
	ck_assert_uint_eq(atomic_load(&t.begun), 2);
}
END_TEST

START_TEST(test_a_job_may_be_abandoned_when_it_is_done_already)
{
	struct task *task = task_new(false);
	bool done = false;

	begin(task, &done);
	wait_atomic(&t.begun, 1);
	usleep(20000);
	work_abandon(&task->job);
	while (atomic_load(&t.freed) < 1)
		ck_assert_int_gt(sd_event_run(t.event, 5000000), 0);
	ck_assert(!done);
}
END_TEST

static void on_failure(void *userdata, int r, struct answer *a)
{
	(void)userdata;
	ck_assert_int_eq(r, -ENOMEM);
	ck_assert_ptr_null(a->body);
	t.done++;
}

START_TEST(test_a_failure_is_told)
{
	struct task *task = task_new(false);

	task->fails = true;
	ck_assert_int_eq(work_begin(t.work, &task->job, on_failure, NULL), 0);
	run_until(&t.done, 1);
}
END_TEST

static void on_compressed(void *userdata, int r, struct answer *a)
{
	(void)userdata;
	ck_assert_int_eq(r, 0);
	ck_assert(a->body->gzip);
	ck_assert_uint_lt(a->body->length, 1000);
	t.done++;
}

START_TEST(test_an_answer_is_compressed_by_its_thread)
{
	struct task *task = task_new(false);

	task->job.gzip = true;
	ck_assert_int_eq(work_begin(t.work, &task->job, on_compressed, NULL), 0);
	run_until(&t.done, 1);
}
END_TEST

START_TEST(test_the_end_stops_and_frees_everything)
{
	bool done[4] = { false };

	for (unsigned i = 0; i < 4; i++)
		begin(task_new(i != 3), &done[i]);
	wait_atomic(&t.begun, 2);
	work_free(TAKE(t.work));
	ck_assert_uint_eq(atomic_load(&t.freed), 4);
	ck_assert_uint_eq(atomic_load(&t.stopped), 2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_every_job_is_done_once,
		test_beyond_its_limit_a_job_stays_the_callers,
		test_an_abandoned_job_is_stopped_and_nobody_hears_of_it,
		test_a_job_may_be_abandoned_when_it_is_done_already,
		test_a_failure_is_told,
		test_an_answer_is_compressed_by_its_thread,
		test_the_end_stops_and_frees_everything,
		NULL,
	};

	return run_fixture("work", setup, teardown, tests);
}
