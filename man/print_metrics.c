/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Prints nvmewatch-metrics(7) while building. */

#include "nvmewatch/manual.h"

int main(void)
{
	manual_print(stdout);
	return ferror(stdout) != 0;
}
