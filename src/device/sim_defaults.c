/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a simulated drive has whatever its file says: a drive of NVMe 1.4 that is well, with one
 * namespace. Bytes at the offsets of the specifications, as a drive's firmware has them. */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/host.h"
#include "sim_internal.h"

#define BLOCK 512 /* bytes of a logical block */

/* A page that the drive has, unless the file says otherwise. NULL: no memory. */
static uint8_t *give(struct sim *s, const struct page *p, uint32_t instance)
{
	struct sim_page *page = sim_page_make(s, p, instance);

	if (!page)
		return NULL;
	page->supported = true;
	return page->bytes;
}

static int identify_give(struct sim *s)
{
	uint8_t *identify = give(s, &identify_page, 0);

	if (!identify)
		return -ENOMEM;
	snprintf(s->drive.model, sizeof(s->drive.model), "Simulated NVMe drive");
	snprintf(s->drive.firmware, sizeof(s->drive.firmware), "SIM1");
	snprintf(s->drive.transport, sizeof(s->drive.transport), "sim");
	s->drive.numa_node = -1;
	sim_identity_put(&s->drive, identify);
	bytes_put(identify + 80, 4, 0x00010400); /* VER */
	bytes_put(identify + 111, 1, 1);         /* CNTRLTYPE: I/O */
	bytes_put(identify + 516, 4, 1);         /* NN */
	return 0;
}

static int smart_give(struct sim *s)
{
	uint8_t *smart = give(s, &smart_page, 0);

	if (!smart)
		return -ENOMEM;
	bytes_put(smart + 1, 2, 273 + 30);
	bytes_put(smart + 3, 1, 100); /* available spare, and its threshold */
	bytes_put(smart + 4, 1, 10);
	return 0;
}

static int namespaces_give(struct sim *s)
{
	uint8_t *list = give(s, &namespaces_page, 0);

	if (!list)
		return -ENOMEM;
	bytes_put(list, 4, 1);
	return 0;
}

/* PCIe 4.0 x4. */
static int link_give(struct sim *s)
{
	uint8_t *link = give(s, &pcie_link_page, 0);

	if (!link)
		return -ENOMEM;
	bytes_put(link + HOST_LINK_SPEED, HOST_NUMBER, UINT64_C(16000000000));
	bytes_put(link + HOST_LINK_SPEED_MAX, HOST_NUMBER, UINT64_C(16000000000));
	bytes_put(link + HOST_LINK_WIDTH, HOST_NUMBER, 4);
	bytes_put(link + HOST_LINK_WIDTH_MAX, HOST_NUMBER, 4);
	return 0;
}

/* A link on which no error was seen. */
static int aer_give(struct sim *s)
{
	uint8_t *errors = give(s, &pcie_aer_page, 0);

	if (!errors)
		return -ENOMEM;
	memset(errors, 0, HOST_AER_SIZE);
	return 0;
}

/* For drives that turn out to be of OCP: the latency monitor on, as OCP has it at first, and lists that
 * are empty. */
static int ocp_make(struct sim *s)
{
	static const uint8_t settings[] = { 0x07, 0, 0, 0, 0xe0, 0x07, 0x05, 0x13, 0x1e, 0x2e, 0xff,
					    0x0f, 0x0a };
	struct sim_page *monitor = sim_page_make(s, &ocp_latency_monitor_page, 0);
	struct sim_page *activations = sim_page_make(s, &ocp_firmware_activation_history_page, 0);
	struct sim_page *requirements = sim_page_make(s, &ocp_unsupported_requirements_page, 0);

	if (!monitor || !activations || !requirements)
		return -ENOMEM;
	memcpy(monitor->bytes, settings, sizeof(settings));
	bytes_put(monitor->bytes + 448, 2, 0x0fc0); /* debug log trigger enable */
	bytes_put(activations->bytes + 4, 4, 0);
	bytes_put(requirements->bytes, 2, 0);
	return 0;
}

int sim_defaults(struct sim *s)
{
	int r = identify_give(s);

	if (r == 0)
		r = smart_give(s);
	if (r == 0)
		r = namespaces_give(s);
	if (r == 0)
		r = link_give(s);
	if (r == 0)
		r = aer_give(s);
	if (r == 0)
		r = ocp_make(s);
	sim_behaviour_init(&s->behaviour);
	return r;
}

static bool has_page_of(const struct sim *s, const uint8_t *uuid)
{
	for (size_t i = 0; i < s->n_pages; i++)
		if (s->pages[i]->supported && s->pages[i]->page->uuid == uuid)
			return true;
	return false;
}

/* What every drive with C0h of such a version has, if only empty. */
static const struct {
	const struct page *page;
	uint16_t least, most;
} ocp_pages[] = {
	{ &ocp_error_recovery_page, 0, UINT16_MAX },
	{ &ocp_latency_monitor_page, 0, UINT16_MAX },
	{ &ocp_device_capabilities_page, 0, UINT16_MAX },
	{ &ocp_unsupported_requirements_page, 0, UINT16_MAX },
	{ &ocp_firmware_activation_history_page, 0, 3 },
	{ &ocp_hardware_components_page, 4, UINT16_MAX },
	{ &ocp_tcg_configuration_page, 4, UINT16_MAX },
	{ &ocp_telemetry_strings_page, 4, UINT16_MAX },
	{ &ocp_plp_failure_mode_page, 0, UINT16_MAX },
	{ &ocp_ieee1667_silo_page, 0, UINT16_MAX },
	{ &ocp_plp_health_check_page, 0, UINT16_MAX },
	{ &ocp_power_state_page, 3, UINT16_MAX },
	{ &ocp_async_event_configuration_page, 4, UINT16_MAX },
};

static int ocp_settle(struct sim *s)
{
	const struct sim_page *smart = sim_page_find(s, &ocp_smart_page, 0);
	uint8_t bytes[PAGE_SIZE_MAX] = { 0 };

	if (!smart || !smart->supported)
		return 0;
	memcpy(bytes, smart->bytes, smart->page->size);
	sim_page_overlay(smart, bytes);
	uint64_t version = bytes_get(bytes + 494, 2);
	for (size_t i = 0; i < ELEMENTS(ocp_pages); i++)
		if (version >= ocp_pages[i].least && version <= ocp_pages[i].most &&
		    !give(s, ocp_pages[i].page, 0))
			return -ENOMEM;
	return 0;
}

/* One that says that it keeps such a list, and has pages by it, has the OCP UUID in it. */
static int uuid_list_settle(struct sim *s, const uint8_t *identify)
{
	struct sim_page *page = sim_page_find(s, &uuid_list_page, 0);
	uint8_t *list;

	if (page || !(bytes_get(identify + 96, 4) >> 9 & 1) || !has_page_of(s, ocp_uuid))
		return 0;
	list = give(s, &uuid_list_page, 0);
	if (!list)
		return -ENOMEM;
	memcpy(list + 32 + 16, ocp_uuid, sizeof(ocp_uuid));
	return 0;
}

/* The list of log pages is that of the pages there are. */
static int supported_logs_settle(struct sim *s, const uint8_t *identify)
{
	if (!(identify[261] >> 5 & 1) || sim_page_find(s, &supported_logs_page, 0))
		return 0;
	uint8_t *list = give(s, &supported_logs_page, 0);
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < s->n_pages; i++)
		if (s->pages[i]->supported && s->pages[i]->page->command == PAGE_LOG)
			list[4 * s->pages[i]->page->id] = 1;
	return 0;
}

/* Each namespace is a block device, on which nothing was done yet. */
static int blocks_settle(struct sim *s)
{
	const uint8_t *list = sim_page_find(s, &namespaces_page, 0)->bytes;

	for (uint32_t i = 0, nsid; i < 1024 && (nsid = (uint32_t)bytes_get(list + 4 * i, 4)); i++) {
		if (sim_page_find(s, &block_page, nsid))
			continue;
		uint8_t *block = give(s, &block_page, nsid);
		if (!block)
			return -ENOMEM;
		memset(block + HOST_BLOCK_STAT, 0, HOST_NUMBER * HOST_BLOCK_STATS);
		bytes_put(block + HOST_BLOCK_LOGICAL, HOST_NUMBER, BLOCK);
	}
	return 0;
}

/* As the driver makes it: 32 I/O queues. */
static int controller_settle(struct sim *s, const uint8_t *identify)
{
	if (sim_page_find(s, &controller_page, 0))
		return 0;
	uint8_t *controller = give(s, &controller_page, 0);
	if (!controller)
		return -ENOMEM;
	bytes_put(controller + HOST_CONTROLLER_CNTLID, HOST_NUMBER, bytes_get(identify + 78, 2));
	bytes_put(controller + HOST_CONTROLLER_QUEUES, HOST_NUMBER, 33);
	bytes_put(controller + HOST_CONTROLLER_SQSIZE, HOST_NUMBER, 1023);
	bytes_put(controller + HOST_CONTROLLER_KATO, HOST_NUMBER, 0);
	return 0;
}

int sim_defaults_settle(struct sim *s)
{
	const uint8_t *identify = sim_page_find(s, &identify_page, 0)->bytes;
	int r = sim_mandatory_settle(s);

	if (r == 0)
		r = ocp_settle(s);
	if (r == 0)
		r = uuid_list_settle(s, identify);
	if (r == 0)
		r = blocks_settle(s);
	if (r == 0)
		r = controller_settle(s, identify);
	return r < 0 ? r : supported_logs_settle(s, identify);
}
