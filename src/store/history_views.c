/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The SQL of what history.db has of each page: its rollups, and the view that plain SQL sees. */

#include "history_schema.h"

#include "nvmewatch/buffer.h"
#include "rollup.h"
#include "sheet.h"

/* Of a rollup: such a row does not fit into a page of an index, and would be mostly overflow. */
#define COLUMNS_MAX 300

/* How many columns a rollup has for one of the page. */
static const unsigned rolled_columns[] = { [ROLLED_LAST] = 1, [ROLLED_COUNTER] = 2, [ROLLED_GAUGE] = 4 };

static bool is_wide(const struct page *p)
{
	unsigned n = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		n += field_count(&p->fields[i]) * rolled_columns[rolled_kind(&p->fields[i])];
	return n > COLUMNS_MAX;
}

/* Of pages that are read every few minutes an hour takes more than the rows it sums up, which are read as fast. */
bool history_has_hours(const struct page *p)
{
	return p->history && p->cadence == CADENCE_SMART;
}

static const char *suffix(bool days)
{
	return days ? "daily" : "hourly";
}

static const char *sql_type(enum value_type type)
{
	switch (type) {
	case VALUE_REAL: return "REAL";
	case VALUE_TEXT: return "TEXT";
	default: return "INTEGER";
	}
}

static char *string_of(struct buffer *b)
{
	buffer_put(b, "", 1);
	if (b->failed)
		buffer_done(b);
	return b->data;
}

/* Calls back with each column of each field of a page. */
static void each_column(const struct page *p, struct buffer *b,
			void (*put)(struct buffer *b, const struct field *f, const char *column))
{
	char column[FIELD_COLUMN_MAX];

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned n = 0; n < field_count(&p->fields[i]); n++) {
			field_column(&p->fields[i], n, column);
			put(b, &p->fields[i], column);
		}
}

/* ---- Rollups ---- */

static void put_rolled(struct buffer *b, const struct field *f, const char *column)
{
	enum rolled_kind kind = rolled_kind(f);

	buffer_printf(b, ", %s_last", column);
	if (kind == ROLLED_COUNTER)
		buffer_printf(b, ", %s_increase", column);
	if (kind == ROLLED_GAUGE)
		buffer_printf(b, ", %s_min, %s_max, %s_mean", column, column, column);
}

static void put_rolled_types(struct buffer *b, const struct field *f, const char *column)
{
	const char *type = sql_type(field_value_type(f));
	enum rolled_kind kind = rolled_kind(f);

	buffer_printf(b, ", %s_last %s", column, type);
	if (kind == ROLLED_COUNTER)
		buffer_printf(b, ", %s_increase INTEGER", column);
	if (kind == ROLLED_GAUGE)
		buffer_printf(b, ", %s_min %s, %s_max %s, %s_mean REAL", column, type, column, type,
			      column);
}

static void put_parameters(struct buffer *b, const struct field *f, const char *column)
{
	(void)column;
	for (unsigned n = rolled_columns[rolled_kind(f)]; n; n--)
		buffer_text(b, ",?");
}

static bool is_several(const struct page *p)
{
	return p->selector != SELECT_NOTHING;
}

char *history_rollup_create(const struct page *p, bool days)
{
	struct buffer b = { 0 };
	const char *comma = is_several(p) ? ", " : "", *instance = is_several(p) ? p->instance : "";

	buffer_printf(&b, "CREATE TABLE IF NOT EXISTS %s_%s (drive INTEGER NOT NULL REFERENCES drives",
		      p->name, suffix(days));
	if (is_several(p))
		buffer_printf(&b, ", %s INTEGER NOT NULL", p->instance);
	buffer_text(&b, ", time INTEGER NOT NULL, count INTEGER NOT NULL, resets INTEGER NOT NULL,"
			" last_time INTEGER, last_mono INTEGER");
	each_column(p, &b, put_rolled_types);
	/* Hours are written for a drive at a time, days for all of them. */
	if (days)
		buffer_printf(&b, ", PRIMARY KEY (time, drive%s%s))%s", comma, instance,
			      is_wide(p) ? "" : " WITHOUT ROWID");
	else
		buffer_printf(&b, ", PRIMARY KEY (drive%s%s, time)) WITHOUT ROWID", comma, instance);
	return string_of(&b);
}

char *history_rollup_insert(const struct page *p, bool days)
{
	struct buffer b = { 0 };

	buffer_printf(&b, "INSERT OR REPLACE INTO %s_%s (drive%s%s, time, count, resets, last_time,"
			  " last_mono", p->name, suffix(days), is_several(p) ? ", " : "",
		      is_several(p) ? p->instance : "");
	each_column(p, &b, put_rolled);
	buffer_printf(&b, ") VALUES (?,?,?,?,?,?%s", is_several(p) ? ",?" : "");
	each_column(p, &b, put_parameters);
	buffer_text(&b, ")");
	return string_of(&b);
}

char *history_rollup_select(const struct page *p, bool days, bool newest)
{
	struct buffer b = { 0 };

	buffer_text(&b, "SELECT time, count, resets, last_time, last_mono");
	each_column(p, &b, put_rolled);
	buffer_printf(&b, " FROM %s_%s WHERE drive = ?", p->name, suffix(days));
	if (is_several(p))
		buffer_printf(&b, " AND %s = ?", p->instance);
	buffer_text(&b, newest ? " AND time <= ? ORDER BY time DESC LIMIT 1" : " AND time = ?");
	return string_of(&b);
}

/* ---- The view ---- */

static void put_last(struct buffer *b, const struct field *f, const char *column)
{
	(void)f;
	buffer_printf(b, ", %s_last AS %s", column, column);
}

static void put_json(struct buffer *b, const struct field *f, const char *column)
{
	(void)f;
	buffer_printf(b, ", json_extract(r.value, '$.%s')", column);
}

char *history_view_create(const struct page *p)
{
	struct buffer b = { 0 };

	buffer_printf(&b, "CREATE VIEW %s AS SELECT drive", p->name);
	if (is_several(p))
		buffer_printf(&b, ", %s", p->instance);
	buffer_text(&b, ", last_time AS time, last_mono AS mono");
	each_column(p, &b, put_last);
	buffer_printf(&b, " FROM %s_%s UNION ALL SELECT json_extract(r.value, '$.drive')", p->name,
		      suffix(!history_has_hours(p)));
	if (is_several(p))
		buffer_text(&b, ", json_extract(r.value, '$.instance')");
	buffer_text(&b, ", json_extract(r.value, '$.time'), json_extract(r.value, '$.mono')");
	each_column(p, &b, put_json);
	/* CASE, for the other batches are no JSON, and json_each() would end the query over them. */
	buffer_printf(&b, " FROM batches, json_each(CASE typeof(data) WHEN 'text' THEN data END) AS r"
			  " JOIN drives AS d ON d.id = json_extract(r.value, '$.drive')"
			  /* What is packed is in its hours already. */
			  " AND d.packed < flush WHERE page = (SELECT id FROM pages WHERE name = '%s')",
		      p->name);
	return string_of(&b);
}
