/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* What the files of the simulated drive share. sim.c executes commands, with the answers of
 * sim_command.c; sim_fault.c knows what goes wrong with one, sim_timeline.c when the drive is
 * there and as which. sim_behaviour.c lives the drive's life, sim_report.c writes that life into
 * the bytes of its pages. sim_load.c reads the drive file, with sim_key.c for sections of fixed
 * keys (identity, fault_load, change, behaviour) and sim_page.c for those of page fields and
 * bytes. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nvmewatch/error_log.h"
#include "nvmewatch/ini.h"
#include "nvmewatch/page.h"
#include "nvmewatch/sim.h"

#define STATUS_INVALID_OPCODE 0x001
#define STATUS_INVALID_FIELD 0x002
#define STATUS_INVALID_NAMESPACE 0x00b
#define STATUS_SEQUENCE_ERROR 0x00c
#define STATUS_INVALID_LOG_PAGE 0x109
#define STATUS_MASK 0x7ff /* SCT and SC, without CRD, More and DNR */
#define STATUS_DNR 0x4000

/* ---- Sections of fixed keys. ---- */

enum sim_kind {
	SIM_TEXT,   /* char[size] */
	SIM_NUMBER, /* int32_t */
	SIM_LONG,   /* int64_t */
	SIM_REAL,   /* double */
	SIM_SIZE,   /* uint64_t, decimal K, M, G, T, P */
	SIM_TIME,   /* uint64_t, microseconds */
	SIM_FLAG,   /* bool */
	SIM_WORD,   /* int32_t, index into words */
};

#define SIM_SECTION_MAX 64 /* as ini_read() has it */

struct sim_key {
	const char *name;
	enum sim_kind kind;
	size_t offset, size;
	double min, max;           /* SIM_NUMBER, SIM_LONG, SIM_REAL */
	const char *const *words;  /* SIM_WORD, NULL at the end */
};

/* Sets the key of that name in target. Returns 0 or a negative errno after ini_fail(). */
int sim_key_set(const struct sim_key *keys, size_t n_keys, void *target,
		const struct ini_place *at, const char *section, const char *name,
		const char *value);

/* ---- Pages. ---- */

struct sim_patch {
	uint8_t bytes[PAGE_SIZE_MAX], mask[PAGE_SIZE_MAX]; /* 0xff where the bytes rule */
};

struct sim_page {
	const struct page *page;
	uint32_t instance; /* of a page of which there are several */
	bool supported;
	uint16_t length; /* what is answered, however much was asked for; 0: as asked */
	uint8_t *bytes;  /* page->size, when the drive was powered on */
	struct sim_patch *patch; /* [raw]; NULL: there is none */
};

/* The drive's page, or NULL where nobody has written of it. */
struct sim_page *sim_page_find(const struct sim *s, const struct page *p, uint32_t instance);

/* The same, made where it was not there: blank, and not supported. NULL: no memory. */
struct sim_page *sim_page_make(struct sim *s, const struct page *p, uint32_t instance);

/* `column = value` of a page's section. */
int sim_page_set(struct sim_page *page, const struct ini_place *at, const char *column,
		 const char *value);

/* A byte patch or the answered length, by the name behind the dot. */
int sim_page_patch(struct sim_page *page, const struct ini_place *at, const char *what,
		   const char *value);

void sim_page_free(struct sim_page *page);

/* Lays the byte patches over bytes[PAGE_SIZE_MAX]. */
void sim_page_overlay(const struct sim_page *page, uint8_t *bytes);

/* Splits "page.what", the page made where it was not there. Returns 0 or a negative errno after
 * ini_fail(). */
int sim_page_split(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		   struct sim_page **ret_page, const char **ret_what);

/* ---- What a drive has whatever its file says. ---- */

/* Before the file is read: a drive that is well. 0 or -ENOMEM. */
int sim_defaults(struct sim *s);

/* After: what the pages of the file make likely. 0 or -ENOMEM. */
int sim_defaults_settle(struct sim *s);

/* After that: features and log pages that every drive has, or Identify says it has. 0 or -ENOMEM. */
int sim_mandatory_settle(struct sim *s);

/* What such a page says of the drive's names and size, as they are at the last command. */
void sim_mandatory_put(const struct sim *s, const struct page *p, uint8_t *bytes);

/* ---- Identity. ---- */

/* A key of [identity], in the drive and in the bytes of its identify page (NULL: not in those). */
int sim_identity_set(struct drive *d, uint8_t *identify, const struct ini_place *at,
		     const char *section, const char *key, const char *value);

/* All of the drive's identity into the bytes. */
void sim_identity_put(const struct drive *d, uint8_t *identify);

/* ---- Changes: [change NAME]. ---- */

struct sim_entry {
	char *key, *value;
};

struct sim_change {
	char section[SIM_SECTION_MAX];
	uint64_t at;
	bool swap; /* it names a serial: from then on this is another drive */
	struct sim_entry *entries;
	size_t n;
};

int sim_change_set(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		   const char *value);
int sim_change_check(const struct sim *s, const struct ini_place *at);
void sim_change_done(struct sim_change *c);

/* Applies what it says of the drive, and of a page. */
void sim_change_drive(const struct sim_change *c, struct drive *d);
void sim_change_page(const struct sim_change *c, struct sim_page *page);

/* ---- Faults: [fault NAME]. ---- */

enum sim_what {
	SIM_NOTHING,
	SIM_STATUS,   /* of the command, with its flag bits */
	SIM_ERRNO,    /* of the ioctl */
	SIM_DELAY,    /* microseconds */
	SIM_HANG,
	SIM_CRASH,
	SIM_GARBAGE,
	SIM_ZERO,
	SIM_TRUNCATE, /* to so many bytes */
	SIM_RESET,
	SIM_REMOVE,
};

#define SIM_BIT(what_) (1u << (what_))

struct sim_fault {
	char section[SIM_SECTION_MAX];
	enum sim_what what;
	uint64_t argument;
	uint64_t at, until, lasting; /* microseconds; until UINT64_MAX: for ever */
	const struct page *page;     /* which of the commands; with opcode 0 every one */
	int64_t instance;            /* of that page; -1: any */
	uint8_t opcode, id;          /* where no page of ours is meant */
	int64_t length, nsid;        /* -1: any */
	int32_t rae;                 /* -1: any */
	int64_t every, times;        /* times -1: without end */
	int64_t seen;                /* commands that it was for, so far */
	char what_text[64], page_text[64];
};

int sim_fault_set(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		  const char *value);

/* What only the whole of the section shows; settles .until. */
int sim_fault_check(struct sim *s, const struct ini_place *at);

/* Whether the fault is in force. */
bool sim_fault_active(const struct sim_fault *f, uint64_t elapsed_us);

/* The first fault in the file that strikes the command with one of `whats` (SIM_BIT), or NULL. */
const struct sim_fault *sim_fault_find(const struct sim *s, uint64_t elapsed_us,
				       const struct command *c, unsigned whats);

/* The command is over, for `every` and `times`. */
void sim_fault_count(struct sim *s, uint64_t elapsed_us, const struct command *c);

/* ---- Timeline. ---- */

/* The page as the file and its changes up to then have it, before behaviour and byte patches: into
 * ret[PAGE_SIZE_MAX], zeros behind its end. Returns whether the drive has it then. */
bool sim_page_at(const struct sim *s, const struct sim_page *page, uint64_t elapsed_us, uint8_t *ret);

/* How many faults of a kind have ended since another drive was put in, up to then. Those from the
 * beginning do not count: the drive was not there before. */
unsigned sim_ended(const struct sim *s, enum sim_what what, uint64_t elapsed_us);

/* When the next reset or removal begins after that time: it ends whatever hangs. UINT64_MAX: none
 * does. */
uint64_t sim_next_loss(const struct sim *s, uint64_t elapsed_us);

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

/* Makes it the state of a drive that has done nothing yet, as warm as it is. */
void sim_behaviour_forget(struct sim_state *st);

/* Brings the state to that time; the way there makes no difference. */
void sim_behaviour_advance(const struct sim_behaviour *b, struct sim_state *st,
			   uint64_t elapsed_us);

/* Watts at the state's load. */
double sim_behaviour_power(const struct sim_behaviour *b, const struct sim_state *st);

/* Moves the bytes of a page from power-on to the state. Pages it does not know stay. */
void sim_report(const struct sim_behaviour *b, const struct sim_state *st, const struct page *p,
		uint8_t *bytes);

/* ---- Commands. ---- */

/* Answers a command that nothing is wrong with. Returns its status, without flag bits. */
uint16_t sim_command(const struct sim *s, const struct command *c, struct reply *ret);

/* ---- Its error log. ---- */

/* Whether it has so many bytes of it: a drive refuses to be asked for more entries than it keeps. */
bool sim_errors_have(const struct sim *s, uint32_t length);

/* The last command's status counts, and becomes the newest entry. */
void sim_errors_note(struct sim *s);

/* Puts what was refused since power-on in front of the entries in the bytes. */
void sim_errors_put(const struct sim *s, uint8_t *bytes);

/* ---- Its Persistent Event Log (0Dh). ---- */

/* A log for a drive that has said that it keeps one. 0 or -ENOMEM. */
int sim_events_settle(struct sim *s, const uint8_t *identify);

/* What a command does to the log's reporting context. Returns its status: there is a context already, or
 * none to read in. */
uint16_t sim_events_take(struct sim *s, const struct command *c, struct reply *ret);

/* The same of a command that fails for another reason, with that status: the context was made before. */
void sim_events_fail(struct sim *s, const struct command *c, uint16_t status);

/* ---- The drive. ---- */

struct sim {
	struct drive drive; /* names; what Identify says is read from its page */
	bool has_serial;
	struct sim_page **pages;
	size_t n_pages;
	struct sim_fault *faults;
	size_t n_faults;
	struct sim_change *changes; /* by time */
	size_t n_changes;
	struct sim_behaviour behaviour;
	struct sim_state state;
	uint64_t now;      /* of the last command */
	uint64_t failures; /* commands that ended with a status */
	uint16_t refused[ERROR_ENTRIES_MAX]; /* those statuses, the last at (failures - 1) % of so many */
	uint64_t context;  /* until when there is a reporting context of 0Dh: that of a reset; 0: none */
	uint16_t status;   /* of the last command, with CRD, More and DNR */
};
