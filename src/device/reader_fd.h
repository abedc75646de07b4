/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The descriptor on which a reader finds its socket. */
#define READER_FD 3
