/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "sheet_format.h"

static bool same_group(const struct sheet *s, size_t a, size_t b)
{
	return sheet_fixed(s, a, SHEET_DRIVE) == sheet_fixed(s, b, SHEET_DRIVE) &&
	       sheet_fixed(s, a, SHEET_INSTANCE) == sheet_fixed(s, b, SHEET_INSTANCE);
}

void sheet_groups(const struct sheet *s, size_t column, const uint8_t *present, uint32_t *starts,
		  struct groups *ret)
{
	bool split = column > SHEET_INSTANCE;
	size_t groups = 0, last = 0;
	uint32_t n = 0;

	for (size_t i = 0; i < s->n_rows; i++) {
		if (present && !present[i])
			continue;
		if (n == 0 || (split && !same_group(s, last, i)))
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
