/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A child that serves on a free port of 127.0.0.1, and clients of it. */

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../src/serve/http.h"
#include "../src/serve/listen.h"
#include "serve_support.h"

#define DESCRIPTORS 144 /* of the server: 80 connections, 20 of them for one peer */
#define CONNECTIONS 80
#define PER_PEER 20
#define PATIENCE_MS 5000

static struct sockaddr_in address;
static pid_t child;
/* Set by the fixtures that want something else. */
static struct client_times times = CLIENT_TIMES;
static struct work_limits work = WORK_LIMITS;
static void (*configure)(struct settings *s);

static inline void settings_make(struct settings *s)
{
	settings_init(s);
	free(s->run_dir);
	s->run_dir = strdup("/nonexistent");
	if (configure)
		configure(s);
}

static inline int on_hangup(sd_event_source *source, const struct signalfd_siginfo *si,
			    void *userdata)
{
	struct settings settings;
	char error[512];

	(void)source, (void)si;
	settings_make(&settings);
	server_reload(userdata, &settings, error, sizeof(error));
	settings_done(&settings);
	return 0;
}

static inline int loop(struct server *server, int listener)
{
	struct http *http;
	sd_event *event;

	if (sd_event_new(&event) < 0 ||
	    sd_event_add_signal(event, NULL, SIGTERM, NULL, NULL) < 0 ||
	    sd_event_add_signal(event, NULL, SIGHUP, on_hangup, server) < 0 ||
	    http_new(server, event, &http) < 0 || http_listen(http, listener) < 0)
		return 1;
	int r = sd_event_loop(event);
	http_free(http);
	sd_event_unref(event);
	return r < 0;
}

static inline int serve(int listener)
{
	struct rlimit limit = { DESCRIPTORS, DESCRIPTORS };
	struct settings settings;
	struct server server;
	char error[512] = "";
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGHUP);
	sigprocmask(SIG_BLOCK, &set, NULL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setrlimit(RLIMIT_NOFILE, &limit);
	settings_make(&settings);
	if (server_init(&server, &settings) < 0 || server_unlock(&server, error, sizeof(error)) < 0)
		return 1;
	server.times = times;
	server.work = work;
	int r = loop(&server, listener);
	server_done(&server);
	return r;
}

static inline void server_start(void)
{
	char error[256] = "";
	socklen_t length = sizeof(address);
	int listener = listen_open("127.0.0.1:0", error, sizeof(error));

	ck_assert_msg(listener >= 0, "%s", error);
	ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&address, &length), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0)
		exit(serve(listener)); /* not _exit(): a leak check comes first */
	close(listener);
}

static inline void server_stop(void)
{
	int status;

	kill(child, SIGTERM);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	ck_assert_int_eq(WEXITSTATUS(status), 0);
}

/* From any address of this host: 127.0.0.0/8 is all ours. */
static inline int dial_from(const char *source)
{
	struct sockaddr_in from = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(inet_pton(AF_INET, source, &from.sin_addr), 1);
	ck_assert_int_eq(bind(fd, (struct sockaddr *)&from, sizeof(from)), 0);
	ck_assert_int_eq(connect(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	return fd;
}

static inline int dial(void)
{
	return dial_from("127.0.0.1");
}

static inline void say(int fd, const char *text)
{
	ck_assert_int_eq(send(fd, text, strlen(text), MSG_NOSIGNAL), (ssize_t)strlen(text));
}

/* Reads until `end` has come (or, without one, until the connection is closed). */
static inline char *hear(int fd, const char *end)
{
	struct buffer b = { 0 };
	char bytes[4096];

	for (;;) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		ck_assert_msg(poll(&p, 1, PATIENCE_MS) == 1, "no answer, but: %.*s",
			      (int)b.length, b.data);
		ssize_t n = recv(fd, bytes, sizeof(bytes), 0);
		if (n > 0)
			buffer_put(&b, bytes, (size_t)n);
		buffer_put(&b, "", 1);
		b.length--;
		if (n <= 0 || (end && strstr(b.data, end)))
			return b.data;
	}
}

/* One request on its own connection, and all that comes back. */
static inline char *exchange_from(const char *source, const char *request)
{
	_cleanup_(closep) int fd = dial_from(source);

	say(fd, request);
	return hear(fd, NULL);
}

static inline char *exchange(const char *request)
{
	return exchange_from("127.0.0.1", request);
}

#define HEALTHZ "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"

static inline void assert_alive(void)
{
	_cleanup_(freep) char *text = exchange(HEALTHZ);

	ck_assert_has(text, "HTTP/1.1 200 OK\r\n");
	ck_assert_has(text, "{\"status\":\"ok\"}\n");
}

static inline uint64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Descriptors that the server has open. */
static inline unsigned descriptors(void)
{
	unsigned n = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/fd", (int)child);
	DIR *open = opendir(path);
	ck_assert_ptr_nonnull(open);
	while (readdir(open))
		n++;
	closedir(open);
	return n;
}

/* Those of a server that has answered already, when its last connections are closed. */
static inline unsigned idle_descriptors(void)
{
	unsigned least = descriptors();

	for (int i = 0; i < 10; i++) {
		usleep(5000);
		least = descriptors() < least ? descriptors() : least;
	}
	return least;
}

/* Until it has no more than so many. */
static inline void wait_descriptors(unsigned n)
{
	for (uint64_t end = now_ms() + PATIENCE_MS; descriptors() > n; usleep(10000))
		ck_assert_msg(now_ms() < end, "%u descriptors are left of %u", descriptors(), n);
}

/* Nanoseconds of the processor that the server has had; 0 where the kernel does not say. */
static inline unsigned long cpu_ns(void)
{
	unsigned long ns = 0;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/schedstat", (int)child);
	_cleanup_(fclosep) FILE *f = fopen(path, "re");
	return f && fscanf(f, "%lu", &ns) == 1 ? ns : 0;
}

/* Waiting costs nothing: the loop does not spin. */
static inline void assert_idle(void)
{
	unsigned long before = cpu_ns();

	usleep(300000);
	ck_assert_uint_lt(cpu_ns() - before, 30000000); /* a tenth of the time */
}
