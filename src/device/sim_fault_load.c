/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* [fault NAME]: one thing that goes wrong. */

#include <errno.h>
#include <stddef.h>
#include <string.h>

#include "nvmewatch/buffer.h"
#include "nvmewatch/parse.h"
#include "sim_internal.h"

#define ERRNO_MAX 133

#define FAULT(name_, kind_, member_, min_, max_)                                       \
	{ .name = name_, .kind = kind_, .offset = offsetof(struct sim_fault, member_), \
	  .size = sizeof(((struct sim_fault *)0)->member_), .min = min_, .max = max_ }

static const struct sim_key keys[] = {
	FAULT("what", SIM_TEXT, what_text, 0, 0),
	FAULT("at", SIM_TIME, at, 0, 0),
	FAULT("until", SIM_TIME, until, 0, 0),
	FAULT("for", SIM_TIME, lasting, 0, 0),
	FAULT("page", SIM_TEXT, page_text, 0, 0),
	FAULT("length", SIM_LONG, length, 4, UINT32_MAX),
	FAULT("nsid", SIM_LONG, nsid, 0, UINT32_MAX),
	FAULT("rae", SIM_NUMBER, rae, 0, 1),
	FAULT("every", SIM_LONG, every, 1, UINT32_MAX),
	FAULT("times", SIM_LONG, times, 1, UINT32_MAX),
};

/* ---- what: a word, for some with an argument. ---- */

/* Flag bits alone would be success. */
static int status_parse(const char *text, uint64_t *ret)
{
	uint64_t status;

	if (parse_uint(text, &status) < 0 || status > 0x7fff || !(status & STATUS_MASK))
		return -EINVAL;
	*ret = status;
	return 0;
}

/* By its name, or by its number. */
static int errno_parse(const char *text, uint64_t *ret)
{
	for (int e = 1; e <= ERRNO_MAX; e++) {
		const char *name = strerrorname_np(e);
		if (name && !strcmp(name, text)) {
			*ret = (uint64_t)e;
			return 0;
		}
	}
	return parse_uint(text, ret) < 0 || *ret < 1 || *ret > ERRNO_MAX ? -EINVAL : 0;
}

static int bytes_parse(const char *text, uint64_t *ret)
{
	return parse_uint(text, ret) < 0 || *ret >= PAGE_SIZE_MAX ? -EINVAL : 0;
}

static const struct {
	const char *word;
	enum sim_what what;
	int (*parse)(const char *text, uint64_t *ret); /* of the argument, NULL: takes none */
	const char *example;
} whats[] = {
	{ "status", SIM_STATUS, status_parse, " 0x109 or with CRD, More and DNR 0x4109" },
	{ "errno", SIM_ERRNO, errno_parse, " EAGAIN" },
	{ "delay", SIM_DELAY, parse_duration, " 10s" },
	{ "hang", SIM_HANG, NULL, "" },
	{ "crash", SIM_CRASH, NULL, "" },
	{ "garbage", SIM_GARBAGE, NULL, "" },
	{ "zero", SIM_ZERO, NULL, "" },
	{ "truncate", SIM_TRUNCATE, bytes_parse, " 300" },
	{ "reset", SIM_RESET, NULL, "" },
	{ "remove", SIM_REMOVE, NULL, "" },
};

static int what_fail(const struct sim_fault *f, const struct ini_place *at)
{
	_cleanup_(buffer_done) struct buffer b = { 0 };

	for (size_t i = 0; i < ELEMENTS(whats); i++)
		buffer_printf(&b, "%s%s%s", i ? ", " : "", whats[i].word, whats[i].example);
	buffer_put(&b, "", 1);
	if (b.failed)
		return -ENOMEM;
	return ini_fail(at, -EINVAL, "[%s] what = %s: allowed are %s", f->section, f->what_text,
			b.data);
}

static int what_set(struct sim_fault *f, const struct ini_place *at)
{
	size_t length = strcspn(f->what_text, " ");
	const char *argument = f->what_text + length + strspn(f->what_text + length, " ");

	if (f->what)
		return ini_fail(at, -EINVAL, "[%s] says what twice; allowed is one fault in a "
				"section, and more of them as [fault NAME]", f->section);
	for (size_t i = 0; i < ELEMENTS(whats); i++) {
		if (strlen(whats[i].word) != length || memcmp(whats[i].word, f->what_text, length))
			continue;
		if (whats[i].parse ? whats[i].parse(argument, &f->argument) < 0 : *argument)
			break;
		f->what = whats[i].what;
		return 0;
	}
	return what_fail(f, at);
}

/* ---- page: by its name, or by its number whether we read it or not. ---- */

static int page_number(const char *text, const char *word, uint8_t opcode, struct sim_fault *f)
{
	size_t length = strlen(word);
	uint64_t id;

	if (strncmp(text, word, length) || parse_uint(text + length, &id) < 0 || id > 0xff)
		return -EINVAL;
	f->opcode = opcode;
	f->id = (uint8_t)id;
	return 0;
}

static int page_set(struct sim_fault *f, const struct ini_place *at)
{
	uint32_t instance;

	f->page = page_find(f->page_text); /* all of several */
	f->instance = -1;
	if (f->page)
		return 0;
	f->page = page_find_instance(f->page_text, &instance);
	f->instance = f->page ? (int64_t)instance : -1;
	if (f->page || !page_number(f->page_text, "log ", OPCODE_GET_LOG_PAGE, f) ||
	    !page_number(f->page_text, "identify ", OPCODE_IDENTIFY, f) ||
	    !page_number(f->page_text, "feature ", OPCODE_GET_FEATURES, f))
		return 0;
	return ini_fail(at, -EINVAL, "[%s] page = %s: allowed are the pages of nvmewatch-metrics(7), as "
			"smart, and numbers, as log 0x09, identify 0x17 and feature 0x02",
			f->section, f->page_text);
}

/* ---- The section. ---- */

static struct sim_fault *fault_of(struct sim *s, const char *section)
{
	for (size_t i = 0; i < s->n_faults; i++)
		if (!strcmp(s->faults[i].section, section))
			return &s->faults[i];
	struct sim_fault *more = reallocarray(s->faults, s->n_faults + 1, sizeof(*more));
	if (!more)
		return NULL;
	s->faults = more;
	more += s->n_faults++;
	*more = (struct sim_fault){ .length = -1, .nsid = -1, .rae = -1, .every = 1, .times = -1 };
	strcpy(more->section, section);
	return more;
}

int sim_fault_set(struct sim *s, const struct ini_place *at, const char *section, const char *key,
		  const char *value)
{
	struct sim_fault *f = fault_of(s, section);

	if (!f)
		return ini_fail(at, -ENOMEM, "%s", strerror(ENOMEM));
	int r = sim_key_set(keys, ELEMENTS(keys), f, at, section, key, value);
	if (r < 0)
		return r;
	if (!strcmp(key, "what"))
		return what_set(f, at);
	return strcmp(key, "page") ? 0 : page_set(f, at);
}

static bool is_selective(const struct sim_fault *f)
{
	return f->page || f->opcode || f->length >= 0 || f->nsid >= 0 || f->rae >= 0 || f->every != 1 ||
	       f->times >= 0;
}

static int fault_check(struct sim_fault *f, const struct ini_place *at)
{
	if (!f->what)
		return ini_fail(at, -EINVAL, "[%s] lacks what: the thing that goes wrong",
				f->section);
	if (SIM_BIT(f->what) & (SIM_BIT(SIM_RESET) | SIM_BIT(SIM_REMOVE)) && is_selective(f))
		return ini_fail(at, -EINVAL,
				"[%s] is of the whole drive; allowed are at, until and for", f->section);
	if (f->lasting && f->until)
		return ini_fail(at, -EINVAL, "[%s] has until and for; allowed is one of them",
				f->section);
	if (f->lasting && __builtin_add_overflow(f->at, f->lasting, &f->until))
		f->until = 0;
	if (!f->until)
		f->until = UINT64_MAX;
	if (f->until <= f->at)
		return ini_fail(at, -EINVAL, "[%s] ends before it begins; until is later than at",
				f->section);
	return 0;
}

int sim_fault_check(struct sim *s, const struct ini_place *at)
{
	int r = 0;

	for (size_t i = 0; i < s->n_faults && r == 0; i++)
		r = fault_check(&s->faults[i], at);
	return r;
}
