/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who is connected: how many there may be, and how long each may take. A client has until its
 * deadline to send a request and to take the answer, however busy it keeps the line: an idle
 * time-out alone would let one byte at a time through for ever. Knows addresses and times, not
 * HTTP. One thread. */

#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

struct client_times {
	uint64_t request_us; /* for a request and its answer */
	uint64_t idle_us;    /* between requests */
};

/* Idle: longer than the usual scrape interval of a minute. */
#define CLIENT_TIMES ((struct client_times){ 30 * UINT64_C(1000000), 75 * UINT64_C(1000000) })

struct client {
	struct client *next, **link;
	struct sockaddr_storage peer;
	int fd; /* not owned */
	uint64_t deadline; /* CLOCK_MONOTONIC in µs */
	bool idle; /* between requests */
	struct secure *secure; /* its TLS, of whoever admitted it; or NULL */
};

struct clients {
	struct client *first;
	unsigned n, max, max_per_peer;
};

/* Limits that leave descriptors of the process's limit for its own files. */
void clients_init(struct clients *c);

/* Whether one more from that address may come in: IPv6 addresses count by their /64, which is
 * what one host has. */
bool clients_admit(const struct clients *c, const struct sockaddr_storage *peer);

/* NULL without memory. */
struct client *client_new(struct clients *c, int fd, const struct sockaddr_storage *peer,
			  uint64_t deadline);
void client_free(struct clients *c, struct client *client);

/* Cuts off every client whose deadline has passed; its connection then sees an end of file.
 * Returns the next deadline, or UINT64_MAX. */
uint64_t clients_expire(const struct clients *c, uint64_t now);
