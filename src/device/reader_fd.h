/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The descriptors that a reader is given: its socket, and the lock of its drive, which it only holds. */
#define READER_FD 3
#define READER_LOCK_FD 4
