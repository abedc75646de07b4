/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What being watched costs the error logs of drives as they are: those of the published samples, the
 * simulated fleet, and drives of every vendor that lack their vendor's pages. */

#include <dirent.h>
#include <string.h>

#include "drive_files.h"
#include "fake_host.h"

#define MINUTE (60 * SECOND)
#define FLEET "etc/sim"
#define FLEET_AT_LEAST 18
/* The log page C0h of OCP and at most two ids of the vendor's: nvmewatch-collect(8) says so. */
#define MOST 3

#define DRIVE(serial, firmware, vendor, model) \
	"[identity]\nserial = " serial "\nfirmware = " firmware "\nvendor = " vendor "\nmodel = " model "\n"
#define LISTS "[identify]\nlpa = 0x20\n" /* its log pages, in 00h */

static unsigned n_drives;
static uint64_t entries_before[FAKE_DRIVES];
static unsigned most[FAKE_DRIVES];

static uint64_t entries(const struct fake_drive *d)
{
	static struct reply reply;
	struct command c = command_for_page(&smart_page, 0, 0);

	sim_execute(d->sim, (uint64_t)fake_now, &c, &reply);
	ck_assert_int_eq(reply.error, 0);
	ck_assert_uint_eq(reply.status, 0);
	return bytes_get(reply.data + 176, 8);
}

/* The entries that came since the last call. */
static unsigned cost(unsigned n)
{
	uint64_t before = entries_before[n];

	entries_before[n] = entries(&fake_drives[n]);
	return (unsigned)(entries_before[n] - before);
}

static void plug(const char *text)
{
	char device[16];

	snprintf(device, sizeof(device), "nvme%u", n_drives);
	entries_before[n_drives] = entries(fake_plug(device, text));
	most[n_drives++] = MOST;
}

static void check_costs(void)
{
	host_start();
	host.settings.poll_smart = MINUTE;
	/* Until every page was due, the hourly ones twice. */
	host_run(130 * MINUTE);
	for (unsigned n = 0; n < n_drives; n++) {
		unsigned errors = cost(n);
		ck_assert_msg(errors <= most[n], "%s: %u errors", fake_drives[n].found.drive.model, errors);
		fake_drives[n].asked[2] = 0;
	}
	host_run(1000 * MINUTE);
	for (unsigned n = 0; n < n_drives; n++) {
		ck_assert_uint_ge(fake_drives[n].asked[2], 1000);
		ck_assert_msg(cost(n) == 0, "%s", fake_drives[n].found.drive.model);
	}
}

static void plug_sample(json_t *drive)
{
	char *text = drive_file_of(drive, n_drives);

	plug(text);
	free(text);
	/* Two of them refuse the log of self-tests that their OACS promises. */
	if (json_object_get(json_object_get(drive, "self_test_06"), "read_status"))
		most[n_drives - 1]++;
}

START_TEST(test_ERR_01_a_thousand_polls_of_published_drives_add_nothing)
{
	each_drive(plug_sample, 0);
	check_costs();
}
END_TEST

START_TEST(test_ERR_01_a_thousand_polls_of_the_simulated_fleet_add_nothing)
{
	DIR *fleet = opendir(source_path(FLEET));

	ck_assert_ptr_nonnull(fleet);
	for (struct dirent *entry; (entry = readdir(fleet));) {
		char path[sizeof(FLEET) + sizeof(entry->d_name)], text[32768];

		if (!strstr(entry->d_name, ".drive"))
			continue;
		snprintf(path, sizeof(path), FLEET "/%s", entry->d_name);
		FILE *f = fopen(source_path(path), "r");
		ck_assert_ptr_nonnull(f);
		size_t length = fread(text, 1, sizeof(text) - 1, f);
		fclose(f);
		text[length] = 0;
		plug(text);
	}
	closedir(fleet);
	ck_assert_uint_ge(n_drives, FLEET_AT_LEAST);
	check_costs();
}
END_TEST

/* A vendor's layouts of one id are one command: it is not refused once for each. Whoever lists its log
 * pages refuses nothing. */
START_TEST(test_ERR_04_an_id_is_asked_for_once_whatever_its_layouts)
{
	static const struct {
		const char *vendor, *model;
		unsigned cost;
	} lacking[] = {
		{ "0", "Any other", 1 },
		{ "0x1c5f", "P6530DT0384M00", 3 },
		{ "0x1c5f", "P5920DT0320T00", 2 },
		{ "0x1c5f", "P4910DT0320T00", 2 },
		{ "0x1c58", "HUSMR7638BDP3Y1", 2 },
		{ "0x1b96", "WUS4BB038D7P3E1", 3 },
		{ "0x15b7", "WDC CL SN730 SDBQNTY-512G-2020", 2 },
		{ "0x15b7", "WDC CL SN720 SDAQNTW-512G-2000", 2 },
		{ "0x8086", "INTEL SSDPE2KX040T8", 3 },
		{ "0x025e", "SOLIDIGM SBFPF2BV076T", 3 },
		{ "0x1344", "Micron_9300_MTFDHAL3T8TDP", 3 },
	};
	char text[512];

	for (unsigned i = 0; i < ELEMENTS(lacking); i++) {
		snprintf(text, sizeof(text), DRIVE("S%u", "FW1", "%s", "%s"), i, lacking[i].vendor,
			 lacking[i].model);
		plug(text);
	}
	for (unsigned i = 0; i < ELEMENTS(lacking); i++) {
		snprintf(text, sizeof(text), DRIVE("L%u", "FW2", "%s", "%s") LISTS, i, lacking[i].vendor,
			 lacking[i].model);
		plug(text);
	}
	/* A sibling learns of all that was refused. */
	plug(DRIVE("S99", "FW1", "0x1c5f", "P6530DT0384M00"));
	for (unsigned i = 0; i < n_drives; i++)
		most[i] = i < ELEMENTS(lacking) ? lacking[i].cost : 0;
	check_costs();
	for (unsigned i = 0; i < ELEMENTS(lacking); i++)
		ck_assert_int_eq(host_value(fake_drives[i].found.drive.serial, &smart_page,
					    "error_log_entries"), lacking[i].cost);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_ERR_01_a_thousand_polls_of_published_drives_add_nothing,
		test_ERR_01_a_thousand_polls_of_the_simulated_fleet_add_nothing,
		test_ERR_04_an_id_is_asked_for_once_whatever_its_layouts,
		NULL,
	};

	return check_main_with("harm drives", tests, host_setup, host_teardown);
}
