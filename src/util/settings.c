/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/settings.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/ini.h"
#include "nvmewatch/parse.h"

#define SECOND UINT64_C(1000000)
#define DAY (86400 * SECOND)
#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)

struct key {
	const char *section, *name, *standard;
	/* Stores value at target. 0, or a negative errno after ini_fail() said what is allowed. */
	int (*set)(const struct ini_place *at, const struct key *k, const char *value, void *target);
	size_t target;
	uint64_t least, most; /* durations, microseconds; sizes, bytes */
};

static int refuse(const struct ini_place *at, const struct key *k, const char *value,
		  const char *allowed)
{
	return ini_fail(at, -EINVAL, "%s.%s = %s: must be %s", k->section, k->name, value, allowed);
}

static int replace(char **target, const char *value)
{
	char *copy = strdup(value);

	if (!copy)
		return -ENOMEM;
	free(*target);
	*target = copy;
	return 0;
}

static int set_source(const struct ini_place *at, const struct key *k, const char *value,
		      void *target)
{
	if (strcmp(value, "linux") && (strncmp(value, "sim:", 4) || !value[4]))
		return refuse(at, k, value, "\"linux\", or \"sim:DIR\" with a folder of *.drive files");
	return replace(target, value);
}

static int set_path(const struct ini_place *at, const struct key *k, const char *value, void *target)
{
	if (value[0] != '/')
		return refuse(at, k, value, "an absolute path");
	return replace(target, value);
}

/* Nothing where the file is not wanted. */
static int set_file(const struct ini_place *at, const struct key *k, const char *value, void *target)
{
	if (value[0] && value[0] != '/')
		return refuse(at, k, value, "an absolute path, or nothing");
	return replace(target, value);
}

static int set_listen(const struct ini_place *at, const struct key *k, const char *value,
		      void *target)
{
	const char *colon = strrchr(value, ':');
	uint64_t port;

	/* More colons than one are an IPv6 address: without brackets its end would be the port. */
	if (!colon || colon == value || parse_uint(colon + 1, &port) < 0 || port > 65535 ||
	    (strchr(value, ':') != colon && (value[0] != '[' || colon[-1] != ']')))
		return refuse(at, k, value, "ADDRESS:PORT or [IPv6]:PORT, a port from 0 to 65535");
	return replace(target, value);
}

static int set_yes_no(const struct ini_place *at, const struct key *k, const char *value,
		      void *target)
{
	return parse_bool(value, target) < 0 ? refuse(at, k, value, "yes or no") : 0;
}

static int set_metrics(const struct ini_place *at, const struct key *k, const char *value,
		       void *target)
{
	bool full = !strcmp(value, "full");

	if (!full && strcmp(value, "core"))
		return refuse(at, k, value, "\"core\" or \"full\"");
	*(bool *)target = full;
	return 0;
}

static int set_duration(const struct ini_place *at, const struct key *k, const char *value,
			void *target)
{
	char allowed[96];
	uint64_t us;

	if (parse_duration(value, &us) < 0 || us < k->least || us > k->most) {
		snprintf(allowed, sizeof(allowed), "a duration as 15s, 5m, 1h or 7d, from %us to %ud",
			 (unsigned)(k->least / SECOND), (unsigned)(k->most / DAY));
		return refuse(at, k, value, allowed);
	}
	*(uint64_t *)target = us;
	return 0;
}

static int set_keep(const struct ini_place *at, const struct key *k, const char *value, void *target)
{
	uint64_t us = SETTINGS_FOREVER;

	if (strcmp(value, "forever") &&
	    (parse_duration(value, &us) < 0 || us < k->least || us > k->most))
		return refuse(at, k, value, "\"forever\", or a duration as 90d, from 1d to 36500d");
	*(uint64_t *)target = us;
	return 0;
}

static int set_size(const struct ini_place *at, const struct key *k, const char *value, void *target)
{
	char allowed[96];
	uint64_t bytes;

	if (parse_size(value, &bytes) < 0 || bytes < k->least || bytes > k->most) {
		snprintf(allowed, sizeof(allowed), "a size as 512M, 4G or 1T, from %uM to %uT",
			 (unsigned)(k->least / MIB), (unsigned)(k->most / TIB));
		return refuse(at, k, value, allowed);
	}
	*(uint64_t *)target = bytes;
	return 0;
}

static void list_free(char **list)
{
	for (char **p = list; p && *p; p++)
		free(*p);
	free(list);
}

static void list_freep(char ***list)
{
	list_free(*list);
}

/* Words between commas or blanks. */
static int list_split(const char *value, char ***ret)
{
	_cleanup_(list_freep) char **list = calloc(strlen(value) / 2 + 2, sizeof(char *));
	size_t n = 0;

	if (!list)
		return -ENOMEM;
	for (const char *p = value; *(p += strspn(p, ", \t"));) {
		size_t length = strcspn(p, ", \t");
		list[n] = strndup(p, length);
		if (!list[n++])
			return -ENOMEM;
		p += length;
	}
	*ret = TAKE(list);
	return 0;
}

static int set_list(const struct ini_place *at, const struct key *k, const char *value, void *target)
{
	char **list = NULL;
	int r = list_split(value, &list);

	(void)at;
	(void)k;
	if (r < 0)
		return r;
	list_free(*(char ***)target);
	*(char ***)target = list;
	return 0;
}

static int set_labels(const struct ini_place *at, const struct key *k, const char *value,
		      void *target)
{
	static const char *const known[] = { "serial", "device", "model", "firmware", "slot",
					     "address" };
	_cleanup_(list_freep) char **list = NULL;
	int r = list_split(value, &list);

	if (r < 0)
		return r;
	bool serial = false;
	for (char **p = list; *p; p++) {
		size_t i = 0;
		while (i < ELEMENTS(known) && strcmp(*p, known[i]))
			i++;
		for (char **before = list; before < p; before++)
			if (!strcmp(*before, *p))
				i = ELEMENTS(known);
		if (i == ELEMENTS(known))
			return refuse(at, k, value, "a list of serial, device, model, firmware, "
						    "slot and address, each at most once");
		serial |= i == 0;
	}
	if (!serial)
		return refuse(at, k, value, "a list with \"serial\" in it: series without it "
					    "would collide");
	list_free(*(char ***)target);
	*(char ***)target = TAKE(list);
	return 0;
}

#define AT(member) offsetof(struct settings, member)

static const struct key keys[] = {
	{ "collect", "source", "linux", set_source, AT(source), 0, 0 },
	{ "collect", "include", "", set_list, AT(include), 0, 0 },
	{ "collect", "exclude", "", set_list, AT(exclude), 0, 0 },
	{ "collect", "fabrics", "no", set_yes_no, AT(fabrics), 0, 0 },
	{ "collect", "forget_after", "30d", set_duration, AT(forget_after), SECOND, 3650 * DAY },
	{ "paths", "state", "/var/lib/nvmewatch", set_path, AT(state_dir), 0, 0 },
	{ "paths", "run", "/run/nvmewatch", set_path, AT(run_dir), 0, 0 },
	{ "paths", "drives", "/etc/nvmewatch/drives.d", set_path, AT(drives_dir), 0, 0 },
	{ "poll", "smart", "15s", set_duration, AT(poll_smart), SECOND, DAY },
	{ "poll", "ocp", "5m", set_duration, AT(poll_ocp), SECOND, DAY },
	{ "poll", "power", "5m", set_duration, AT(poll_power), SECOND, DAY },
	{ "poll", "slow", "1h", set_duration, AT(poll_slow), SECOND, DAY },
	{ "poll", "timeout", "5s", set_duration, AT(poll_timeout), SECOND, DAY },
	{ "store", "interval", "60s", set_duration, AT(store_interval), SECOND, DAY },
	{ "store", "flush", "15m", set_duration, AT(store_flush), SECOND, DAY },
	{ "store", "keep_raw", "forever", set_keep, AT(keep_raw), DAY, 36500 * DAY },
	{ "store", "keep_rollup", "forever", set_keep, AT(keep_rollup), DAY, 36500 * DAY },
	{ "store", "max_size", "4G", set_size, AT(max_size), 16 * MIB, 1024 * TIB },
	{ "store", "min_free", "1G", set_size, AT(min_free), 0, 1024 * TIB },
	{ "serve", "listen", "127.0.0.1:9917", set_listen, AT(listen), 0, 0 },
	{ "serve", "tls_cert", "", set_file, AT(tls_cert), 0, 0 },
	{ "serve", "tls_key", "", set_file, AT(tls_key), 0, 0 },
	{ "serve", "client_ca", "", set_file, AT(client_ca), 0, 0 },
	{ "serve", "read_token_file", "", set_file, AT(read_token_file), 0, 0 },
	{ "serve", "admin_token_file", "", set_file, AT(admin_token_file), 0, 0 },
	{ "serve", "metrics", "core", set_metrics, AT(full_metrics), 0, 0 },
	{ "serve", "labels", "serial", set_labels, AT(labels), 0, 0 },
};

_Static_assert(ELEMENTS(keys) <= 64, "settings.given has a bit per key");

static const struct key *key_find(const char *section, const char *name)
{
	for (size_t i = 0; i < ELEMENTS(keys); i++)
		if (!strcmp(keys[i].section, section) && !strcmp(keys[i].name, name))
			return &keys[i];
	return NULL;
}

static uint64_t key_bit(const struct key *k)
{
	return UINT64_C(1) << (k - keys);
}

bool settings_given(const struct settings *s, const char *section, const char *name)
{
	const struct key *k = key_find(section, name);

	return k && s->given & key_bit(k);
}

/* The names of a section's keys (of all sections, where section is NULL), for messages. */
static void key_names(const char *section, char *ret, size_t size)
{
	const char *last = "";
	size_t n = 0;

	ret[0] = 0;
	for (size_t i = 0; i < ELEMENTS(keys) && n < size; i++) {
		if (section ? strcmp(keys[i].section, section) : !strcmp(keys[i].section, last))
			continue;
		last = keys[i].section;
		n += (size_t)snprintf(ret + n, size - n, "%s%s", n ? ", " : "",
				      section ? keys[i].name : keys[i].section);
	}
}

static int settings_entry(void *userdata, const struct ini_place *at, const char *section,
			  const char *name, const char *value)
{
	const struct key *k = key_find(section, name);
	struct settings *s = userdata;
	char allowed[256];

	if (k) {
		s->given |= key_bit(k);
		return k->set(at, k, value, (char *)s + k->target);
	}
	key_names(section, allowed, sizeof(allowed));
	if (*allowed)
		return ini_fail(at, -EINVAL, "unknown key %s.%s; [%s] takes %s", section, name,
				section, allowed);
	key_names(NULL, allowed, sizeof(allowed));
	return ini_fail(at, -EINVAL, "unknown section [%s] (key %s); there are %s", section, name,
			allowed);
}

int settings_init(struct settings *ret)
{
	char error[256];
	const struct ini_place at = { .file = "default", .error = error, .error_size = sizeof(error) };
	struct settings s = { 0 };

	for (size_t i = 0; i < ELEMENTS(keys); i++) {
		int r = keys[i].set(&at, &keys[i], keys[i].standard, (char *)&s + keys[i].target);
		if (r < 0) {
			settings_done(&s);
			return r;
		}
	}
	*ret = s;
	return 0;
}

void settings_done(struct settings *s)
{
	free(s->source);
	list_free(s->include);
	list_free(s->exclude);
	free(s->state_dir);
	free(s->run_dir);
	free(s->drives_dir);
	free(s->listen);
	free(s->tls_cert);
	free(s->tls_key);
	free(s->client_ca);
	free(s->read_token_file);
	free(s->admin_token_file);
	list_free(s->labels);
	*s = (struct settings){ 0 };
}

static int load_drop_ins(struct settings *s, const char *path, char *error, size_t error_size)
{
	_cleanup_(freep) char *folder = format_text("%s.d", path);
	char **files;
	int r = folder ? ini_folder(folder, &files) : -ENOMEM;

	if (r < 0) {
		const struct ini_place at = { folder, 0, error, error_size };
		return folder ? ini_fail(&at, r, "cannot be read: %s", strerror(-r)) : r;
	}
	for (char **p = files; *p && r == 0; p++)
		r = ini_read(*p, settings_entry, s, error, error_size);
	ini_folder_free(files);
	return r;
}

int settings_load(struct settings *s, const char *path, bool optional, char *error, size_t error_size)
{
	int r = ini_read(path, settings_entry, s, error, error_size);

	if (r < 0 && !(optional && r == -ENOENT))
		return r;
	return load_drop_ins(s, path, error, error_size);
}

int settings_override(struct settings *s, const char *assignment, char *error, size_t error_size)
{
	const struct ini_place at = { "option -o", 0, error, error_size };
	_cleanup_(freep) char *text = strdup(assignment);

	if (!text)
		return -ENOMEM;
	char *dot = strchr(text, '.'), *equals = dot ? strchr(dot, '=') : NULL;
	if (!equals)
		return ini_fail(&at, -EINVAL, "expected section.key=value, got \"%s\"", assignment);
	*dot = *equals = 0;
	return settings_entry(s, &at, text, dot + 1, equals + 1);
}

int settings_check(const struct settings *s, char *error, size_t error_size)
{
	const char *wrong = NULL;

	if (s->tls_cert[0] && !s->tls_key[0])
		wrong = "serve.tls_cert is set, but serve.tls_key is not: TLS needs both";
	else if (s->tls_key[0] && !s->tls_cert[0])
		wrong = "serve.tls_key is set, but serve.tls_cert is not: TLS needs both";
	else if (s->client_ca[0] && !s->tls_cert[0])
		wrong = "serve.client_ca is set, but serve.tls_cert and serve.tls_key are not: "
			"clients show certificates over TLS only";
	if (!wrong)
		return 0;
	snprintf(error, error_size, "%s", wrong);
	return -EINVAL;
}
