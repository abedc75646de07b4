/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The API's documents as text for people. What a document lacks is shown as absent, whatever server
 * it came from. All return 0 or -ENOMEM. Pure, any thread. */

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/buffer.h"

#include "table.h"

/* The list of drives, one in a line, by device. */
int render_list(const json_t *drives, bool colour, struct buffer *out);

/* The tone that a health status is shown in. */
enum tone render_health_tone(const char *status);

struct render {
	int64_t now; /* µs since 1970, for ages */
	bool all;    /* absent values too */
	bool colour;
};

/* A drive with all its pages; one page of that name. */
int render_drive(json_t *drive, const struct render *how, struct buffer *out);
int render_page(const char *name, json_t *page, const struct render *how, struct buffer *out);

/* A page's history: a line for each time with its fields, or a line for each field. utf8: whether bars
 * of different heights can be shown. */
int render_history(const json_t *history, bool by_time, bool utf8, bool colour, struct buffer *out);

/* Events, one in a line. */
int render_events(const json_t *events, bool colour, struct buffer *out);

/* The pages of the field table. */
int render_fields(const json_t *pages, struct buffer *out);
