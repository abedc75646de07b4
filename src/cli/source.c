/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/boot.h"
#include "nvmewatch/document.h"

#include "cli.h"
#include "fetch.h"
#include "select.h"

#define TOKEN_MAX 1024
#define PATIENCE 20L /* seconds, for what the server takes its time for */
#define BLANK " \t\r\n"

static char *text_of(struct buffer *b)
{
	buffer_put(b, "", 1);
	return b->failed ? NULL : TAKE(b->data);
}

bool listen_url(const char *listen, bool tls, struct buffer *out)
{
	const char *colon = strrchr(listen, ':');
	size_t length = colon ? (size_t)(colon - listen) : 0;

	if (!colon || !strcmp(colon, ":0"))
		return false;
	buffer_text(out, tls ? "https://" : "http://");
	/* Every address is listened on: this host is there too. */
	if (length == 7 && !memcmp(listen, "0.0.0.0", 7))
		buffer_text(out, "127.0.0.1");
	else if (length == 4 && !memcmp(listen, "[::]", 4))
		buffer_text(out, "[::1]");
	else
		buffer_put(out, listen, length);
	buffer_text(out, colon);
	return true;
}

int source_remote(struct source *s, const char *url)
{
	size_t length = strlen(url);

	while (length && url[length - 1] == '/')
		length--;
	*s = (struct source){ .url = strndup(url, length) };
	return s->url ? 0 : -ENOMEM;
}

int source_files(struct source *s, const struct settings *settings)
{
	*s = (struct source){ .files = true };
	s->now_path = format_text("%s/now.db", settings->run_dir);
	s->state_dir = strdup(settings->state_dir);
	s->run_dir = strdup(settings->run_dir);
	return s->now_path && s->state_dir && s->run_dir ? 0 : -ENOMEM;
}

/* The word in a file, NULL where it cannot be read: then the server says what it misses. */
static char *read_word(const char *path)
{
	_cleanup_(fclosep) FILE *f = path[0] ? fopen(path, "re") : NULL;
	char line[TOKEN_MAX] = "";
	char *word = NULL;

	if (f && fgets(line, sizeof(line), f)) {
		const char *begin = line + strspn(line, BLANK);

		word = strndup(begin, strcspn(begin, BLANK));
	}
	explicit_bzero(line, sizeof(line));
	return word;
}

int source_local(struct source *s, const struct settings *settings)
{
	_cleanup_(buffer_done) struct buffer url = { 0 };
	const char *certificate = settings->tls_cert;
	int r = source_files(s, settings);

	if (r < 0 || !listen_url(settings->listen, certificate[0], &url))
		return r;
	s->url = text_of(&url);
	s->token = read_word(settings->read_token_file);
	if (!s->url)
		return -ENOMEM;
	if (!certificate[0])
		return 0;
	s->certificate = strdup(certificate);
	return s->certificate ? 0 : -ENOMEM;
}

void source_done(struct source *s)
{
	if (s->token)
		explicit_bzero(s->token, strlen(s->token));
	free(s->token);
	free(s->certificate);
	now_snapshot_free(s->snapshot);
	free(s->now_path);
	free(s->state_dir);
	free(s->run_dir);
	free(s->url);
	*s = (struct source){ 0 };
}

void source_put_name(const char *name, struct buffer *out)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789-._~";

	for (; *name; name++)
		if (strchr(plain, *name))
			buffer_put(out, name, 1);
		else
			buffer_printf(out, "%%%02X", (unsigned char)*name);
}

void resource_path(const struct resource *what, struct buffer *out)
{
	buffer_text(out, what->fields ? "/api/v1/fields" : "/api/v1/drives");
	if (what->drive) {
		buffer_text(out, "/");
		source_put_name(what->drive, out);
	}
	if (what->page) {
		buffer_text(out, "/pages/");
		source_put_name(what->page, out);
	}
}

/* ---- From the files. ---- */

static int read_files(struct source *s)
{
	char boot[40];
	int r = now_read(s->now_path, &s->snapshot);

	/* Who may not read a database cannot open it either. */
	if (r < 0 && access(s->now_path, R_OK) < 0)
		r = -errno;
	if (r == -ENOENT)
		cli_say("there is no %s: does nvmewatch-collect run?", s->now_path);
	else if (r == -EUCLEAN)
		cli_say("%s is broken, or of another version", s->now_path);
	else if (r < 0)
		cli_say("cannot read %s: %s", s->now_path, strerror(-r));
	if (r < 0)
		return r == -ENOENT ? -ENODATA : r;
	boot_id(boot);
	s->view = view_make(s->snapshot, boot, clock_mono());
	return 0;
}

static int get_from_files(struct source *s, const struct resource *what, json_t **ret)
{
	_cleanup_(document_done) struct document d = { 0 };
	int r = what->fields || s->snapshot ? 0 : read_files(s);

	if (r < 0)
		return r;
	if (what->fields)
		document_fields(pages, &d);
	else if (what->page)
		document_page(&s->view, what->drive, what->page, &d);
	else if (what->drive)
		document_drive(&s->view, what->drive, &d);
	else
		document_drives(&s->view, &d);
	if (d.problem[0]) {
		cli_say("%s", d.problem);
		return -ENOENT;
	}
	if (!d.json) {
		cli_say("out of memory");
		return -ENOMEM;
	}
	*ret = TAKE(d.json);
	return 0;
}

/* ---- From the server. ---- */

/* Says what an answer other than 200 means. */
static int refused(const char *url, int status, const struct buffer *body)
{
	json_auto_t *problem = json_loadb(body->data ? body->data : "", body->length, 0, NULL);
	const char *detail = json_string_value(json_object_get(problem, "detail"));

	if (detail)
		cli_say("%s", detail);
	else
		cli_say("%s answers %d: is that nvmewatch-serve?", url, status);
	return status == 404 ? -ENOENT : -EPROTO;
}

/* 0; -ECOMM: the server does not answer, with error[] saying why; else a negative errno, which was
 * said. */
static int ask_server(struct source *s, const char *path, const char *accept, struct buffer *ret,
		      char error[static FETCH_ERROR_MAX])
{
	_cleanup_(freep) char *url = format_text("%s%s", s->url, path);
	const struct fetch_way way = {
		.local = s->files, .certificate = s->certificate, .token = s->token,
		.accept = accept, .seconds = accept ? PATIENCE : 0,
	};
	int status = url ? fetch(url, &way, ret, error) : -ENOMEM;

	if (status == -ENOMEM || ret->failed) {
		cli_say("out of memory");
		return -ENOMEM;
	}
	if (status < 0)
		return -ECOMM;
	/* Who may read the files needs no token. */
	if (status == 401 && s->files) {
		snprintf(error, FETCH_ERROR_MAX, "it wants a token");
		return -ECOMM;
	}
	return status == 200 ? 0 : refused(url, status, ret);
}

static int get_from_server(struct source *s, const struct resource *what, json_t **ret,
			   char error[static FETCH_ERROR_MAX])
{
	_cleanup_(buffer_done) struct buffer path = { 0 }, body = { 0 };
	json_error_t where;
	int r;

	resource_path(what, &path);
	buffer_put(&path, "", 1);
	r = path.failed ? -ENOMEM : ask_server(s, path.data, NULL, &body, error);
	if (r < 0)
		return r;
	*ret = json_loadb(body.data ? body.data : "", body.length, 0, &where);
	if (*ret)
		return 0;
	cli_say("%s%s answers no JSON: %s", s->url, path.data, where.text);
	return -EPROTO;
}

int source_get(struct source *s, const struct resource *what, json_t **ret)
{
	char error[FETCH_ERROR_MAX] = "";
	int r;

	if (!s->url)
		return get_from_files(s, what, ret);
	r = get_from_server(s, what, ret, error);
	if (r != -ECOMM)
		return r;
	if (!s->files) {
		cli_say("%s does not answer: %s", s->url, error);
		return r;
	}
	cli_say("%s does not answer: %s; reading %s instead", s->url, error,
		what->fields ? "this program's own table" : s->now_path);
	free(TAKE(s->url)); /* and does not try it again */
	return get_from_files(s, what, ret);
}

int source_fetch(struct source *s, const char *path, struct buffer *ret)
{
	char error[FETCH_ERROR_MAX] = "";
	int r;

	if (!s->url) {
		cli_say("serve.listen names no port: use --url");
		return -ECOMM;
	}
	r = ask_server(s, path, NULL, ret, error);
	if (r == -ECOMM)
		cli_say("this needs nvmewatch-serve, and %s does not answer: %s", s->url, error);
	return r;
}

int source_find_drive(struct source *s, const char *name, json_t **ret)
{
	_cleanup_(buffer_done) struct buffer error = { 0 };
	json_auto_t *document = NULL;
	json_t *drive;
	int r = source_get(s, &(struct resource){ 0 }, &document);

	if (r < 0)
		return r;
	r = select_drive(json_object_get(document, "drives"), name, &drive, &error);
	if (r < 0) {
		buffer_put(&error, "", 1);
		cli_say("%s", error.failed ? "out of memory" : error.data);
		return r;
	}
	*ret = json_incref(drive);
	return 0;
}

/* Without a list of drives the name is as good as any. */
static bool may_be_a_key(int r)
{
	return r == -ENOENT || r == -ENODATA || r == -EPROTO;
}

int source_drive_key(struct source *s, const char *name, char **ret)
{
	_cleanup_(buffer_done) struct buffer error = { 0 };
	json_auto_t *document = NULL;
	json_t *drive = NULL;
	int r = source_get(s, &(struct resource){ 0 }, &document);

	if (r >= 0)
		r = select_drive(json_object_get(document, "drives"), name, &drive, &error);
	if (r == -ENOTUNIQ) {
		buffer_put(&error, "", 1);
		cli_say("%s", error.failed ? "out of memory" : error.data);
	}
	if (r < 0 && !may_be_a_key(r))
		return r;
	if (drive)
		name = json_string_value(json_object_get(drive, "serial"));
	*ret = strdup(name ? name : "");
	return *ret ? 0 : -ENOMEM;
}

int source_ask(struct source *s, const char *path, bool csv, struct buffer *ret)
{
	char error[FETCH_ERROR_MAX] = "";
	int r;

	if (!s->url)
		return 1;
	r = ask_server(s, path, csv ? "text/csv" : "application/json", ret, error);
	if (r != -ECOMM)
		return r;
	if (!s->files) {
		cli_say("%s does not answer: %s", s->url, error);
		return r;
	}
	cli_say("%s does not answer: %s; reading %s/history.db instead", s->url, error, s->state_dir);
	free(TAKE(s->url)); /* and does not try it again */
	return 1;
}
