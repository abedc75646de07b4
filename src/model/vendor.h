/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Who may be asked for a vendor's own log page. The ids of those pages mean something else on every
 * other maker's drives, and asking for what a drive lacks makes it log an error: each is asked for only
 * where maker, model or the drive's own lists speak for it. */

#include "nvmewatch/page.h"

#define VENDOR_SANDISK 0x15b7
#define VENDOR_INTEL 0x8086
#define VENDOR_SOLIDIGM 0x025e
#define VENDOR_MICRON 0x1344
#define VENDOR_HGST 0x1c58
#define VENDOR_MEMBLAZE 0x1c5f
#define VENDOR_WDC 0x1b96

/* The PCI vendor id, or where discovery does not tell, that of Identify; 0: not known yet. */
uint32_t vendor_of(const struct page_facts *facts);

/* Whether it is one of those, 0 at the end. */
enum page_presence vendor_is(const struct page_facts *facts, const uint32_t *vendors);

/* Whether the model begins with one of those, NULL at the end. */
bool vendor_model_begins(const struct page_facts *facts, const char *const *starts);

/* Whether the drive keeps a list of its log pages, which page_presence() has looked at by then. */
bool vendor_lists_pages(const struct page_facts *facts);

/* Whether the drive's UUID list has that UUID. */
enum page_presence vendor_has_uuid(const struct page_facts *facts, const uint8_t *uuid);

/* Whether the drive has no OCP health page. PAGE_LATER: it was not asked yet. */
enum page_presence vendor_lacks_ocp(const struct page_facts *facts);

/* Solidigm's UUID, in display order as a UUID list has it. */
extern const uint8_t solidigm_uuid[16];

/* Whether it may have the attributes of Intel's and Solidigm's data-centre drives. */
enum page_presence vendor_intel_presence(const struct page_facts *facts);

/* Whether it is one of Memblaze's drives from the P5920 on, or an older one. */
enum page_presence vendor_memblaze_presence(const struct page_facts *facts);
enum page_presence vendor_memblaze_old_presence(const struct page_facts *facts);

/* Whether it is one of WDC's and HGST's data-centre drives from before OCP. */
enum page_presence vendor_wdc_presence(const struct page_facts *facts);

/* Whether it is one of WDC's and SanDisk's boot drives, or of their others and lists the page. */
enum page_presence vendor_wdc_boot_presence(const struct page_facts *facts);

/* Whether it is one of Micron's data-centre drives from before OCP. */
enum page_presence vendor_micron_presence(const struct page_facts *facts);
