/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* One line per thing that happened: to the journal with structured fields where stderr is the
 * journal, else to stderr. Who decides what happens next logs; who returns an error does not. Any
 * thread. Priorities are those of <syslog.h>. */

#include <stdbool.h>
#include <syslog.h>

#include "nvmewatch/drive.h"

/* Names the program and finds out where stderr goes. */
void log_open(const char *identifier);

void log_msg(int priority, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As log_msg(), about a drive: its name leads the line, and the journal gets NVME_DRIVE,
 * NVME_SERIAL and, for what an operator acts on, MESSAGE_ID. message_id may be NULL. */
void log_drive(int priority, const struct drive *d, const char *message_id, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Message ids with an entry in the catalogue. */
#define LOG_ID_UNRESPONSIVE "f80ea3acad3c4e85bf24c56e6e4db20a"
#define LOG_ID_RESPONSIVE "8496a8e43d8d43e6af397dda033f827c"
#define LOG_ID_DUPLICATE_SERIAL "7d4dcb4a10b844bab1fd309368706bcb"
#define LOG_ID_READER_DIED "8f8d9834e3ce48a4b430c1ee2f84d475"
#define LOG_ID_THROTTLED "1f6b0b0d9c564f1e8e0a6d2b6f0c9a57"
#define LOG_ID_GONE "73a36dfd800245aa9bc4b0a5503a906d"
