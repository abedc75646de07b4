/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What is said where the kernel does not let us. Cases PRV-01 and PRV-02. */

#include <errno.h>
#include <linux/capability.h>
#include <sys/syscall.h>

#include "file_support.h"
#include "nvmewatch/privilege.h"

/* Each test is a process of its own: what it gives up is given up for it alone. */
static void keep(unsigned effective)
{
	struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	ck_assert_int_eq(syscall(SYS_capget, &header, sets), 0);
	sets[0].effective &= effective;
	sets[1].effective = 0;
	ck_assert_int_eq(syscall(SYS_capset, &header, sets), 0);
}

static const char *explained(const char *device, int error)
{
	static char text[160];

	privilege_explain(device, error, text, sizeof(text));
	return text;
}

#define ck_assert_has(text, part) ck_assert_msg(strstr(text, part) != NULL, "%s", text)

START_TEST(test_denials)
{
	ck_assert(privilege_is_denial(-EACCES) && privilege_is_denial(-EPERM));
	ck_assert(!privilege_is_denial(0) && !privilege_is_denial(-EIO));
	ck_assert(!privilege_is_denial(-ENOENT) && !privilege_is_denial(EACCES));
}
END_TEST

START_TEST(test_PRV_02_a_missing_capability_is_noticed)
{
	keep(~CAP_TO_MASK(CAP_SYS_ADMIN));
	ck_assert(privilege_lacks_admin());
	ck_assert_str_eq(explained("null", -EACCES),
			 "/dev/null takes no commands: nvmewatch-collect needs CAP_SYS_ADMIN");
}
END_TEST

/* Only root has it to keep. */
START_TEST(test_PRV_02_the_one_capability_is_enough)
{
	if (privilege_lacks_admin())
		return;
	keep(CAP_TO_MASK(CAP_SYS_ADMIN));
	ck_assert(!privilege_lacks_admin());
	ck_assert_str_eq(explained("null", -EPERM),
			 "/dev/null takes no commands: Operation not permitted");
}
END_TEST

START_TEST(test_PRV_01_the_node_is_named_with_its_mode_and_owner)
{
	char target[64], owner[64];
	uid_t us = geteuid();

	folder_make();
	write_text(in_folder("nvme0"), "");
	ck_assert_int_eq(chmod(in_folder("nvme0"), us ? 0 : 0600), 0);
	ck_assert_int_eq(chmod(folder, 0755), 0);
	snprintf(target, sizeof(target), "..%s", in_folder("nvme0"));
	snprintf(owner, sizeof(owner), "(mode %s, owner %u:%u)", us ? "0000" : "0600", us, getegid());
	ck_assert(us || seteuid(65534) == 0);
	const char *text = explained(target, -EACCES);
	ck_assert(us || seteuid(0) == 0);
	folder_remove();
	ck_assert_has(text, "/nvme0 may not be opened");
	ck_assert_has(text, owner);
	ck_assert_has(text, "as root");
}
END_TEST

START_TEST(test_a_node_that_is_not_there)
{
	ck_assert_has(explained("nvmewatch-none", -EACCES), "/dev/nvmewatch-none may not be opened: ");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_denials,
		test_PRV_02_a_missing_capability_is_noticed,
		test_PRV_02_the_one_capability_is_enough,
		test_PRV_01_the_node_is_named_with_its_mode_and_owner,
		test_a_node_that_is_not_there,
		NULL,
	};

	return check_main("privilege", tests);
}
