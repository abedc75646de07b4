/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* nvmewatch.conf: defaults, where values come from, and what is said of bad ones. */

#include <errno.h>

#include "file_support.h"
#include "nvmewatch/settings.h"

#define SECOND UINT64_C(1000000)

static struct settings s;
static char error[1024];

static void setup(void)
{
	folder_make();
	ck_assert_int_eq(settings_init(&s), 0);
	error[0] = 0;
}

static void teardown(void)
{
	settings_done(&s);
	folder_remove();
}

static int load(bool optional)
{
	return settings_load(&s, in_folder("n.conf"), optional, error, sizeof(error));
}

static void drop_in(const char *name, const char *text)
{
	char path[256];

	mkdir(in_folder("n.conf.d"), 0755);
	snprintf(path, sizeof(path), "n.conf.d/%s", name);
	write_text(in_folder(path), text);
}

START_TEST(test_defaults_are_those_of_the_manual)
{
	ck_assert_str_eq(s.source, "linux");
	ck_assert(!s.include || !s.include[0]);
	ck_assert(!s.exclude || !s.exclude[0]);
	ck_assert(!s.fabrics);
	ck_assert_str_eq(s.state_dir, "/var/lib/nvmewatch");
	ck_assert_str_eq(s.run_dir, "/run/nvmewatch");
	ck_assert_uint_eq(s.poll_smart, 15 * SECOND);
	ck_assert_uint_eq(s.poll_ocp, 300 * SECOND);
	ck_assert_uint_eq(s.poll_timeout, 5 * SECOND);
	ck_assert_uint_eq(s.store_interval, 60 * SECOND);
	ck_assert_uint_eq(s.store_flush, 900 * SECOND);
	ck_assert_uint_eq(s.keep_raw, SETTINGS_FOREVER);
	ck_assert_uint_eq(s.keep_rollup, SETTINGS_FOREVER);
	ck_assert_uint_eq(s.max_size, UINT64_C(4) << 30);
	ck_assert_uint_eq(s.min_free, UINT64_C(1) << 30);
	ck_assert_str_eq(s.listen, "127.0.0.1:9917");
	ck_assert_str_eq(s.tls_cert, "");
	ck_assert_str_eq(s.tls_key, "");
	ck_assert_str_eq(s.client_ca, "");
	ck_assert_str_eq(s.read_token_file, "");
	ck_assert_str_eq(s.admin_token_file, "");
	ck_assert(!s.full_metrics);
	ck_assert_str_eq(s.labels[0], "serial");
	ck_assert_ptr_null(s.labels[1]);
}
END_TEST

START_TEST(test_an_empty_file_is_legal)
{
	write_text(in_folder("n.conf"), "");
	ck_assert_int_eq(load(false), 0);
	ck_assert_uint_eq(s.poll_smart, 15 * SECOND);
}
END_TEST

START_TEST(test_every_key_is_read)
{
	write_text(in_folder("n.conf"),
		   "[collect]\nsource = sim:/srv/sim\ninclude = S1*, *7450*\texclude\n"
		   "exclude = nvme0,,0000:01:00.0 \nfabrics = yes\n"
		   "[paths]\nstate = /a\nrun = /b c\ndrives = /d\n"
		   "[poll]\nsmart = 1s\nocp = 1d\ntimeout = 60s\n"
		   "[store]\ninterval = 2m\nflush = 1h\nkeep_raw = 90d\n"
		   "keep_rollup = 3650d\nmax_size = 512M\nmin_free = 0\n"
		   "[serve]\nlisten = [::1]:80\nmetrics = full\nlabels = device, serial slot\n"
		   "tls_cert = /c\ntls_key = /k\nclient_ca = /a b\nread_token_file = /r\n"
		   "admin_token_file = /w\n");
	ck_assert_msg(load(false) == 0, "%s", error);
	ck_assert_str_eq(s.source, "sim:/srv/sim");
	ck_assert_str_eq(s.include[0], "S1*");
	ck_assert_str_eq(s.include[1], "*7450*");
	ck_assert_str_eq(s.include[2], "exclude");
	ck_assert_ptr_null(s.include[3]);
	ck_assert_str_eq(s.exclude[1], "0000:01:00.0");
	ck_assert_ptr_null(s.exclude[2]);
	ck_assert(s.fabrics);
	ck_assert_str_eq(s.state_dir, "/a");
	ck_assert_str_eq(s.run_dir, "/b c");
	ck_assert_str_eq(s.drives_dir, "/d");
	ck_assert_uint_eq(s.poll_smart, SECOND);
	ck_assert_uint_eq(s.poll_ocp, 86400 * SECOND);
	ck_assert_uint_eq(s.poll_timeout, 60 * SECOND);
	ck_assert_uint_eq(s.store_interval, 120 * SECOND);
	ck_assert_uint_eq(s.store_flush, 3600 * SECOND);
	ck_assert_uint_eq(s.keep_raw, 90 * 86400 * SECOND);
	ck_assert_uint_eq(s.keep_rollup, 3650 * 86400 * SECOND);
	ck_assert_uint_eq(s.max_size, UINT64_C(512) << 20);
	ck_assert_uint_eq(s.min_free, 0);
	ck_assert_str_eq(s.listen, "[::1]:80");
	ck_assert(s.full_metrics);
	ck_assert_str_eq(s.labels[0], "device");
	ck_assert_str_eq(s.tls_cert, "/c");
	ck_assert_str_eq(s.tls_key, "/k");
	ck_assert_str_eq(s.client_ca, "/a b");
	ck_assert_str_eq(s.read_token_file, "/r");
	ck_assert_str_eq(s.admin_token_file, "/w");
	ck_assert_str_eq(s.labels[2], "slot");
	ck_assert_ptr_null(s.labels[3]);
}
END_TEST

/* Which is no matter of its value. */
START_TEST(test_what_was_set_is_told_from_what_was_not)
{
	ck_assert(!settings_given(&s, "serve", "listen"));
	write_text(in_folder("n.conf"), "[serve]\nlisten = 127.0.0.1:9917\n");
	ck_assert_int_eq(load(false), 0);
	ck_assert(settings_given(&s, "serve", "listen"));
	ck_assert(!settings_given(&s, "serve", "labels"));
	ck_assert_int_eq(settings_override(&s, "serve.labels=serial", error, sizeof(error)), 0);
	ck_assert(settings_given(&s, "serve", "labels"));
	ck_assert(!settings_given(&s, "collect", "source"));
	ck_assert(!settings_given(&s, "serve", "no such key"));
}
END_TEST

START_TEST(test_drop_ins_follow_in_the_order_of_their_names)
{
	write_text(in_folder("n.conf"), "[poll]\nsmart = 2s\nocp = 2s\ntimeout = 2s\n");
	drop_in("20-b.conf", "[poll]\nsmart = 4s\n");
	drop_in("10-a.conf", "[poll]\nsmart = 3s\nocp = 3s\n");
	drop_in(".hidden.conf", "[poll]\ntimeout = 5s\n");
	drop_in("30-c.conf.rpmsave", "[poll]\nsmart = 6s\n");
	drop_in(".conf", "[poll]\nsmart = 7s\n");
	ck_assert_msg(load(false) == 0, "%s", error);
	ck_assert_uint_eq(s.poll_smart, 4 * SECOND);
	ck_assert_uint_eq(s.poll_ocp, 3 * SECOND);
	ck_assert_uint_eq(s.poll_timeout, 2 * SECOND);
}
END_TEST

/* Whatever the order they were made in, and that in which the folder holds them. */
START_TEST(test_many_drop_ins_are_sorted)
{
	char name[16], text[32];

	write_text(in_folder("n.conf"), "");
	for (unsigned i = 0; i < 40; i++) {
		unsigned n = 10 + i * 23 % 40;

		snprintf(name, sizeof(name), "%u.conf", n);
		snprintf(text, sizeof(text), "[poll]\nsmart = %us\n", n);
		drop_in(name, text);
	}
	ck_assert_msg(load(false) == 0, "%s", error);
	ck_assert_uint_eq(s.poll_smart, 49 * SECOND);
}
END_TEST

START_TEST(test_drop_ins_are_read_without_a_file)
{
	drop_in("a.conf", "[poll]\nsmart = 3s\n");
	ck_assert_int_eq(load(false), -ENOENT);
	ck_assert_int_eq(load(true), 0);
	ck_assert_uint_eq(s.poll_smart, 3 * SECOND);
}
END_TEST

START_TEST(test_a_missing_file_is_an_error_where_it_was_named)
{
	ck_assert_int_eq(load(true), 0);
	ck_assert_int_eq(load(false), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error, in_folder("n.conf")));
	ck_assert_ptr_nonnull(strstr(error, "cannot be opened"));
}
END_TEST

/* `optional` forgives a file that is not there, not one that is bad. */
START_TEST(test_a_bad_optional_file_is_an_error)
{
	write_text(in_folder("n.conf"), "[poll]\nsmart = soon\n");
	ck_assert_int_eq(load(true), -EINVAL);
}
END_TEST

START_TEST(test_a_bad_drop_in_is_named)
{
	write_text(in_folder("n.conf"), "");
	drop_in("a.conf", "\n[poll]\nsmart = 0s\n");
	drop_in("b.conf", "[poll]\nsmart = 3s\n");
	ck_assert_int_eq(load(false), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, in_folder("n.conf.d/a.conf:3: poll.smart = 0s")));
}
END_TEST

START_TEST(test_drop_ins_that_are_no_folder_are_an_error)
{
	write_text(in_folder("n.conf"), "");
	write_text(in_folder("n.conf.d"), "");
	ck_assert_int_lt(load(false), 0);
	ck_assert_ptr_nonnull(strstr(error, "n.conf.d: cannot be read"));
}
END_TEST

START_TEST(test_options_override_files)
{
	write_text(in_folder("n.conf"), "[poll]\nsmart = 2s\n");
	ck_assert_int_eq(load(false), 0);
	ck_assert_int_eq(settings_override(&s, "poll.smart=7s", error, sizeof(error)), 0);
	ck_assert_int_eq(settings_override(&s, "serve.listen=0.0.0.0:1", error, sizeof(error)), 0);
	ck_assert_int_eq(settings_override(&s, "collect.source=sim:/x=y", error, sizeof(error)), 0);
	ck_assert_uint_eq(s.poll_smart, 7 * SECOND);
	ck_assert_str_eq(s.listen, "0.0.0.0:1");
	ck_assert_str_eq(s.source, "sim:/x=y");
}
END_TEST

/* The same key twice, in lists too: the last one counts, nothing is added up or leaks. */
START_TEST(test_the_last_one_counts)
{
	write_text(in_folder("n.conf"),
		   "[collect]\ninclude = a b\ninclude = c\nsource = sim:/a\nsource = linux\n");
	ck_assert_int_eq(load(false), 0);
	ck_assert_str_eq(s.include[0], "c");
	ck_assert_ptr_null(s.include[1]);
	ck_assert_str_eq(s.source, "linux");
}
END_TEST

START_TEST(test_done_can_be_done_twice)
{
	settings_done(&s);
	ck_assert_ptr_null(s.source);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_defaults_are_those_of_the_manual,
		test_an_empty_file_is_legal,
		test_every_key_is_read,
		test_what_was_set_is_told_from_what_was_not,
		test_drop_ins_follow_in_the_order_of_their_names,
		test_many_drop_ins_are_sorted,
		test_drop_ins_are_read_without_a_file,
		test_a_missing_file_is_an_error_where_it_was_named,
		test_a_bad_optional_file_is_an_error,
		test_a_bad_drop_in_is_named,
		test_drop_ins_that_are_no_folder_are_an_error,
		test_options_override_files,
		test_the_last_one_counts,
		test_done_can_be_done_twice,
		NULL,
	};

	return check_main_with("settings", tests, setup, teardown);
}
