/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "client.h"

#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define MOST 512
#define RESERVED 64 /* descriptors: listening, epoll, timers, now.db, logging */

void clients_init(struct clients *c)
{
	struct rlimit limit;
	unsigned max = MOST;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < MOST + RESERVED)
		max = limit.rlim_cur > 2 * RESERVED ? (unsigned)limit.rlim_cur - RESERVED : 16;
	/* Many may scrape through one proxy, but nobody takes it all. */
	*c = (struct clients){ .max = max, .max_per_peer = max / 4 };
}

/* What tells one peer from another. */
static size_t peer_identity(const struct sockaddr_storage *peer, const void **ret)
{
	const struct sockaddr_in6 *six = (const void *)peer;

	if (peer->ss_family == AF_INET) {
		*ret = &((const struct sockaddr_in *)peer)->sin_addr;
		return sizeof(struct in_addr);
	}
	if (peer->ss_family != AF_INET6)
		return 0;
	*ret = &six->sin6_addr;
	return IN6_IS_ADDR_V4MAPPED(&six->sin6_addr) ? sizeof(six->sin6_addr) : 8;
}

static bool same_peer(const struct sockaddr_storage *a, const struct sockaddr_storage *b)
{
	const void *x, *y;
	size_t length = peer_identity(a, &x);

	return length && a->ss_family == b->ss_family && peer_identity(b, &y) == length &&
	       !memcmp(x, y, length);
}

bool clients_admit(const struct clients *c, const struct sockaddr_storage *peer)
{
	unsigned n = 0;

	for (const struct client *client = c->first; client; client = client->next)
		n += same_peer(&client->peer, peer);
	return c->n < c->max && n < c->max_per_peer;
}

struct client *client_new(struct clients *c, int fd, const struct sockaddr_storage *peer,
			  uint64_t deadline)
{
	struct client *client = malloc(sizeof(*client));

	if (!client)
		return NULL;
	*client = (struct client){
		.next = c->first, .link = &c->first, .peer = *peer, .fd = fd, .deadline = deadline,
	};
	if (c->first)
		c->first->link = &client->next;
	c->first = client;
	c->n++;
	return client;
}

void client_free(struct clients *c, struct client *client)
{
	if (!client)
		return;
	*client->link = client->next;
	if (client->next)
		client->next->link = client->link;
	c->n--;
	free(client);
}

uint64_t clients_expire(const struct clients *c, uint64_t now)
{
	uint64_t next = UINT64_MAX;

	for (struct client *client = c->first; client; client = client->next) {
		if (client->deadline <= now)
			shutdown(client->fd, SHUT_RDWR);
		else if (client->deadline < next)
			next = client->deadline;
	}
	return next;
}
