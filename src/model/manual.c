/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/manual.h"

#include "nvmewatch/metric.h"

static const char head[] =
	".Dd November 30, 2026\n"
	".Dt NVMEWATCH-METRICS 7\n"
	".Os\n"
	".Sh NAME\n"
	".Nm nvmewatch-metrics\n"
	".Nd what nvmewatch reads from a drive, and the names it goes by\n"
	".Sh DESCRIPTION\n"
	"Every value has a column name, which is its key in the REST interface and its column in\n"
	".Pa history.db ,\n"
	"and most have a Prometheus series.\n"
	"A value that a drive does not report is absent: null in REST, NULL in SQL, no series.\n"
	"Series carry the label\n"
	".Cm serial ,\n"
	"the drive's key; everything else that names a drive is on\n"
	".Cm nvmewatch_drive_info .\n"
	"Series of a namespace carry the name of its block device, as nvme0n1, in the label\n"
	".Cm namespace ;\n"
	"its ids are on\n"
	".Cm nvmewatch_namespace_info .\n"
	"Series marked\n"
	".Em full\n"
	"are exported with\n"
	".Cm serve.metrics = full\n"
	"only.\n"
	"Offsets are bytes from the start of the page.\n"
	"This page is printed from the table that decodes the bytes.\n";

static const char tail[] =
	".Sh SEE ALSO\n"
	".Xr nvmewatch.conf 5 ,\n"
	".Xr nvmewatch-collect 8 ,\n"
	".Xr nvmewatch-serve 8\n";

static void print_text(FILE *out, const char *text)
{
	for (; *text; text++)
		if (*text == '\\')
			fputs("\\e", out);
		else
			fputc(*text, out);
}

static void print_series(FILE *out, const struct page *p, const struct field *f)
{
	char name[METRIC_NAME_MAX];

	if (!metric_name(p, f, name))
		return;
	fprintf(out, ".Cm %s", name);
	if (f->labels || f->label)
		fprintf(out, "{%s%s%s}", f->labels ? f->labels : "",
			f->labels && f->label ? "," : "", f->label ? f->label : "");
	fprintf(out, "\n(%s%s)\n", f->kind == FIELD_COUNTER ? "counter" : "gauge",
		f->full ? ", full" : "");
}

static void print_place(FILE *out, const struct field *f)
{
	if (f->item)
		fprintf(out, "Item %02Xh, byte%s %u", f->item, f->size > 1 ? "s" : "", f->offset);
	else
		fprintf(out, "Byte%s %u", f->size > 1 ? "s" : "", f->offset);
	if (f->size > 1)
		fprintf(out, " to %u", f->offset + f->size - 1u);
	if (f->bits == 1)
		fprintf(out, ", bit %u", f->shift);
	else if (f->bits)
		fprintf(out, ", bits %u to %u", f->shift, f->shift + f->bits - 1u);
	if (f->count)
		fprintf(out, ", %u elements every %u bytes", f->count, f->stride);
	if (f->since)
		fprintf(out, ", page version %u and later", f->since);
	fputs(".\n", out);
}

static void print_field(FILE *out, const struct page *p, const struct field *f)
{
	char first[FIELD_COLUMN_MAX], last[FIELD_COLUMN_MAX];

	field_column(f, 0, first);
	field_column(f, field_count(f) - 1, last);
	if (f->count)
		fprintf(out, ".It Sy %s No to Sy %s\n", first, last);
	else
		fprintf(out, ".It Sy %s\n", first);
	print_text(out, f->help);
	fputc('\n', out);
	print_series(out, p, f);
	if (p->command != PAGE_DERIVED)
		print_place(out, f);
	if (f->zero_where)
		fprintf(out, "0 is absent, except in REST and as a series of drives whose\n.Sy %s\n"
			"in Identify has bit 0 set.\n", f->zero_where);
}

void manual_print(FILE *out)
{
	fputs(head, out);
	for (const struct page *const *p = pages; *p; p++) {
		fprintf(out, ".Ss %s: ", (*p)->name);
		print_text(out, (*p)->title);
		fputs("\n.Bl -tag -width Ds\n", out);
		for (size_t i = 0; i < (*p)->n_fields; i++)
			print_field(out, *p, &(*p)->fields[i]);
		fputs(".El\n", out);
	}
	fputs(tail, out);
}
