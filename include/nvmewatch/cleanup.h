/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Scope-bound ownership. A pointer declared _cleanup_(x_freep) is released when it leaves its
 * scope; TAKE() hands it on and leaves NULL behind. Every destructor accepts NULL. */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

#define TAKE(p)                                  \
	({                                       \
		__typeof__(p) *_from = &(p);     \
		__typeof__(p) _taken = *_from;   \
		*_from = NULL;                   \
		_taken;                          \
	})

#define TAKE_FD(fd)                 \
	({                          \
		int *_from = &(fd); \
		int _taken = *_from; \
		*_from = -1;        \
		_taken;             \
	})

/* Defines the cleanup handler FUNC##p for a destructor FUNC of TYPE. */
#define DEFINE_CLEANUP(type, func)            \
	static inline void func##p(type *p)   \
	{                                     \
		if (*p)                       \
			func(*p);             \
		*p = NULL;                    \
	}

static inline void freep(void *p)
{
	free(*(void **)p);
	*(void **)p = NULL;
}

static inline void closep(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static inline void fclosep(FILE **f)
{
	if (*f)
		fclose(*f);
	*f = NULL;
}

#define ELEMENTS(a) (sizeof(a) / sizeof((a)[0]))
