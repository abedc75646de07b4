/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The kernel and a simulated drive below the real libnvme: a test that links mock_ioctl.c has an
 * ioctl() of its own, which takes the commands of the `linux` source (opened on "null") and answers
 * them as the kernel's driver would with the drive of a *.drive file behind it, faults and all.
 * Time is simulated: a delay of 10 s takes none. A command that must never reach a drive fails the
 * test. One drive at a time, one thread. */

#include <libnvme.h>
#include <stdint.h>

#include "nvmewatch/sim.h"

#define MOCK_ADMIN_TIMEOUT (60 * UINT64_C(1000000)) /* nvme_core.admin_timeout */
#define MOCK_HOST_PATH_ERROR 0x370

struct mock_command {
	struct nvme_passthru_cmd64 wire;
	uint64_t issued, ended; /* microseconds since power-on */
	int result, error;      /* what ioctl() returned, and errno */
};

/* Puts a drive in, powered on now; it stays the caller's. Forgets all commands. */
void mock_begin(struct sim *drive);

/* Simulated time, since power-on. */
uint64_t mock_now(void);
void mock_advance(uint64_t us);

/* The commands so far, and one of them: 0 is the first. */
unsigned mock_count(void);
const struct mock_command *mock_command(unsigned i);
const struct mock_command *mock_last(void);

/* Why the command must never be sent, or NULL where it is as it should be. */
const char *mock_objection(const struct nvme_passthru_cmd64 *wire);
