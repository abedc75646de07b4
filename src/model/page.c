/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "nvmewatch/page.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "nvmewatch/parse.h"

/* In the order in which they are read from a new drive: identify says what else may be asked. */
const struct page *const pages[] = {
	&identify_page,
	&supported_logs_page,
	&uuid_list_page,
	&smart_page,
	&ocp_smart_page,
	&namespaces_page,
	&namespace_page,
	&error_information_page,
	&endurance_group_page,
	&rotational_media_page,
	&power_measurement_page,
	&self_test_page,
	&sanitize_page,
	&firmware_slots_page,
	&persistent_events_page,
	&power_management_page,
	&over_temperature_threshold_page,
	&under_temperature_threshold_page,
	&async_event_configuration_page,
	&apst_page,
	&thermal_management_page,
	&thermal_page,
	&error_counts_page,
	&rating_page,
	&wear_page,
	&peers_page,
	&block_page,
	&pcie_link_page,
	&pcie_aer_page,
	&controller_page,
	&intel_smart_page,
	&intel_temperature_page,
	&solidigm_temperature_page,
	&memblaze_smart_v3_page,
	&memblaze_smart_v2_page,
	&memblaze_smart_v0_page,
	&memblaze_smart_old_page,
	&memblaze_latency_page,
	&wdc_smart_page,
	&wdc_vu_smart_page,
	&wdc_nand_statistics_v3_page,
	&wdc_nand_statistics_v2_page,
	&hyperscale_boot_smart_page,
	&wdc_eol_page,
	&micron_health_page,
	&micron_smart_page,
	&ocp_error_recovery_page,
	&ocp_latency_monitor_page,
	&ocp_device_capabilities_page,
	&ocp_unsupported_requirements_page,
	&ocp_firmware_activation_history_page,
	&ocp_hardware_components_page,
	&ocp_tcg_configuration_page,
	&ocp_telemetry_strings_page,
	&ocp_plp_failure_mode_page,
	&ocp_ieee1667_silo_page,
	&ocp_plp_health_check_page,
	&ocp_power_state_page,
	&ocp_async_event_configuration_page,
	NULL,
};

const struct page *page_find(const char *name)
{
	for (const struct page *const *p = pages; *p; p++)
		if (!strcmp((*p)->name, name))
			return *p;
	return NULL;
}

void page_instance_name(const struct page *p, uint32_t instance, char ret[static PAGE_NAME_MAX])
{
	if (p->selector == SELECT_NOTHING)
		snprintf(ret, PAGE_NAME_MAX, "%s", p->name);
	else
		snprintf(ret, PAGE_NAME_MAX, "%s_%u", p->name, instance);
}

const struct page *page_find_instance(const char *name, uint32_t *ret_instance)
{
	const char *number = strrchr(name, '_');
	const struct page *p = page_find(name);
	char base[PAGE_NAME_MAX], again[PAGE_NAME_MAX];
	uint64_t instance = 0;

	if (!p && number && (size_t)(number - name) < sizeof(base) &&
	    parse_uint(number + 1, &instance) == 0 && instance <= UINT32_MAX) {
		snprintf(base, sizeof(base), "%.*s", (int)(number - name), name);
		p = page_find(base);
	}
	if (!p)
		return NULL;
	/* Numbers have one way to be written. */
	page_instance_name(p, (uint32_t)instance, again);
	if (strcmp(again, name) != 0)
		return NULL;
	*ret_instance = (uint32_t)instance;
	return p;
}

unsigned page_index(const struct page *p)
{
	unsigned i = 0;

	while (pages[i] != p)
		i++;
	return i;
}

unsigned page_total(void)
{
	return sizeof(pages) / sizeof(pages[0]) - 1;
}

static bool begins_with(const char *text, const char *start)
{
	while (*start && *text == *start)
		text++, start++;
	return !*start;
}

const struct field *page_field(const struct page *p, const char *column, unsigned *ret_index)
{
	char name[FIELD_COLUMN_MAX];

	for (size_t i = 0; i < p->n_fields; i++) {
		const struct field *f = &p->fields[i];

		if (!begins_with(column, f->name))
			continue;
		for (unsigned n = 0; n < field_count(f); n++) {
			field_column(f, n, name);
			if (!strcmp(name, column)) {
				*ret_index = n;
				return f;
			}
		}
	}
	return NULL;
}

static bool all_zero(const uint8_t *bytes, size_t length)
{
	return !bytes[0] && !memcmp(bytes, bytes + 1, length - 1);
}

enum page_fault page_check(const struct page *p, const uint8_t *bytes, size_t length)
{
	if (length > p->size || length < (p->size_min ? p->size_min : p->size))
		return PAGE_WRONG_SIZE;
	if (!p->may_be_zero && all_zero(bytes, length))
		return PAGE_ALL_ZERO;
	if (p->guid && memcmp(bytes + p->guid_offset, p->guid, 16))
		return PAGE_WRONG_GUID;
	if (p->recognise && !p->recognise(bytes))
		return PAGE_WRONG_LAYOUT;
	return PAGE_SOUND;
}

const char *page_fault_name(enum page_fault fault)
{
	switch (fault) {
	case PAGE_WRONG_SIZE: return "size";
	case PAGE_ALL_ZERO: return "zero";
	case PAGE_WRONG_GUID: return "guid";
	case PAGE_WRONG_LAYOUT: return "layout";
	case PAGE_SOUND: break;
	}
	return "none";
}

unsigned page_version(const struct page *p, const uint8_t *bytes)
{
	return p->version_size ? (unsigned)bytes_get(bytes + p->version_offset, p->version_size) : 0;
}

int page_decode(const struct page *p, const struct field *f, unsigned index, const uint8_t *bytes,
		struct value *ret)
{
	if (f->since > page_version(p, bytes)) {
		ret->type = VALUE_ABSENT;
		return -ENODATA;
	}
	return field_decode(f, index, bytes, ret);
}

bool page_integer(const struct page *p, const uint8_t *bytes, const char *column, int64_t *ret)
{
	unsigned index;
	const struct field *f = bytes ? page_field(p, column, &index) : NULL;
	struct value v;

	if (!f || page_decode(p, f, index, bytes, &v) < 0 || v.type != VALUE_INTEGER)
		return false;
	*ret = v.integer;
	return true;
}

int page_decode_identified(const struct page *p, const struct field *f, unsigned index,
			   const uint8_t *bytes, const uint8_t *identify, struct value *ret)
{
	int r = page_decode(p, f, index, bytes, ret);
	int64_t bits;

	if (r != -ENODATA || !f->zero_where ||
	    !page_integer(&identify_page, identify, f->zero_where, &bits) || !(bits & 1))
		return r;
	ret->type = VALUE_INTEGER;
	ret->integer = 0;
	return 0;
}

unsigned page_overflows(const struct page *p, const uint8_t *bytes)
{
	struct value v;
	unsigned n = 0;

	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned index = 0; index < field_count(&p->fields[i]); index++)
			n += field_may_overflow(&p->fields[i]) &&
			     page_decode(p, &p->fields[i], index, bytes, &v) == -ERANGE;
	return n;
}

static unsigned newest_version(const struct page *p)
{
	unsigned version = p == &ocp_smart_page ? 2 : 1; /* the oldest in the field, OCP 1.0 */

	for (size_t i = 0; i < p->n_fields; i++)
		if (p->fields[i].since > version)
			version = p->fields[i].since;
	return version;
}

void page_blank(const struct page *p, uint8_t *bytes)
{
	static const struct value absent = { .type = VALUE_ABSENT };

	memset(bytes, 0, p->size);
	/* What has no "not reported" stays 0. */
	for (size_t i = 0; i < p->n_fields; i++)
		for (unsigned index = 0; index < field_count(&p->fields[i]); index++)
			(void)field_encode(&p->fields[i], index, &absent, bytes);
	if (p->guid)
		memcpy(bytes + p->guid_offset, p->guid, 16);
	if (p->version_size)
		bytes_put(bytes + p->version_offset, p->version_size, newest_version(p));
}
