/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What begins and ends on a drive, seen in two reads of the page that tells of it. Pure, any thread. */

#include <stddef.h>
#include <stdint.h>

enum episode { EPISODE_SAME, EPISODE_BEGUN, EPISODE_ENDED };

/* Device self-test, log page 06h. before: NULL at the first read, when a test that runs has begun.
 * ret, of `size` bytes, says in words what kind of test, and of one that has ended its result; it is
 * written unless nothing has changed. A test that began and ended between the reads has ended. */
enum episode episode_self_test(const uint8_t *before, const uint8_t *now, char *ret, size_t size);

/* Sanitize, log page 81h. As above. */
enum episode episode_sanitize(const uint8_t *before, const uint8_t *now, char *ret, size_t size);
