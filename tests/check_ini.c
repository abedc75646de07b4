/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* INI files: what is an entry, and what is wrong with everything else. */

#include <errno.h>

#include "file_support.h"
#include "nvmewatch/ini.h"

static char entries[4096]; /* what was read, as "section|key|value;" */

static int collect(void *userdata, const struct ini_place *at, const char *section, const char *key,
		   const char *value)
{
	size_t length = strlen(entries);

	(void)userdata;
	if (!strcmp(key, "refuse"))
		return ini_fail(at, -ERANGE, "%s is too much", value);
	snprintf(entries + length, sizeof(entries) - length, "%s|%s|%s;", section, key, value);
	return 0;
}

static int read_bytes(const char *bytes, size_t length, char *error, size_t size)
{
	const char *path = in_folder("a.conf");

	write_bytes(path, bytes, length);
	entries[0] = error[0] = 0;
	return ini_read(path, collect, NULL, error, size);
}

static void check_entries(const char *text, const char *expected)
{
	char error[256];

	ck_assert_msg(read_bytes(text, strlen(text), error, sizeof(error)) == 0, "%s", error);
	ck_assert_str_eq(entries, expected);
	ck_assert_str_eq(error, "");
}

START_TEST(test_entries_come_in_order)
{
	check_entries("[a]\nx = 1\ny=2\n[b]\nx = 3\n[a]\nx = 4", "a|x|1;a|y|2;b|x|3;a|x|4;");
}
END_TEST

START_TEST(test_blanks_and_comments_do_not_count)
{
	check_entries("", "");
	check_entries("\n\n# x\n; [y]\n  # z\n", "");
	check_entries("  [ a ]  \n\t x \t=  1 2  \r\n", "a|x|1 2;");
	check_entries("[a]\n#x = 1\n;y = 2\nz = 3\n", "a|z|3;");
}
END_TEST

/* Model names and patterns have such characters. */
START_TEST(test_a_value_is_the_rest_of_the_line)
{
	check_entries("[a]\nx = a=b # c ; d [e]\n", "a|x|a=b # c ; d [e];");
	check_entries("[a]\nx =\n", "a|x|;");
	check_entries("[a b]\nx y = z\n", "a b|x y|z;");
}
END_TEST

START_TEST(test_a_long_line_is_whole)
{
	char text[3000] = "[a]\nx = ", expected[3000] = "a|x|";

	memset(text + 8, 'v', 2900);
	memset(expected + 4, 'v', 2900);
	strcat(expected, ";");
	check_entries(text, expected);
}
END_TEST

START_TEST(test_messages_name_file_and_line)
{
	static const struct {
		const char *text;
		const char *message; /* behind the file's name */
	} samples[] = {
		{ "[a]\n\nx\n", ":3: expected \"key = value\", got \"x\"" },
		{ "x = 1\n", ":1: \"x\" stands before any [section]" },
		{ "# c\n[a\n", ":2: a section is written [name]" },
		{ "[\n", ":1: a section is written [name]" },
		{ "[a] # b\n", ":1: a section is written [name]" },
		{ "[]\n", ":1: not a section name: \"\"" },
		{ "[ ]\n", ":1: not a section name: \"\"" },
		{ "[0123456789012345678901234567890123456789012345678901234567890123]\n",
		  ":1: not a section name: "
		  "\"0123456789012345678901234567890123456789012345678901234567890123\"" },
		{ "\xef\xbb\xbf[a]\n", ":1: expected \"key = value\", got \"\xef\xbb\xbf[a]\"" },
	};
	char error[512], expected[512];

	for (size_t i = 0; i < ELEMENTS(samples); i++) {
		ck_assert_int_eq(read_bytes(samples[i].text, strlen(samples[i].text), error,
					    sizeof(error)), -EINVAL);
		snprintf(expected, sizeof(expected), "%s%s", in_folder("a.conf"),
			 samples[i].message);
		ck_assert_str_eq(error, expected);
		ck_assert_str_eq(entries, "");
	}
}
END_TEST

START_TEST(test_reading_ends_with_the_first_refusal)
{
	char error[256], expected[256];
	static const char text[] = "[a]\nx = 1\nrefuse = 7\ny = 2\n";

	ck_assert_int_eq(read_bytes(text, strlen(text), error, sizeof(error)), -ERANGE);
	snprintf(expected, sizeof(expected), "%s:3: 7 is too much", in_folder("a.conf"));
	ck_assert_str_eq(error, expected);
	ck_assert_str_eq(entries, "a|x|1;");
}
END_TEST

START_TEST(test_a_file_with_nul_bytes_is_no_text)
{
	char error[256];

	ck_assert_int_eq(read_bytes("[a]\nx = 1\0y\n", 12, error, sizeof(error)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, ":2: holds a NUL byte"));
}
END_TEST

START_TEST(test_what_cannot_be_read_says_why)
{
	char error[256], expected[256];

	ck_assert_int_eq(ini_read(in_folder("none"), collect, NULL, error, sizeof(error)), -ENOENT);
	snprintf(expected, sizeof(expected), "%s: cannot be opened: %s", in_folder("none"),
		 strerror(ENOENT));
	ck_assert_str_eq(error, expected);
	ck_assert_int_eq(ini_read(folder, collect, NULL, error, sizeof(error)), -EISDIR);
	snprintf(expected, sizeof(expected), "%s: cannot be read: %s", folder, strerror(EISDIR));
	ck_assert_str_eq(error, expected);
}
END_TEST

START_TEST(test_a_message_is_cut_to_its_room)
{
	char error[16] = "";

	for (size_t size = 1; size <= sizeof(error); size++) {
		ck_assert_int_eq(read_bytes("x", 1, error, size), -EINVAL);
		ck_assert_uint_lt(strlen(error), size);
	}
}
END_TEST

START_TEST(test_the_files_of_a_folder_come_by_name)
{
	static const char *const names[] = { "10.conf", "9.conf", "a.conf" };
	char **files, expected[256];

	for (size_t i = ELEMENTS(names); i-- > 0;)
		write_text(in_folder(names[i]), "");
	write_text(in_folder(".hidden.conf"), "");
	write_text(in_folder(".conf"), "");
	write_text(in_folder("b.conf~"), "");
	write_text(in_folder("README"), "");
	ck_assert_int_eq(ini_folder(folder, &files), 0);
	for (size_t i = 0; i < ELEMENTS(names); i++) {
		snprintf(expected, sizeof(expected), "%s/%s", folder, names[i]);
		ck_assert_str_eq(files[i], expected);
	}
	ck_assert_ptr_null(files[ELEMENTS(names)]);
	ini_folder_free(files);
	ck_assert_int_eq(ini_folder(in_folder("none"), &files), 0);
	ck_assert_ptr_null(files[0]);
	ini_folder_free(files);
	ck_assert_int_eq(ini_folder(in_folder("README"), &files), -ENOTDIR);
}
END_TEST

/* Whatever the bytes are, the end is a code and a message. */
START_TEST(test_noise_is_no_harm)
{
	static const char alphabet[] = "[]=#; \t\r\na0\0\xff";
	uint64_t seed = 3;
	char text[200], error[256];

	for (int round = 0; round < 2000; round++) {
		size_t length = random_next(&seed) % sizeof(text);

		for (size_t i = 0; i < length; i++)
			text[i] = alphabet[random_next(&seed) % (sizeof(alphabet) - 1)];
		int r = read_bytes(text, length, error, sizeof(error));
		ck_assert_int_le(r, 0);
		ck_assert_int_eq(r < 0, error[0] != 0);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_entries_come_in_order,
		test_blanks_and_comments_do_not_count,
		test_a_value_is_the_rest_of_the_line,
		test_a_long_line_is_whole,
		test_messages_name_file_and_line,
		test_reading_ends_with_the_first_refusal,
		test_a_file_with_nul_bytes_is_no_text,
		test_what_cannot_be_read_says_why,
		test_a_message_is_cut_to_its_room,
		test_the_files_of_a_folder_come_by_name,
		test_noise_is_no_harm,
		NULL,
	};

	return check_main_with("ini", tests, folder_make, folder_remove);
}
