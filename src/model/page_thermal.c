/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What the collector makes of a drive's pages with regard to heat (thermal.c, trend.c). No page of any drive. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"
#include "nvmewatch/thermal.h"
#include "thermal_bytes.h"

/* What page 02h does not believe is not believed here. */
#define KELVIN .bias = -273, .absent = ABSENT_ZERO, .min = 200, .max = 400

static int reason_decode(const struct field *f, const uint8_t *bytes, unsigned at, struct value *ret)
{
	(void)f;
	if (bytes[at] == THROTTLE_NONE || bytes[at] >= THROTTLE_REASONS)
		return -ENODATA;
	ret->type = VALUE_TEXT;
	snprintf(ret->text, sizeof(ret->text), "%s", throttle_reason_name(bytes[at]));
	return 0;
}

static int reason_encode(const struct field *f, const struct value *v, uint8_t *bytes, unsigned at)
{
	(void)f;
	if (v->type == VALUE_ABSENT) {
		bytes[at] = THROTTLE_NONE;
		return 0;
	}
	for (unsigned i = 1; v->type == VALUE_TEXT && i < THROTTLE_REASONS; i++)
		if (!strcmp(throttle_reason_name(i), v->text)) {
			bytes[at] = (uint8_t)i;
			return 0;
		}
	return -EINVAL;
}

static const struct field_conversion reason = { .decode = reason_decode, .encode = reason_encode };

static const struct field fields[] = {
	{ .name = "headroom_celsius", .kind = FIELD_GAUGE, .offset = THERMAL_HEADROOM, .size = 2,
	  .bias = -HEADROOM_BIAS, .absent = ABSENT_ZERO,
	  .help = "Degrees from the composite temperature to the drive's warning temperature, negative "
		  "above it." },
	{ .name = "throttled", .kind = FIELD_GAUGE, .offset = THERMAL_THROTTLED, .size = 1, .max = 1,
	  .help = "1 while the drive throttles because of heat: its OCP status says so, or its "
		  "throttling counters grow." },
	{ .name = "throttle_reason", .type = FIELD_ASCII, .offset = THERMAL_REASON, .size = 1,
	  .conversion = &reason, .help = "What tells that the drive throttles." },
	{ .name = "throttled_temperature_max_celsius", .offset = THERMAL_MAX, .size = 4, .bias = -273,
	  .absent = ABSENT_ZERO, .help = "Highest composite temperature seen since it throttles." },
	{ .name = "throttled_since_timestamp_seconds", .offset = THERMAL_SINCE, .size = 6, .div = 1000,
	  .absent = ABSENT_ZERO, .help = "When it began to throttle, in Unix time." },
	/* Of page 02h, again: here they are kept at every read. */
	{ .name = "temperature_celsius", .kind = FIELD_GAUGE, .offset = THERMAL_COMPOSITE, .size = 2,
	  KELVIN, .full = true,
	  .help = "Composite temperature, as in SMART / Health Information." },
	{ .name = "sensor_temperature_celsius", .kind = FIELD_GAUGE, .offset = THERMAL_SENSORS, .size = 2,
	  .count = 8, .stride = 2, .first = 1, .label = "sensor", KELVIN, .full = true,
	  .help = "Temperature of one sensor, as in SMART / Health Information." },
	{ .name = "temperature_rise_celsius_per_second", .kind = FIELD_GAUGE, .offset = THERMAL_RISE,
	  .size = 4, .bias = -RISE_BIAS, .div = RISE_SCALE, .absent = ABSENT_ZERO, .full = true,
	  .help = "How fast the composite temperature rises, by its reads of the last ten minutes; 0 where "
		  "it does not change, or by less than two degrees in that time." },
	{ .name = "time_to_warning_seconds", .kind = FIELD_GAUGE, .offset = THERMAL_TO_WARNING, .size = 4,
	  .bias = -1, .absent = ABSENT_ZERO, .full = true,
	  .help = "Time until the composite temperature is the drive's warning temperature if it goes on "
		  "rising as it does, up to a day; absent while it does not rise." },
};

const struct page thermal_page = {
	.name = "thermal",
	.title = "Heat (derived from SMART, OCP SMART and Identify)",
	.prefix = "thermal",
	.command = PAGE_DERIVED,
	.size = THERMAL_SIZE,
	.cadence = CADENCE_SMART,
	.history = true,
	.every_read = true,
	.may_be_zero = true,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
