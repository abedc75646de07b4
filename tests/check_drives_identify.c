/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The Identify samples of real drives: capabilities, texts, power states. */

#include "drive_samples.h"

static void state_value(const uint8_t *bytes, const char *name, unsigned state, double x)
{
	char column[64], text[32];

	snprintf(column, sizeof(column), "power_state_%s_%u", name, state);
	format_real(x, text);
	compare(&identify_page, bytes, column, text);
}

static void put_state(uint8_t *psd, json_t *state)
{
	int64_t active = integer_in(state, "active_power_uw");
	int64_t scale = integer_in(state, "active_scale");

	put_number(psd, 0, 2, (uint64_t)integer_in(state, "mp_raw"));
	psd[3] = (uint8_t)(integer_in(state, "mxps") |
			   (json_is_false(json_object_get(state, "operational")) ? 2 : 0));
	put_number(psd, 4, 4, (uint64_t)integer_in(state, "entry_us"));
	put_number(psd, 8, 4, (uint64_t)integer_in(state, "exit_us"));
	psd[12] = (uint8_t)integer_in(state, "rrt");
	psd[13] = (uint8_t)integer_in(state, "rrl");
	psd[14] = (uint8_t)integer_in(state, "rwt");
	psd[15] = (uint8_t)integer_in(state, "rwl");
	put_number(psd, 20, 2, (uint64_t)(scale ? active / (scale == 1 ? 100 : 10000) : 0));
	psd[22] = (uint8_t)(scale << 6);
}

static void compare_latency(const uint8_t *bytes, const char *name, unsigned n, int64_t us)
{
	char column[64];
	const struct sample_key key = { .column = column, .unit = MICRO };

	snprintf(column, sizeof(column), "power_state_%s_seconds_%u", name, n);
	compare_number(&identify_page, bytes, &key, us);
}

static void compare_state(const uint8_t *bytes, unsigned n, json_t *state)
{
	json_t *active = json_object_get(state, "active_power_uw");
	char column[64];

	state_value(bytes, "max_watts", n, (double)integer_in(state, "max_power_uw") / 1000000);
	state_value(bytes, "non_operational", n,
		    json_is_false(json_object_get(state, "operational")));
	state_value(bytes, "rrt", n, (double)integer_in(state, "rrt"));
	state_value(bytes, "rrl", n, (double)integer_in(state, "rrl"));
	state_value(bytes, "rwt", n, (double)integer_in(state, "rwt"));
	state_value(bytes, "rwl", n, (double)integer_in(state, "rwl"));
	compare_latency(bytes, "entry", n, integer_in(state, "entry_us"));
	compare_latency(bytes, "exit", n, integer_in(state, "exit_us"));
	if (json_is_integer(active)) {
		state_value(bytes, "active_watts", n, (double)json_integer_value(active) / 1000000);
		return;
	}
	snprintf(column, sizeof(column), "power_state_active_watts_%u", n);
	compare(&identify_page, bytes, column, "absent");
}

/* Space-padded, as long as it fits (one sample has a remark in the place of its model). */
static bool put_text(uint8_t *bytes, unsigned offset, unsigned size, const char *text)
{
	if (!text || strlen(text) > size)
		return false;
	memset(bytes + offset, ' ', size);
	memcpy(bytes + offset, text, strlen(text));
	return true;
}

static void compare_text(const uint8_t *bytes, const char *column, const char *text)
{
	char quoted[64];
	size_t length = strlen(text);

	while (length && text[length - 1] == ' ')
		length--;
	snprintf(quoted, sizeof(quoted), "\"%.*s\"", (int)length, text);
	compare(&identify_page, bytes, column, quoted);
}

static void check_texts(json_t *drive)
{
	static const struct {
		const char *key, *column;
		unsigned offset, size;
	} texts[] = {
		{ "serial_made_up", "sn", 4, 20 },
		{ "model", "mn", 24, 40 },
		{ "firmware", "fr", 64, 8 },
	};
	uint8_t bytes[4096] = { 0 };

	for (size_t i = 0; i < ELEMENTS(texts); i++) {
		const char *text = json_string_value(json_object_get(drive, texts[i].key));
		if (put_text(bytes, texts[i].offset, texts[i].size, text))
			compare_text(bytes, texts[i].column, text);
	}
}

static void put_oui(uint8_t *bytes, json_t *identify)
{
	const char *oui = json_string_value(json_object_get(identify, "ieee_oui"));
	int64_t number = integer_in(identify, "ieee");
	unsigned n = (unsigned)number;

	if (oui)
		ck_assert_int_eq(sscanf(oui, "%x", &n), 1);
	put_number(bytes, 73, 3, n);
}

static void check_identify_sample(json_t *identify, json_t *states)
{
	uint8_t bytes[4096] = { 0 };
	int64_t transfer = integer_in(identify, "mdts_pages");
	const char *oui = json_string_value(json_object_get(identify, "ieee_oui"));
	char quoted[64];
	size_t i;
	json_t *state;

	put_oui(bytes, identify);
	json_array_foreach(states, i, state)
		put_state(bytes + 2048 + 32 * i, state);
	numbers(&identify_page, identify_keys, identify, bytes);
	if (transfer) {
		json_t *mdts = json_pack("{s:i}", "mdts", __builtin_ctzll((uint64_t)transfer));
		numbers(&identify_page, identify_keys, mdts, bytes);
		json_decref(mdts);
	}
	if (oui) {
		snprintf(quoted, sizeof(quoted), "\"%s\"", oui);
		compare(&identify_page, bytes, "ieee", quoted);
	}
	json_array_foreach(states, i, state)
		compare_state(bytes, (unsigned)i, state);
	if (states) {
		snprintf(quoted, sizeof(quoted), "power_state_rrt_%zu", i);
		compare(&identify_page, bytes, quoted, "absent");
	}
}

static void check_identity(json_t *drive)
{
	json_t *identify = json_object_get(drive, "identify_ctrl");

	check_texts(drive);
	if (json_is_object(identify))
		check_identify_sample(identify, json_object_get(drive, "power_states"));
}

START_TEST(test_every_published_value_comes_back)
{
	each_drive(check_identity, 1311);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_every_published_value_comes_back, NULL };

	return check_main("drives identify", tests);
}
