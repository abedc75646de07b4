/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The server's certificate and key, and whose clients it takes: read from files, and counted, since
 * a connection keeps those that it began with when others take their place. One thread. */

#include <gnutls/gnutls.h>
#include <stddef.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/settings.h"

/* What clients and we may speak, in GnuTLS's words. */
#define TLS_PRIORITIES "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2"

struct tls;

/* Reads serve.tls_cert, tls_key and client_ca. 0 (*ret is NULL where there is no certificate), or a
 * negative errno with a message in error[]. */
int tls_read(const struct settings *s, struct tls **ret, char *error, size_t error_size);

struct tls *tls_ref(struct tls *t);
void tls_unref(struct tls *t);
DEFINE_CLEANUP(struct tls *, tls_unref)

/* Before the handshake of a session, which *t has to outlive. With client_ca a handshake fails
 * without a certificate of the client that holds. 0 or a negative errno. */
int tls_apply(struct tls *t, gnutls_session_t session);
