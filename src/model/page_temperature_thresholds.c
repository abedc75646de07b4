/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Temperature Threshold, feature 04h (NVMe Base 2.3, 5.2.26.1.3): at which temperatures the drive raises
 * its warning, over and under, of the composite temperature (number 0) and of every sensor that it
 * reports. Two pages of one file, as they differ in a bit of the command only. NVMe 1.1 and before had
 * the composite's upper one alone, and do not look at what selects another. */

#include <errno.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define VER_1_2 0x10200
#define THSEL_UNDER (1u << 20)
#define TMPSEL_MASK 0xf0000u
#define SENSORS 8
#define SMART_SENSORS 200 /* offset in log page 02h, two bytes each, 0: there is none */

/* 0 and FFFFh are "no threshold". */
#define THRESHOLD(name_, help_)                                                          \
	{ .name = name_, .kind = FIELD_GAUGE, .size = 4, .bits = 16, .bias = -273,       \
	  .absent = ABSENT_ZERO, .min = 200, .max = 500, .full = true, .help = help_ }
#define HYSTERESIS(name_)                                                                \
	{ .name = name_, .size = 4, .shift = 22, .bits = 3,                              \
	  .help = "Degrees by which the temperature must be back before the warning ends." }

/* Whether it can select; -EAGAIN: not known yet. */
static int selects(const struct page_facts *facts)
{
	int64_t version;

	if (!facts_bytes(facts, &identify_page))
		return -EAGAIN;
	return facts_integer(facts, &identify_page, "ver", &version) && version >= VER_1_2;
}

static int sensors(const struct page_facts *facts, uint32_t *ret, unsigned most)
{
	const uint8_t *smart = facts_bytes(facts, &smart_page);
	int several = selects(facts);
	unsigned n = 0;

	if (several < 0 || !smart)
		return -EAGAIN;
	ret[n++] = 0;
	for (unsigned i = 0; several && i < SENSORS && n < most; i++)
		if (bytes_get(smart + SMART_SENSORS + 2 * i, 2))
			ret[n++] = i + 1;
	return (int)n;
}

static enum page_presence under_presence(const struct page_facts *facts)
{
	int several = selects(facts);

	return several < 0 ? PAGE_LATER : several ? PAGE_POSSIBLE : PAGE_LACKED;
}

static const struct field over_fields[] = {
	THRESHOLD("over_temperature_threshold_celsius",
		  "Temperature from which on the drive warns, of a sensor, 0 the composite."),
	HYSTERESIS("over_temperature_hysteresis_celsius"),
};

static const struct field under_fields[] = {
	THRESHOLD("under_temperature_threshold_celsius",
		  "Temperature below which the drive warns, of a sensor, 0 the composite."),
	HYSTERESIS("under_temperature_hysteresis_celsius"),
};

#define PAGE(name_, what_)                                                               \
	.name = name_, .title = "Temperature Threshold, " what_ " (feature 04h)",        \
	.prefix = "drive", .command = PAGE_FEATURE, .id = 0x04, .size = 4,               \
	.cadence = CADENCE_SLOW, .may_be_zero = true, .selector = SELECT_CDW11,          \
	.cdw11_instance = TMPSEL_MASK, .instance = "sensor", .instances = sensors

const struct page over_temperature_threshold_page = {
	PAGE("over_temperature_threshold", "over"),
	.fields = over_fields,
	.n_fields = ELEMENTS(over_fields),
};

const struct page under_temperature_threshold_page = {
	PAGE("under_temperature_threshold", "under"),
	.cdw11 = THSEL_UNDER,
	.presence = under_presence,
	.fields = under_fields,
	.n_fields = ELEMENTS(under_fields),
};
