/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What an answer is made from: the last publication, seen at one moment. Decides what may still be
 * shown as live, for the exposition and the API alike. Pure, any thread. */

#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/health.h"
#include "nvmewatch/now.h"

struct view {
	const struct now_snapshot *snapshot; /* NULL: there is no publication to be had */
	bool up;      /* the collector lives */
	int64_t mono; /* the moment, CLOCK_BOOTTIME in µs */
};

/* The publication (or NULL) as it stands at that moment of the boot with that id. */
struct view view_make(const struct now_snapshot *s, const char *boot_id, int64_t mono);

/* What is known of a page of a drive, fresh or not; never NULL. Of the first instance, where there are
 * several; the others hang behind it. */
const struct now_page *view_known(const struct now_drive *d, const struct page *p);

/* The same of one instance; NULL: there is none. */
const struct now_page *view_instance(const struct now_drive *d, const struct page *p, uint32_t instance);

/* The bytes of a page or instance whose values are live, else NULL: the collector lives, the drive is
 * present and the page is no older than its cadence allows. */
const uint8_t *view_live(const struct view *v, const struct now_drive *d, const struct now_page *known);

/* view_live() of view_known(). */
const uint8_t *view_bytes(const struct view *v, const struct now_drive *d, const struct page *p);

/* The last moment at which that page is live; INT64_MAX: it never ages. Only for live pages. */
int64_t view_page_until(const struct now_page *known);

/* The last moment at which the collector counts as alive. Only while it does. */
int64_t view_collector_until(const struct view *v);

/* page_decode() of bytes of that drive. */
int view_decode(const struct now_drive *d, const struct page *p, const struct field *f, unsigned index,
		const uint8_t *bytes, struct value *ret);

/* A live value by its column. True where there is one. */
bool view_value(const struct view *v, const struct now_drive *d, const struct page *p,
		const char *column, struct value *ret);

/* The capacity as the controller (TNVMCAP), else its namespaces, else the kernel say. Returns who did:
 * "tnvmcap", "namespaces" or "kernel", which alone knows all namespaces where controllers have some of
 * their own; NULL: nobody does. */
const char *view_capacity(const struct now_drive *d, int64_t *ret);

void view_health(const struct view *v, const struct now_drive *d, struct health *ret);
