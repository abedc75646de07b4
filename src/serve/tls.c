/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "tls.h"

#include <errno.h>
#include <gnutls/x509.h>
#include <stdbool.h>
#include <stdio.h>

#include "chain.h"

struct tls {
	unsigned references;
	gnutls_certificate_credentials_t credentials;
	bool asks_clients;
};

/* Not by gnutls_certificate_set_x509_key_mem(), which leaks what it cannot parse. */
static int load_certificate(struct tls *t, const struct settings *s, char *error, size_t error_size)
{
	struct chain c;
	int r = chain_read(s, &c, error, error_size);

	if (r >= 0) {
		int e = gnutls_certificate_set_x509_key(t->credentials, c.certificates, (int)c.n,
							c.key);
		if (e < 0)
			r = chain_fail("serve.tls_cert and serve.tls_key", s->tls_cert, e, error,
				       error_size);
	}
	chain_done(&c);
	return r;
}

static int load_authorities(struct tls *t, const struct settings *s, char *error, size_t error_size)
{
	struct secret file;
	int r;

	if (!s->client_ca[0])
		return 0;
	r = secret_read("serve.client_ca", s->client_ca, false, &file, error, error_size);
	if (r < 0)
		return r;
	gnutls_datum_t pem = chain_datum(&file);
	int n = gnutls_certificate_set_x509_trust_mem(t->credentials, &pem, GNUTLS_X509_FMT_PEM);
	secret_done(&file);
	if (n <= 0)
		return chain_fail("serve.client_ca", s->client_ca,
				  n < 0 ? n : GNUTLS_E_NO_CERTIFICATE_FOUND, error, error_size);
	t->asks_clients = true;
	return 0;
}

int tls_read(const struct settings *s, struct tls **ret, char *error, size_t error_size)
{
	_cleanup_(tls_unrefp) struct tls *t = NULL;
	int r;

	if (!s->tls_cert[0]) {
		*ret = NULL;
		return 0;
	}
	snprintf(error, error_size, "out of memory");
	t = calloc(1, sizeof(*t));
	if (!t)
		return -ENOMEM;
	t->references = 1;
	if (gnutls_certificate_allocate_credentials(&t->credentials) < 0)
		return -ENOMEM;
	r = load_certificate(t, s, error, error_size);
	if (r >= 0)
		r = load_authorities(t, s, error, error_size);
	if (r < 0)
		return r;
	*ret = TAKE(t);
	return 0;
}

struct tls *tls_ref(struct tls *t)
{
	t->references++;
	return t;
}

void tls_unref(struct tls *t)
{
	if (!t || --t->references)
		return;
	if (t->credentials)
		gnutls_certificate_free_credentials(t->credentials);
	free(t);
}

int tls_apply(struct tls *t, gnutls_session_t session)
{
	static gnutls_typed_vdata_st purpose = {
		GNUTLS_DT_KEY_PURPOSE_OID, (unsigned char *)GNUTLS_KP_TLS_WWW_CLIENT, 0,
	};

	if (gnutls_credentials_set(session, GNUTLS_CRD_CERTIFICATE, t->credentials) < 0)
		return -ENOMEM;
	if (t->asks_clients) {
		gnutls_certificate_server_set_request(session, GNUTLS_CERT_REQUIRE);
		gnutls_session_set_verify_cert2(session, &purpose, 1, 0);
	}
	return 0;
}
