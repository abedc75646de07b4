/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Device Self-test, log page 06h (NVMe Base 2.3, 5.2.12.1.7): the test that runs, and the results of the
 * last twenty, the newest first. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define RESULTS 4 /* offset of the first */
#define RESULT_SIZE 28
#define UNUSED 0xf
#define SEGMENT_KNOWN 7

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "oacs", 4);
}

static const uint8_t *result_of(const uint8_t *bytes, unsigned index)
{
	return bytes + RESULTS + (size_t)index * RESULT_SIZE;
}

static bool running(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[0] & 0xf;
}

static bool moves(const uint8_t *bytes)
{
	return running(bytes, 0);
}

/* Zeros are no result either: there is no self-test of that number. */
static bool used(const uint8_t *bytes, unsigned index)
{
	uint8_t status = result_of(bytes, index)[0];

	return (status & 0xf) != UNUSED && status >> 4;
}

static bool segment_known(const uint8_t *bytes, unsigned index)
{
	return (result_of(bytes, index)[0] & 0xf) == SEGMENT_KNOWN;
}

/* Byte 2 of a result says which of the others are valid. */
static bool valid(const uint8_t *bytes, unsigned index, unsigned bit)
{
	return used(bytes, index) && result_of(bytes, index)[2] >> bit & 1;
}

static bool nsid_valid(const uint8_t *bytes, unsigned index)
{
	return valid(bytes, index, 0);
}

static bool lba_valid(const uint8_t *bytes, unsigned index)
{
	return valid(bytes, index, 1);
}

static bool type_valid(const uint8_t *bytes, unsigned index)
{
	return valid(bytes, index, 2);
}

static bool code_valid(const uint8_t *bytes, unsigned index)
{
	return valid(bytes, index, 3);
}

#define RESULT(at_, size_)                                                               \
	.offset = RESULTS + at_, .size = size_, .count = 20, .first = 1,                 \
	.stride = RESULT_SIZE, .label = "result"

static const struct field fields[] = {
	{ .name = "self_test_operation", .kind = FIELD_GAUGE, .size = 1, .bits = 4, .full = true,
	  .help = "Self-test that runs, 0 none, 1 short, 2 extended, 3 host-initiated refresh, 14 the "
		  "vendor's." },
	{ .name = "self_test_progress_ratio", .kind = FIELD_GAUGE, .offset = 1, .size = 1, .bits = 7,
	  .div = 100, .max = 100, .reported = running, .full = true,
	  .help = "Share of the self-test that is done, absent while none runs." },
	{ .name = "result", RESULT(0, 1), .bits = 4, .absent = ABSENT_ONES, .reported = used,
	  .help = "Result of a self-test, 0 passed, 1 to 4, 8 and 9 aborted, 5 to 7 failed; 1 is the "
		  "newest result." },
	{ .name = "operation", RESULT(0, 1), .shift = 4, .bits = 4, .absent = ABSENT_ZERO,
	  .reported = used,
	  .help = "Self-test that a result is of, as in self_test_operation." },
	{ .name = "segment", RESULT(1, 1), .reported = segment_known,
	  .help = "Segment of the self-test that failed." },
	{ .name = "diagnostics_valid", RESULT(2, 1), .bits = 4, .reported = used,
	  .help = "What the result tells, bit 0 namespace, 1 logical block, 2 status code type, 3 status "
		  "code." },
	{ .name = "power_on_seconds", RESULT(4, 8), .mul = 3600, .max = INT64_MAX / 3600,
	  .reported = used, .help = "Time powered on when the self-test ended, in whole hours." },
	{ .name = "nsid", RESULT(12, 4), .reported = nsid_valid,
	  .help = "Namespace that the self-test failed in." },
	{ .name = "lba", RESULT(16, 8), .max = INT64_MAX, .reported = lba_valid,
	  .help = "Logical block that the self-test failed at." },
	{ .name = "status_code_type", RESULT(24, 1), .bits = 3, .reported = type_valid,
	  .help = "Status code type of the failure." },
	{ .name = "status_code", RESULT(25, 1), .reported = code_valid,
	  .help = "Status code of the failure." },
	{ .name = "vendor_specific", RESULT(26, 2), .reported = used, .absent = ABSENT_ZERO,
	  .help = "What the vendor adds to a result." },
};

const struct page self_test_page = {
	.name = "self_test",
	.title = "Device Self-test (log page 06h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x06,
	.size = 564,
	.cadence = CADENCE_SLOW,
	.may_be_zero = true, /* of drives that leave the results at 0 before the first test */
	.presence = presence,
	.moves = moves,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
