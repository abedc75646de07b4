/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the simulated drive share: sim.c answers commands, sim_load.c reads the drive
 * file with sim_key.c (sections of fixed keys) and sim_page.c (sections of page fields and bytes),
 * sim_fault.c knows what goes wrong, sim_behaviour.c lives the drive's life, and sim_report.c
 * writes that life into the bytes of its pages. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/ini.h"
#include "nvmewatch/page.h"
#include "nvmewatch/sim.h"

#define STATUS_INVALID_OPCODE 0x001
#define STATUS_INVALID_FIELD 0x002
#define STATUS_INVALID_LOG_PAGE 0x109
#define STATUS_MASK 0x7ff /* SCT and SC, without CRD, More and DNR */

/* ---- Sections of fixed keys. ---- */

enum sim_kind {
	SIM_TEXT,   /* char[size] */
	SIM_NUMBER, /* int32_t */
	SIM_REAL,   /* double */
	SIM_SIZE,   /* uint64_t, decimal K, M, G, T, P */
	SIM_TIME,   /* uint64_t, microseconds */
	SIM_FLAG,   /* bool */
	SIM_WORD,   /* int32_t, index into words */
};

struct sim_key {
	const char *name;
	enum sim_kind kind;
	size_t offset, size;
	double min, max;           /* SIM_NUMBER, SIM_REAL */
	const char *const *words;  /* SIM_WORD, NULL at the end */
};

/* Sets the key of that name in target. Returns 0 or a negative errno after ini_fail(). */
int sim_key_set(const struct sim_key *keys, size_t n_keys, void *target,
		const struct ini_place *at, const char *section, const char *name,
		const char *value);

/* ---- Pages. ---- */

struct sim_page {
	bool supported;
	uint16_t length; /* what is answered, however much was asked for; 0: as asked */
	uint8_t bytes[PAGE_SIZE_MAX];                   /* when the drive was powered on */
	uint8_t patch[PAGE_SIZE_MAX], mask[PAGE_SIZE_MAX]; /* [raw]: 0xff where patch rules */
};

/* `column = value` of a page's section. */
int sim_page_set(struct sim_page *page, const struct page *p, const struct ini_place *at,
		 const char *column, const char *value);

/* A byte patch or the answered length, by the name behind the dot. */
int sim_page_patch(struct sim_page *page, const struct page *p, const struct ini_place *at,
		   const char *what, const char *value);

/* Lays the byte patches over bytes[PAGE_SIZE_MAX]. */
void sim_page_overlay(const struct sim_page *page, uint8_t *bytes);

/* Splits "page.what". Returns 0 or a negative errno after ini_fail(). */
int sim_page_split(const struct ini_place *at, const char *section, const char *key,
		   const struct page **ret_page, const char **ret_what);

/* ---- Faults. ---- */

struct sim_fault {
	int32_t status, error;        /* NVMe status with its flag bits; errno; 0: none */
	uint64_t delay, after, until; /* microseconds; until 0: for ever */
	bool hang, crash;
};

int sim_fault_set(struct sim_fault *f, const struct ini_place *at, const char *name,
		  const char *value);

/* Whether the fault is in force. */
bool sim_fault_active(const struct sim_fault *f, uint64_t elapsed_us);

/* ---- Behaviour: pure. ---- */

struct sim_behaviour {
	bool active;        /* without a [behaviour] section nothing moves */
	uint64_t seed;
	int32_t workload;
	uint64_t read, write, read_iops, write_iops; /* per second at full load */
	double write_amplification;
	uint64_t endurance; /* rated bytes written, 0: wear does not move */
	uint64_t capacity;  /* for erase cycles, 0: they do not move */
	double ambient, ambient_swing;               /* degrees Celsius from here on */
	double idle_temperature, load_temperature;   /* settled, at an ambient of 25 */
	double throttle_temperature, heavy_temperature; /* 0: never throttles */
	double warning_temperature, critical_temperature; /* of the identify page, 0: none */
	uint64_t time_constant;
	double idle_power, load_power; /* watts */
	double accelerate;
};

/* Everything that has happened since power-on. Sums are doubles: they only grow, and after years
 * still count single bytes where it matters. */
struct sim_state {
	uint64_t steps;
	double temperature, hottest, load;
	unsigned level; /* of throttling: 0 none, 1 light, 2 heavy */
	double powered_seconds, busy_seconds, warning_seconds, critical_seconds;
	double throttle_seconds[2], transitions[2], throttle_events;
	double host_read, host_written, read_commands, write_commands; /* bytes, commands */
	double media_read, media_written, erase_cycles;
	double watt_seconds;
};

void sim_behaviour_init(struct sim_behaviour *b);
int sim_behaviour_set(struct sim_behaviour *b, const struct ini_place *at, const char *name,
		      const char *value);

/* What only the whole of the section shows. Returns 0 or a negative errno after ini_fail(). */
int sim_behaviour_check(const struct sim_behaviour *b, const struct ini_place *at);

/* Brings the state to that time; the way there makes no difference. */
void sim_behaviour_advance(const struct sim_behaviour *b, struct sim_state *st,
			   uint64_t elapsed_us);

/* Watts at the state's load. */
double sim_behaviour_power(const struct sim_behaviour *b, const struct sim_state *st);

/* Moves the bytes of a page from power-on to the state. Pages it does not know stay. */
void sim_report(const struct sim_behaviour *b, const struct sim_state *st, const struct page *p,
		uint8_t *bytes);

/* ---- The drive. ---- */

struct sim {
	struct drive drive; /* names; what Identify says is read from its page */
	bool has_serial;
	struct sim_page *pages;   /* by page_index() */
	struct sim_fault *faults; /* by page_index(), and one more for every command */
	struct sim_behaviour behaviour;
	struct sim_state state;
	uint64_t failures; /* commands that ended with a status */
};
