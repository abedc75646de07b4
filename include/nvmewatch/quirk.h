/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What is known of models that misbehave: data, with the report it comes from. Pure, any thread. */

#include <stdint.h>

enum quirk {
	QUIRK_NO_RAE = 1 << 0, /* answers 02h with zeros or rubbish where the event is retained */
	QUIRK_NO_OCP = 1 << 1, /* has no OCP pages, and logs an error whenever it is asked for one */
	QUIRK_VARIES = 1 << 2, /* what one drive has says nothing of others of its model */
};

/* The quirks of a drive, enum quirk together. vendor: the PCI vendor id, 0 where it is not known. */
unsigned quirks_of(uint32_t vendor, const char *model, const char *firmware);
