/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Tokens: what their files may hold, what a request has to bring, and what is said to one that does
 * not. */

#include <errno.h>

#include "../src/serve/access.h"
#include "../src/serve/secret.h"
#include "file_support.h"

static struct settings s;
static struct tokens t;
static char error[512];

static void setup(void)
{
	folder_make();
	ck_assert_int_eq(settings_init(&s), 0);
}

static void teardown(void)
{
	tokens_done(&t);
	settings_done(&s);
	folder_remove();
}

static void set(const char *key, const char *file)
{
	char option[600];

	snprintf(option, sizeof(option), "serve.%s=%s", key, in_folder(file));
	ck_assert_msg(settings_override(&s, option, error, sizeof(error)) == 0, "%s", error);
}

static int read_token(const char *content, size_t length)
{
	write_bytes(in_folder("read"), content, length);
	chmod(in_folder("read"), 0600);
	set("read_token_file", "read");
	return tokens_read(&s, &t, error, sizeof(error));
}

#define READ(content) read_token(content, strlen(content))

START_TEST(test_no_file_is_no_token)
{
	ck_assert_int_eq(tokens_read(&s, &t, error, sizeof(error)), 0);
	ck_assert(!t.read.wanted);
	ck_assert(!t.admin.wanted);
	ck_assert(!token_matches(&t.read, "Bearer x"));
	ck_assert(!token_matches(&t.read, "Bearer "));
}
END_TEST

START_TEST(test_a_file_holds_one_word)
{
	char header[7 + TOKEN_MAX + 2] = "Bearer ", *word = header + 7;

	ck_assert_int_eq(READ(" \n\tse-cret+/=\r\n\n"), 0);
	ck_assert(token_matches(&t.read, "Bearer se-cret+/="));
	memset(word, 'x', TOKEN_MAX + 1);
	ck_assert_int_eq(read_token(word, TOKEN_MAX + 1), -EINVAL);
	ck_assert_int_eq(read_token(word, TOKEN_MAX), 0);
	ck_assert(!token_matches(&t.read, header));
	word[TOKEN_MAX] = 0;
	ck_assert(token_matches(&t.read, header));
	word[TOKEN_MAX - 1] = 0;
	ck_assert(!token_matches(&t.read, header));
	ck_assert_int_eq(READ(""), -EINVAL);
	ck_assert_int_eq(READ(" \n"), -EINVAL);
	ck_assert_int_eq(READ("two words"), -EINVAL);
	ck_assert_int_eq(READ("gr\xc3\xbc\xc3\x9f""e"), -EINVAL);
	ck_assert_int_eq(READ("a\001"), -EINVAL);
	ck_assert_int_eq(read_token("a\0b", 3), -EINVAL);
	ck_assert_int_eq(read_token("a\0", 2), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, "serve.read_token_file: "));
	ck_assert_ptr_nonnull(strstr(error, "does not hold one word"));
}
END_TEST

START_TEST(test_a_bad_file_leaves_the_former_tokens)
{
	ck_assert_int_eq(READ("former"), 0);
	set("admin_token_file", "nowhere");
	write_text(in_folder("read"), "newer");
	ck_assert_int_eq(tokens_read(&s, &t, error, sizeof(error)), -ENOENT);
	ck_assert_ptr_nonnull(strstr(error, "serve.admin_token_file: "));
	ck_assert_ptr_nonnull(strstr(error, "No such file"));
	ck_assert(token_matches(&t.read, "Bearer former"));
	set("admin_token_file", "");
	ck_assert_int_eq(tokens_read(&s, &t, error, sizeof(error)), -EINVAL);
	ck_assert_ptr_nonnull(strstr(error, "is not a file"));
}
END_TEST

START_TEST(test_the_whole_token_has_to_match)
{
	static const char *const wrong[] = {
		"", "Bearer", "Bearer ", "secret", "Bearer secre", "Bearer secrets", "Bearer Secret",
		"Bearersecret", "Bearer secret x", "Basic secret", "Bearer  ", " Bearer secret",
		"Bearer secret, Bearer secret",
	};
	char longer[2 * TOKEN_MAX];

	ck_assert_int_eq(READ("secret\n"), 0);
	ck_assert(token_matches(&t.read, "Bearer secret"));
	ck_assert(token_matches(&t.read, "bearer   secret "));
	ck_assert(!token_matches(&t.read, NULL));
	for (size_t i = 0; i < ELEMENTS(wrong); i++)
		ck_assert_msg(!token_matches(&t.read, wrong[i]), "\"%s\"", wrong[i]);
	memset(longer, 'x', sizeof(longer));
	longer[sizeof(longer) - 1] = 0;
	memcpy(longer, "Bearer ", 7);
	ck_assert(!token_matches(&t.read, longer));
}
END_TEST

/* The status of the refusal, 0 where there is none. */
static unsigned ask(const char *method, const char *authorization, struct access to,
		    const char *challenge)
{
	struct request q = { .method = method, .authorization = authorization };
	struct answer a = { 0 };
	int r = access_check(&t, &q, to, &a);
	unsigned status = a.status;

	ck_assert_int_eq(r, status == 0);
	if (status)
		ck_assert_str_eq(a.body->type, "application/problem+json");
	ck_assert_str_eq(a.challenge ? a.challenge : "", challenge);
	answer_done(&a);
	return status;
}

#define REALM "Bearer realm=\"nvmewatch\""
#define WRONG REALM ", error=\"invalid_token\""

START_TEST(test_without_files_all_may_read_and_none_may_post)
{
	struct access page = { 0 }, bench = { .posts = true };

	ck_assert_uint_eq(ask("GET", NULL, page, ""), 0);
	ck_assert_uint_eq(ask("HEAD", "Bearer x", page, ""), 0);
	ck_assert_uint_eq(ask("GET", NULL, bench, ""), 0);
	ck_assert_uint_eq(ask("POST", NULL, bench, ""), 403);
	ck_assert_uint_eq(ask("POST", "Bearer ", bench, ""), 403);
	/* Where nothing is posted, that is for others to say. */
	ck_assert_uint_eq(ask("POST", NULL, page, ""), 0);
}
END_TEST

START_TEST(test_each_token_opens_its_own_door)
{
	struct access page = { 0 }, health = { .open = true }, bench = { .posts = true };

	write_text(in_folder("admin"), "root");
	set("admin_token_file", "admin");
	ck_assert_int_eq(READ("secret"), 0);
	ck_assert_uint_eq(ask("GET", NULL, page, REALM), 401);
	ck_assert_uint_eq(ask("HEAD", "Bearer root", page, WRONG), 401);
	ck_assert_uint_eq(ask("DELETE", NULL, page, REALM), 401);
	ck_assert_uint_eq(ask("GET", "Bearer secret", page, ""), 0);
	ck_assert_uint_eq(ask("GET", NULL, health, ""), 0);
	ck_assert_uint_eq(ask("GET", "Bearer wrong", health, ""), 0);
	ck_assert_uint_eq(ask("POST", NULL, health, REALM), 401);
	ck_assert_uint_eq(ask("POST", "Bearer secret", bench, WRONG), 401);
	ck_assert_uint_eq(ask("POST", "Bearer root", bench, ""), 0);
}
END_TEST

START_TEST(test_the_admin_token_alone_leaves_reading_open)
{
	write_text(in_folder("admin"), "root");
	set("admin_token_file", "admin");
	ck_assert_int_eq(tokens_read(&s, &t, error, sizeof(error)), 0);
	ck_assert_uint_eq(ask("GET", NULL, (struct access){ 0 }, ""), 0);
	ck_assert_uint_eq(ask("POST", NULL, (struct access){ .posts = true }, REALM), 401);
}
END_TEST

/* What the test's stderr gets when the file is read. */
static bool warned(mode_t mode, bool private)
{
	struct secret secret;
	char said[512];
	int saved = dup(2);

	write_text(in_folder("secret"), "hidden");
	chmod(in_folder("secret"), mode);
	fflush(stderr);
	ck_assert_ptr_nonnull(freopen(in_folder("err"), "w", stderr));
	ck_assert_int_eq(secret_read("serve.x", in_folder("secret"), private, &secret, error,
				     sizeof(error)), 0);
	fflush(stderr);
	dup2(saved, 2);
	close(saved);
	ck_assert_str_eq(secret.bytes, "hidden");
	secret_done(&secret);
	_cleanup_(fclosep) FILE *f = fopen(in_folder("err"), "r");
	said[fread(said, 1, sizeof(said) - 1, f)] = 0;
	ck_assert_ptr_null(strstr(said, "hidden"));
	return strstr(said, "can be read by others") != NULL;
}

START_TEST(test_files_that_others_can_read_are_warned_of)
{
	ck_assert(!warned(0600, true));
	ck_assert(!warned(0400, true));
	ck_assert(warned(0640, true));
	ck_assert(warned(0604, true));
	ck_assert(!warned(0644, false));
}
END_TEST

START_TEST(test_what_is_no_file_is_refused)
{
	struct secret secret;

	ck_assert_int_eq(mkfifo(in_folder("pipe"), 0600), 0);
	ck_assert_int_eq(secret_read("serve.x", in_folder("pipe"), true, &secret, error,
				     sizeof(error)), -EINVAL);
	write_text(in_folder("huge"), "");
	ck_assert_int_eq(truncate(in_folder("huge"), (1 << 20) + 1), 0);
	ck_assert_int_eq(secret_read("serve.x", in_folder("huge"), false, &secret, error,
				     sizeof(error)), -EINVAL);
	ck_assert_int_eq(secret_read("serve.x", "/dev/zero", false, &secret, error,
				     sizeof(error)), -EINVAL);
	ck_assert_str_eq(error, "serve.x: /dev/zero is not a file of at most 1 MiB");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_file_is_no_token,
		test_a_file_holds_one_word,
		test_a_bad_file_leaves_the_former_tokens,
		test_the_whole_token_has_to_match,
		test_without_files_all_may_read_and_none_may_post,
		test_each_token_opens_its_own_door,
		test_the_admin_token_alone_leaves_reading_open,
		test_files_that_others_can_read_are_warned_of,
		test_what_is_no_file_is_refused,
		NULL,
	};

	return check_main_with("access", tests, setup, teardown);
}
