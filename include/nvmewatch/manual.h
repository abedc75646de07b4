/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* nvmewatch-metrics(7), printed from the field table. Called at build time. */

#include <stdio.h>

/* Writes the manual page in mdoc. */
void manual_print(FILE *out);
