/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* OCP Hardware Component Log, log page C6h (OCP Datacenter NVMe SSD Specification 2.5, as published
 * decoders read it): what the drive is made of. Its descriptors are packed, each followed by as much of
 * a date or lot code and of additional information as it says, so that they are found by walking from
 * the first. The rows have the places that they would have if nothing followed; the conversions walk.
 * All sizes are the drive's word, and checked against the log's size and what is read of it. */

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/drive.h"
#include "ocp.h"

#define SIZE 4096
#define LOG_SIZE 32
#define FIRST 64
#define HEADER 44 /* bytes of a descriptor before what follows it */
#define COMPONENTS 24
#define DATE_LOT 0 /* the size of what follows, in dwords */
#define ADDITIONAL 8
#define DWORDS 1 /* the version whose log size counts those; later ones count bytes */

static const uint8_t guid[16] = {
	0xdc, 0x57, 0x0f, 0x9f, 0xb9, 0x31, 0x6b, 0xb7, 0xd0, 0x4e, 0xcd, 0x30, 0x1f, 0x82, 0xb6, 0xbc,
};

/* Bytes of a unit of the log size; 0: unknown. */
static unsigned unit(const uint8_t *bytes)
{
	uint64_t version = bytes_get(bytes, 2);

	return version == DWORDS ? 4 : version ? 1 : 0;
}

static int log_size_decode(const struct field *f, const uint8_t *bytes, unsigned at,
			   struct value *ret)
{
	uint64_t low = bytes_get(bytes + at, 8), high = bytes_get(bytes + at + 8, f->size - 8u);

	if (high || low > INT64_MAX || __builtin_mul_overflow((int64_t)low, unit(bytes), &ret->integer))
		return -ERANGE;
	if (!ret->integer)
		return -ENODATA;
	ret->type = VALUE_INTEGER;
	return 0;
}

static int log_size_put(uint8_t *bytes, uint64_t n)
{
	unsigned of = unit(bytes);

	if (!of || n % of)
		return -ERANGE;
	bytes_put(bytes + LOG_SIZE, 8, n / of);
	return 0;
}

static int log_size_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	if (v->type != VALUE_ABSENT && v->type != VALUE_INTEGER)
		return -EINVAL;
	if (v->type == VALUE_INTEGER && v->integer < 0)
		return -ERANGE;
	int r = v->type == VALUE_INTEGER ? log_size_put(bytes, (uint64_t)v->integer) : 0;
	if (r < 0)
		return r;
	/* Absent, or small enough that its upper half is 0. */
	unsigned kept = v->type == VALUE_INTEGER ? 8 : 0;
	memset(bytes + at + kept, 0, f->size - kept);
	return 0;
}

/* How far descriptors go, of the log: more than is read where it is larger. */
static uint64_t log_end(const uint8_t *bytes)
{
	static const struct field f = { .size = 16 };
	struct value v;

	return log_size_decode(&f, bytes, LOG_SIZE, &v) == 0 ? (uint64_t)v.integer : 0;
}

struct component {
	unsigned at;
	uint64_t date_lot, additional; /* bytes */
};

/* Whether there is a whole one; its header, at least, within what is read. */
static bool component_read(const uint8_t *bytes, uint64_t at, uint64_t end, struct component *ret)
{
	if (at + HEADER > SIZE || at + HEADER > end)
		return false;
	uint64_t dls = bytes_get(bytes + at + DATE_LOT, 8), ais = bytes_get(bytes + at + ADDITIONAL, 8);
	uint64_t room = (end - at - HEADER) / 4;
	if (dls > room || ais > room - dls)
		return false;
	*ret = (struct component){ .at = (unsigned)at, .date_lot = 4 * dls, .additional = 4 * ais };
	return true;
}

static bool component_find(const uint8_t *bytes, unsigned index, struct component *ret)
{
	uint64_t at = FIRST, end = log_end(bytes);

	for (unsigned i = 0; component_read(bytes, at, end, ret); i++) {
		if (i == index)
			return true;
		at += HEADER + ret->date_lot + ret->additional;
	}
	return false;
}

/* The place in the row, as if nothing followed any descriptor. */
static void row_place(unsigned at, unsigned *ret_index, unsigned *ret_offset)
{
	*ret_index = (at - FIRST) / HEADER;
	*ret_offset = (at - FIRST) % HEADER;
}

static int id_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct component c;
	unsigned index, offset;

	row_place(at, &index, &offset);
	if (!component_find(bytes, index, &c))
		return -ENODATA;
	ret->integer = (int64_t)bytes_get(bytes + c.at + offset, f->size);
	ret->type = VALUE_INTEGER;
	return 0;
}

static int text_of(const uint8_t *bytes, unsigned size, struct value *ret)
{
	drive_text(bytes, size, ret->text, sizeof(ret->text));
	if (!ret->text[0])
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

static int text_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct component c;
	unsigned index, offset;

	row_place(at, &index, &offset);
	return component_find(bytes, index, &c) ? text_of(bytes + c.at + offset, f->size, ret) : -ENODATA;
}

static bool is_text(const uint8_t *bytes, unsigned size)
{
	while (size && !bytes[size - 1])
		size--;
	for (unsigned i = 0; i < size; i++)
		if (!isprint(bytes[i]))
			return false;
	return true;
}

/* A text, or else its bytes in hexadecimal. */
static int tail_of(const uint8_t *bytes, unsigned size, struct value *ret)
{
	if (is_text(bytes, size))
		return text_of(bytes, size, ret);
	if (2 * size > FIELD_TEXT_MAX)
		return -ERANGE;
	for (unsigned i = 0; i < size; i++)
		snprintf(ret->text + 2 * i, 3, "%02x", bytes[i]);
	ret->type = VALUE_TEXT;
	return 0;
}

/* Where what the row stands for begins, behind the descriptor, and how long it is. */
static uint64_t tail_place(const struct component *c, unsigned offset, uint64_t *ret_size)
{
	*ret_size = offset == DATE_LOT ? c->date_lot : c->additional;
	return c->at + HEADER + (offset == DATE_LOT ? 0 : c->date_lot);
}

static int tail_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	struct component c;
	unsigned index, offset;
	uint64_t size;

	(void)f;
	row_place(at, &index, &offset);
	if (!component_find(bytes, index, &c))
		return -ENODATA;
	uint64_t from = tail_place(&c, offset, &size);
	/* What lies behind that is not read. */
	if (from > SIZE || size > SIZE - from)
		return -ENODATA;
	return tail_of(bytes + from, (unsigned)size, ret);
}

/* Descriptor `index`, made where the log ends with the one before it; for simulated drives. */
static int component_make(uint8_t *bytes, unsigned index, struct component *ret)
{
	uint64_t end = log_end(bytes);

	if (component_find(bytes, index, ret))
		return 0;
	if (index && !component_find(bytes, index - 1, ret))
		return -ERANGE;
	uint64_t at = index ? ret->at + HEADER + ret->date_lot + ret->additional : FIRST;
	if (at + HEADER > SIZE || (end && end != FIRST && end != at))
		return -ERANGE;
	int r = log_size_put(bytes, at + HEADER);
	if (r < 0)
		return r;
	memset(bytes + at, 0, HEADER);
	*ret = (struct component){ .at = (unsigned)at };
	return 0;
}

static int id_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	struct component c;
	unsigned index, offset;

	if (v->type != VALUE_INTEGER)
		return -EINVAL;
	row_place(at, &index, &offset);
	if (v->integer < 0 || v->integer > UINT32_MAX)
		return -ERANGE;
	int r = component_make(bytes, index, &c);
	if (r == 0)
		bytes_put(bytes + c.at + offset, f->size, (uint64_t)v->integer);
	return r;
}

static int text_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	struct component c;
	unsigned index, offset;

	if (v->type != VALUE_TEXT)
		return -EINVAL;
	row_place(at, &index, &offset);
	if (strlen(v->text) > f->size)
		return -ERANGE;
	int r = component_make(bytes, index, &c);
	if (r == 0) {
		memset(bytes + c.at + offset, ' ', f->size);
		memcpy(bytes + c.at + offset, v->text, strlen(v->text));
	}
	return r;
}

/* Only behind the last descriptor, so that none has to move. */
static int tail_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	struct component c;
	unsigned index, offset;
	uint64_t size, length = (strlen(v->text) + 3) / 4 * 4;

	(void)f;
	if (v->type != VALUE_TEXT)
		return -EINVAL;
	row_place(at, &index, &offset);
	int r = component_make(bytes, index, &c);
	if (r < 0)
		return r;
	uint64_t from = tail_place(&c, offset, &size), end = c.at + HEADER + c.date_lot + c.additional;
	if (size || from != end || end != log_end(bytes) || from + length > SIZE)
		return -ERANGE;
	r = log_size_put(bytes, from + length);
	if (r < 0)
		return r;
	memset(bytes + from, ' ', length);
	memcpy(bytes + from, v->text, strlen(v->text));
	bytes_put(bytes + c.at + offset, 8, length / 4);
	return 0;
}

static const struct field_conversion log_size = {
	.decode = log_size_decode, .encode = log_size_encode,
};
static const struct field_conversion id = { .decode = id_decode, .encode = id_encode };
static const struct field_conversion text = { .decode = text_decode, .encode = text_encode };
static const struct field_conversion tail = { .decode = tail_decode, .encode = tail_encode };

#define COMPONENT(offset_, size_, name_, type_, conversion_, help_)                      \
	{ .name = "component_" name_, .kind = FIELD_INFO, .type = type_,                 \
	  .offset = FIRST + offset_, .size = size_, .count = COMPONENTS, .stride = HEADER, \
	  .first = 1, .label = "component", .conversion = &conversion_, .help = help_ }

static const struct field fields[] = {
	{ .name = "log_page_version", .kind = FIELD_INFO, .offset = 0, .size = 2,
	  .help = "Log page version." },
	{ .name = "log_page_guid", .kind = FIELD_INFO, .type = FIELD_HEX_LE, .offset = 16,
	  .size = 16, .help = "Log page GUID as the specification prints it." },
	{ .name = "log_size_bytes", .kind = FIELD_INFO, .offset = LOG_SIZE, .size = 16,
	  .conversion = &log_size, .help = "Size of the whole log." },
	COMPONENT(16, 4, "id", FIELD_NUMBER, id,
		  "What it is, 1 ASIC, 2 NAND, 3 DRAM, 4 PMIC, 5 PCB, 6 capacitor, 7 register, 8 case, 9 "
		  "serial number, 10 country, 11 hardware revision, 12 date of manufacture, from 32768 on "
		  "the vendor's."),
	COMPONENT(20, 8, "manufacturer", FIELD_ASCII, text, "Its manufacturer."),
	COMPONENT(28, 8, "revision", FIELD_ASCII, text, "Its revision."),
	COMPONENT(36, 8, "manufacturer_code", FIELD_ASCII, text, "Its manufacturer's code."),
	COMPONENT(DATE_LOT, 8, "date_lot", FIELD_ASCII, tail, "Date or lot code, text or hexadecimal."),
	COMPONENT(ADDITIONAL, 8, "additional", FIELD_ASCII, tail,
		  "Additional information, text or hexadecimal."),
};

static enum page_presence presence(const struct page_facts *facts)
{
	return ocp_presence(facts, OCP_2_5, OCP_NEWEST);
}

const struct page ocp_hardware_components_page = {
	.name = "ocp_hardware_components",
	.title = "OCP Hardware Component Log (log page C6h)",
	.prefix = "ocp",
	.command = PAGE_LOG,
	.id = 0xc6,
	.size = SIZE,
	.cadence = CADENCE_ATTACH,
	.uuid = ocp_uuid,
	.guid = guid,
	.guid_offset = 16,
	.version_offset = 0,
	.version_size = 2,
	.presence = presence,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
