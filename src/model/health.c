/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/health.h"

#include "nvmewatch/cleanup.h"

/* Critical warning, SMART byte 0 (NVMe Base 2.3, 5.2.12.1.3): data at risk first. */
static const struct {
	uint8_t bit;
	enum health_status status;
	const char *reason;
} warnings[] = {
	{ 3, HEALTH_CRITICAL, "all media are read-only" },
	{ 2, HEALTH_CRITICAL, "reliability is degraded" },
	{ 0, HEALTH_CRITICAL, "available spare is below its threshold" },
	{ 4, HEALTH_CRITICAL, "volatile memory backup has failed" },
	{ 1, HEALTH_WARNING, "temperature is past a threshold" },
	{ 5, HEALTH_WARNING, "the persistent memory region is unreliable or read-only" },
	{ 6, HEALTH_WARNING, "the personality state is indeterminate" },
};

static void health_add(struct health *h, enum health_status status, const char *reason)
{
	if (h->n_reasons < HEALTH_REASONS_MAX)
		h->reasons[h->n_reasons++] = reason;
	if (status > h->status)
		h->status = status;
}

void health_assess(const uint8_t *smart, const struct drive *d, struct health *ret)
{
	struct health h = { .status = HEALTH_OK };

	if (!d->present)
		health_add(&h, HEALTH_UNKNOWN, "the drive is gone");
	else if (d->lent)
		health_add(&h, HEALTH_UNKNOWN, "another driver has the drive");
	else if (!d->responding)
		health_add(&h, HEALTH_CRITICAL, "the drive does not respond");
	else if (!smart)
		health_add(&h, HEALTH_UNKNOWN, "no fresh SMART data");
	if (d->present && !d->lent && !d->responding && d->reason[0])
		health_add(&h, HEALTH_CRITICAL, d->reason);
	/* A gone drive's last page says nothing about now. */
	for (size_t i = 0; d->present && smart && i < ELEMENTS(warnings); i++)
		if (smart[0] >> warnings[i].bit & 1)
			health_add(&h, warnings[i].status, warnings[i].reason);
	*ret = h;
}

const char *health_status_name(enum health_status status)
{
	switch (status) {
	case HEALTH_OK: return "ok";
	case HEALTH_WARNING: return "warning";
	case HEALTH_CRITICAL: return "critical";
	case HEALTH_UNKNOWN: break;
	}
	return "unknown";
}
