/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A simulated drive, described by a NAME.drive file: pages encoded through the field table, raw
 * patches on top, and a behaviour that moves them with time. It answers the same commands as a
 * real controller, with the NVMe statuses of one. Used by the reader (one per process) and by
 * discovery, which wants the identity only. No clock of its own: time is given in.
 *
 * A drive file is INI, applied from top to bottom, the byte patches last:
 *
 *   [identity]   serial (required, may be empty), model, firmware, vendor, nqn, capacity (bytes, or
 *                3.84T): what Identify Controller says; device (else discovery numbers it),
 *                address, slot, numa_node, transport: what discovery says
 *   [identify], [smart], and so on for every page, [endurance_group_1] where there may be several:
 *                `column = value` of the page's field table, or `absent`. A page without a section
 *                is refused as a real drive refuses it, but for what every drive
 *                has, and what its Identify Controller says it has. The Persistent Event Log is read
 *                in a context that lasts until it is released or a reset; with a section the events
 *                are those of the section, event_type_1 the newest
 *   [raw]        `smart.1 = 09 01`: bytes at an offset, whatever the rest says;
 *                `smart.length = 300`: answers so many bytes, whatever was asked for
 *   [behaviour]  what moves the pages with time; without this section nothing moves
 *                workload: idle, steady, diurnal, bursty; of the full load read, write (bytes/s),
 *                read_iops, write_iops; write_amplification; endurance (rated bytes written)
 *                idle_temperature, load_temperature: settled, at 25 degrees around it; ambient,
 *                ambient_swing (up and down over the day), time_constant; throttle_temperature,
 *                heavy_temperature; idle_power, load_power (watts, where the page has them);
 *                accelerate: simulated seconds per second
 *   [fault NAME] one thing that goes wrong; as many sections as there are of those, under names of
 *                one's own. With the name left out there is one
 *                what: status 0x4109 (with CRD, More and DNR as on the wire), errno EAGAIN (of the
 *                ioctl), delay 10s, hang (no answer before the fault, or the drive's presence,
 *                ends), crash (of the reader), garbage, zero, truncate 300 (the bytes of an answer)
 *                which commands: page (a name, or `log 0x09`, `identify 0x17`, `feature 0x02`),
 *                length, nsid, rae;
 *                of those each Nth one (every), so many in all (times; a restarted reader counts
 *                anew). Without any of these: every command, but not what the host's kernel says
 *                or, of the whole drive, what: reset (state resetting, commands end in EAGAIN),
 *                remove (it is not there, commands end in ENODEV). What is back after a removal
 *                has had an unsafe shutdown and a power cycle
 *                when, since power-on: at (20s; else from the start), until or for (else for ever)
 *                Of several faults a command gets the first delay or hang, the first status or
 *                errno, and the first that spoils its bytes, in the order of the file
 *   [change NAME] what is so from a time on: at, any key of [identity], and `smart.COLUMN = value`
 *                of a page's field; what the behaviour has moved comes on top. In the order of
 *                their times. As with a real kernel, discovery sees other names and firmware only
 *                after the next reset or removal, Identify at once. Another serial is another
 *                drive, whose behaviour starts from the beginning */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/command.h"
#include "nvmewatch/drive.h"

struct sim;

/* Reads a drive file. Returns 0, or a negative errno with a message in error[] that names file,
 * line, section and key and says what is allowed. */
int sim_load(const char *path, struct sim **ret, char *error, size_t error_size);
void sim_free(struct sim *s);
DEFINE_CLEANUP(struct sim *, sim_free)

/* For whoever wants to describe the drive only: its other pages are dropped, and commands that ask for
 * them are refused from now on. */
void sim_keep_names(struct sim *s);

/* What discovery calls it, unless the file does. */
void sim_set_device(struct sim *s, const char *device);

/* The drive as discovery would find it at power-on: identity, device name, address, slot,
 * capacity. */
void sim_describe(const struct sim *s, struct drive *ret);

/* ---- The timeline: pure, whatever was executed. ---- */

enum sim_presence {
	SIM_GONE,
	SIM_RESETTING,
	SIM_LIVE,
};

enum sim_presence sim_presence(const struct sim *s, uint64_t elapsed_us);
bool sim_is_present(const struct sim *s, uint64_t elapsed_us); /* not SIM_GONE */

/* The drive as discovery would find it then; .state is live, resetting, or empty where it is gone
 * and .present is false. */
void sim_describe_at(const struct sim *s, uint64_t elapsed_us, struct drive *ret);

/* When the presence or the description may change next, later than elapsed_us; INT64_MAX: never. */
int64_t sim_next_change_us(const struct sim *s, uint64_t elapsed_us);

/* ---- Commands. ---- */

/* Executes one admin command `elapsed_us` after the drive was powered on (64-bit microseconds,
 * never falling between calls). Fills error, status, length and data of *ret. What ends with a
 * status counts into the drive's error log entries. */
void sim_execute(struct sim *s, uint64_t elapsed_us, const struct command *c, struct reply *ret);

/* The status of the last executed command as it stood on the wire: with CRD (12:11), More (13) and
 * DNR (14), which reply.status is without. */
uint16_t sim_wire_status(const struct sim *s);

/* How long the drive takes to answer, for the reader to sleep before it executes: UINT64_MAX
 * is for ever. */
uint64_t sim_delay_us(const struct sim *s, uint64_t elapsed_us, const struct command *c);

/* Whether the reader shall die of this command. */
bool sim_crashes(const struct sim *s, uint64_t elapsed_us, const struct command *c);
