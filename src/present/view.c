/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/view.h"

struct view view_make(const struct now_snapshot *s, const char *boot_id, int64_t mono)
{
	return (struct view){
		.snapshot = s, .up = s && now_collector_is_up(s, boot_id, mono), .mono = mono,
	};
}

const struct now_page *view_known(const struct now_drive *d, const struct page *p)
{
	return &d->pages[page_index(p)];
}

const struct now_page *view_instance(const struct now_drive *d, const struct page *p, uint32_t instance)
{
	const struct now_page *known = view_known(d, p);

	while (known && known->instance != instance)
		known = known->more;
	return known;
}

const uint8_t *view_live(const struct view *v, const struct now_drive *d, const struct now_page *known)
{
	if (!v->up || !d->drive.present || (known->known && !known->supported))
		return NULL;
	return now_page_is_live(d, known, v->mono) ? known->bytes : NULL;
}

const uint8_t *view_bytes(const struct view *v, const struct now_drive *d, const struct page *p)
{
	return view_live(v, d, view_known(d, p));
}

/* The last moment at which now_is_fresh() holds. */
static int64_t fresh_until(int64_t mono, uint64_t cadence_us)
{
	int64_t until;

	if (now_is_fresh(mono, cadence_us, INT64_MAX) ||
	    cadence_us > INT64_MAX / 3 ||
	    __builtin_add_overflow(mono, (int64_t)(3 * cadence_us), &until))
		return INT64_MAX;
	return until;
}

int64_t view_page_until(const struct now_page *known)
{
	/* What is read once holds until a publication says that its drive fell silent. */
	return known->cadence_us ? fresh_until(known->mono, known->cadence_us) : INT64_MAX;
}

int64_t view_collector_until(const struct view *v)
{
	return fresh_until(v->snapshot->mono, v->snapshot->cadence_us);
}

int view_decode(const struct now_drive *d, const struct page *p, const struct field *f, unsigned index,
		const uint8_t *bytes, struct value *ret)
{
	return page_decode_identified(p, f, index, bytes, view_known(d, &identify_page)->bytes, ret);
}

bool view_value(const struct view *v, const struct now_drive *d, const struct page *p,
		const char *column, struct value *ret)
{
	const uint8_t *bytes = view_bytes(v, d, p);
	unsigned index;
	const struct field *f = bytes ? page_field(p, column, &index) : NULL;

	return f && view_decode(d, p, f, index, bytes, ret) == 0;
}

/* TNVMCAP. A fact, so a drive that fell silent keeps it, as it does its namespaces. */
static bool total_capacity(const struct now_drive *d, int64_t *ret)
{
	return page_integer(&identify_page, view_known(d, &identify_page)->bytes, "tnvmcap_bytes", ret);
}

/* The sum of all namespaces; part of them is no answer. */
static bool namespaces_capacity(const struct now_drive *d, int64_t *ret)
{
	int64_t sum = 0, size;

	for (const struct now_page *known = view_known(d, &namespace_page); known; known = known->more)
		if (!page_integer(&namespace_page, known->bytes, "size_bytes", &size) ||
		    __builtin_add_overflow(sum, size, &sum))
			return false;
	*ret = sum;
	return true;
}

/* The pages are those of one controller; another may have namespaces that this one has not, and only the
 * kernel knows them all. */
static bool others_have_more(const struct now_drive *d, int64_t sum)
{
	return d->drive.n_paths > 1 && d->drive.capacity_bytes > (uint64_t)sum;
}

const char *view_capacity(const struct now_drive *d, int64_t *ret)
{
	if (total_capacity(d, ret))
		return "tnvmcap";
	/* Drives without namespace management need not report it. */
	if (namespaces_capacity(d, ret) && !others_have_more(d, *ret))
		return "namespaces";
	if (!d->drive.capacity_bytes || d->drive.capacity_bytes > INT64_MAX)
		return NULL;
	*ret = (int64_t)d->drive.capacity_bytes;
	return "kernel";
}

void view_health(const struct view *v, const struct now_drive *d, struct health *ret)
{
	if (!v->up)
		*ret = (struct health){
			.status = HEALTH_UNKNOWN,
			.reasons = { "the collector is not running" },
			.n_reasons = 1,
		};
	else
		health_assess(view_bytes(v, d, &smart_page), &d->drive, ret);
}
