/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The server's certificate as PEM files hold it. One thread. */

#include <gnutls/x509.h>
#include <stddef.h>

#include "nvmewatch/settings.h"
#include "secret.h"

/* A certificate and those that lead from it to its root. */
struct chain {
	gnutls_x509_crt_t *certificates;
	unsigned n;
	gnutls_x509_privkey_t key;
};

/* Reads serve.tls_cert and serve.tls_key. 0, or a negative errno with a message in error[];
 * chain_done() in every case. */
int chain_read(const struct settings *s, struct chain *ret, char *error, size_t error_size);
void chain_done(struct chain *c);

/* What GnuTLS takes bytes as. */
gnutls_datum_t chain_datum(const struct secret *s);

/* -EINVAL, after GnuTLS's word on a file was put into error[]. */
int chain_fail(const char *key, const char *path, int e, char *error, size_t error_size);
