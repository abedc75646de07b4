/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reader of a controller of the kernel. */

#include "source.h"

int main(int argc, char **argv)
{
	return reader_main(&linux_source, argc, argv);
}
