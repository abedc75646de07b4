/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Supported Log Pages, log page 00h (NVMe Base 2.3, 5.2.12.1.1): which pages may be asked for. */

#include <errno.h>
#include <stdio.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define LPA_LISTS 5

static enum page_presence presence(const struct page_facts *facts)
{
	return facts_capability(facts, "lpa", LPA_LISTS);
}

/* As "00-03 06 c0-c9". */
static int list_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	int used = 0;

	(void)f;
	for (unsigned lid = 0, last; lid < 256; lid = last + 1) {
		for (last = lid; bytes[at + 4 * last] & 1 && last < 255 && bytes[at + 4 * (last + 1)] & 1;)
			last++;
		if (!(bytes[at + 4 * lid] & 1))
			continue;
		used += snprintf(ret->text + used, sizeof(ret->text) - (size_t)used,
				 last > lid ? "%s%02x-%02x" : "%s%02x", used ? " " : "", lid, last);
		if ((size_t)used >= sizeof(ret->text))
			return -ERANGE;
	}
	if (!used)
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

static int list_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	uint8_t list[1024] = { 0 };
	const char *text = v->type == VALUE_TEXT ? v->text : "";
	unsigned low, high;
	int used = 0;

	(void)f;
	if (v->type != VALUE_TEXT && v->type != VALUE_ABSENT)
		return -EINVAL;
	for (; *text; text += used + (text[used] == ' ')) {
		int n = sscanf(text, "%2x%n-%2x%n", &low, &used, &high, &used);

		if (n < 1)
			return -EINVAL;
		if (n < 2)
			high = low;
		if (high < low || high > 0xff || (text[used] && text[used] != ' '))
			return -EINVAL;
		for (unsigned lid = low; lid <= high; lid++)
			list[4 * lid] = 1;
	}
	for (unsigned lid = 0; lid < 256; lid++)
		bytes[at + 4 * lid] = (uint8_t)((bytes[at + 4 * lid] & ~1) | list[4 * lid]);
	return 0;
}

static const struct field_conversion list = { .decode = list_decode, .encode = list_encode };

static const struct field fields[] = {
	{ .name = "log_pages", .type = FIELD_ASCII, .size = 1024, .conversion = &list,
	  .help = "Log page identifiers that the drive has, hexadecimal, as 00-03 06 c0." },
};

const struct page supported_logs_page = {
	.name = "supported_logs",
	.title = "Supported Log Pages (log page 00h)",
	.prefix = "drive",
	.command = PAGE_LOG,
	.id = 0x00,
	.size = 1024,
	.cadence = CADENCE_ATTACH,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
	.presence = presence,
};
