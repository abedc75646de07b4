/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of a drive besides its pages: names from discovery, and how it is doing. A plain
 * value that discovery fills, collect keeps, now.db carries and serve shows. Texts are valid
 * UTF-8, trimmed; an empty text is unknown. Pure, any thread. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DRIVE_PATHS_MAX 8

/* One controller of a drive that has several. */
struct drive_path {
	char device[32], transport[16], address[64], state[32];
};

struct drive {
	char key[128];   /* serial, or SERIAL@ADDRESS where that is empty or not unique */
	char serial[64]; /* as Identify Controller or sysfs says, trimmed */
	char model[128];
	char firmware[32];
	char device[32];     /* nvme0; changes at reboot */
	char transport[16];  /* pcie, tcp, rdma, fc, loop; sim */
	char address[64];    /* PCI address, or the fabric's address */
	char slot[64];       /* physical slot or bay */
	char subsystem_nqn[257];
	char state[32];      /* the kernel's controller state: live, resetting, … */
	int32_t numa_node;   /* -1: unknown */
	uint32_t vendor;     /* PCI vendor id, 0: unknown */
	uint64_t capacity_bytes; /* sum of its namespaces as the kernel shows them, 0: unknown */
	bool present;        /* discovery sees it */
	bool lent;           /* another driver has it, .state says which: it can be asked nothing */
	bool responding;     /* its last command was answered in poll.timeout */
	char reason[160];    /* why it is not responding */
	unsigned n_paths;    /* 0: the one controller above; else all of them, that one included */
	struct drive_path paths[DRIVE_PATHS_MAX];
};

/* Fills d->key: the serial where it is set and `unique` in this host, else SERIAL@ADDRESS, with
 * the device name where the address is unknown too. */
void drive_set_key(struct drive *d, bool unique);

/* Copies an identity text of `size` bytes as a drive or sysfs gives it: leading blanks dropped,
 * ended by a NUL or its width, trailing blanks and line ends trimmed, every byte that is not UTF-8
 * replaced by '?'. ret holds at least ret_size > 0 bytes and is always terminated. */
void drive_text(const void *bytes, size_t size, char *ret, size_t ret_size);
