/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The allow-list: what nvmewatch may send to a drive, and that it sends nothing else. */

#include <string.h>

#include "check_main.h"
#include "nvmewatch/cleanup.h"
#include "nvmewatch/command.h"

/* Written out again: a new entry in the list is a decision, here as there. */
static const struct {
	uint8_t opcode, id;
	uint32_t length_max;
	bool clears, uuid, nsid, lsi, context;
	uint32_t cdw11;
} reads[] = {
	{ .opcode = 0x06, .id = 0x00, .length_max = 4096, .nsid = true },   /* Identify Namespace */
	{ .opcode = 0x06, .id = 0x01, .length_max = 4096 },                 /* Identify Controller */
	{ .opcode = 0x06, .id = 0x02, .length_max = 4096 },                 /* active namespaces */
	{ .opcode = 0x06, .id = 0x17, .length_max = 4096 },                 /* UUID list */
	{ .opcode = 0x02, .id = 0x00, .length_max = 1024 },                 /* supported log pages */
	{ .opcode = 0x02, .id = 0x01, .length_max = 4096 },                 /* error information */
	{ .opcode = 0x02, .id = 0x02, .length_max = 512, .clears = true },  /* SMART */
	{ .opcode = 0x02, .id = 0x03, .length_max = 512 },                  /* firmware slots */
	{ .opcode = 0x02, .id = 0x06, .length_max = 564 },                  /* self-test */
	{ .opcode = 0x02, .id = 0x09, .length_max = 512, .lsi = true },     /* endurance group */
	{ .opcode = 0x02, .id = 0x0d, .length_max = 4096, .context = true }, /* persistent events */
	{ .opcode = 0x02, .id = 0x16, .length_max = 512, .lsi = true },     /* rotational media */
	{ .opcode = 0x02, .id = 0x25, .length_max = 4096 },                 /* power measurement */
	{ .opcode = 0x02, .id = 0x81, .length_max = 512 },                  /* sanitize */
	{ .opcode = 0x02, .id = 0xc0, .length_max = 512, .uuid = true },    /* OCP's or a vendor's */
	{ .opcode = 0x02, .id = 0xc1, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xc2, .length_max = 4096, .uuid = true },
	{ .opcode = 0x02, .id = 0xc3, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xc4, .length_max = 4096, .uuid = true },
	{ .opcode = 0x02, .id = 0xc5, .length_max = 4096, .uuid = true },
	{ .opcode = 0x02, .id = 0xc6, .length_max = 4096, .uuid = true },
	{ .opcode = 0x02, .id = 0xc7, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xc9, .length_max = 4096, .uuid = true },
	{ .opcode = 0x02, .id = 0xca, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xd0, .length_max = 1024, .uuid = true },
	{ .opcode = 0x02, .id = 0xd5, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xe1, .length_max = 512, .uuid = true },
	{ .opcode = 0x02, .id = 0xfb, .length_max = 512, .uuid = true },
	{ .opcode = 0x0a, .id = 0x02, .length_max = 4 },                    /* power management */
	{ .opcode = 0x0a, .id = 0x04, .length_max = 4, .cdw11 = 0x1f0000 }, /* temperature threshold */
	{ .opcode = 0x0a, .id = 0x0b, .length_max = 4 },                    /* asynchronous events */
	{ .opcode = 0x0a, .id = 0x0c, .length_max = 260 },                  /* APST */
	{ .opcode = 0x0a, .id = 0x10, .length_max = 4 },                    /* thermal management */
	{ .opcode = 0x0a, .id = 0xc2, .length_max = 4, .uuid = true },      /* OCP's */
	{ .opcode = 0x0a, .id = 0xc4, .length_max = 4, .uuid = true },
	{ .opcode = 0x0a, .id = 0xc6, .length_max = 4, .uuid = true },
	{ .opcode = 0x0a, .id = 0xc7, .length_max = 4, .uuid = true },
	{ .opcode = 0x0a, .id = 0xc9, .length_max = 4, .uuid = true },
};

static const uint32_t nsids[] = { 0, 1, 2, 0x7fffffff, 0xfffffffd, 0xfffffffe, 0xffffffff };
static const uint32_t lengths[] = { 0, 1, 2, 3, 4, 5, 8, 260, 264, 508, 510, 512, 516, 564, 568, 1024,
				    1028, 4092, 4096, 4100, 8192, 0x80000000, 0xfffffffc, 0xffffffff };
static const uint8_t bytes[] = { 0, 1, 2, 0x7f, 0x80, 0xff };
static const uint32_t words[] = { 0, 1, 0x10000, 0x1f0000, 0x200000, 0x80000000, 0xffffffff };

static bool expected(const struct command *c)
{
	if (!c->length || c->length % 4)
		return false;
	if (c->kind == COMMAND_HOST)
		return c->length <= 4096;
	for (size_t i = 0; c->kind == COMMAND_ADMIN && i < ELEMENTS(reads); i++) {
		bool log = c->opcode == 0x02;
		if (c->opcode != reads[i].opcode || c->id != reads[i].id)
			continue;
		return c->length <= reads[i].length_max && c->lsp == reads[i].context && !c->reserved &&
		       (reads[i].nsid ? c->nsid && c->nsid < 0xfffffffe
				      : c->nsid == (log ? 0xffffffff : 0)) &&
		       (c->rae == log || (reads[i].clears && !c->rae)) &&
		       c->uuid_index <= (reads[i].uuid ? 127 : 0) && (reads[i].lsi || !c->lsi) &&
		       !(c->cdw11 & ~reads[i].cdw11);
	}
	return false;
}

/* check's assertions are too slow for millions. */
static void verify(const struct command *c)
{
	if (command_allowed(c) != expected(c))
		ck_abort_msg("kind %u opcode %02xh id %02xh nsid %x length %u lsp %u rae %u uuid %u "
			     "lsi %u cdw11 %x reserved %u",
			     c->kind, c->opcode, c->id, c->nsid, c->length, c->lsp, c->rae,
			     c->uuid_index, c->lsi, c->cdw11, c->reserved);
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
		uint8_t *const arguments[] = { &c.lsp, &c.rae, &c.uuid_index, &c.kind };

		*arguments[i % 4] = bytes[i / 4];
		verify(&c);
	}
	for (size_t i = 0; i < ELEMENTS(words); i++, c = good) {
		c.cdw11 = words[i];
		verify(&c);
		c = good;
		c.lsi = (uint16_t)words[i];
		verify(&c);
		c = good;
		c.reserved = (uint16_t)words[i];
		verify(&c);
	}
}

/* Of each shape of a good command one. */
START_TEST(test_no_other_opcode_and_page_is_allowed)
{
	static const struct command shapes[] = {
		{ .length = 4096 },
		{ .length = 4096, .nsid = 1 },
		{ .length = 4 },
		{ .length = 512, .rae = 1, .nsid = NSID_ALL },
		{ .length = 512, .rae = 1, .nsid = NSID_ALL, .uuid_index = 1 },
		{ .length = 512, .rae = 1, .nsid = NSID_ALL, .lsi = 1 },
		{ .length = 512, .rae = 1, .nsid = NSID_ALL, .lsp = 1 },
	};

	for (unsigned opcode = 0; opcode < 256; opcode++)
		for (unsigned id = 0; id < 256; id++)
			for (size_t i = 0; i < ELEMENTS(shapes); i++) {
				struct command c = shapes[i];

				c.opcode = (uint8_t)opcode;
				c.id = (uint8_t)id;
				vary(c);
			}
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
						.cdw11 = words[b / 216], .lsi = b % 7 == 0,
					};
					verify(&c);
				}
}
END_TEST

/* Case AEN-02: pages that are cleared, or notices that are consumed, by being read: whatever else is in
 * the command. */
START_TEST(test_AEN_02_pages_that_reading_clears_are_refused)
{
	static const uint8_t ids[] = { 0x04, 0x0c, 0x70, 0x80 };
	static const uint32_t namespaces[] = { 0, 1, NSID_ALL };

	for (size_t i = 0; i < ELEMENTS(ids); i++)
		for (size_t n = 0; n < ELEMENTS(namespaces); n++)
			for (unsigned length = 4; length <= 4096; length *= 2)
				for (unsigned rae = 0; rae < 2; rae++) {
					struct command c = {
						.protocol = COMMAND_PROTOCOL,
						.opcode = OPCODE_GET_LOG_PAGE, .id = ids[i],
						.nsid = namespaces[n], .length = (uint16_t)length,
						.rae = (uint8_t)rae,
					};
					ck_assert(!command_allowed(&c));
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
		ck_assert_uint_eq(command_for_page(pages[i], 0, 0).rae, pages[i]->command == PAGE_LOG);
}
END_TEST

/* What the collector asks is what the reader lets through. */
START_TEST(test_every_page_has_an_allowed_command)
{
	for (unsigned i = 0; pages[i]; i++) {
		if (pages[i]->command == PAGE_DERIVED)
			continue;
		uint32_t instance = pages[i]->selector == SELECT_NOTHING ? 0 : 1, back = 77;
		struct command c = command_for_page(pages[i], instance, 0);

		ck_assert_msg(command_allowed(&c), "%s", pages[i]->name);
		ck_assert_msg(command_is_for_page(&c, pages[i], &back), "%s", pages[i]->name);
		ck_assert_uint_eq(back, instance);
		c = command_for_page(pages[i], instance, 127);
		ck_assert_msg(command_allowed(&c), "%s", pages[i]->name);
	}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_no_other_opcode_and_page_is_allowed,
		test_no_combination_of_arguments_is_overlooked,
		test_AEN_02_pages_that_reading_clears_are_refused,
		test_HNG_06_commands_that_change_a_drive_are_refused,
		test_AEN_01_the_event_is_retained_but_for_smart,
		test_every_page_has_an_allowed_command,
		NULL,
	};

	return check_main("command", tests);
}
