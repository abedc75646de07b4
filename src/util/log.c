/* SPDX-License-Identifier: LGPL-2.1-or-later */
#define SD_JOURNAL_SUPPRESS_LOCATION /* the message says what failed; the line number changes */
#include "nvmewatch/log.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <systemd/sd-journal.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/cleanup.h"

static struct {
	const char *identifier;
	bool journal;
} log_target;

/* JOURNAL_STREAM holds DEVICE:INODE of the stream to the journal (systemd.exec(5)). */
static bool stderr_is_journal(void)
{
	const char *stream = getenv("JOURNAL_STREAM");
	unsigned long long device, inode;
	struct stat st;

	return stream && sscanf(stream, "%llu:%llu", &device, &inode) == 2 &&
	       fstat(STDERR_FILENO, &st) == 0 && st.st_dev == device && st.st_ino == inode;
}

void log_open(const char *identifier)
{
	log_target.identifier = identifier;
	log_target.journal = stderr_is_journal();
}

static void log_plain(int priority, const char *about, const char *message)
{
	fprintf(stderr, "%s: %s%s%s%s\n", log_target.identifier ? log_target.identifier : "nvmewatch",
		priority <= LOG_ERR ? "error: " : priority == LOG_WARNING ? "warning: " : "",
		about, *about ? ": " : "", message);
}

static void log_journal(int priority, const struct drive *d, const char *message_id,
			const char *about, const char *message)
{
	_cleanup_(freep) char *text = NULL, *serial = NULL, *drive = NULL, *id = NULL;
	const char *identifier = log_target.identifier ? log_target.identifier : "nvmewatch";

	text = format_text("%s%s%s", about, *about ? ": " : "", message);
	if (!text)
		return;
	if (!d) {
		sd_journal_send("MESSAGE=%s", text, "PRIORITY=%i", priority, "SYSLOG_IDENTIFIER=%s",
				identifier, NULL);
		return;
	}
	/* The list of fields ends at the first NULL. */
	drive = format_text("NVME_DRIVE=%s", d->device);
	serial = format_text("NVME_SERIAL=%s", d->key);
	id = message_id ? format_text("MESSAGE_ID=%s", message_id) : NULL;
	if (!drive || !serial)
		return;
	sd_journal_send("MESSAGE=%s", text, "PRIORITY=%i", priority, "SYSLOG_IDENTIFIER=%s",
			identifier, "%s", drive, "%s", serial, id ? "%s" : NULL, id, NULL);
}

/* What a drive calls itself, or its firmware, shall not begin a line of its own. */
static void one_line(char *text)
{
	for (; text && *text; text++)
		if (iscntrl((unsigned char)*text))
			*text = '?';
}

static void log_va(int priority, const struct drive *d, const char *message_id, const char *format,
		   va_list args)
{
	_cleanup_(freep) char *message = format_text_va(format, args);
	_cleanup_(freep) char *about = d ? format_text("%s (%s)", d->device, d->key) : NULL;

	if (!message)
		return;
	one_line(message);
	one_line(about);
	if (log_target.journal)
		log_journal(priority, d, message_id, about ? about : "", message);
	else
		log_plain(priority, about ? about : "", message);
}

void log_msg(int priority, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_va(priority, NULL, NULL, format, args);
	va_end(args);
}

void log_drive(int priority, const struct drive *d, const char *message_id, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	log_va(priority, d, message_id, format, args);
	va_end(args);
}
