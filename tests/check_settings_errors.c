/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Every message about nvmewatch.conf names file, line and key, and says what is allowed. The
 * shipped file lists every key with its default. */

#include <errno.h>

#include "file_support.h"
#include "nvmewatch/settings.h"

#define KEEP "must be \"forever\", or a duration as 90d, from 1d to 36500d"
#define DURATION "must be a duration as 15s, 5m, 1h or 7d, from 1s to 1d"
#define LISTEN "must be ADDRESS:PORT or [IPv6]:PORT, a port from 0 to 65535"
#define LABELS                                                                           \
	"must be a list of serial, device, model, firmware, slot and address, each at most once"

static const struct {
	const char *section, *entry, *message;
} bad[] = {
	{ "collect", "source = ",
	  "collect.source = : must be \"linux\", or \"sim:DIR\" with a folder of *.drive files" },
	{ "collect", "source = sim:",
	  "collect.source = sim:: must be \"linux\", or \"sim:DIR\" with a folder of *.drive "
	  "files" },
	{ "collect", "fabrics = maybe", "collect.fabrics = maybe: must be yes or no" },
	{ "paths", "state = var", "paths.state = var: must be an absolute path" },
	{ "paths", "run =", "paths.run = : must be an absolute path" },
	{ "poll", "smart = 15", "poll.smart = 15: " DURATION },
	{ "poll", "smart = 0s", "poll.smart = 0s: " DURATION },
	{ "poll", "smart = 500ms", "poll.smart = 500ms: " DURATION },
	{ "poll", "ocp = 2d", "poll.ocp = 2d: " DURATION },
	{ "poll", "timeout = -1s", "poll.timeout = -1s: " DURATION },
	{ "poll", "timeout = 99999999999999999999d",
	  "poll.timeout = 99999999999999999999d: " DURATION },
	{ "store", "interval = never", "store.interval = never: " DURATION },
	{ "store", "flush = 25h", "store.flush = 25h: " DURATION },
	{ "store", "keep_raw = 1h", "store.keep_raw = 1h: " KEEP },
	{ "store", "keep_rollup = never", "store.keep_rollup = never: " KEEP },
	{ "store", "max_size = 4GB", "store.max_size = 4GB: must be a size as 512M, 4G or 1T, from 16M to 1024T" },
	{ "store", "max_size = 1M", "store.max_size = 1M: must be a size as 512M, 4G or 1T, from 16M to 1024T" },
	{ "store", "min_free = all", "store.min_free = all: must be a size as 512M, 4G or 1T, from 0M to 1024T" },
	{ "serve", "listen = 9917", "serve.listen = 9917: " LISTEN },
	{ "serve", "listen = :9917", "serve.listen = :9917: " LISTEN },
	{ "serve", "listen = ::1", "serve.listen = ::1: " LISTEN },
	{ "serve", "listen = ::1:80", "serve.listen = ::1:80: " LISTEN },
	{ "serve", "listen = [::1]", "serve.listen = [::1]: " LISTEN },
	{ "serve", "listen = localhost:http", "serve.listen = localhost:http: " LISTEN },
	{ "serve", "listen = 0.0.0.0:65536", "serve.listen = 0.0.0.0:65536: " LISTEN },
	{ "serve", "tls_cert = cert.pem",
	  "serve.tls_cert = cert.pem: must be an absolute path, or nothing" },
	{ "serve", "admin_token_file = ~/token",
	  "serve.admin_token_file = ~/token: must be an absolute path, or nothing" },
	{ "serve", "metrics = some", "serve.metrics = some: must be \"core\" or \"full\"" },
	{ "serve", "labels = device",
	  "serve.labels = device: must be a list with \"serial\" in it: "
	  "series without it would collide" },
	{ "serve", "labels =",
	  "serve.labels = : must be a list with \"serial\" in it: series without "
	  "it would collide" },
	{ "serve", "labels = serial, host", "serve.labels = serial, host: " LABELS },
	{ "serve", "labels = serial serial", "serve.labels = serial serial: " LABELS },
	{ "poll", "fast = 1s", "unknown key poll.fast; [poll] takes smart, ocp, power, slow, timeout" },
	{ "poll", "Smart = 1s", "unknown key poll.Smart; [poll] takes smart, ocp, power, slow, timeout" },
	{ "polling", "smart = 1s",
	  "unknown section [polling] (key smart); there are collect, paths, "
	  "poll, store, serve" },
};

static struct settings s;
static char error[1024], expected[1024];

static void setup(void)
{
	folder_make();
	ck_assert_int_eq(settings_init(&s), 0);
}

static void teardown(void)
{
	settings_done(&s);
	folder_remove();
}

START_TEST(test_bad_entries_say_where_and_what_is_allowed)
{
	char text[256];

	for (size_t i = 0; i < ELEMENTS(bad); i++) {
		snprintf(text, sizeof(text), "# a comment\n[%s]\n%s\n", bad[i].section,
			 bad[i].entry);
		write_text(in_folder("n.conf"), text);
		snprintf(expected, sizeof(expected), "%s:3: %s", in_folder("n.conf"),
			 bad[i].message);
		int r = settings_load(&s, in_folder("n.conf"), false, error, sizeof(error));
		ck_assert_msg(r == -EINVAL, "%s: %d", bad[i].entry, r);
		ck_assert_str_eq(error, expected);
	}
}
END_TEST

START_TEST(test_bad_options_say_so_too)
{
	static const struct {
		const char *option, *message;
	} options[] = {
		{ "poll.smart=soon", "option -o: poll.smart = soon: " DURATION },
		{ "poll.fast=1s",
		  "option -o: unknown key poll.fast; [poll] takes smart, ocp, power, slow, timeout" },
		{ "poll.smart", "option -o: expected section.key=value, got \"poll.smart\"" },
		{ "smart=1s", "option -o: expected section.key=value, got \"smart=1s\"" },
		{ "a=poll.smart", "option -o: expected section.key=value, got \"a=poll.smart\"" },
		{ "", "option -o: expected section.key=value, got \"\"" },
	};

	for (size_t i = 0; i < ELEMENTS(options); i++) {
		ck_assert_int_eq(settings_override(&s, options[i].option, error, sizeof(error)),
				 -EINVAL);
		ck_assert_str_eq(error, options[i].message);
	}
}
END_TEST

/* A refused value leaves the one before it. */
START_TEST(test_a_bad_value_changes_nothing)
{
	ck_assert_int_eq(settings_override(&s, "serve.labels=serial slot", error, sizeof(error)),
			 0);
	ck_assert_int_lt(settings_override(&s, "serve.labels=host", error, sizeof(error)), 0);
	ck_assert_int_lt(settings_override(&s, "poll.smart=x", error, sizeof(error)), 0);
	ck_assert_int_lt(settings_override(&s, "collect.source=x", error, sizeof(error)), 0);
	ck_assert_str_eq(s.labels[1], "slot");
	ck_assert_uint_eq(s.poll_smart, 15000000);
	ck_assert_str_eq(s.source, "linux");
}
END_TEST

/* Each is right by itself. */
START_TEST(test_keys_have_to_go_together)
{
	static const struct {
		const char *options[4], *message;
	} cases[] = {
		{ { "serve.tls_cert=/c" },
		  "serve.tls_cert is set, but serve.tls_key is not: TLS needs both" },
		{ { "serve.tls_key=/k" },
		  "serve.tls_key is set, but serve.tls_cert is not: TLS needs both" },
		{ { "serve.client_ca=/a" },
		  "serve.client_ca is set, but serve.tls_cert and serve.tls_key are not: clients "
		  "show certificates over TLS only" },
		{ { "serve.tls_cert=/c", "serve.tls_key=/k", "serve.tls_cert=" },
		  "serve.tls_key is set, but serve.tls_cert is not: TLS needs both" },
		{ { "serve.tls_cert=/c", "serve.tls_key=/k", "serve.client_ca=/a" }, NULL },
		{ { "serve.read_token_file=/r" }, NULL },
		{ { "serve.admin_token_file=/a" }, NULL },
		{ { NULL }, NULL },
	};

	for (size_t i = 0; i < ELEMENTS(cases); i++) {
		settings_done(&s);
		ck_assert_int_eq(settings_init(&s), 0);
		for (const char *const *o = cases[i].options; *o; o++)
			ck_assert_int_eq(settings_override(&s, *o, error, sizeof(error)), 0);
		ck_assert_int_eq(settings_check(&s, error, sizeof(error)),
				 cases[i].message ? -EINVAL : 0);
		if (cases[i].message)
			ck_assert_str_eq(error, cases[i].message);
	}
}
END_TEST

/* Copies the shipped file with its `#key = value` lines uncommented, counting them. */
static unsigned uncomment(const char *target)
{
	_cleanup_(fclosep) FILE *in = fopen(source_path("etc/nvmewatch.conf"), "r");
	_cleanup_(fclosep) FILE *out = fopen(target, "w");
	char line[256];
	unsigned n = 0;

	ck_assert_msg(in != NULL, "%s", source_path("etc/nvmewatch.conf"));
	while (fgets(line, sizeof(line), in)) {
		bool entry = line[0] == '#' && line[1] != ' ' && strchr(line, '=');

		ck_assert_msg(line[0] == '#' || line[0] == '[' || line[0] == '\n', "%s", line);
		n += entry;
		fputs(line + entry, out);
	}
	return n;
}

/* The keys of all sections, as the messages tell them. */
static unsigned keys_known(void)
{
	static const char *const sections[] = { "collect", "paths", "poll", "store", "serve" };
	char option[64];
	unsigned n = 0;

	for (size_t i = 0; i < ELEMENTS(sections); i++) {
		snprintf(option, sizeof(option), "%s.?=", sections[i]);
		ck_assert_int_lt(settings_override(&s, option, error, sizeof(error)), 0);
		n++;
		for (const char *p = strstr(error, "takes "); (p = strchr(p, ',')); p++)
			n++;
	}
	return n;
}

static void check_list(char *const *a, char *const *b)
{
	for (; *a && *b; a++, b++)
		ck_assert_str_eq(*a, *b);
	ck_assert(!*a && !*b);
}

static void check_same(const struct settings *a, const struct settings *b)
{
	ck_assert_str_eq(a->source, b->source);
	check_list(a->include, b->include);
	check_list(a->exclude, b->exclude);
	ck_assert_int_eq(a->fabrics, b->fabrics);
	ck_assert_uint_eq(a->forget_after, b->forget_after);
	ck_assert_str_eq(a->state_dir, b->state_dir);
	ck_assert_str_eq(a->run_dir, b->run_dir);
	ck_assert_uint_eq(a->poll_smart, b->poll_smart);
	ck_assert_uint_eq(a->poll_ocp, b->poll_ocp);
	ck_assert_uint_eq(a->poll_timeout, b->poll_timeout);
	ck_assert_uint_eq(a->store_interval, b->store_interval);
	ck_assert_uint_eq(a->store_flush, b->store_flush);
	ck_assert_uint_eq(a->keep_raw, b->keep_raw);
	ck_assert_uint_eq(a->keep_rollup, b->keep_rollup);
	ck_assert_uint_eq(a->max_size, b->max_size);
	ck_assert_uint_eq(a->min_free, b->min_free);
	ck_assert_str_eq(a->listen, b->listen);
	ck_assert_int_eq(a->full_metrics, b->full_metrics);
	check_list(a->labels, b->labels);
	ck_assert_uint_eq(a->poll_power, b->poll_power);
	ck_assert_uint_eq(a->poll_slow, b->poll_slow);
	ck_assert_str_eq(a->drives_dir, b->drives_dir);
	ck_assert_str_eq(a->tls_cert, b->tls_cert);
	ck_assert_str_eq(a->tls_key, b->tls_key);
	ck_assert_str_eq(a->client_ca, b->client_ca);
	ck_assert_str_eq(a->read_token_file, b->read_token_file);
	ck_assert_str_eq(a->admin_token_file, b->admin_token_file);
}

/* Other values than the defaults first, so that what the file leaves out is seen. */
static void disturb(void)
{
	static const char *const options[] = {
		"collect.source=sim:/x", "collect.include=x", "collect.exclude=x",
		"collect.fabrics=yes", "collect.forget_after=77s", "paths.state=/x", "paths.run=/x", "paths.drives=/x",
		"poll.smart=77s",
		"poll.ocp=77s", "poll.power=77s", "poll.slow=77s", "poll.timeout=77s", "store.interval=77s", "store.flush=77s",
		"store.keep_raw=77d", "store.keep_rollup=77d", "store.max_size=77M", "store.min_free=77M",
		"serve.listen=x:1", "serve.metrics=full", "serve.labels=serial slot",
		"serve.tls_cert=/x", "serve.tls_key=/x", "serve.client_ca=/x",
		"serve.read_token_file=/x", "serve.admin_token_file=/x",
	};

	for (size_t i = 0; i < ELEMENTS(options); i++)
		ck_assert_int_eq(settings_override(&s, options[i], error, sizeof(error)), 0);
	ck_assert_uint_eq(ELEMENTS(options), keys_known());
}

START_TEST(test_the_shipped_file_lists_every_key_with_its_default)
{
	struct settings defaults;

	ck_assert_int_eq(settings_init(&defaults), 0);
	ck_assert_uint_eq(uncomment(in_folder("n.conf")), keys_known());
	disturb();
	ck_assert_msg(settings_load(&s, in_folder("n.conf"), false, error, sizeof(error)) == 0,
		      "%s", error);
	check_same(&s, &defaults);
	settings_done(&defaults);
}
END_TEST

START_TEST(test_the_shipped_file_changes_nothing)
{
	struct settings defaults;

	ck_assert_int_eq(settings_init(&defaults), 0);
	ck_assert_msg(settings_load(&s, source_path("etc/nvmewatch.conf"), false, error,
				    sizeof(error)) == 0, "%s", error);
	check_same(&s, &defaults);
	settings_done(&defaults);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_bad_entries_say_where_and_what_is_allowed,
		test_bad_options_say_so_too,
		test_a_bad_value_changes_nothing,
		test_keys_have_to_go_together,
		test_the_shipped_file_lists_every_key_with_its_default,
		test_the_shipped_file_changes_nothing,
		NULL,
	};

	return check_main_with("settings errors", tests, setup, teardown);
}
