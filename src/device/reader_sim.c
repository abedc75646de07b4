/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The reader of a simulated drive. */

#include "source.h"

int main(int argc, char **argv)
{
	return reader_main(&sim_source, argc, argv);
}
