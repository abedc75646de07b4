/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The command line of nvmewatch: what words and options mean, which drive is meant, and where its
 * documents are asked for. */

#include <errno.h>
#include <string.h>

#include "../src/cli/arguments.h"
#include "../src/cli/select.h"
#include "../src/cli/source.h"
#include "check_main.h"

static struct arguments a;
static char error[512];

static int parse(char **argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	arguments_done(&a);
	error[0] = 0;
	return arguments_parse(argc, argv, &a, error, sizeof(error));
}

#define PARSE(...) parse((char *[]){ (char *)"nvmewatch", __VA_ARGS__, NULL })

static void teardown(void)
{
	arguments_done(&a);
}

/* ---- Arguments. ---- */

START_TEST(test_a_verb_has_its_words_and_options_stand_anywhere)
{
	ck_assert_int_eq(PARSE("--json", "show", "nvme0", "--all", "smart", "--url", "http://h:1"),
			 0);
	ck_assert_str_eq(a.verb->name, "show");
	ck_assert_str_eq(a.words[0], "nvme0");
	ck_assert_str_eq(a.words[1], "smart");
	ck_assert_str_eq(a.url, "http://h:1");
	ck_assert(a.json && a.all);

	ck_assert_int_eq(PARSE("list"), 0);
	ck_assert(!a.json && !a.all && !a.url && !a.words[0]);

	ck_assert_int_eq(PARSE("show", "--", "-odd-"), 0);
	ck_assert_str_eq(a.words[0], "-odd-");
}
END_TEST

START_TEST(test_the_configuration_is_kept_for_who_reads_it)
{
	ck_assert_int_eq(PARSE("-o", "poll.smart=7s", "list", "--config", "/x",
			       "-opoll.ocp=1s"), 0);
	const char *expected[] = { "nvmewatch", "-o", "poll.smart=7s", "--config", "/x", "-o",
				   "poll.ocp=1s" };

	ck_assert_int_eq(a.n_configuration, ELEMENTS(expected));
	for (size_t i = 0; i < ELEMENTS(expected); i++)
		ck_assert_str_eq(a.configuration[i], expected[i]);
}
END_TEST

START_TEST(test_help_and_version_need_no_verb)
{
	ck_assert_int_eq(PARSE("--help"), 0);
	ck_assert(a.action == ARGUMENTS_HELP && !a.verb);
	ck_assert_int_eq(PARSE("pause", "--help"), 0);
	ck_assert(a.action == ARGUMENTS_HELP);
	ck_assert_str_eq(a.verb->name, "pause");
	ck_assert_int_eq(PARSE("--version"), 0);
	ck_assert(a.action == ARGUMENTS_VERSION);
}
END_TEST

START_TEST(test_every_verb_is_in_the_help)
{
	_cleanup_(buffer_done) struct buffer all = { 0 };

	arguments_help(NULL, &all);
	buffer_put(&all, "", 1);
	for (const struct verb *v = verbs; v->name; v++) {
		_cleanup_(buffer_done) struct buffer one = { 0 };

		arguments_help(v, &one);
		buffer_put(&one, "", 1);
		ck_assert_ptr_nonnull(strstr(all.data, v->name));
		ck_assert_ptr_nonnull(strstr(one.data, v->help));
		ck_assert_uint_le(v->least, v->most);
		ck_assert_uint_le(v->most, WORDS_MAX);
	}
}
END_TEST

#define REFUSES(part, ...)                                              \
	do {                                                            \
		ck_assert_int_eq(PARSE(__VA_ARGS__), -EINVAL);          \
		ck_assert_msg(strstr(error, part) != NULL, "%s", error); \
	} while (0)

START_TEST(test_what_is_wrong_is_named)
{
	REFUSES("unknown verb \"lst\"", "lst");
	REFUSES("unknown option \"--jsn\"", "list", "--jsn");
	REFUSES("unknown option \"--jsn=1\"", "list", "--jsn=1");
	REFUSES("unknown option \"--json=1\"", "list", "--json=1");
	REFUSES("unknown option \"-x\"", "-o", "a.b=c", "-x", "list");
	REFUSES("--url needs a value", "list", "--url");
	REFUSES("-o needs a value", "list", "-o");
	REFUSES("usage: nvmewatch list", "list", "more");
	REFUSES("usage: nvmewatch show DRIVE [PAGE]", "show");
	REFUSES("usage: nvmewatch show DRIVE [PAGE]", "show", "a", "b", "c");
	REFUSES("usage: nvmewatch pause DRIVE DURATION", "pause", "nvme0");
	REFUSES("metrics takes no --json", "metrics", "--json");
	REFUSES("list takes no --all", "list", "--all");
	REFUSES("takes no --url", "forget", "nvme0", "--url", "http://h:1");
	REFUSES("not \"h:1\"", "list", "--url", "h:1");
	ck_assert_int_eq(parse((char *[]){ (char *)"nvmewatch", NULL }), -EINVAL);
}
END_TEST

/* ---- Which drive. ---- */

static const char fleet[] =
	"[{\"serial\": \"AB1\", \"device\": \"nvme0\", \"present\": true},"
	" {\"serial\": \"AB12\", \"device\": \"nvme1\", \"present\": true},"
	" {\"serial\": \"AC1\", \"device\": \"nvme1\", \"present\": false},"
	" {\"serial\": \"nvme0X\", \"device\": null, \"present\": false},"
	" {\"serial\": \"@0000:3b:00.0\", \"device\": \"nvme2\", \"present\": null}, {}, 7]";

/* The serial that the name stands for, or the message. */
static void check_choice(const char *name, int expected, const char *serial)
{
	_cleanup_(buffer_done) struct buffer message = { 0 };
	json_auto_t *drives = json_loads(fleet, 0, NULL);
	json_t *drive = NULL;

	ck_assert_int_eq(select_drive(drives, name, &drive, &message), expected);
	buffer_put(&message, "", 1);
	const char *got = expected ? message.data :
				     json_string_value(json_object_get(drive, "serial"));
	ck_assert_msg(strstr(got, serial) != NULL, "%s: %s", name, got);
}

START_TEST(test_a_drive_goes_by_key_device_or_beginning)
{
	check_choice("AB1", 0, "AB1"); /* though another begins so */
	check_choice("AB12", 0, "AB12");
	check_choice("AC", 0, "AC1");
	check_choice("@", 0, "@0000:3b:00.0");
	check_choice("nvme0", 0, "AB1"); /* though a serial begins so */
	check_choice("nvme0X", 0, "nvme0X");
	check_choice("/dev/nvme2", 0, "@0000:3b:00.0");
	check_choice("nvme1", 0, "AB12"); /* whose name it is now */
}
END_TEST

START_TEST(test_nobody_guesses_a_drive)
{
	check_choice("A", -ENOTUNIQ, "any of 3 drives: AB1 (nvme0), AB12 (nvme1), AC1 (nvme1)");
	check_choice("nvme3", -ENOENT, "\"nvme3\"");
	check_choice("ab1", -ENOENT, "\"ab1\"");
	check_choice("", -ENOENT, "\"\"");
}
END_TEST

/* ---- Where from. ---- */

static void check_path(struct resource what, const char *expected)
{
	_cleanup_(buffer_done) struct buffer path = { 0 };

	resource_path(&what, &path);
	buffer_put(&path, "", 1);
	ck_assert_str_eq(path.data, expected);
}

START_TEST(test_names_are_encoded_in_paths)
{
	check_path((struct resource){ 0 }, "/api/v1/drives");
	check_path((struct resource){ .fields = true }, "/api/v1/fields");
	check_path((struct resource){ .drive = "a/b %?#\xc3\xa4" },
		   "/api/v1/drives/a%2Fb%20%25%3F%23%C3%A4");
	check_path((struct resource){ .drive = "A-1._~", .page = "x/y" },
		   "/api/v1/drives/A-1._~/pages/x%2Fy");
}
END_TEST

static void check_url(const char *listen, bool tls, const char *expected)
{
	_cleanup_(buffer_done) struct buffer url = { 0 };

	ck_assert_int_eq(listen_url(listen, tls, &url), expected != NULL);
	buffer_put(&url, "", 1);
	ck_assert_str_eq(url.data, expected ? expected : "");
}

START_TEST(test_the_server_of_this_host_is_found)
{
	check_url("127.0.0.1:9917", false, "http://127.0.0.1:9917");
	check_url("192.0.2.1:80", false, "http://192.0.2.1:80");
	check_url("0.0.0.0:9917", false, "http://127.0.0.1:9917");
	check_url("[::]:9917", true, "https://[::1]:9917");
	check_url("[2001:db8::1]:9917", false, "http://[2001:db8::1]:9917");
	check_url("127.0.0.1:0", false, NULL);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_a_verb_has_its_words_and_options_stand_anywhere,
		test_the_configuration_is_kept_for_who_reads_it,
		test_help_and_version_need_no_verb, test_every_verb_is_in_the_help,
		test_what_is_wrong_is_named, test_a_drive_goes_by_key_device_or_beginning,
		test_nobody_guesses_a_drive, test_names_are_encoded_in_paths,
		test_the_server_of_this_host_is_found, NULL,
	};

	return check_main_with("cli", tests, NULL, teardown);
}
