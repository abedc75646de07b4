/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Active Namespace ID List, Identify CNS 02h (NVMe Base 2.3, 5.2.13.2.2): the namespaces attached to
 * the controller. Never a loop over NN, which may be four billion. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define VER_1_1 0x10100
#define UNLISTED_MAX 16 /* namespaces of drives that cannot list them */

static enum page_presence presence(const struct page_facts *facts)
{
	int64_t version;

	if (!facts_bytes(facts, &identify_page))
		return PAGE_LATER;
	/* Drives that do not tell their version are of 1.1 or before, and may lack the list. */
	return facts_integer(facts, &identify_page, "ver", &version) && version >= VER_1_1 ? PAGE_POSSIBLE
											   : PAGE_LACKED;
}

/* NVMe 1.0 has no list: its namespaces are 1 to NN. */
static int numbered(const struct page_facts *facts, uint32_t *ret, unsigned most)
{
	int64_t nn = 0;
	unsigned n = 0;

	if (!facts_bytes(facts, &identify_page))
		return -EAGAIN;
	(void)facts_integer(facts, &identify_page, "nn", &nn);
	while (n < most && n < UNLISTED_MAX && n < nn) {
		ret[n] = n + 1;
		n++;
	}
	return (int)n;
}

int facts_namespaces(const struct page_facts *facts, uint32_t *ret, unsigned most)
{
	bool settled;
	const uint8_t *list = facts->bytes(facts->userdata, &namespaces_page, &settled);
	unsigned n = 0;

	if (!list)
		return settled ? numbered(facts, ret, most) : -EAGAIN;
	for (; n < most && n < namespaces_page.size / 4u; n++) {
		ret[n] = (uint32_t)bytes_get(list + 4 * n, 4);
		if (!ret[n] || ret[n] == UINT32_MAX || (n && ret[n] <= ret[n - 1]))
			break;
	}
	return (int)n;
}

/* As "1 2 5", in the order of the list, which ends with a 0. */
static int list_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	int used = 0;

	for (unsigned i = 0; i < f->size / 4u && bytes_get(bytes + at + 4 * i, 4); i++) {
		used += snprintf(ret->text + used, sizeof(ret->text) - (size_t)used, "%s%u",
				 used ? " " : "", (unsigned)bytes_get(bytes + at + 4 * i, 4));
		if ((size_t)used >= sizeof(ret->text))
			return -ENODATA; /* too many to be told in a line; each has a page of its own */
	}
	if (!used)
		return -ENODATA;
	ret->type = VALUE_TEXT;
	return 0;
}

static int list_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	const char *text = v->type == VALUE_TEXT ? v->text : "";
	uint8_t list[4096] = { 0 };
	unsigned nsid, n = 0;
	int used;

	if (v->type != VALUE_TEXT && v->type != VALUE_ABSENT)
		return -EINVAL;
	for (; *text; text += used + (text[used] == ' ')) {
		if (sscanf(text, "%u%n", &nsid, &used) != 1 || (text[used] && text[used] != ' '))
			return -EINVAL;
		bytes_put(list + 4 * n++, 4, nsid);
	}
	memcpy(bytes + at, list, f->size);
	return 0;
}

static const struct field_conversion list = { .decode = list_decode, .encode = list_encode };

static const struct field fields[] = {
	{ .name = "nsids", .type = FIELD_ASCII, .size = 4096, .conversion = &list,
	  .help = "Ids of the namespaces attached to this controller, as 1 2 5." },
};

const struct page namespaces_page = {
	.name = "namespaces",
	.title = "Active Namespace ID List (Identify CNS 02h)",
	.prefix = "drive",
	.command = PAGE_IDENTIFY,
	.id = 0x02,
	.size = 4096,
	/* Linux tells of no event when one was created or deleted. */
	.cadence = CADENCE_SLOW,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
	.presence = presence,
};
