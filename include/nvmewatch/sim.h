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
 *   [identify], [smart], [ocp_smart]: `column = value` of the page's field table, or `absent`. A
 *                page without a section is refused as a real drive refuses it, but for identify
 *                and smart, which every drive has
 *   [raw]        `smart.1 = 09 01`: bytes at an offset, whatever the rest says;
 *                `smart.length = 300`: answers so many bytes, whatever was asked for
 *   [behaviour]  what moves the pages with time; without this section nothing moves
 *                workload: idle, steady, diurnal, bursty; of the full load read, write (bytes/s),
 *                read_iops, write_iops; write_amplification; endurance (rated bytes written)
 *                idle_temperature, load_temperature: settled, at 25 degrees around it; ambient,
 *                ambient_swing (up and down over the day), time_constant; throttle_temperature,
 *                heavy_temperature; idle_power, load_power (watts, where the page has them);
 *                accelerate: simulated seconds per second
 *   [fault]      `smart.status = 0x4109` for the commands that read a page, `status` for every
 *                command; so too error (errno of the ioctl), delay, hang, crash; in force from
 *                `after` to `until` (20s, since power-on) */

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

/* The drive as discovery would find it: identity, device name, address, slot, capacity. */
void sim_describe(const struct sim *s, struct drive *ret);

/* Executes one admin command `elapsed_us` after the drive was powered on (64-bit microseconds,
 * never falling between calls). Fills error, status, length and data of *ret. What ends with a
 * status counts into the drive's error log entries. */
void sim_execute(struct sim *s, uint64_t elapsed_us, const struct command *c, struct reply *ret);

/* How long the drive takes to answer, for the reader to sleep before it executes: UINT64_MAX
 * is for ever. */
uint64_t sim_delay_us(const struct sim *s, uint64_t elapsed_us, const struct command *c);

/* Whether the reader shall die of this command. */
bool sim_crashes(const struct sim *s, uint64_t elapsed_us, const struct command *c);
