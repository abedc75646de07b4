/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "sim_internal.h"

#define IDENTITY(name_, kind_, member_, size_, min_, max_)                          \
	{ .name = name_, .kind = kind_, .offset = offsetof(struct drive, member_), \
	  .size = size_, .min = min_, .max = max_ }
#define IDENTITY_TEXT(name_, member_) \
	IDENTITY(name_, SIM_TEXT, member_, sizeof(((struct drive *)0)->member_), 0, 0)

/* serial, model, firmware: the widths of Identify Controller. */
static const struct sim_key keys[] = {
	IDENTITY("serial", SIM_TEXT, serial, 20 + 1, 0, 0),
	IDENTITY("model", SIM_TEXT, model, 40 + 1, 0, 0),
	IDENTITY("firmware", SIM_TEXT, firmware, 8 + 1, 0, 0),
	IDENTITY_TEXT("device", device),
	IDENTITY_TEXT("address", address),
	IDENTITY_TEXT("slot", slot),
	IDENTITY_TEXT("transport", transport),
	IDENTITY("nqn", SIM_TEXT, subsystem_nqn, 256, 0, 0),
	IDENTITY("capacity", SIM_SIZE, capacity_bytes, 0, 0, 0),
	IDENTITY("vendor", SIM_NUMBER, vendor, 0, 0, 0xffff),
	IDENTITY("numa_node", SIM_NUMBER, numa_node, 0, -1, 1023),
};

static void ascii_put(uint8_t *bytes, size_t size, const char *text)
{
	size_t length = strnlen(text, size);

	memcpy(bytes, text, length);
	memset(bytes + length, ' ', size - length);
}

/* What Identify Controller says of a key (NVMe Base 2.0, figure 275). */
static void key_put(const char *key, const struct drive *d, uint8_t *identify)
{
	if (!strcmp(key, "serial")) {
		ascii_put(identify + 4, 20, d->serial);
	} else if (!strcmp(key, "model")) {
		ascii_put(identify + 24, 40, d->model);
	} else if (!strcmp(key, "firmware")) {
		ascii_put(identify + 64, 8, d->firmware);
	} else if (!strcmp(key, "nqn")) {
		memset(identify + 768, 0, 256);
		memcpy(identify + 768, d->subsystem_nqn, strlen(d->subsystem_nqn));
	} else if (!strcmp(key, "capacity")) {
		bytes_put(identify + 280, 8, d->capacity_bytes);
	} else if (!strcmp(key, "vendor")) {
		bytes_put(identify, 2, d->vendor);
		bytes_put(identify + 2, 2, d->vendor);
	}
}

void sim_identity_put(const struct drive *d, uint8_t *identify)
{
	for (size_t i = 0; i < ELEMENTS(keys); i++)
		key_put(keys[i].name, d, identify);
}

int sim_identity_set(struct drive *d, uint8_t *identify, const struct ini_place *at,
		     const char *section, const char *key, const char *value)
{
	int r = sim_key_set(keys, ELEMENTS(keys), d, at, section, key, value);

	if (r == 0 && identify)
		key_put(key, d, identify);
	return r;
}
