/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "chain.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>

gnutls_datum_t chain_datum(const struct secret *s)
{
	return (gnutls_datum_t){ (unsigned char *)s->bytes, (unsigned)s->length };
}

int chain_fail(const char *key, const char *path, int e, char *error, size_t error_size)
{
	snprintf(error, error_size, "%s: %s: %s", key, path, gnutls_strerror(e));
	return -EINVAL;
}

void chain_done(struct chain *c)
{
	for (unsigned i = 0; i < c->n; i++)
		gnutls_x509_crt_deinit(c->certificates[i]);
	gnutls_free(c->certificates);
	gnutls_x509_privkey_deinit(c->key);
}

static int read_certificates(struct chain *c, const char *path, char *error, size_t error_size)
{
	struct secret file;
	int r = secret_read("serve.tls_cert", path, false, &file, error, error_size);

	if (r < 0)
		return r;
	gnutls_datum_t pem = chain_datum(&file);
	int e = gnutls_x509_crt_list_import2(&c->certificates, &c->n, &pem, GNUTLS_X509_FMT_PEM, 0);
	secret_done(&file);
	return e < 0 ? chain_fail("serve.tls_cert", path, e, error, error_size) : 0;
}

static int read_key(struct chain *c, const char *path, char *error, size_t error_size)
{
	struct secret file;
	int r = secret_read("serve.tls_key", path, true, &file, error, error_size);

	if (r < 0)
		return r;
	gnutls_datum_t pem = chain_datum(&file);
	int e = gnutls_x509_privkey_init(&c->key);
	if (e >= 0)
		e = gnutls_x509_privkey_import2(c->key, &pem, GNUTLS_X509_FMT_PEM, NULL, 0);
	secret_done(&file);
	return e < 0 ? chain_fail("serve.tls_key", path, e, error, error_size) : 0;
}

int chain_read(const struct settings *s, struct chain *ret, char *error, size_t error_size)
{
	int r;

	*ret = (struct chain){ 0 };
	r = read_certificates(ret, s->tls_cert, error, error_size);
	return r < 0 ? r : read_key(ret, s->tls_key, error, error_size);
}
