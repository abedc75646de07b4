/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Certificates made for a test, and clients that show them. */

#include <gnutls/gnutls.h>
#include <gnutls/x509.h>
#include <string.h>

#include "file_support.h"
#include "http_support.h"

#define DAY 86400

/* A certificate and its key. */
struct identity {
	gnutls_x509_crt_t certificate;
	gnutls_x509_privkey_t key;
};

struct identity_options {
	const char *name;
	uint8_t serial;
	const char *purpose; /* an OID, or NULL */
	time_t expires;      /* seconds from now */
	bool authority;
};

#define GOOD(result) ck_assert_int_ge(result, 0)

/* Signed by the issuer, or by itself without one. */
static inline struct identity identity_make(const struct identity_options *o,
					    const struct identity *issuer)
{
	time_t now = time(NULL);
	struct identity i;

	GOOD(gnutls_x509_privkey_init(&i.key));
	GOOD(gnutls_x509_privkey_generate(i.key, GNUTLS_PK_ECDSA,
					  GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0));
	GOOD(gnutls_x509_crt_init(&i.certificate));
	GOOD(gnutls_x509_crt_set_version(i.certificate, 3));
	GOOD(gnutls_x509_crt_set_serial(i.certificate, &o->serial, 1));
	GOOD(gnutls_x509_crt_set_dn_by_oid(i.certificate, GNUTLS_OID_X520_COMMON_NAME, 0, o->name,
					   (unsigned)strlen(o->name)));
	GOOD(gnutls_x509_crt_set_activation_time(i.certificate, now - 2 * DAY));
	GOOD(gnutls_x509_crt_set_expiration_time(i.certificate, now + o->expires));
	GOOD(gnutls_x509_crt_set_basic_constraints(i.certificate, o->authority, -1));
	if (o->purpose)
		GOOD(gnutls_x509_crt_set_key_purpose_oid(i.certificate, o->purpose, 0));
	GOOD(gnutls_x509_crt_set_key(i.certificate, i.key));
	GOOD(gnutls_x509_crt_sign2(i.certificate, issuer ? issuer->certificate : i.certificate,
				   issuer ? issuer->key : i.key, GNUTLS_DIG_SHA256, 0));
	return i;
}

static inline void identity_done(struct identity *i)
{
	gnutls_x509_crt_deinit(i->certificate);
	gnutls_x509_privkey_deinit(i->key);
}

/* NAME.pem and NAME.key in the test's folder. */
static inline void identity_write(const struct identity *i, const char *name)
{
	char bytes[8192], file[64];
	size_t size = sizeof(bytes);

	GOOD(gnutls_x509_crt_export(i->certificate, GNUTLS_X509_FMT_PEM, bytes, &size));
	snprintf(file, sizeof(file), "%s.pem", name);
	write_bytes(in_folder(file), bytes, size);
	size = sizeof(bytes);
	GOOD(gnutls_x509_privkey_export(i->key, GNUTLS_X509_FMT_PEM, bytes, &size));
	snprintf(file, sizeof(file), "%s.key", name);
	write_bytes(in_folder(file), bytes, size);
	chmod(in_folder(file), 0600);
}

/* A client's end. */
struct session {
	int fd;
	gnutls_session_t tls;
	gnutls_certificate_credentials_t credentials;
};

#define ANY_VERSION "NORMAL"
#define ONLY_1_2 "NORMAL:-VERS-ALL:+VERS-TLS1.2"
#define ONLY_1_3 "NORMAL:-VERS-ALL:+VERS-TLS1.3"
#define ONLY_1_1 "NORMAL:-VERS-ALL:+VERS-TLS1.1:%COMPAT"

/* The result of the handshake. With TLS 1.3 the server may still refuse the client after it. */
static inline int session_open(struct session *s, const char *priorities, const struct identity *who)
{
	*s = (struct session){ .fd = dial() };
	GOOD(gnutls_certificate_allocate_credentials(&s->credentials));
	if (who) /* whatever authorities the server asks for */
		GOOD(gnutls_certificate_set_x509_key(s->credentials,
						     (gnutls_x509_crt_t *)&who->certificate, 1,
						     who->key));
	GOOD(gnutls_init(&s->tls, GNUTLS_CLIENT | GNUTLS_NO_SIGNAL | GNUTLS_FORCE_CLIENT_CERT));
	GOOD(gnutls_priority_set_direct(s->tls, priorities, NULL));
	GOOD(gnutls_credentials_set(s->tls, GNUTLS_CRD_CERTIFICATE, s->credentials));
	gnutls_transport_set_int(s->tls, s->fd);
	gnutls_handshake_set_timeout(s->tls, PATIENCE_MS);
	return gnutls_handshake(s->tls);
}

static inline void session_close(struct session *s)
{
	gnutls_deinit(s->tls);
	gnutls_certificate_free_credentials(s->credentials);
	close(s->fd);
}

/* Reads until `end` has come, or until nothing more does. */
static inline char *session_hear(struct session *s, const char *end)
{
	struct buffer b = { 0 };
	char bytes[4096];
	ssize_t n;

	gnutls_record_set_timeout(s->tls, PATIENCE_MS);
	do {
		n = gnutls_record_recv(s->tls, bytes, sizeof(bytes));
		if (n > 0)
			buffer_put(&b, bytes, (size_t)n);
		buffer_put(&b, "", 1);
		b.length--;
	} while (n > 0 && !(end && strstr(b.data, end)));
	ck_assert_int_ne(n, GNUTLS_E_TIMEDOUT);
	return b.data;
}

static inline void session_say(struct session *s, const char *text)
{
	(void)!gnutls_record_send(s->tls, text, strlen(text));
}

/* One request on a connection of its own; "" where nothing is answered. */
static inline char *session_exchange(const char *priorities, const struct identity *who,
				     const char *request)
{
	struct session s;
	char *text;

	if (session_open(&s, priorities, who) < 0) {
		text = strdup("");
	} else {
		session_say(&s, request);
		text = session_hear(&s, NULL);
	}
	session_close(&s);
	return text;
}

/* The serial number of the certificate that the server has shown. */
static inline unsigned session_serial(struct session *s)
{
	unsigned n;
	const gnutls_datum_t *der = gnutls_certificate_get_peers(s->tls, &n);
	gnutls_x509_crt_t certificate;
	uint8_t serial[32] = { 0 };
	size_t size = sizeof(serial);

	GOOD(gnutls_x509_crt_init(&certificate));
	GOOD(gnutls_x509_crt_import(certificate, der, GNUTLS_X509_FMT_DER));
	GOOD(gnutls_x509_crt_get_serial(certificate, serial, &size));
	gnutls_x509_crt_deinit(certificate);
	return serial[0];
}
