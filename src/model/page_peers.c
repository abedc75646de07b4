/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* How a drive compares with those of its model in this host (peers.c). No page of any drive, and a drive
 * without two such peers does not have it. History has what it is made of. */

#include <math.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"
#include "nvmewatch/peers.h"

#define BYTES_OF 8 /* one metric: the deviation, 4 bytes, and the drives, 2 */
#define BIAS 200000
#define SCALE 100

#define DEVIATION(metric_, name_)                                                             \
	{ .name = name_ "_deviation", .family = "deviation", .labels = "of=\"" name_ "\"",    \
	  .kind = FIELD_GAUGE, .offset = BYTES_OF * (metric_), .size = 4, .bias = -BIAS,       \
	  .div = SCALE, .absent = ABSENT_ZERO, .full = true,                                   \
	  .help = "How far the drive is from the median of those of its model in this host, in " \
		  "robust standard deviations." }
#define GROUP(metric_, name_)                                                                 \
	{ .name = name_ "_drives", .family = "drives", .labels = "of=\"" name_ "\"",          \
	  .kind = FIELD_GAUGE, .offset = BYTES_OF * (metric_) + 4, .size = 2,                  \
	  .absent = ABSENT_ZERO, .full = true,                                                 \
	  .help = "So many drives of its model, itself among them, have the value." }

static const struct field fields[] = {
	DEVIATION(PEER_TEMPERATURE, "temperature"),
	DEVIATION(PEER_READ_LATENCY, "read_latency"),
	DEVIATION(PEER_WRITE_LATENCY, "write_latency"),
	DEVIATION(PEER_WRITE_AMPLIFICATION, "write_amplification"),
	GROUP(PEER_TEMPERATURE, "temperature"),
	GROUP(PEER_READ_LATENCY, "read_latency"),
	GROUP(PEER_WRITE_LATENCY, "write_latency"),
	GROUP(PEER_WRITE_AMPLIFICATION, "write_amplification"),
};

const struct page peers_page = {
	.name = "peers",
	.title = "Comparison with drives of the same model (derived from other pages)",
	.prefix = "peers",
	.command = PAGE_DERIVED,
	.size = BYTES_OF * PEER_METRICS,
	.cadence = CADENCE_OCP,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};

void peers_put(const struct peer_report *r, uint8_t *bytes)
{
	for (enum peer_metric i = 0; i < PEER_METRICS; i++) {
		unsigned drives = r->of[i].drives > UINT16_MAX ? UINT16_MAX : r->of[i].drives;
		int64_t deviation = drives ? llround(r->of[i].deviation * SCALE) + BIAS : 0;

		bytes_put(bytes + BYTES_OF * i, 4, (uint64_t)deviation);
		bytes_put(bytes + BYTES_OF * i + 4, 4, drives);
	}
}
