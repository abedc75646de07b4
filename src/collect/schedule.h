/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* When what is read. Pure functions of "now": microseconds of CLOCK_BOOTTIME. */

#include <stdbool.h>
#include <stdint.h>

#include "nvmewatch/page.h"
#include "nvmewatch/settings.h"

/* This boot's place within each cadence: the hosts of a rack do not poll in step. The drives of one
 * host do: they share a wake-up and a publication, and a scrape sees all of one moment. */
uint64_t schedule_phase(const char *boot_id);

/* The first moment after now on the grid of the cadence, shifted by the phase. */
int64_t schedule_next(int64_t now, uint64_t cadence, uint64_t phase);

/* How often a page is read; UINT64_MAX: at attach, or when asked, only. A drive close to its
 * thermal limit has its slow pages read along with every 02h. A sleepy one, which goes to low power by
 * itself and is woken by every command, is read at most once a minute. */
uint64_t schedule_cadence(const struct page *p, const struct settings *s, bool hot, bool sleepy);

/* Whether a drive is within 10 degrees of its warning temperature. The pages may be NULL. */
bool schedule_is_hot(const uint8_t *identify, const uint8_t *smart);

/* The pause before a reader that died `deaths` times in a row is started again. */
uint64_t schedule_restart_delay(unsigned deaths);

/* The pause before a page is asked for again after it has cost the drive `hangs` resets before this
 * one, in a row. */
uint64_t schedule_rest(unsigned hangs);
