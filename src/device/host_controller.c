/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The controller's own attributes, to which kernels add some. diag/ is of 2026. */

#include <string.h>

#include "host.h"
#include "nvmewatch/cleanup.h"

static const struct {
	const char *name;
	unsigned at;
} attributes[] = {
	{ "cntlid", HOST_CONTROLLER_CNTLID },
	{ "queue_count", HOST_CONTROLLER_QUEUES },
	{ "sqsize", HOST_CONTROLLER_SQSIZE },
	{ "kato", HOST_CONTROLLER_KATO },
	{ "numa_node", HOST_CONTROLLER_NUMA }, /* -1: unknown */
	{ "hmb", HOST_CONTROLLER_HMB },
	{ "diag/command_error_count", HOST_CONTROLLER_ERRORS },
	{ "diag/reset_count", HOST_CONTROLLER_RESETS },
	{ "diag/reconnect_count", HOST_CONTROLLER_RECONNECTS },
};

int host_controller(const struct host *h, uint32_t nsid, uint8_t *ret)
{
	char firmware[64];

	(void)nsid;
	for (size_t i = 0; i < ELEMENTS(attributes); i++)
		host_put_number(h->folder, attributes[i].name, ret, attributes[i].at);
	memset(ret + HOST_CONTROLLER_FIRMWARE, 0, HOST_CONTROLLER_FIRMWARE_SIZE);
	if (host_text(h->folder, "firmware_rev", firmware, sizeof(firmware)) == 0)
		memcpy(ret + HOST_CONTROLLER_FIRMWARE, firmware,
		       strnlen(firmware, HOST_CONTROLLER_FIRMWARE_SIZE));
	return 0;
}
