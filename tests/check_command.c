/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The allow-list: what nvmewatch may send to a drive, and that it sends nothing else. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/command.h"

/* Written out again: a new entry in the list is a decision, here as there. */
static const struct {
	uint8_t opcode, id;
	uint32_t length_max, nsid;
	uint8_t rae_min, rae_max, uuid_max;
} reads[] = {
	{ 0x06, 0x01, 4096, 0, 0, 0, 0 },           /* Identify Controller */
	{ 0x06, 0x17, 4096, 0, 0, 0, 0 },           /* UUID list */
	{ 0x02, 0x02, 512, 0xffffffff, 0, 1, 0 },   /* SMART: some drives need RAE clear */
	{ 0x02, 0xc0, 512, 0xffffffff, 1, 1, 127 }, /* OCP SMART, or a vendor's page */
};

static const uint32_t nsids[] = { 0, 1, 2, 0x7fffffff, 0xfffffffe, 0xffffffff };
static const uint32_t lengths[] = { 0, 1, 2, 3, 4, 5, 508, 510, 512, 516, 1024, 4092, 4096, 4100,
				    8192, 0x80000000, 0xfffffffc, 0xffffffff };
static const uint8_t bytes[] = { 0, 1, 2, 0x7f, 0x80, 0xff };

static bool expected(const struct command *c)
{
	for (size_t i = 0; i < ELEMENTS(reads); i++)
		if (c->opcode == reads[i].opcode && c->id == reads[i].id)
			return c->length && c->length % 4 == 0 &&
			       c->length <= reads[i].length_max && c->nsid == reads[i].nsid &&
			       c->rae >= reads[i].rae_min && c->rae <= reads[i].rae_max && !c->lsp &&
			       c->uuid_index <= reads[i].uuid_max && !c->reserved;
	return false;
}

/* check's assertions are too slow for millions. */
static void verify(const struct command *c)
{
	if (command_allowed(c) != expected(c))
		ck_abort_msg("opcode %02xh id %02xh nsid %x length %u lsp %u rae %u uuid %u "
			     "reserved %u",
			     c->opcode, c->id, c->nsid, c->length, c->lsp, c->rae, c->uuid_index,
			     c->reserved);
}

/* All that differ in one respect from a command that may be sent, and in none. */
static void vary(struct command c)
{
	const struct command good = c;

	verify(&c);
	for (size_t i = 0; i < ELEMENTS(nsids); i++, c = good) {
		c.nsid = nsids[i];
		verify(&c);
	}
	for (size_t i = 0; i < ELEMENTS(lengths); i++, c = good) {
		c.length = lengths[i];
		verify(&c);
	}
	for (size_t i = 0; i < 4 * ELEMENTS(bytes); i++, c = good) {
		uint8_t *const arguments[] = { &c.lsp, &c.rae, &c.uuid_index, &c.reserved };

		*arguments[i % 4] = bytes[i / 4];
		verify(&c);
	}
}

START_TEST(test_no_other_opcode_and_page_is_allowed)
{
	for (unsigned opcode = 0; opcode < 256; opcode++)
		for (unsigned id = 0; id < 256; id++)
			for (size_t i = 0; i < ELEMENTS(reads); i++)
				vary((struct command){ .protocol = COMMAND_PROTOCOL,
						       .opcode = (uint8_t)opcode, .id = (uint8_t)id,
						       .rae = reads[i].rae_max, .nsid = reads[i].nsid,
						       .length = reads[i].length_max });
}
END_TEST

START_TEST(test_no_combination_of_arguments_is_overlooked)
{
	for (size_t r = 0; r < ELEMENTS(reads); r++)
		for (size_t n = 0; n < ELEMENTS(nsids); n++)
			for (size_t l = 0; l < ELEMENTS(lengths); l++)
				for (unsigned b = 0; b < 1296; b++) {
					struct command c = {
						.opcode = reads[r].opcode, .id = reads[r].id,
						.nsid = nsids[n], .length = lengths[l],
						.lsp = bytes[b % 6], .rae = bytes[b / 6 % 6],
						.uuid_index = bytes[b / 36 % 6],
						.reserved = bytes[b / 216],
					};
					verify(&c);
				}
}
END_TEST

/* Cases HNG-06 and AEN-02: nothing that starts, changes or consumes anything. */
START_TEST(test_HNG_06_commands_that_change_a_drive_are_refused)
{
	static const struct {
		uint8_t opcode, id;
	} never[] = {
		{ 0x09, 0x04 }, /* Set Features */
		{ 0x0c, 0 },    /* Asynchronous Event Request */
		{ 0x10, 0 },    /* Firmware Commit */
		{ 0x11, 0 },    /* Firmware Image Download */
		{ 0x14, 0x01 }, /* Device Self-test */
		{ 0x80, 0 },    /* Format NVM */
		{ 0x84, 0 },    /* Sanitize */
		{ 0x02, 0x07 }, /* host-initiated telemetry: may make a capture */
		{ 0x02, 0x0c }, /* ANA */
		{ 0x02, 0x70 },
		{ 0x02, 0x80 }, /* reservation notifications: reading consumes them */
	};

	for (size_t i = 0; i < ELEMENTS(never); i++)
		for (unsigned rae = 0; rae < 2; rae++) {
			struct command c = { .opcode = never[i].opcode, .id = never[i].id,
					     .length = 512, .rae = (uint8_t)rae };
			ck_assert(!command_allowed(&c));
			c.nsid = NSID_ALL;
			ck_assert(!command_allowed(&c));
		}
}
END_TEST

/* Case AEN-01: 02h is the one page for which the event need not be retained, for drives that answer
 * rubbish otherwise. */
START_TEST(test_AEN_01_the_event_is_retained_but_for_smart)
{
	for (unsigned id = 0; id < 256; id++) {
		struct command c = { .opcode = OPCODE_GET_LOG_PAGE, .id = (uint8_t)id, .length = 512,
				     .nsid = NSID_ALL };
		ck_assert_int_eq(command_allowed(&c), id == 0x02);
	}
	for (unsigned i = 0; pages[i]; i++)
		ck_assert_uint_eq(command_for_page(pages[i], 0).rae, pages[i]->command == PAGE_LOG);
}
END_TEST

/* What the collector asks is what the reader lets through. */
START_TEST(test_every_page_has_an_allowed_command)
{
	for (unsigned i = 0; pages[i]; i++) {
		struct command c = command_for_page(pages[i], 0);

		ck_assert_msg(command_allowed(&c), "%s", pages[i]->name);
		c = command_for_page(pages[i], 127);
		ck_assert_msg(command_allowed(&c), "%s", pages[i]->name);
	}
	struct command list = { .opcode = OPCODE_IDENTIFY, .id = CNS_UUID_LIST,
				.length = UUID_LIST_SIZE };
	ck_assert(command_allowed(&list));
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_other_opcode_and_page_is_allowed,
		test_no_combination_of_arguments_is_overlooked,
		test_HNG_06_commands_that_change_a_drive_are_refused,
		test_AEN_01_the_event_is_retained_but_for_smart,
		test_every_page_has_an_allowed_command,
		NULL,
	};

	return check_main("command", tests);
}
