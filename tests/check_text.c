/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Identity texts, and the key a drive goes by. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"

/* The text of `size` bytes. */
static const char *text_of(const char *bytes, size_t size)
{
	static char text[257];

	memset(text, 0x55, sizeof(text));
	drive_text(bytes, size, text, sizeof(text));
	return text;
}

/* So, of a literal without its NUL. */
#define TEXT_OF(literal) text_of(literal, sizeof(literal) - 1)

START_TEST(test_IDN_01_texts_end_with_their_width)
{
	char bytes[8] = { 'D', 'N', 'A', '8', 'D', 'N', 'A', '8' };

	ck_assert_str_eq(text_of(bytes, sizeof(bytes)), "DNA8DNA8");
	ck_assert_str_eq(text_of(bytes, 3), "DNA");
	ck_assert_str_eq(text_of(bytes, 0), "");
}
END_TEST

START_TEST(test_IDN_02_full_width_is_kept)
{
	ck_assert_str_eq(TEXT_OF("91721190020910SAM0PM1725A0004T0003500000"),
			 "91721190020910SAM0PM1725A0004T0003500000");
	ck_assert_str_eq(TEXT_OF("S39XNX0JA00001ABCDEF"), "S39XNX0JA00001ABCDEF");
}
END_TEST

START_TEST(test_IDN_04_line_ends_are_trimmed)
{
	ck_assert_str_eq(TEXT_OF("0cc47ad37b71-3\n"), "0cc47ad37b71-3");
	ck_assert_str_eq(TEXT_OF("0101\n"), "0101");
	ck_assert_str_eq(TEXT_OF("0101 \r\n \t"), "0101");
	ck_assert_str_eq(TEXT_OF("a\nb\n"), "a\nb"); /* inner ones are for the writer to escape */
}
END_TEST

START_TEST(test_IDN_06_forty_nuls_are_an_empty_model)
{
	char bytes[40] = { 0 };

	ck_assert_str_eq(text_of(bytes, sizeof(bytes)), "");
	memset(bytes, ' ', sizeof(bytes));
	ck_assert_str_eq(text_of(bytes, sizeof(bytes)), "");
}
END_TEST

START_TEST(test_IDN_08_leading_blanks_are_trimmed)
{
	ck_assert_str_eq(TEXT_OF("        ABCDEFGHIJKL"), "ABCDEFGHIJKL");
	ck_assert_str_eq(TEXT_OF("\0\0AB"), "AB"); /* padded left with NUL */
}
END_TEST

START_TEST(test_IDN_10_any_name_is_accepted)
{
	ck_assert_str_eq(TEXT_OF("HPE MS10i-p Gen10+ Boot Controller \xa0"),
			 "HPE MS10i-p Gen10+ Boot Controller ?");
	ck_assert_str_eq(TEXT_OF("HPE MS10i-p Gen10+ Boot Controller "),
			 "HPE MS10i-p Gen10+ Boot Controller");
}
END_TEST

START_TEST(test_text_ends_at_a_nul)
{
	ck_assert_str_eq(TEXT_OF("AB\0CD"), "AB");
	ck_assert_str_eq(TEXT_OF("AB  \0CD"), "AB");
}
END_TEST

START_TEST(test_utf8_is_kept)
{
	static const char *const texts[] = {
		"\xc2\x80",         /* U+0080, the lowest of two bytes */
		"\xdf\xbf",         /* U+07FF */
		"\xe0\xa0\x80",     /* U+0800 */
		"\xed\x9f\xbf",     /* U+D7FF, below the surrogates */
		"\xee\x80\x80",     /* U+E000, above them */
		"\xef\xbf\xbf",     /* U+FFFF */
		"\xf0\x90\x80\x80", /* U+10000 */
		"\xf4\x8f\xbf\xbf", /* U+10FFFF, the highest */
		"Gr\xc3\xb6\xc3\x9f" "e 7 \xe2\x84\xa6",
	};

	for (size_t i = 0; i < ELEMENTS(texts); i++)
		ck_assert_str_eq(text_of(texts[i], strlen(texts[i])), texts[i]);
}
END_TEST

START_TEST(test_what_is_not_utf8_becomes_a_question_mark)
{
	static const struct {
		const char *bytes, *text;
	} texts[] = {
		{ "a\xff" "b", "a?b" },
		{ "a\x80" "b", "a?b" },                   /* continues nothing */
		{ "\xc0\x80", "??" },                     /* overlong NUL */
		{ "\xc1\xbf", "??" },                     /* overlong */
		{ "\xe0\x9f\xbf", "???" },                /* overlong */
		{ "\xed\xa0\x80", "???" },                /* surrogate */
		{ "\xed\xbf\xbf", "???" },
		{ "\xf0\x8f\xbf\xbf", "????" },           /* overlong */
		{ "\xf4\x90\x80\x80", "????" },           /* above U+10FFFF */
		{ "\xf5\x80\x80\x80", "????" },
		{ "\xc3" "a", "?a" },                     /* broken off by a letter */
		{ "\xe2\x84" "a", "??a" },
		{ "\xf0\x90\x80", "???" },                /* broken off by the end */
		{ "\xe2\x84", "??" },
		{ "\xc3", "?" },
	};

	for (size_t i = 0; i < ELEMENTS(texts); i++)
		ck_assert_str_eq(text_of(texts[i].bytes, strlen(texts[i].bytes)), texts[i].text);
}
END_TEST

/* It must not look behind the bytes it was given. */
START_TEST(test_a_sequence_does_not_continue_behind_the_field)
{
	ck_assert_str_eq(text_of("ab\xc3\xb6", 3), "ab?");
	ck_assert_str_eq(text_of("\xe2\x84\xa6", 2), "??");
}
END_TEST

START_TEST(test_text_is_cut_between_characters)
{
	char text[6];

	drive_text("ab\xc3\xb6\xe2\x84\xa6", 7, text, sizeof(text));
	ck_assert_str_eq(text, "ab\xc3\xb6");
	drive_text("abcdefgh", 8, text, sizeof(text));
	ck_assert_str_eq(text, "abcde");
	drive_text("abcd efgh", 9, text, sizeof(text));
	ck_assert_str_eq(text, "abcd");
	drive_text("abc", 3, text, 1);
	ck_assert_str_eq(text, "");
}
END_TEST

static const char *key_of(const char *serial, const char *address, const char *device, bool unique)
{
	static struct drive d;

	memset(&d, 0, sizeof(d));
	snprintf(d.serial, sizeof(d.serial), "%s", serial);
	snprintf(d.address, sizeof(d.address), "%s", address);
	snprintf(d.device, sizeof(d.device), "%s", device);
	drive_set_key(&d, unique);
	return d.key;
}

START_TEST(test_the_key_is_the_serial_where_it_tells_drives_apart)
{
	ck_assert_str_eq(key_of("S1", "0000:01:00.0", "nvme0", true), "S1");
	ck_assert_str_eq(key_of("S1", "0000:01:00.0", "nvme0", false), "S1@0000:01:00.0");
	ck_assert_str_eq(key_of("", "0000:01:00.0", "nvme0", true), "@0000:01:00.0");
	ck_assert_str_eq(key_of("S1", "", "nvme0", false), "S1@nvme0");
	ck_assert_str_eq(key_of("", "", "nvme0", true), "@nvme0");
}
END_TEST

START_TEST(test_IDN_11_equal_serials_differ_by_address)
{
	char first[128];

	strcpy(first, key_of("0000000000CA", "0000:03:00.0", "nvme0", false));
	ck_assert_str_ne(first, key_of("0000000000CA", "0000:04:00.0", "nvme1", false));
}
END_TEST

/* As long as both can be, and the difference in the last character. */
START_TEST(test_a_long_key_is_not_cut)
{
	char serial[64], address[64], whole[128];

	memset(serial, 's', 63);
	memset(address, 'a', 63);
	serial[63] = address[63] = 0;
	ck_assert_str_eq(key_of(serial, address, "", true), serial);
	snprintf(whole, sizeof(whole), "%s@%s", serial, address);
	ck_assert_str_eq(key_of(serial, address, "", false), whole);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_IDN_01_texts_end_with_their_width,
		test_IDN_02_full_width_is_kept,
		test_IDN_04_line_ends_are_trimmed,
		test_IDN_06_forty_nuls_are_an_empty_model,
		test_IDN_08_leading_blanks_are_trimmed,
		test_IDN_10_any_name_is_accepted,
		test_text_ends_at_a_nul,
		test_utf8_is_kept,
		test_what_is_not_utf8_becomes_a_question_mark,
		test_a_sequence_does_not_continue_behind_the_field,
		test_text_is_cut_between_characters,
		test_the_key_is_the_serial_where_it_tells_drives_apart,
		test_IDN_11_equal_serials_differ_by_address,
		test_a_long_key_is_not_cut,
		NULL,
	};

	return check_main("text", tests);
}
