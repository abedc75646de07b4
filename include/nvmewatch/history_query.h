/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A query over what a reader has of one drive. */

#include "nvmewatch/history_read.h"
#include "nvmewatch/query.h"

/* drive: its key. The query's columns must outlive the result. 0, or what query_check(), query_plan()
 * and the reader return; -ENOENT: no such drive in history, a page that is not kept, or (see
 * query_check()) no such column. */
int history_query(struct history_reader *r, const char *drive, const struct query *q,
		  struct query_result **ret);
