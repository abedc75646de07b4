/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "spark.h"

#include "nvmewatch/cleanup.h"

static bool is_less(const json_t *a, const json_t *b)
{
	if (json_is_integer(a) && json_is_integer(b))
		return json_integer_value(a) < json_integer_value(b);
	return json_number_value(a) < json_number_value(b);
}

void spark_look(const json_t *values, struct spark *ret)
{
	*ret = (struct spark){ 0 };
	for (size_t i = 0; i < json_array_size(values); i++) {
		const json_t *value = json_array_get(values, i);

		if (!json_is_number(value))
			continue;
		if (!ret->least || is_less(value, ret->least))
			ret->least = value;
		if (!ret->greatest || is_less(ret->greatest, value))
			ret->greatest = value;
	}
}

/* The mean of what is in [from, to). False: nothing is. */
static bool mean_of(const json_t *values, size_t from, size_t to, double *ret)
{
	double sum = 0;
	size_t n = 0;

	for (size_t i = from; i < to; i++) {
		const json_t *value = json_array_get(values, i);

		if (!json_is_number(value))
			continue;
		sum += json_number_value(value);
		n++;
	}
	if (n)
		*ret = sum / (double)n;
	return n > 0;
}

static void bar(double height, bool utf8, struct buffer *out)
{
	static const char *const blocks[] = { "\u2581", "\u2582", "\u2583", "\u2584",
					      "\u2585", "\u2586", "\u2587", "\u2588" };
	static const char *const plain[] = { "_", ".", "-", "~", "=", "+", "*", "#" };
	int level = height > 0 ? (int)(height * ELEMENTS(blocks)) : 0;

	if (level >= (int)ELEMENTS(blocks))
		level = ELEMENTS(blocks) - 1;
	buffer_text(out, utf8 ? blocks[level] : plain[level]);
}

void spark_draw(const json_t *values, const struct spark *s, bool utf8, struct buffer *out)
{
	size_t n = json_array_size(values), width = n < SPARK_WIDTH ? n : SPARK_WIDTH;
	double least = json_number_value(s->least), mean;
	double range = json_number_value(s->greatest) - least;

	for (size_t i = 0; i < width; i++)
		if (!mean_of(values, i * n / width, (i + 1) * n / width, &mean))
			buffer_text(out, " ");
		else
			bar(range > 0 ? (mean - least) / range : 0, utf8, out);
}
