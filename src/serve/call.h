/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* From the request line to the last byte of the answer: what libmicrohttpd calls for each request,
 * with a struct http for cls. */

#include <microhttpd.h>

#include "client.h"

/* Who a connection was admitted as, or NULL. */
struct client *call_client(struct MHD_Connection *connection);

/* The request line is there: the only moment at which MHD shows the target as it was sent. */
void *call_begin(void *cls, const char *target, struct MHD_Connection *connection);

enum MHD_Result call_answer(void *cls, struct MHD_Connection *connection, const char *url,
			    const char *method, const char *version, const char *upload,
			    size_t *upload_size, void **context);

void call_end(void *cls, struct MHD_Connection *connection, void **context,
	      enum MHD_RequestTerminationCode code);
