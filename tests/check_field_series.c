/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The field table as Prometheus sees it: families, units, labels. */

#include "field_rows.h"

/* A series' unit is the end of its name; what has none is counted in these. */
static const char *const units[] = {
	"_bytes", "_seconds", "_celsius", "_ratio", "_watts", "_joules", "_transfers_per_second", "_celsius_per_second",
};
static const char *const counted[] = {
	"_blocks", "_commands", "_cycles", "_dies", "_entries", "_errors", "_events", "_failures",
	"_ios", "_reads", "_recoveries", "_retrains", "_shutdowns", "_starts", "_timeouts",
	"_transitions", "_changes", "refreshes", "_offline", "_width", "panics",
	"samples", "errors_logged", "completed", "merged", "in_flight", "bytes",
	"drive_writes_per_day", "drives", "deviation",
};
/* States: 0 or 1, or a level, or the byte as it is. */
static const char *const states[] = { "critical_warning", "panic", "throttled", "_non_operational", "_raw",
	"power_state", "apst_enabled",
	"self_test_operation", "sanitize_status", "firmware_slot_active", "firmware_slot_next" };

static bool ends_with_any(const char *name, const char *const *ends, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (ends_with(name, ends[i]) || !strcmp(name, ends[i]))
			return true;
	return false;
}

static bool has_series(const struct row *r)
{
	return r->field->kind != FIELD_INFO && r->field->type == FIELD_NUMBER;
}

/* The whole name but for `_total`. */
static void series_name(const struct row *r, char ret[static 256])
{
	snprintf(ret, 256, "%s_%s", r->page->prefix, field_family(r->field));
}

static bool same_family(const struct row *a, const struct row *b)
{
	char x[256], y[256];

	series_name(a, x);
	series_name(b, y);
	return has_series(a) && has_series(b) && !strcmp(x, y);
}

/* A vendor's layouts of one id, of which a drive has one, may share their families. */
static bool exclude_each_other(const struct row *a, const struct row *b)
{
	return a->page != b->page && a->page->command == b->page->command &&
	       a->page->id == b->page->id;
}

START_TEST(test_series_end_in_a_unit)
{
	for (struct row *r = rows; r < rows + n_rows; r++) {
		const char *family = field_family(r->field);

		if (!has_series(r))
			continue;
		ck_row(r, "no unit", ends_with_any(family, units, ELEMENTS(units)) ||
		       ends_with_any(family, counted, ELEMENTS(counted)) ||
		       ends_with_any(family, states, ELEMENTS(states)));
		ck_row(r, "_total is added to counters", !ends_with(family, "_total"));
		ck_row(r, "_info is for strings", !ends_with(family, "_info"));
		ck_row(r, "not a family name", matches(family, "^[a-z][a-z0-9_]*$"));
	}
}
END_TEST

START_TEST(test_columns_have_the_unit_of_their_series)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		for (size_t i = 0; has_series(r) && i < ELEMENTS(units); i++)
			if (ends_with(field_family(r->field), units[i]))
				ck_row(r, units[i], ends_with(r->field->name, units[i]));
}
END_TEST

START_TEST(test_ratios_are_percent_of_the_drive)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		if (ends_with(r->field->name, "_ratio"))
			ck_row(r, "neither a hundredth or a part of one nor a 65536th",
			       ((r->field->div && r->field->div % 100 == 0) || r->field->div == 65536) &&
			       !r->field->bias);
}
END_TEST

START_TEST(test_text_is_info)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		ck_row(r, "text as a series",
		       r->field->type == FIELD_NUMBER || r->field->kind == FIELD_INFO);
}
END_TEST

START_TEST(test_what_has_no_series_has_no_family)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		ck_row(r, "labels, family or full without a series", has_series(r) ||
		       (!r->field->family && !r->field->labels && !r->field->full));
}
END_TEST

/* One HELP, one TYPE, and the samples of a family in one place (cases PRM-08); rows of several pages
 * are brought together when they are printed. */
START_TEST(test_families_stand_together)
{
	for (struct row *a = rows; a < rows + n_rows; a++)
		for (struct row *b = rows; b < a; b++) {
			if (!same_family(a, b))
				continue;
			ck_row(a, "family of another kind", a->field->kind == b->field->kind);
			ck_row(a, "integers and reals", field_value_type(a->field) ==
			       field_value_type(b->field));
			if (exclude_each_other(a, b))
				continue;
			for (struct row *between = b; between < a && a->page == b->page; between++)
				ck_row(a, "not adjacent", same_family(a, between));
		}
}
END_TEST

/* A counter's name with _total must not be that of a gauge, nor a family that of another's row. */
START_TEST(test_families_are_told_apart_by_help)
{
	for (struct row *a = rows; a < rows + n_rows; a++)
		for (struct row *b = rows; b < a; b++)
			ck_row(a, "the same help as another family",
			       !has_series(a) || !has_series(b) || same_family(a, b) ||
			       strcmp(a->field->help, b->field->help));
}
END_TEST

#define LABEL "[a-z_]+=\"[a-z0-9_]+\""
#define LABELS "^" LABEL "(," LABEL ")*$"

START_TEST(test_constant_labels_are_well_formed)
{
	for (struct row *r = rows; r < rows + n_rows; r++)
		ck_row(r, "labels", !r->field->labels || matches(r->field->labels, LABELS));
}
END_TEST

static size_t label_name_length(const struct field *f)
{
	return f->labels ? strcspn(f->labels, "=") : 0;
}

/* Two rows of a family differ in the value of one label (cases PRM-01). */
START_TEST(test_series_of_a_family_are_told_apart_by_one_label)
{
	for (struct row *a = rows; a < rows + n_rows; a++)
		for (struct row *b = rows; b < a; b++) {
			if (!same_family(a, b) || exclude_each_other(a, b))
				continue;
			ck_row(a, "no label", a->field->labels && b->field->labels);
			ck_row(a, "same label", strcmp(a->field->labels, b->field->labels));
			ck_row(a, "another label", label_name_length(a->field) ==
			       label_name_length(b->field) &&
			       !strncmp(a->field->labels, b->field->labels,
					label_name_length(a->field)));
		}
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_series_end_in_a_unit,
		test_columns_have_the_unit_of_their_series,
		test_ratios_are_percent_of_the_drive,
		test_text_is_info,
		test_what_has_no_series_has_no_family,
		test_families_stand_together,
		test_families_are_told_apart_by_help,
		test_constant_labels_are_well_formed,
		test_series_of_a_family_are_told_apart_by_one_label,
		NULL,
	};

	rows_gather();
	return check_main("field series", tests);
}
