/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Identify Namespace, CNS 00h (NVM Command Set 1.1, 4.1.5.1), of every namespace that is attached. Sizes
 * are logical blocks of the format in use, hence the code: the table has a row's own bytes only. */

#include <errno.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define FLBAS 26
#define FORMATS 128 /* LBAF0, 4 bytes each: MS, LBADS, RP */
#define LBADS 2
#define LBADS_MIN 9
#define LBADS_MAX 32

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_bytes(facts, &identify_page) ? PAGE_POSSIBLE : PAGE_LATER;
}

/* The format in use: FLBAS 3:0 and, of NVMe 2.0, 6:5. */
static unsigned format_at(const uint8_t *bytes)
{
	return FORMATS + 4 * ((bytes[FLBAS] & 0xfu) | (bytes[FLBAS] >> 1 & 0x30u));
}

/* The size of a block as a power of two, 0: there is none that makes sense. */
static unsigned block_shift(const uint8_t *bytes)
{
	uint8_t shift = bytes[format_at(bytes) + LBADS];

	return shift >= LBADS_MIN && shift <= LBADS_MAX ? shift : 0;
}

static int bytes_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	uint64_t blocks = bytes_get(bytes + at, f->size);
	unsigned shift = block_shift(bytes);

	if (!shift)
		return -ENODATA;
	if (blocks > (uint64_t)INT64_MAX >> shift)
		return -ERANGE;
	ret->integer = (int64_t)(blocks << shift);
	ret->type = VALUE_INTEGER;
	return 0;
}

/* 0 blocks is a namespace that is not there. */
static int size_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	return bytes_get(bytes + at, f->size) ? bytes_decode(f, bytes, at, ret) : -ENODATA;
}

/* A namespace that has no format yet gets blocks of 512 bytes. */
static int bytes_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	unsigned shift = block_shift(bytes);

	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->integer < 0)
		return -ERANGE;
	if (!shift)
		bytes[format_at(bytes) + LBADS] = (uint8_t)(shift = LBADS_MIN);
	bytes_put(bytes + at, f->size, (uint64_t)v->integer >> shift);
	return 0;
}

static int size_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	if (v->type != VALUE_ABSENT)
		return bytes_encode(f, v, bytes, at);
	bytes_put(bytes + at, f->size, 0);
	return 0;
}

static int block_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	unsigned shift = block_shift(bytes);

	(void)f, (void)at;
	if (!shift)
		return -ENODATA;
	ret->integer = INT64_C(1) << shift;
	ret->type = VALUE_INTEGER;
	return 0;
}

static int block_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	unsigned shift = 0;

	(void)f, (void)at;
	if (v->type == VALUE_INTEGER)
		for (shift = LBADS_MIN; shift <= LBADS_MAX && INT64_C(1) << shift != v->integer;)
			shift++;
	else if (v->type != VALUE_ABSENT)
		return -EINVAL;
	if (shift > LBADS_MAX)
		return -ERANGE;
	bytes[format_at(bytes) + LBADS] = (uint8_t)shift;
	return 0;
}

static int metadata_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	(void)at;
	ret->integer = (int64_t)bytes_get(bytes + format_at(bytes), f->size);
	ret->type = VALUE_INTEGER;
	return 0;
}

static int metadata_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	(void)at;
	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->integer < 0 || v->integer > UINT16_MAX)
		return -ERANGE;
	bytes_put(bytes + format_at(bytes), f->size, (uint64_t)v->integer);
	return 0;
}

static const struct field_conversion size = { .decode = size_decode, .encode = size_encode };
static const struct field_conversion used = { .decode = bytes_decode, .encode = bytes_encode };
static const struct field_conversion block = { .decode = block_decode, .encode = block_encode };
static const struct field_conversion metadata = { .decode = metadata_decode, .encode = metadata_encode };

static bool format_remaining_reported(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[32] & 0x80;
}

/* NSFEAT bit 4. */
static bool granularities_reported(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[24] & 0x10;
}

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .offset = offset_, .size = size_, .help = help_ }
#define NONZERO(offset_, size_, name_, help_)                                            \
	{ .name = name_, .offset = offset_, .size = size_, .absent = ABSENT_ZERO, .help = help_ }
#define GRANULARITY(offset_, name_, help_)                                               \
	{ .name = name_, .offset = offset_, .size = 2, .bias = 1,                        \
	  .reported = granularities_reported, .help = help_ }

static const struct field fields[] = {
	{ .name = "block_bytes", .offset = FORMATS + LBADS, .size = 1, .conversion = &block,
	  .help = "Data bytes of a logical block." },
	{ .name = "metadata_bytes", .offset = FORMATS, .size = 2, .conversion = &metadata,
	  .help = "Metadata bytes of a logical block." },
	{ .name = "size_bytes", .kind = FIELD_GAUGE, .offset = 0, .size = 8, .conversion = &size,
	  .help = "Size of the namespace." },
	{ .name = "capacity_bytes", .offset = 8, .size = 8, .conversion = &size,
	  .help = "Bytes of the namespace that can be allocated at one time." },
	{ .name = "used_bytes", .kind = FIELD_GAUGE, .offset = 16, .size = 8, .conversion = &used,
	  .help = "Bytes of the namespace that are allocated, all of them on drives that keep no count." },
	PLAIN(24, 1, "nsfeat", "Namespace features."),
	PLAIN(25, 1, "nlbaf", "Formats, 0's based."),
	PLAIN(FLBAS, 1, "flbas", "Format in use, 6:5 and 3:0 its number, 4 metadata inline."),
	PLAIN(27, 1, "mc", "Metadata capabilities."),
	PLAIN(28, 1, "dpc", "End-to-end data protection capabilities."),
	PLAIN(29, 1, "dps", "End-to-end data protection type settings."),
	PLAIN(30, 1, "nmic", "Multi-path and sharing capabilities, bit 0 shared."),
	{ .name = "format_remaining_ratio", .offset = 32, .size = 1, .bits = 7, .max = 100, .div = 100,
	  .reported = format_remaining_reported,
	  .help = "Share of the namespace that is still to be formatted." },
	PLAIN(33, 1, "dlfeat", "Deallocate logical block features."),
	NONZERO(46, 2, "noiob_blocks", "Optimal I/O boundary."),
	NONZERO(48, 16, "nvmcap_bytes", "Capacity of the media allocated to the namespace."),
	GRANULARITY(64, "npwg_blocks", "Preferred write granularity."),
	GRANULARITY(66, "npwa_blocks", "Preferred write alignment."),
	GRANULARITY(68, "npdg_blocks", "Preferred deallocate granularity."),
	GRANULARITY(70, "npda_blocks", "Preferred deallocate alignment."),
	GRANULARITY(72, "nows_blocks", "Optimal write size."),
	NONZERO(92, 4, "anagrpid", "ANA group id."),
	PLAIN(99, 1, "nsattr", "Attributes, bit 0 write protected."),
	NONZERO(100, 2, "nvmsetid", "NVM set id."),
	NONZERO(102, 2, "endgid", "Endurance group id."),
	{ .name = "nguid", .type = FIELD_HEX, .offset = 104, .size = 16, .absent = ABSENT_ZERO,
	  .help = "Globally unique identifier." },
	{ .name = "eui64", .type = FIELD_HEX, .offset = 120, .size = 8, .absent = ABSENT_ZERO,
	  .help = "IEEE extended unique identifier." },
};

const struct page namespace_page = {
	.name = "namespace",
	.title = "Identify Namespace (CNS 00h)",
	.prefix = "namespace",
	.command = PAGE_IDENTIFY,
	.id = 0x00,
	.size = 4096,
	.cadence = CADENCE_SLOW,
	.selector = SELECT_NSID,
	.instance = "namespace",
	.presence = presence,
	.instances = facts_namespaces,
	.may_be_zero = true, /* it was detached a moment ago */
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
