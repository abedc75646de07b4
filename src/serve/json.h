/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Answers made from JSON. */

#include "nvmewatch/document.h"
#include "nvmewatch/json.h"

#include "answer.h"

/* Fills *ret with 200 and the document, which is consumed, NULL included. 0 or -ENOMEM. */
int answer_json(struct answer *ret, json_t *document);

/* Fills *ret with the document, whose JSON is consumed, or with its problem. 0 or -ENOMEM. */
int answer_document(struct answer *ret, struct document *d);
