/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One row per value.
 *
 * A struct field says where a value lies in the bytes of a log page and what it means. The same
 * row decodes those bytes, encodes them again (simulated drives), names the SQLite column, the
 * JSON key, the Prometheus family and the entry in nvmewatch-metrics(7). Adding a value is adding
 * a row. Everything here is pure: no I/O, no clock, any thread. */

#include <stdbool.h>
#include <stdint.h>

#define FIELD_TEXT_MAX 256   /* longest text on any page: SUBNQN */
#define FIELD_COLUMN_MAX 64  /* longest column name with its index, NUL included */

enum field_kind {
	FIELD_INFO,    /* known to REST and history, no series of its own */
	FIELD_GAUGE,
	FIELD_COUNTER, /* only grows over the life of the drive, but for resets */
};

enum field_type {
	FIELD_NUMBER, /* little-endian unsigned, up to 16 bytes */
	FIELD_ASCII,  /* fixed width, padded with spaces, no terminator */
	FIELD_STRING, /* UTF-8, padded with NUL */
	FIELD_HEX,    /* bytes in display order, shown as lower-case hexadecimal */
	FIELD_HEX_LE, /* the same, stored in reverse order */
};

enum field_absent {
	ABSENT_NEVER = 0,
	ABSENT_ZERO = 1 << 0, /* all bits 0: not reported */
	ABSENT_ONES = 1 << 1, /* all bits 1: not reported */
};

enum value_type {
	VALUE_ABSENT, /* the drive does not report it */
	VALUE_INTEGER,
	VALUE_REAL,
	VALUE_TEXT,
};

struct value {
	enum value_type type;
	union {
		int64_t integer;
		double real;
	};
	char text[FIELD_TEXT_MAX + 1]; /* valid UTF-8, trimmed; only set for VALUE_TEXT */
};

struct field;

/* For the few values that need more than a scale: a unit that is named by other bits, a validity
 * that depends on another field. `bytes` is the whole page, `at` the element's offset in it. */
struct field_conversion {
	/* 0, -ENODATA (not reported) or -ERANGE (does not fit). */
	int (*decode)(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret);
	/* 0 or -ERANGE. VALUE_ABSENT writes what makes decode() say -ENODATA. */
	int (*encode)(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at);
	bool real; /* yields VALUE_REAL */
};

struct field {
	const char *name; /* SQLite column and JSON key, [a-z0-9_]+, with the base unit as suffix */
	const char *help; /* one full sentence: HELP line, API description, manual */
	enum field_kind kind;
	enum field_type type;
	uint16_t offset; /* bytes from the start of the page */
	uint16_t size;   /* bytes */
	uint8_t shift;   /* with .bits: the lowest bit */
	uint8_t bits;    /* 0: the whole number; else only so many bits of it */
	uint8_t absent;  /* enum field_absent, on the bits taken */
	const char *zero_where; /* with ABSENT_ZERO: the number of Identify Controller whose bit 0 says that
				 * this drive counts, see page_decode_identified() */
	uint8_t item;      /* in a list of items: the id of the one that holds it, from whose start .offset
			    * counts; 0: it has its place in the page */
	uint8_t item_size; /* bytes from one item to the next */
	uint8_t since;   /* lowest log page version that has the field; 0: every version */
	uint8_t count;   /* 0: a single value; else an array of so many */
	uint8_t first;   /* the index of the array's first element, as people know it */
	uint16_t stride; /* bytes from one element to the next */
	const char *label;  /* arrays: the label that carries the index */
	const char *family; /* Prometheus family where it differs from .name */
	const char *labels; /* constant labels within .family, as `limit="warning"` */
	bool full;          /* exported with serve.metrics=full only */
	uint64_t min, max;  /* raw values outside are not plausible, hence absent; max 0: no bound */
	/* value = (raw + bias) * mul / div; 0 stands for 1. Integer unless div is set. */
	int64_t bias, mul, div;
	/* Whether the page says that element `index` is there at all; NULL: always. */
	bool (*reported)(const uint8_t *bytes, unsigned index);
	const struct field_conversion *conversion;
};

/* How many values the row stands for: 1, or the array's length. */
unsigned field_count(const struct field *f);

/* The column (and JSON key) of element `index`: the name, for arrays with the number appended. */
void field_column(const struct field *f, unsigned index, char ret[static FIELD_COLUMN_MAX]);

/* What a present value's type is: VALUE_INTEGER, VALUE_REAL or VALUE_TEXT. */
enum value_type field_value_type(const struct field *f);

/* The family's name without prefix and `_total`. */
const char *field_family(const struct field *f);

/* Whether a drive can report more than 64 bits hold, so that decoding may end in -ERANGE. */
bool field_may_overflow(const struct field *f);

/* Decodes element `index` from the bytes of its page. Returns 0, -ENODATA (not reported, or not
 * plausible) or -ERANGE (does not fit into 64 bits). *ret is written in every case. */
int field_decode(const struct field *f, unsigned index, const uint8_t *bytes, struct value *ret);

/* The inverse, for simulated drives and tests. Numbers are rounded to the drive's unit. Returns 0,
 * -ERANGE (does not fit the field) or -EINVAL (wrong type, or the field cannot be absent).
 * The page is untouched on failure. */
int field_encode(const struct field *f, unsigned index, const struct value *v, uint8_t *bytes);

/* Little-endian numbers of 1 to 8 bytes, unaligned, for code that looks at a page directly. */
uint64_t bytes_get(const uint8_t *bytes, unsigned size);
void bytes_put(uint8_t *bytes, unsigned size, uint64_t value);
