/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The drive catalogue, read from its folders: the shipped one (drives.d beside this program, else in
 * PKGDATADIR) and the site's (paths.drives). */

#include "collector.h"

/* Reads it, for the first time or anew, and rates the drives by it. What is wrong with a file is logged and
 * costs that file only. */
void ratings_load(struct collector *c);
