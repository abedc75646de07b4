/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the pages of the OCP Datacenter NVMe SSD Specification share. */

#include "nvmewatch/page.h"

#define OCP_1_0 2 /* the versions of C0h with which they came */
#define OCP_2_0 3
#define OCP_2_5 4
#define OCP_NEWEST UINT16_MAX

/* Whether a drive may have a page that belongs to C0h of version `least` to `most`: only where it has
 * a C0h of OCP's, for under the ids of the others, too, vendors keep what they like. */
enum page_presence ocp_presence(const struct page_facts *facts, unsigned least, unsigned most);

/* The 48 bits of an NVMe timestamp (NVMe Base, Timestamp feature) as seconds. */
void ocp_seconds(const uint8_t *timestamp, struct value *ret);

/* Writes them. 0, -EINVAL or -ERANGE; bytes 6 and 7 stay. */
int ocp_seconds_put(const struct value *v, uint8_t *timestamp);
