/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The cases corpus (public reports of real drives) as tests: each is named after its id. Bytes are
 * what the case says; where it says nothing they are those of a drive at peace. */

#include "nvmewatch/health.h"
#include "page_support.h"

/* 02h of a healthy drive at 40 degrees: spare 100 %, threshold 10 %. */
static inline void smart_at_peace(uint8_t bytes[static 512])
{
	memset(bytes, 0, 512);
	put_hex(bytes, 1, "39 01 64 0a 01");
	put_number(bytes, 32, 16, 1000);
	put_number(bytes, 48, 16, 2000);
	put_number(bytes, 112, 16, 10);
	put_number(bytes, 128, 16, 100);
}

static inline void check_smart(const uint8_t *bytes, const char *column, const char *expected)
{
	check_value(&smart_page, bytes, column, expected);
}

static inline void check_identify(const uint8_t *bytes, const char *column, const char *expected)
{
	check_value(&identify_page, bytes, column, expected);
}

/* A drive that is there and answers. */
static const struct drive well = { .present = true, .responding = true };

static inline enum health_status status_of(const uint8_t *smart)
{
	struct health h;

	health_assess(smart, &well, &h);
	return h.status;
}
