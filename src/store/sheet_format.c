/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sheet_format.h"

static bool same_group(const struct sheet *s, size_t a, size_t b)
{
	return sheet_fixed(s, a, SHEET_DRIVE) == sheet_fixed(s, b, SHEET_DRIVE) &&
	       sheet_fixed(s, a, SHEET_INSTANCE) == sheet_fixed(s, b, SHEET_INSTANCE);
}

static bool one_group(const struct sheet *s)
{
	const int64_t *drives = s->columns[SHEET_DRIVE].values;
	const int64_t *instances = s->columns[SHEET_INSTANCE].values;
	int64_t any = 0;

	for (size_t i = 1; i < s->n_rows; i++)
		any |= (drives[i] ^ drives[0]) | (instances[i] ^ instances[0]);
	return any == 0;
}

static size_t count_rows(const struct sheet *s, const uint8_t *present)
{
	size_t n = 0;

	for (size_t i = 0; present && i < s->n_rows; i++)
		n += present[i];
	return present ? n : s->n_rows;
}

void sheet_groups(const struct sheet *s, size_t column, const uint8_t *present, uint32_t *starts,
		  struct groups *ret)
{
	size_t groups = 0, last = 0;
	uint32_t n = 0;

	/* A day of one drive. */
	if (column <= SHEET_INSTANCE || one_group(s)) {
		starts[0] = 0;
		starts[1] = (uint32_t)count_rows(s, present);
		*ret = (struct groups){ .n = starts[1] > 0, .starts = starts };
		return;
	}
	for (size_t i = 0; i < s->n_rows; i++) {
		if (present && !present[i])
			continue;
		if (n == 0 || !same_group(s, last, i))
			starts[groups++] = n;
		last = i;
		n++;
	}
	starts[groups] = n;
	*ret = (struct groups){ .n = groups, .starts = starts };
}

void sheet_relate(const struct sheet *s, const uint8_t *present, uint64_t *numbers, bool add)
{
	const int64_t *times = s->columns[SHEET_TIME].values;
	size_t k = 0;

	for (size_t i = 0; i < s->n_rows; i++)
		if (!present || present[i]) {
			uint64_t time = (uint64_t)times[i];
			numbers[k++] += add ? time : 0 - time;
		}
}
