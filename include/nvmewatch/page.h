/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* The pages nvmewatch reads: each is one file of rows under src/model/, listed in page.c.
 * Pure: no I/O, no clock, any thread. */

#include <stddef.h>

#include "nvmewatch/field.h"

#define PAGE_SIZE_MAX 4096
#define PAGE_NAME_MAX 48      /* with an instance's number, NUL included */
#define PAGE_INSTANCES_MAX 128 /* of one page of one drive */

enum page_command {
	PAGE_LOG,      /* Get Log Page, .id is the LID */
	PAGE_IDENTIFY, /* Identify, .id is the CNS value */
	PAGE_FEATURE,  /* Get Features, .id is the FID; its bytes are dword 0 of the completion, then
			* the feature's data where it has some */
	PAGE_HOST,     /* what the host's kernel says of the drive, .id is enum host_page */
	PAGE_DERIVED,  /* what the collector makes of other pages: nobody is asked for it */
};

/* Pages of which a drive may have several, and the part of the command that says which is meant. */
enum page_selector {
	SELECT_NOTHING, /* there is one */
	SELECT_LSI,     /* log specific identifier */
	SELECT_NSID,    /* namespace id */
	SELECT_CDW11,   /* of Get Features */
};

enum page_cadence {
	CADENCE_SMART,  /* poll.smart */
	CADENCE_OCP,    /* poll.ocp */
	CADENCE_POWER,  /* poll.power */
	CADENCE_SLOW,   /* poll.slow, and after an event */
	CADENCE_ATTACH, /* once when a drive is found, and after an event */
	CADENCE_ASKED,  /* when somebody asks, or a sign of trouble does; never by itself */
};

/* Why the bytes of a page are not believed. */
enum page_fault {
	PAGE_SOUND,
	PAGE_WRONG_SIZE,
	PAGE_ALL_ZERO,
	PAGE_WRONG_GUID,
	PAGE_WRONG_LAYOUT, /* a vendor has several under one id; this is another */
};

/* Whether a page may be asked for, as far as the drive's other pages tell. */
enum page_presence {
	PAGE_LACKED,   /* the drive does not have it */
	PAGE_LATER,    /* what tells is not read yet */
	PAGE_POSSIBLE, /* the drive may have it */
};

struct page;

/* What is known of the drive that is to be asked. bytes() returns a page's last good read, or NULL;
 * then *ret_settled says whether that is how it stays: the drive lacks the page. */
struct page_facts {
	uint32_t vendor; /* PCI vendor id, 0: unknown */
	const char *model, *firmware;
	const uint8_t *(*bytes)(const void *userdata, const struct page *p, bool *ret_settled);
	const void *userdata;
};

struct page {
	const char *name;   /* table, JSON key and `page` label */
	const char *title;  /* for people: the specification's name and section */
	const char *prefix; /* families are nvmewatch_<prefix>_<family> */
	enum page_command command;
	uint8_t id;
	uint8_t lsp;       /* log specific parameter */
	uint16_t size;     /* bytes, a multiple of 4 */
	uint16_t size_min; /* where a drive may have less of it, the rest counts as 0; 0: all of it */
	uint32_t cdw11;    /* of Get Features */
	uint32_t cdw11_instance; /* SELECT_CDW11: the bits of it that hold the number, one run */
	enum page_cadence cadence;
	bool history;      /* kept in history.db */
	bool every_read;   /* and that each time it is read, not once in store.interval */
	bool may_be_zero;  /* zeros are a value: an empty list, a feature that is off */
	const uint8_t *uuid; /* 16 bytes, whose definition of a vendor specific id it is, or NULL */
	const uint8_t *guid; /* 16 bytes in wire order, or NULL */
	uint16_t guid_offset;
	uint16_t version_offset;
	uint8_t version_size; /* 1 or 2 bytes; 0: the page has no version */
	enum page_selector selector;
	const char *instance; /* several: what their number is, a label and a column */
	const struct field *fields;
	size_t n_fields;
	/* Whether the drive may have it, asked after page_presence()'s own rules; NULL: every drive has it,
	 * and none of those is asked either. */
	enum page_presence (*presence)(const struct page_facts *facts);
	/* Several: which there are. Returns how many, at most `most`, in rising order; or -EAGAIN: what
	 * tells is not read yet. */
	int (*instances)(const struct page_facts *facts, uint32_t *ret, unsigned most);
	/* How many bytes to ask for, size_min to size; NULL: .size. */
	unsigned (*length)(const struct page_facts *facts);
	/* Whether what the bytes tell of is under way, so that it is worth a look at poll.ocp already; NULL:
	 * never. */
	bool (*moves)(const uint8_t *bytes);
	/* Whether these bytes have this layout, where neither GUID nor id tell; NULL: they do. */
	bool (*recognise)(const uint8_t *bytes);
};

extern const struct page identify_page, supported_logs_page, uuid_list_page, namespaces_page,
	smart_page, ocp_smart_page;
/* Derived from others. */
extern const struct page thermal_page, error_counts_page, rating_page, wear_page,
	peers_page;
extern const struct page namespace_page, error_information_page, self_test_page, sanitize_page,
	endurance_group_page, rotational_media_page, power_measurement_page, firmware_slots_page,
	persistent_events_page;
extern const struct page power_management_page, over_temperature_threshold_page,
	under_temperature_threshold_page, async_event_configuration_page, apst_page,
	thermal_management_page;
/* Of the host. */
extern const struct page block_page, controller_page, pcie_aer_page, pcie_link_page;
extern const struct page intel_smart_page, intel_temperature_page, solidigm_temperature_page;
extern const struct page memblaze_smart_v0_page, memblaze_smart_v2_page, memblaze_smart_v3_page,
	memblaze_smart_old_page, memblaze_latency_page;
extern const struct page wdc_smart_page, wdc_vu_smart_page, wdc_nand_statistics_v2_page,
	wdc_nand_statistics_v3_page, wdc_eol_page;
extern const struct page micron_health_page, micron_smart_page, hyperscale_boot_smart_page;
extern const struct page ocp_error_recovery_page, ocp_firmware_activation_history_page,
	ocp_latency_monitor_page, ocp_device_capabilities_page, ocp_unsupported_requirements_page,
	ocp_hardware_components_page, ocp_tcg_configuration_page, ocp_telemetry_strings_page;
extern const struct page ocp_plp_failure_mode_page, ocp_ieee1667_silo_page, ocp_plp_health_check_page,
	ocp_power_state_page, ocp_async_event_configuration_page;

/* The OCP UUID in display order, as a UUID list has it. */
extern const uint8_t ocp_uuid[16];

/* Every page, NULL at the end. */
extern const struct page *const pages[];

/* The page of that name, or NULL. */
const struct page *page_find(const char *name);

/* "endurance_group_1" of a page of which there are several, else the page's name. */
void page_instance_name(const struct page *p, uint32_t instance, char ret[static PAGE_NAME_MAX]);

/* The inverse. NULL: no page is called so. A page of which there are several needs its number. */
const struct page *page_find_instance(const char *name, uint32_t *ret_instance);

/* The page's position in pages[]. */
unsigned page_index(const struct page *p);

/* The number of entries in pages[]. */
unsigned page_total(void);

/* The row of that column name and the element it stands for, or NULL. */
const struct field *page_field(const struct page *p, const char *column, unsigned *ret_index);

/* Whether len bytes as a drive returned them are this page. */
enum page_fault page_check(const struct page *p, const uint8_t *bytes, size_t len);

/* A fault as a word for the `reason` label: "size", "zero", "guid", "layout". */
const char *page_fault_name(enum page_fault fault);

/* Whether to ask for the page: what identify and the list of supported log pages say, then what the
 * page itself knows. */
enum page_presence page_presence(const struct page *p, const struct page_facts *facts);

/* How many bytes to ask for. */
unsigned page_length(const struct page *p, const struct page_facts *facts);

/* The page's last good read, or NULL. */
const uint8_t *facts_bytes(const struct page_facts *facts, const struct page *p);

/* A whole number of a page's last good read by its column. False: unknown, or not reported. */
bool facts_integer(const struct page_facts *facts, const struct page *p, const char *column,
		   int64_t *ret);

/* What follows from a bit of a number of Identify Controller: PAGE_POSSIBLE where it is set. */
enum page_presence facts_capability(const struct page_facts *facts, const char *column, unsigned bit);

/* The namespaces attached to the controller, as .instances of their pages; of a drive too old to list
 * them, those that it may have. What is no list ends where it stops rising. */
int facts_namespaces(const struct page_facts *facts, uint32_t *ret, unsigned most);

/* The log page version, 0 where the page has none. */
unsigned page_version(const struct page *p, const uint8_t *bytes);

/* field_decode() for a row of this page: fields newer than the page's version are -ENODATA. */
int page_decode(const struct page *p, const struct field *f, unsigned index, const uint8_t *bytes,
		struct value *ret);

/* The same of a drive whose Identify Controller is known (NULL: it is not), which may tell a 0 that is
 * a count from one that is none. */
int page_decode_identified(const struct page *p, const struct field *f, unsigned index,
			   const uint8_t *bytes, const uint8_t *identify, struct value *ret);

/* A whole number of the page by its column. False: not reported, or no bytes (NULL). */
bool page_integer(const struct page *p, const uint8_t *bytes, const char *column, int64_t *ret);

/* How many values of a sound page do not fit into 64 bits, hence are absent. */
unsigned page_overflows(const struct page *p, const uint8_t *bytes);

/* Makes bytes[p->size] a sound page with every value absent or 0: GUID and version set. */
void page_blank(const struct page *p, uint8_t *bytes);
