/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Where the documents of the API come from: the server, or, on its host and when it does not
 * answer, the files that it would answer from, through the same code. Says on stderr which, and what
 * is wrong. One thread. */

#include <jansson.h>
#include <stdbool.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/now.h"
#include "nvmewatch/settings.h"
#include "nvmewatch/view.h"

struct source {
	char *url; /* of the server, without a slash at its end; NULL: read the files */
	bool files; /* they may be read instead: the server is this host's */
	char *certificate, *token; /* of this host's server; NULL: none, or not for our eyes */
	char *now_path, *state_dir, *run_dir; /* NULL: its files are not ours */
	struct now_snapshot *snapshot;
	struct view view; /* of .snapshot */
};

/* A resource of the API: one drive, or all; one page of it, or everything. */
struct resource {
	const char *drive, *page;
	bool fields; /* the field table */
};

/* The server at url, and no files: they would be of another host. As all these: 0 or -ENOMEM, and
 * source_done() in every case. */
int source_remote(struct source *s, const char *url);

/* This host's server, else its files. */
int source_local(struct source *s, const struct settings *settings);

/* This host's files alone. */
int source_files(struct source *s, const struct settings *settings);
void source_done(struct source *s);

/* The resource as a JSON document. 0, or a negative errno after saying why; -ENOENT: there is no
 * such thing. */
int source_get(struct source *s, const struct resource *what, json_t **ret);

/* What the server at .url answers under a path. 0, or a negative errno after saying why. */
int source_fetch(struct source *s, const char *path, struct buffer *ret);

/* The document of a drive's key, device or beginning of its key, out of the list of drives. As
 * source_get(). */
int source_find_drive(struct source *s, const char *name, json_t **ret);

/* The key of the drive that is meant, which may be one that only history knows: then the name itself.
 * 0, or a negative errno after saying why. */
int source_drive_key(struct source *s, const char *name, char **ret);

/* What the server says under a path, as CSV or JSON, which may take a while. 0; 1: it does not answer,
 * which was said, and the files are to be read instead; or a negative errno after saying why. */
int source_ask(struct source *s, const char *path, bool csv, struct buffer *ret);

/* Appends a name as it stands in a path or query. Pure. */
void source_put_name(const char *name, struct buffer *out);

/* The path of a resource, names percent-encoded. Pure. */
void resource_path(const struct resource *what, struct buffer *out);

/* The URL of a server on this host that listens there. False: its port is not known. Pure. */
bool listen_url(const char *listen, bool tls, struct buffer *out);
