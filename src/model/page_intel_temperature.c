/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Temperature statistics of Intel and Solidigm drives: log page C5h of those that came before OCP, D5h
 * of those that have Solidigm's UUID in their UUID list. One layout, two pages. */

#include "nvmewatch/cleanup.h"
#include "vendor.h"

/* Degrees in 64 bits; what no sensor can tell is not a temperature. */
#define DEGREES .absent = ABSENT_ZERO, .max = 200

#define FIELDS(by_)                                                                      \
	{ .name = "temperature_celsius", .kind = FIELD_GAUGE, .offset = 0, .size = 8, DEGREES, \
	  .full = true, .help = "Temperature of the drive" by_ },                        \
	{ .name = "overtemperature_last_raw", .kind = FIELD_GAUGE, .offset = 8, .size = 8, \
	  .full = true, .help = "Critical overtemperature since power-on" by_ },         \
	{ .name = "overtemperature_life_raw", .kind = FIELD_GAUGE, .offset = 16, .size = 8, \
	  .full = true, .help = "Critical overtemperature ever" by_ },                   \
	{ .name = "temperature_highest_celsius", .kind = FIELD_GAUGE, .offset = 24, .size = 8, \
	  DEGREES, .full = true, .help = "Highest temperature ever" by_ },               \
	{ .name = "temperature_lowest_celsius", .kind = FIELD_GAUGE, .offset = 32, .size = 8, \
	  DEGREES, .full = true, .help = "Lowest temperature ever" by_ },                \
	{ .name = "operating_temperature_max_celsius", .kind = FIELD_GAUGE, .offset = 80, .size = 8, \
	  DEGREES, .full = true, .help = "Highest operating temperature allowed" by_ },  \
	{ .name = "operating_temperature_min_celsius", .kind = FIELD_GAUGE, .offset = 88, .size = 8, \
	  .max = 200, .full = true, .help = "Lowest operating temperature allowed" by_ }, \
	{ .name = "temperature_offset_celsius", .kind = FIELD_GAUGE, .offset = 96, .size = 8, \
	  .max = 200, .full = true, .help = "Estimated offset of the sensor" by_ }

static const struct field intel_fields[] = { FIELDS(" (Intel).") };
static const struct field solidigm_fields[] = { FIELDS(" (Solidigm).") };

static enum page_presence solidigm_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_intel_presence(facts);

	return maker == PAGE_POSSIBLE ? vendor_has_uuid(facts, solidigm_uuid) : maker;
}

/* Not where D5h is, nor where C5h is OCP's. */
static enum page_presence intel_presence(const struct page_facts *facts)
{
	enum page_presence maker = vendor_intel_presence(facts), newer;

	if (maker != PAGE_POSSIBLE)
		return maker;
	newer = vendor_has_uuid(facts, solidigm_uuid);
	if (newer != PAGE_LACKED)
		return newer == PAGE_POSSIBLE ? PAGE_LACKED : newer;
	return vendor_lacks_ocp(facts);
}

const struct page intel_temperature_page = {
	.name = "intel_temperature",
	.title = "Intel temperature statistics (log page C5h)",
	.prefix = "intel",
	.command = PAGE_LOG,
	.id = 0xc5,
	.size = 104,
	.cadence = CADENCE_SLOW,
	.presence = intel_presence,
	.fields = intel_fields,
	.n_fields = ELEMENTS(intel_fields),
};

const struct page solidigm_temperature_page = {
	.name = "solidigm_temperature",
	.title = "Solidigm temperature statistics (log page D5h)",
	.prefix = "solidigm",
	.command = PAGE_LOG,
	.id = 0xd5,
	.size = 104,
	.cadence = CADENCE_SLOW,
	.uuid = solidigm_uuid,
	.presence = solidigm_presence,
	.fields = solidigm_fields,
	.n_fields = ELEMENTS(solidigm_fields),
};
