/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "secure.h"

#include <gnutls/abstract.h>
#include <sys/epoll.h>

struct secure {
	struct handshakes *all;
	struct secure *next, **link; /* while the handshake lasts; then link is NULL */
	struct tls *tls;
	struct MHD_Connection *connection;
	gnutls_session_t session;
	sd_event_source *io; /* what it waits for while it is suspended */
	bool suspended;
};

/* Or MHD does not start; but the sessions have credentials of ours. */
static int no_certificate(gnutls_session_t session, const gnutls_datum_t *authorities, int n,
			  const gnutls_pk_algorithm_t *algorithms, int n_algorithms,
			  gnutls_pcert_st **ret, unsigned *ret_n, gnutls_privkey_t *ret_key)
{
	(void)session, (void)authorities, (void)n, (void)algorithms, (void)n_algorithms;
	(void)ret, (void)ret_n, (void)ret_key;
	return -1;
}

const struct MHD_OptionItem secure_options[] = {
	{ MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)no_certificate },
	{ MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)TLS_PRIORITIES },
	{ MHD_OPTION_END, 0, NULL },
};

static void leave(struct secure *s)
{
	if (!s->link)
		return;
	*s->link = s->next;
	if (s->next)
		s->next->link = s->link;
	s->link = NULL;
	s->io = sd_event_source_disable_unref(s->io);
}

static void resume(struct secure *s)
{
	if (!s->suspended)
		return;
	s->suspended = false;
	sd_event_source_set_enabled(s->io, SD_EVENT_OFF);
	MHD_resume_connection(s->connection);
}

static int on_ready(sd_event_source *source, int fd, uint32_t events, void *userdata)
{
	struct secure *s = userdata;
	struct handshakes *all = s->all;

	(void)source, (void)fd, (void)events;
	resume(s);
	all->on_ready(all->userdata); /* may be the end of *s */
	return 0;
}

struct secure *secure_begin(struct handshakes *all, struct tls *tls,
			    struct MHD_Connection *connection, int fd)
{
	const union MHD_ConnectionInfo *info =
		MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
	struct secure *s = info ? calloc(1, sizeof(*s)) : NULL;

	if (!s)
		return NULL;
	s->session = info->tls_session;
	if (sd_event_add_io(all->event, &s->io, fd, 0, on_ready, s) < 0 ||
	    tls_apply(tls, s->session) < 0) {
		sd_event_source_disable_unref(s->io);
		free(s);
		return NULL;
	}
	s->all = all;
	s->tls = tls_ref(tls);
	s->connection = connection;
	s->next = all->first;
	s->link = &all->first;
	if (s->next)
		s->next->link = &s->next;
	all->first = s;
	return s;
}

void secure_request(struct secure *s)
{
	if (s)
		leave(s);
}

void secure_end(struct secure *s)
{
	if (!s)
		return;
	leave(s);
	tls_unref(s->tls);
	free(s);
}

/* The last flight is the client's in TLS 1.3, ours in 1.2. */
static bool is_over(const struct secure *s)
{
	return gnutls_handshake_get_last_in(s->session) == GNUTLS_HANDSHAKE_FINISHED &&
	       gnutls_handshake_get_last_out(s->session) == GNUTLS_HANDSHAKE_FINISHED;
}

static void wait_for_client(struct secure *s)
{
	bool writes = gnutls_record_get_direction(s->session);

	if (s->suspended)
		return;
	s->suspended = true;
	MHD_suspend_connection(s->connection);
	sd_event_source_set_io_events(s->io, writes ? EPOLLOUT : EPOLLIN);
	sd_event_source_set_enabled(s->io, SD_EVENT_ON);
}

void handshakes_wait(struct handshakes *all)
{
	for (struct secure *s = all->first, *next; s; s = next) {
		next = s->next;
		if (is_over(s))
			leave(s);
		else
			wait_for_client(s);
	}
}

void handshakes_release(struct handshakes *all)
{
	for (struct secure *s = all->first; s; s = s->next)
		resume(s);
}
