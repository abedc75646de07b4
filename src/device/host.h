/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Host pages (nvmewatch/host.h) from sysfs. Read by readers only: an attribute may block, or touch
 * the drive's PCI configuration space. hwmon's inputs are never read: the kernel sends a Get Log Page
 * for each, without retaining the asynchronous event, and they tell nothing that page 02h does not.
 * Neither is a namespace's `nuse`, which sends an Identify. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/host.h"

/* A controller's folder in sysfs, held open: should its name lead to another controller one day,
 * this still is the old one, and empty. */
struct host {
	int sysfs;  /* its root */
	int folder; /* class/nvme/DEVICE; -1: there was none */
};

/* Opens the controller's folder below root ("/sys"). Fails never: where there is none, there is nothing
 * to read. */
void host_open(const char *root, const char *device, struct host *ret);
void host_close(struct host *h);

/* Fills `size` bytes with a page: of namespace `nsid` where it is about one. 0; -ENODATA: the kernel
 * has nothing to say; -ENODEV: the controller is gone. */
int host_read(const struct host *h, unsigned page, uint32_t nsid, uint8_t *ret, size_t size);

/* ---- What the pages share. ---- */

/* The text of an attribute, by its path from a folder, cut to fit. 0 or a negative errno. */
int host_text_all(int folder, const char *name, char *ret, size_t size);

/* The first line of it. */
int host_text(int folder, const char *name, char *ret, size_t size);

/* Puts an attribute that is a whole number at an offset; what is none, or negative, is left alone.
 * Returns whether it was put. */
bool host_put_number(int folder, const char *name, uint8_t *bytes, unsigned at);

/* ---- The pages: those bytes of *ret that the kernel knows of. 0 or -ENODATA. ---- */

int host_pcie_link(const struct host *h, uint32_t nsid, uint8_t *ret);
int host_pcie_aer(const struct host *h, uint32_t nsid, uint8_t *ret);
int host_block(const struct host *h, uint32_t nsid, uint8_t *ret);
int host_controller(const struct host *h, uint32_t nsid, uint8_t *ret);

/* ---- Parsing: pure. ---- */

/* "16.0 GT/s PCIe", "8 GT/s" in transfers per second. False: unknown. */
bool host_parse_speed(const char *text, uint64_t *ret);

/* Lines of an error's name and its number: those of names[n] one behind the other, then the total. */
void host_parse_aer(const char *text, const char *const *names, unsigned n, uint8_t *ret);

/* The block device that a namespace's folder below a controller stands for: nvme0n1 of nvme0n1 and of
 * nvme0c2n1. False: it is not a namespace's. */
bool host_block_name(const char *folder, char *ret, size_t size);

/* Whether a wwid tells namespaces apart. */
bool host_is_wwid(const char *text);

/* The columns of `stat` that are there, into a block page. */
void host_parse_stat(const char *text, uint8_t *ret);
