/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "sheet.h"

/* Room for so many rows in all, in every column that is loaded. 0 or -ENOMEM. */
int sheet_reserve(struct sheet *s, size_t rows);
