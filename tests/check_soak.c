/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A thousand random cycles of drives that come, go, are renamed, reset, swapped, lent, hang and kill
 * their readers, with restarts of the collector in between. After each the fleet is what the host is;
 * meant for sanitizers. NVMEWATCH_SOAK=SEED repeats a run or makes another. */

#include <string.h>

#include "check_main.h"
#include "fake_host.h"

#define CONTROLLERS 12
#define CYCLES 1000
#define SLOTS 6

static uint64_t seed;

static unsigned pick(unsigned n)
{
	return (unsigned)(random_next(&seed) % n);
}

static bool one_in(unsigned n)
{
	return !pick(n);
}

/* Models are few, so that drives have siblings; serials are few, so that they collide. */
static void write_drive(char *text, size_t size, unsigned slot)
{
	static const char *const pages_of[] = {
		"", "[ocp_smart]\nlog_page_version = 3\n",
		"[fault]\npage = smart\nwhat = garbage\n",
		"[fault]\npage = ocp_smart\nwhat = status 0x6\n",
		"[fault]\npage = identify\nwhat = garbage\ntimes = 2\n",
		"[fault]\npage = smart\nrae = 1\nwhat = zero\n",
		"[fault]\nwhat = status 0x82\nevery = 3\n",
		"[identify]\napsta = 1\nctratt = 0x200\n[ocp_smart]\nlog_page_version = 2\n",
	};
	char serial[16] = "", nqn[32] = "";

	if (!one_in(10))
		snprintf(serial, sizeof(serial), "S%u", pick(14));
	if (one_in(2))
		snprintf(nqn, sizeof(nqn), "nqn = nqn.x:%u\n", pick(3));
	snprintf(text, size, "[identity]\nserial = %s\nmodel = M%u\nfirmware = FW%u\ncapacity = %uT\n"
		 "%saddress = 0000:%02x:00.0\n%s", serial, pick(3), pick(2), pick(3), nqn,
		 slot, pages_of[pick(ELEMENTS(pages_of))]);
}

static void swap(struct fake_drive *d)
{
	char text[512];

	write_drive(text, sizeof(text), (unsigned)(d - fake_drives) % SLOTS + one_in(3) * SLOTS);
	fake_swap(d, text);
	d->found.cntlid = (uint16_t)pick(3);
	snprintf(d->found.target, sizeof(d->found.target), "%s", d->found.drive.device);
}

static void lend(struct fake_drive *d)
{
	fake_pull(d);
	d->found.target[0] = d->found.drive.serial[0] = d->found.drive.model[0] = 0;
	strcpy(d->found.drive.state, one_in(2) ? "vfio-pci" : "no driver");
}

/* Names are given in a new order, as a reboot or a rescan may do. */
static void rename_all(void)
{
	unsigned shift = pick(CONTROLLERS);

	for (unsigned i = 0; i < CONTROLLERS; i++) {
		struct fake_drive *d = &fake_drives[i];
		char name[32];
		fake_pull(d);
		snprintf(name, sizeof(name), "nvme%u", (i + shift) % CONTROLLERS);
		strcpy(d->found.drive.device, name);
		if (d->found.target[0])
			strcpy(d->found.target, name);
	}
}

static void happen(struct fake_drive *d)
{
	static const char *const states[] = { "live", "live", "live", "resetting", "connecting", "new",
					      "dead", "deleting", "" };

	switch (pick(12)) {
	case 0: case 1: fake_pull(d); d->there = false; break;
	case 2: case 3: d->there = true; break;
	case 4: swap(d); break;
	case 5: strcpy(d->found.drive.state, states[pick(ELEMENTS(states))]); break;
	case 6: d->hangs = !d->hangs && one_in(2); break;
	case 7: d->crashes = !d->crashes && one_in(2); break;
	case 8: d->locked = !d->locked && one_in(2); break;
	case 9: d->found.may_sleep = true; d->suspended = !d->suspended; break;
	case 10: rename_all(); break;
	case 11: lend(d); break;
	}
}

static void heal(struct fake_drive *d)
{
	d->hangs = d->crashes = d->locked = d->suspended = false;
	if (!d->found.target[0])
		swap(d);
	strcpy(d->found.drive.state, "live");
}

/* One process at most per controller and none for who is not there: also checked at each spawn. */
static void check_readers(void)
{
	for (unsigned i = 0; i < CONTROLLERS; i++) {
		ck_assert_uint_le(fake_drives[i].readers, 1);
		ck_assert_uint_le(fake_drives[i].outstanding, 1);
		if (!fake_drives[i].there)
			ck_assert_uint_eq(fake_drives[i].readers, 0);
	}
}

/* When all is well again, as many drives are shown as present, answering and read as there are. */
static void check_recovery(void)
{
	unsigned there = 0, read = 0, present = 0;

	for (unsigned i = 0; i < CONTROLLERS; i++)
		heal(&fake_drives[i]);
	/* No duplicates of serial and address, and no shared paths: one drive per controller. */
	for (unsigned i = 0; i < CONTROLLERS; i++) {
		struct fake_drive *d = &fake_drives[i];
		char text[256];
		snprintf(text, sizeof(text), "[identity]\nserial = R%u\nmodel = M%u\naddress = 0000:%02x:00.0\n",
			 i, i % 3, i);
		fake_swap(d, text);
		there += d->there;
	}
	host_event(NULL, false, 0);
	host_run(200 * SECOND);
	for (unsigned i = 0; i < CONTROLLERS; i++) {
		char key[16];
		snprintf(key, sizeof(key), "R%u", i);
		read += host_value(key, &smart_page, "power_cycles") >= 0;
		const struct now_drive *d = host_shown(key);
		present += d && d->drive.present && d->drive.responding;
	}
	ck_assert_uint_eq(present, there);
	ck_assert_uint_eq(read, there);
}

static void cycle(unsigned i)
{
	unsigned things = 1 + pick(3);

	while (things--)
		happen(&fake_drives[pick(CONTROLLERS)]);
	if (one_in(8))
		/* Unnoticed, until the next scan. */
		host_run(pick(100) * SECOND / 10);
	else
		host_event(one_in(3) ? NULL : &fake_drives[pick(CONTROLLERS)], one_in(4),
			   one_in(6) ? 0x010002 : 0);
	host_run(pick(40) * SECOND / 4);
	if (i % 8 == 0)
		host_run(120 * SECOND);
	if (one_in(50)) {
		host_stop();
		host_start();
	}
}

static void soak(uint64_t with_seed)
{
	char name[16], text[512];

	seed = with_seed;
	for (unsigned i = 0; i < CONTROLLERS; i++) {
		snprintf(name, sizeof(name), "nvme%u", i);
		write_drive(text, sizeof(text), i);
		fake_plug(name, text)->there = one_in(2);
	}
	host_start();
	for (unsigned i = 0; i < CYCLES; i++) {
		cycle(i);
		if (i % 8 == 0)
			check_readers();
		if (i % 100 == 99)
			check_recovery();
	}
}

START_TEST(test_a_thousand_random_cycles)
{
	const char *wanted = getenv("NVMEWATCH_SOAK");

	soak(wanted ? strtoull(wanted, NULL, 0) : 1);
}
END_TEST

START_TEST(test_a_thousand_more)
{
	soak(2);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = { test_a_thousand_random_cycles, test_a_thousand_more, NULL };

	return check_main_with("soak", tests, host_setup, host_teardown);
}
