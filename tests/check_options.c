/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line of the daemons. */

#include <errno.h>
#include <getopt.h>

#include "file_support.h"
#include "nvmewatch/options.h"

static struct settings s;
static char out[4096], err[4096];

/* A whole file as text. */
static void slurp(const char *path, char *ret, size_t size)
{
	_cleanup_(fclosep) FILE *f = fopen(path, "r");

	ret[fread(ret, 1, size - 1, f)] = 0;
}

static int read_options(char **argv)
{
	struct options o = { .program = "nvmewatch-x", .description = "Does x.", .argv = argv };
	int saved[2] = { dup(1), dup(2) };

	while (argv[o.argc])
		o.argc++;
	optind = 0; /* getopt begins anew: a daemon reads its options once */
	fflush(NULL);
	ck_assert_ptr_nonnull(freopen(in_folder("out"), "w", stdout));
	ck_assert_ptr_nonnull(freopen(in_folder("err"), "w", stderr));
	int r = options_read(&o, &s);
	fflush(NULL);
	dup2(saved[0], 1);
	dup2(saved[1], 2);
	slurp(in_folder("out"), out, sizeof(out));
	slurp(in_folder("err"), err, sizeof(err));
	return r;
}

#define READ(...) read_options((char *[]){ (char *)"nvmewatch-x", __VA_ARGS__, NULL })

static char *config(const char *text)
{
	static char path[512];

	snprintf(path, sizeof(path), "%s/n.conf", folder);
	write_text(path, text);
	return path;
}

START_TEST(test_options_come_after_the_file)
{
	ck_assert_int_eq(READ("-o", "poll.smart=7s", "--config",
			      config("[poll]\nsmart = 2s\nocp = 2s\n"), "-o", "serve.metrics=full"),
			 1);
	ck_assert_uint_eq(s.poll_smart, 7000000);
	ck_assert_uint_eq(s.poll_ocp, 2000000);
	ck_assert(s.full_metrics);
	ck_assert_str_eq(out, "");
	ck_assert_str_eq(err, "");
	settings_done(&s);
}
END_TEST

/* They come from a file and an option; neither is wrong by itself. */
START_TEST(test_keys_that_do_not_go_together_are_refused)
{
	ck_assert_int_eq(READ("--config", config("[serve]\ntls_cert = /c\n"), "-o",
			      "serve.client_ca=/a"), -EINVAL);
	ck_assert_str_eq(err, "nvmewatch-x: serve.tls_cert is set, but serve.tls_key is not: TLS "
			      "needs both\n");
	ck_assert_str_eq(out, "");
}
END_TEST

START_TEST(test_the_last_option_counts)
{
	ck_assert_int_eq(READ("--config", config(""), "-o", "poll.smart=7s", "-o", "poll.smart=8s"),
			 1);
	ck_assert_uint_eq(s.poll_smart, 8000000);
	settings_done(&s);
}
END_TEST

START_TEST(test_version_and_help_end_the_program)
{
	ck_assert_int_eq(READ("--version"), 0);
	ck_assert_str_eq(out, "nvmewatch-x " PACKAGE_VERSION "\n");
	ck_assert_str_eq(err, "");
	ck_assert_int_eq(READ("--help"), 0);
	ck_assert_ptr_nonnull(strstr(out, "Usage: nvmewatch-x"));
	ck_assert_ptr_nonnull(strstr(out, "Does x."));
	ck_assert_ptr_nonnull(strstr(out, "--config FILE"));
	/* Whatever else is wrong. */
	ck_assert_int_eq(READ("--config", (char *)"/none", "--version"), 0);
}
END_TEST

START_TEST(test_what_is_wrong_is_said_on_stderr)
{
	ck_assert_int_eq(READ("--config", (char *)"/none/at/all"), -ENOENT);
	ck_assert_ptr_nonnull(strstr(err, "nvmewatch-x: /none/at/all: cannot be opened"));
	ck_assert_int_eq(READ("--config", config("[poll]\nsmart = soon\n")), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err, "n.conf:2: poll.smart = soon: must be"));
	ck_assert_int_eq(READ("--config", config(""), "-o", "poll.smart"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err, "nvmewatch-x: option -o: expected section.key=value"));
	ck_assert_int_eq(READ("surplus"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err, "unexpected argument \"surplus\""));
	ck_assert_int_eq(READ("--nonsense"), -EINVAL);
	ck_assert_ptr_nonnull(strstr(err, "nonsense"));
	ck_assert_int_eq(READ("--config"), -EINVAL);
	ck_assert_str_eq(out, "");
}
END_TEST

/* SIGHUP: the same command line over the file as it is by then. */
START_TEST(test_reload_reads_the_file_again)
{
	char error[512];
	char *argv[] = { (char *)"nvmewatch-x", (char *)"--config", config("[poll]\nsmart = 2s\n"),
			 (char *)"-o", (char *)"poll.ocp=9s", NULL };
	struct options o = { .program = "nvmewatch-x", .argc = 5, .argv = argv };

	for (int round = 2; round < 5; round++) {
		char text[64];

		snprintf(text, sizeof(text), "[poll]\nsmart = %ds\nocp = 1s\n", round);
		write_text(argv[2], text);
		ck_assert_int_eq(options_reload(&o, &s, error, sizeof(error)), 0);
		ck_assert_uint_eq(s.poll_smart, (unsigned)round * 1000000);
		ck_assert_uint_eq(s.poll_ocp, 9000000);
		settings_done(&s);
	}
	write_text(argv[2], "[poll]\nsmart = soon\n");
	memset(&s, 0x55, sizeof(s));
	ck_assert_int_eq(options_reload(&o, &s, error, sizeof(error)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, "n.conf:2: poll.smart = soon"));
	ck_assert_int_eq(((unsigned char *)&s)[0], 0x55); /* untouched */
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_options_come_after_the_file,
		test_keys_that_do_not_go_together_are_refused,
		test_the_last_option_counts,
		test_version_and_help_end_the_program,
		test_what_is_wrong_is_said_on_stderr,
		test_reload_reads_the_file_again,
		NULL,
	};

	return check_main_with("options", tests, folder_make, folder_remove);
}
