/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* nvme-target: simulated drives behind the real NVMe driver. Each drive file becomes an NVMe/TCP
 * subsystem with one controller; what nvmewatch may read is answered by the simulated drive itself
 * (nvmewatch/sim.h), whatever else a driver asks for is answered here, as shortly as it is legal.
 *
 *   main.c        the command line; one thread, one event loop
 *   subsystem.c   a drive: made, replaced, lost and back
 *   connection.c  a TCP connection, which is one queue: PDUs in
 *   send.c        PDUs out
 *   request.c     a command's life: held, delayed, executed, answered, written down
 *   fabrics.c     Connect and the properties: how a controller comes up
 *   simulated.c   the commands that the simulated drive answers
 *   admin.c, identify.c, logs.c, features.c, io.c: what the others answer
 *   journal.c     one line per command
 *   control.c     events, new drive files, lost connections, marks: while it runs */

#include <stdbool.h>
#include <stdint.h>
#include <systemd/sd-event.h>

#include "nvmewatch/sim.h"
#include "wire.h"

#define NQN_PREFIX "nqn.2024-01.invalid.nvmewatch:"

struct connection;

/* A drive, by the name of its file without ".drive". */
struct subsystem {
	char *name;
	struct sim *sim;
	int64_t power_on; /* mono: the drive's faults and behaviour count from here */
	sd_event_source *change; /* when it is lost, or is back */
	int journal;        /* of every command, a file */
	struct connection *admin; /* the queue of the last Connect, NULL: none */
	uint32_t configuration;   /* CC */
	uint32_t features[256];   /* by identifier */
	uint32_t event;           /* waits for an Asynchronous Event Request, 0: none does */
};

struct target {
	sd_event *event;
	struct subsystem *subsystems;
	size_t n_subsystems;
};

/* What a command is answered. Large reads of a namespace are all zeroes and carry no data. */
struct answer {
	uint64_t result; /* dwords 0 and 1 */
	uint16_t status;
	uint32_t length;
	bool zeroes;
	uint8_t data[PAGE_SIZE_MAX];
};

/* ---- connection.c ---- */

struct request;

struct connection {
	struct target *target;
	struct subsystem *subsystem; /* NULL before Connect */
	int fd;
	sd_event_source *source;
	uint16_t queue, size, head;
	struct request *held;
	size_t filled;
	uint8_t bytes[COMMAND_SIZE + IN_CAPSULE_MAX];
};

/* Serves a socket that was accepted; frees itself when the host closes it. */
int connection_new(struct target *t, int fd);

/* Makes the connection end, soon. */
void connection_drop(struct connection *c);

/* ---- send.c: a failure shows as the connection's end. ---- */

/* Answers the host's first PDU. */
void connection_greet(struct connection *c);

/* Sends an answer to the command of that entry. */
void connection_answer(struct connection *c, const uint8_t *sqe, const struct answer *a);

/* ---- request.c ---- */

/* A command that came in, with its in-capsule data. */
void request_arrived(struct connection *c, const uint8_t *sqe, const uint8_t *data, size_t length);

/* Completes an Asynchronous Event Request with that dword 0, at once or when one comes. */
void request_event(struct subsystem *s, uint32_t event);

/* Answers what a drive was slow with or hung on, now that it is another. */
void request_release(struct subsystem *s);

/* Forgets what the connection still owes an answer. */
void request_forget(struct connection *c);

/* ---- What commands answer: *ret is all zero on entry. ---- */

void fabrics_execute(struct connection *c, const uint8_t *sqe, const uint8_t *data, size_t length,
		     struct answer *ret);
void admin_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);
void identify_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);
void log_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);
void features_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);
void io_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);

/* Whether a command has an answer here, where the simulated drive has none. */
bool admin_has(const uint8_t *sqe);
bool identify_has(uint8_t cns);
bool log_has(uint8_t lid);

/* Changes Identify Controller to what a driver for fabrics takes; README.md has the list. */
void identify_fit(uint8_t *identify);

/* The drive's Identify Controller as it is described, whatever faults it has. */
void identify_controller(struct subsystem *s, uint8_t ret[static PAGE_SIZE_MAX]);

/* ---- simulated.c ---- */

/* Whether the simulated drive answers an admin command: what it knows, and what nobody does. */
bool simulated_takes(struct subsystem *s, const uint8_t *sqe);

/* How long it takes to, UINT64_MAX for ever; whether it is gone instead. */
uint64_t simulated_delay(struct subsystem *s, const uint8_t *sqe, bool *ret_crashes);

void simulated_execute(struct subsystem *s, const uint8_t *sqe, struct answer *ret);

/* ---- journal.c ---- */

/* Writes a command down, answered now or (NULL) not to be answered for the time being. */
void journal_command(struct subsystem *s, uint16_t queue, const uint8_t *sqe, int64_t arrival,
		     const struct answer *a);
void journal_mark(struct subsystem *s, const char *text);

/* ---- control.c ---- */

/* Obeys lines of the FIFO at path, which is made. */
int control_start(struct target *t, const char *path);

/* ---- subsystem.c ---- */

/* Makes a drive of the file at path. Complains itself. */
int subsystem_start(struct target *t, struct subsystem *s, const char *journals, const char *path);
void subsystem_done(struct subsystem *s);

/* Powers a drive on that is on: as another, or the same with other faults. Complains itself. */
int subsystem_load(struct target *t, struct subsystem *s, const char *path);

struct subsystem *subsystem_find(struct target *t, const char *name);

/* Microseconds since power-on. */
uint64_t subsystem_elapsed(const struct subsystem *s);
