/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The drive catalogue: which entry is a drive's, what a wrong file costs, and what the shipped files say. */

#include <errno.h>
#include <math.h>

#include "file_support.h"
#include "nvmewatch/catalogue.h"
#include "page_support.h"

#define TB(x) ((uint64_t)((x) * 1e12))

static struct catalogue *c;

static void setup(void)
{
	folder_make();
	ck_assert_int_eq(catalogue_new(&c), 0);
}

static void teardown(void)
{
	catalogue_free(c);
	folder_remove();
}

static int load(const char *path, bool site, char *error, size_t size)
{
	catalogue_begin(c, path, site);
	return catalogue_end(c, ini_read(path, catalogue_key, c, error, size), error, size);
}

static void take(const char *name, bool site, const char *text)
{
	const char *path = in_folder(name);
	char error[512] = "";

	write_text(path, text);
	ck_assert_msg(load(path, site, error, sizeof(error)) == 0, "%s", error);
}

static void check_refused(const char *text, const char *expected)
{
	const char *path = in_folder("wrong.conf");
	char error[1024] = "";
	size_t before = catalogue_size(c);

	write_text(path, text);
	ck_assert_int_eq(load(path, false, error, sizeof(error)), -EINVAL);
	ck_assert_msg(strstr(error, expected) != NULL, "\"%s\" is not in \"%s\"", expected, error);
	ck_assert_uint_eq(catalogue_size(c), before);
}

static void check_entry(const char *model, double terabytes, const char *expected)
{
	const struct rating *r = catalogue_find(c, model, TB(terabytes));

	ck_assert_msg(!strcmp(r ? r->entry : "none", expected), "%s is %s, not %s", model,
		      r ? r->entry : "none", expected);
}

#define HEAD "family = F\nsource = S\n"

START_TEST(test_the_most_specific_pattern_wins)
{
	take("a.conf", false,
	     "[exact]\n" HEAD "model = ACME 100\n"
	     "[all]\n" HEAD "model = *\n"
	     "[acme]\n" HEAD "model = ACME*\n"
	     "[question]\n" HEAD "model = ACME 2??\n"
	     "[class]\n" HEAD "model = ACME 2[01][0-9]\n"
	     "[two]\n" HEAD "model = Z*\nmodel = ACME 3*\n");
	check_entry("ACME 100", 1, "exact");
	check_entry("ACME 1000", 1, "acme");
	check_entry("ACME 3x", 1, "two");
	check_entry("OTHER", 1, "all");
	/* Of the same six characters: what is read last. A class fixes no character. */
	check_entry("ACME 205", 1, "class");
	check_entry("ACME 295", 1, "question");
}
END_TEST

START_TEST(test_the_whole_model_has_to_match_in_its_case)
{
	take("a.conf", false, "[a]\n" HEAD "model = ACME 100\n");
	check_entry("ACME 100", 1, "a");
	check_entry("acme 100", 1, "none");
	check_entry("XACME 100", 1, "none");
	check_entry("ACME 100 ", 1, "none");
	check_entry("", 1, "none");
	ck_assert_ptr_null(catalogue_find(NULL, "ACME 100", 0));
}
END_TEST

START_TEST(test_the_site_wins_even_when_it_is_less_specific)
{
	take("a.conf", true, "[site]\n" HEAD "model = ACME*\n");
	take("a.conf", false, "[shipped]\n" HEAD "model = ACME 100\n");
	check_entry("ACME 100", 1, "site");
	ck_assert(catalogue_find(c, "ACME 100", 0)->site);
}
END_TEST

START_TEST(test_capacities_tell_models_apart)
{
	take("a.conf", false,
	     "[one]\n" HEAD "model = M\ncapacity_bytes = 1T\n"
	     "[two]\n" HEAD "model = M\ncapacity_bytes = 2T\n"
	     "[four]\n" HEAD "model = M\ncapacity_bytes = 4T\n");
	check_entry("M", 1.000204886016, "one");
	check_entry("M", 2.000398934016, "two");
	check_entry("M", 4.0, "four");
	/* Over-provisioned. */
	check_entry("M", 1.6, "two");
	check_entry("M", 3.2, "four");
	/* None of these is a guess away. */
	check_entry("M", 7.68, "none");
	check_entry("M", 0.25, "none");
	/* A capacity that is not known chooses none. */
	check_entry("M", 0, "none");
	take("b.conf", false, "[exact]\n" HEAD "model = MX\ncapacity_bytes = 4T\n");
	check_entry("MX", 0, "exact");
}
END_TEST

START_TEST(test_what_is_wrong_is_told_and_costs_the_file)
{
	take("good.conf", false, "[a]\n" HEAD "model = A\n");
	check_refused("[b]\n" HEAD "model = B\nwarranty = 5\n", "wrong.conf:5: unknown key warranty of [b]; there "
								"are family, source, model, basis, capacity_bytes, ");
	check_refused("[b]\nmodel =\n", "wrong.conf:2: model = : must be a pattern");
	check_refused("[b]\nbasis = guess\n", "basis = guess: must be random, sequential, jesd219 or unstated");
	check_refused("[b]\ncapacity_bytes = -1\n", "capacity_bytes = -1: must be a number, with K, M, G, T or P");
	check_refused("[b]\ncapacity_bytes = 3.84Q\n", "capacity_bytes = 3.84Q: must be a number");
	check_refused("[b]\ndrive_writes_per_day = 0\n", "drive_writes_per_day = 0: must be a number from 0.001");
	check_refused("[b]\ndrive_writes_per_day = nan\n", "drive_writes_per_day = nan: must be");
	check_refused("[b]\nfamily =\n", "family = : must be a text of 1 to 63 characters");
	check_refused("[b]\n" HEAD, "wrong.conf:2: [b] lacks model");
	check_refused("[b]\nmodel = B\nsource = S\n", "[b] lacks family");
	check_refused("[b]\nmodel = B\nfamily = F\n", "[b] lacks source");
	check_refused("[b]\n" HEAD "model = B\ndrive_writes_per_day = 1\n", "[b] lacks warranty_years");
	check_refused("[b]\n" HEAD "model = B\nwarranty_years = 5\nwritten_bytes = 1P\n", "[b] lacks capacity_bytes");
	check_refused("model = B\n", "wrong.conf:1: \"model\" stands before any [section]");
	check_entry("A", 1, "a");
	check_entry("B", 1, "none");
}
END_TEST

/* Whatever a file holds, all of it counts or nothing. */
START_TEST(test_noise_is_refused_or_taken_whole)
{
	static const char *const lines[] = {
		"[a]", "[b]", "family = F", "source = S", "model = M*", "model = [", "model = [a", "model = []]",
		"capacity_bytes = 1T", "capacity_bytes = 9e99", "warranty_years = 5", "warranty_years = x",
		"drive_writes_per_day = 1", "written_bytes = 1P", "basis = random", "rubbish", "", "= 5",
	};
	uint64_t seed = 7;
	unsigned taken = 0;

	for (int round = 0; round < 2000; round++) {
		char text[1024] = "[a]\n" HEAD "model = A\n", error[1024] = "";
		size_t before = catalogue_size(c);
		for (uint64_t n = random_next(&seed) % 6; n; n--) {
			strcat(text, lines[random_next(&seed) % ELEMENTS(lines)]);
			strcat(text, "\n");
		}
		const char *path = in_folder("noise.conf");
		write_text(path, text);
		int code = load(path, round % 2, error, sizeof(error));
		ck_assert_int_eq(code < 0, error[0] != 0);
		ck_assert_int_eq(code < 0, catalogue_size(c) == before);
		taken += code == 0;
		catalogue_find(c, "M]", (uint64_t)round * 1000000000);
	}
	ck_assert_uint_gt(taken, 200);
}
END_TEST

START_TEST(test_drive_writes_and_bytes_follow_from_each_other)
{
	take("a.conf", false,
	     "[dwpd]\n" HEAD "model = D\nwarranty_years = 5\ndrive_writes_per_day = 0.58\n"
	     "[tbw]\n" HEAD "model = T\ncapacity_bytes = 500G\nwarranty_years = 5\nwritten_bytes = 850T\n"
	     "[none]\n" HEAD "model = N\n");
	const struct rating *d = catalogue_find(c, "D", 0), *t = catalogue_find(c, "T", 0);

	ck_assert_double_eq_tol(rating_written(d, TB(15.36)), 16.25856e15, 1e9);
	ck_assert_double_eq(rating_capacity(d, 7), 7);
	ck_assert_double_eq_tol(rating_drive_writes(t), 0.9315068, 1e-6);
	ck_assert_double_eq(rating_written(t, 400), 850e12);
	ck_assert_double_eq(rating_capacity(t, 7), 500e9);
	/* Formatted to less, it is rated for as many bytes as before, and a drive write is as many. */
	ck_assert_double_eq(rating_capacity(t, TB(0.4)), 500e9);
	ck_assert_double_eq(rating_drive_writes(catalogue_find(c, "N", 0)), 0);
	ck_assert_double_eq(rating_written(catalogue_find(c, "N", 0), 7), 0);
}
END_TEST

START_TEST(test_the_page_says_which_entry_matched)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	take("acme.conf", true,
	     "[acme-1t]\nfamily = Acme\nsource = Acme data sheet\nmodel = X\nmodel = ACME*\n"
	     "warranty_years = 3\ndrive_writes_per_day = 1.3\nbasis = random\nactive_watts = 8.25\n"
	     "read_latency_seconds = 0.000072\nindirection_unit_bytes = 4096\n");
	rating_put(catalogue_find(c, "ACME 1", 0), "ACME 1", 1000000000000, bytes);
	check_value(&rating_page, bytes, "entry", "\"acme-1t\"");
	check_value(&rating_page, bytes, "pattern", "\"ACME*\"");
	check_value(&rating_page, bytes, "file", "\"acme.conf\"");
	check_value(&rating_page, bytes, "origin", "\"site\"");
	check_value(&rating_page, bytes, "family", "\"Acme\"");
	check_value(&rating_page, bytes, "source", "\"Acme data sheet\"");
	check_value(&rating_page, bytes, "basis", "\"random\"");
	check_value(&rating_page, bytes, "rated_drive_writes_per_day", "1.3");
	check_value(&rating_page, bytes, "rated_written_bytes", "1423500000000000");
	check_value(&rating_page, bytes, "rated_warranty_years", "3");
	check_value(&rating_page, bytes, "rated_active_watts", "8.25");
	check_value(&rating_page, bytes, "rated_read_latency_seconds", "7.2e-05");
	check_value(&rating_page, bytes, "rated_indirection_unit_bytes", "4096");
	check_value(&rating_page, bytes, "rated_capacity_bytes", "absent");
	check_value(&rating_page, bytes, "rated_idle_watts", "absent");
}
END_TEST

START_TEST(test_every_number_has_its_column)
{
	char column[FIELD_COLUMN_MAX];
	unsigned index;

	for (size_t i = 0; i < n_rating_numbers; i++) {
		snprintf(column, sizeof(column), "rated_%s", rating_numbers[i].name);
		ck_assert_msg(page_field(&rating_page, column, &index) != NULL, "%s", column);
	}
}
END_TEST

static void load_shipped(void)
{
	char folder_path[4096], error[512] = "";
	char **files;

	snprintf(folder_path, sizeof(folder_path), "%s", source_path("etc/drives.d"));
	ck_assert_int_eq(ini_folder(folder_path, &files), 0);
	ck_assert_ptr_nonnull(files[0]);
	for (char **p = files; *p; p++)
		ck_assert_msg(load(*p, false, error, sizeof(error)) == 0, "%s", error);
	ini_folder_free(files);
}

/* Models as drives report them: their rated drive writes per day, and what follows. 0: not in it. */
static const struct {
	const char *model;
	double terabytes, writes, written;
	const char *family;
} shipped[] = {
	{ "SOLIDIGM SBFPF2BV153T", 15.362991415296, 0.58, 16.25856e15, "Solidigm D5-P5430" },
	{ "SOLIDIGM SBFPF2BV038T", 3.84, 0.58, 4.06464e15, "Solidigm D5-P5430" },
	{ "SOLIDIGM SBFPF2BV076T", 7.681501126656, 0.58, 8.12928e15, "Solidigm D5-P5430" },
	{ "SOLIDIGM SBFPF2BU307T", 30.72, 0.58, 32.51712e15, "Solidigm D5-P5430" },
	{ "D6920DT0384M00", 3.84, 1, 7.008e15, "Memblaze PBlaze6 D6920" },
	{ "D6920DT0768M00", 7.681501126656, 1, 14.016e15, "Memblaze PBlaze6 D6920" },
	{ "D6920DT1536M00", 15.36, 1, 28.032e15, "Memblaze PBlaze6 D6920" },
	{ "D6926DT0320M00", 3.2, 3, 17.52e15, "Memblaze PBlaze6 D6926" },
	{ "D6926DT0640M00", 6.401252745216, 3, 35.04e15, "Memblaze PBlaze6 D6926" },
	{ "D6926DT1280M00", 12.8, 3, 70.08e15, "Memblaze PBlaze6 D6926" },
	{ "P6530DT0192M00", 1.92, 1.5, 5.256e15, "Memblaze PBlaze6 6530" },
	{ "P6530DT0384M00", 3.840755982336, 1.5, 10.512e15, "Memblaze PBlaze6 6530" },
	{ "P6530DT0768M00", 7.68, 1.5, 21.024e15, "Memblaze PBlaze6 6530" },
	{ "P6536DT0160M00", 1.6, 3.3, 9.636e15, "Memblaze PBlaze6 6536" },
	{ "P6536DT0320M00", 3.200631791616, 3.3, 19.272e15, "Memblaze PBlaze6 6536" },
	{ "P6536DT0640M00", 6.4, 3.3, 38.544e15, "Memblaze PBlaze6 6536" },
	{ "HUSPR3280ADP301", 0.8, 3, 4.38e15, "HGST Ultrastar SN100" },
	{ "HUSPR3232ADP301", 3.200631791616, 3, 17.52e15, "HGST Ultrastar SN100" },
	{ "HUSPR3216AHP301", 1.600321314816, 3, 8.76e15, "HGST Ultrastar SN150" },
	{ "Sabrent Rocket 4.0 500GB", 0.500107862016, 0.931507, 850e12, "Sabrent Rocket NVMe 4.0" },
	{ "Sabrent Rocket 4.0 1TB", 1.000204886016, 0.986301, 1800e12, "Sabrent Rocket NVMe 4.0" },
	{ "Sabrent Rocket 4.0 2TB", 2.000398934016, 0.986301, 3600e12, "Sabrent Rocket NVMe 4.0" },
	{ "INTEL SSDPF2NV307TZ", 30.725971992576, 0.41, 22.98624e15, "Solidigm D5-P5316" },
	{ "Micron_6500_MTFDKCC30T7TGR", 30.725971992576, 0.3, 16.8192e15, "Micron 6500 ION" },
	{ "KCD6XLUL15T3", 15.360950534144, 1, 28.032e15, "Kioxia CD6-R" },
	{ "KCD6XVUL6T40", 6.4, 3, 35.04e15, "Kioxia CD6-V" },
	{ "KCM6XVUL3T20", 3.2, 3, 17.52e15, "Kioxia CM6-V" },
	{ "SAMSUNG MZPLJ3T2HBJR-00007", 3.2, 3, 17.52e15, "Samsung PM1735" },
	{ "SAMSUNG MZQL23T8HCLS-00A07", 3.840755982336, 1, 7.008e15, "Samsung PM9A3" },
	{ "SAMSUNG MZPLL1T6HEHP-00003", 1.6, 5, 14.6e15, "Samsung PM1725a" },
	{ "SAMSUNG MZWLL3T2HAJQ-00005", 3.2, 3, 17.52e15, "Samsung PM1725b" },
	{ "SAMSUNG MZQLB1T9HAJR-00007", 1.92, 1.3, 2.73312e15, "Samsung PM983" },
	{ "Samsung SSD 970 EVO Plus 250GB", 0.25, 0.328767, 150e12, "Samsung SSD 970 EVO Plus" },
	{ "INTEL SSDPE2KX080T8", 8.0, 0.950685, 13.88e15, "Intel SSD DC P4510" },
	{ "INTEL SSDPECME016T4", 1.6, 3, 8.76e15, "Intel SSD DC P3608" },
	{ "INTEL SSDPEDME400G4", 0.4, 3, 2.19e15, "Intel SSD DC P3600" },
	{ "INTEL SSDPEDMD400G4", 0.4, 10, 7.3e15, "Intel SSD DC P3700" },
	{ "INTEL SSDPF2KE032T1", 3.2, 3, 17.52e15, "Intel SSD D7-P5600" },
	{ "INTEL SSDPF2KX038T1", 3.84, 1, 7.008e15, "Intel SSD D7-P5500" },
	{ "INTEL SSDPF2KX038TZ", 3.84, 1, 7.008e15, "Intel SSD D7-P5510" },
	{ "INTEL SSDPEKNW010T8", 1.024, 0.107021, 200e12, "Intel SSD 660p" },
	{ "Micron_7450_MTFDKCC960TFR", 0.96, 1, 1.752e15, "Micron 7450 PRO" },
	{ "Micron_7450_MTFDKCC3T2TFS", 3.2, 3, 17.52e15, "Micron 7450 MAX" },
	{ "Micron_7300_MTFDHBE1T6TDG", 1.6, 3, 8.76e15, "Micron 7300 MAX" },
	{ "Micron_7300_MTFDHBE1T9TDF", 1.92, 1, 3.504e15, "Micron 7300 PRO" },
	{ "Micron_7400_MTFDKCB3T8TDZ", 3.84, 1, 7.008e15, "Micron 7400 PRO" },
	{ "Micron_9300_MTFDHAL3T8TDP", 3.84, 1, 7.008e15, "Micron 9300 PRO" },
	{ "HUSMR7632BHP301", 3.2, 3, 17.52e15, "HGST Ultrastar SN200" },
	{ "HUSMR7619BHP3Y1", 1.92, 1, 3.504e15, "HGST Ultrastar SN200" },
	{ "WUS4BB076D7P3E3", 7.68, 0.8, 11.2128e15, "Western Digital Ultrastar DC SN640" },
	{ "CT250P2SSD8", 0.25, 0.328767, 150e12, "Crucial P2" },
	{ "Seagate FireCuda 530 ZP4000GM30023", 4.0, 0.69863, 5100e12, "Seagate FireCuda 530" },
	/* Of these no rating is published, or their model does not say which drive it is. */
	{ "KXG60ZNV512G TOSHIBA", 0.512, 0, 0, NULL },
	{ "SAMSUNG MZVL21T0HCLR-00B00", 1.0, 0, 0, NULL },
	{ "UCS-SDHPCIE 800GB", 0.8, 0, 0, NULL },
	{ "Sabrent Rocket 4.0 Plus 1TB", 1.0, 0, 0, NULL },
	{ "TS128GMTE850", 0.128, 0, 0, NULL },
	{ "ShiJi 128GB M.2-NVMe", 0.128, 0, 0, NULL },
	{ "QEMU NVMe Ctrl", 1.0, 0, 0, NULL },
	{ "Simulated OCP 2.7 drive", 3.84, 0, 0, NULL },
};

START_TEST(test_the_shipped_files_rate_the_drives_that_are_known)
{
	load_shipped();
	for (size_t i = 0; i < ELEMENTS(shipped); i++) {
		uint64_t capacity = TB(shipped[i].terabytes);
		const struct rating *r = catalogue_find(c, shipped[i].model, capacity);

		ck_assert_msg((r != NULL) == (shipped[i].writes > 0), "%s", shipped[i].model);
		if (!r)
			continue;
		ck_assert_str_eq(r->family, shipped[i].family);
		ck_assert_double_eq_tol(rating_drive_writes(r), shipped[i].writes, 1e-6);
		ck_assert_double_eq_tol(rating_written(r, capacity), shipped[i].written, 1e9);
	}
}
END_TEST

START_TEST(test_what_the_shipped_files_say_fits_its_page)
{
	uint8_t bytes[PAGE_SIZE_MAX];

	load_shipped();
	for (size_t i = 0; i < catalogue_size(c); i++) {
		const struct rating *r = catalogue_entry(c, i);

		rating_put(r, r->models[0], 0, bytes);
		for (size_t k = 0; k < n_rating_numbers; k++) {
			char column[FIELD_COLUMN_MAX];
			double x = rating_number(r, &rating_numbers[k]);

			snprintf(column, sizeof(column), "rated_%s", rating_numbers[k].name);
			struct value v = value_at(&rating_page, bytes, column);
			if (!x)
				continue;
			ck_assert_msg(v.type != VALUE_ABSENT, "%s of %s", column, r->entry);
			ck_assert_double_eq_tol(v.type == VALUE_REAL ? v.real : (double)v.integer, x, x * 1e-6);
		}
		for (size_t k = 0; k < i; k++)
			ck_assert_str_ne(catalogue_entry(c, k)->entry, r->entry);
	}
}
END_TEST

START_TEST(test_the_performance_of_a_capacity_is_that_of_its_data_sheet)
{
	load_shipped();
	const struct rating *r = catalogue_find(c, "D6920DT1536M00", 0);

	ck_assert_double_eq(r->read_bytes_per_second, 7.1e9);
	ck_assert_double_eq(r->write_bytes_per_second, 5.2e9);
	ck_assert_double_eq(r->random_read_ios_per_second, 1600000);
	ck_assert_double_eq(r->random_write_ios_per_second, 305000);
	ck_assert_double_eq(r->read_latency_seconds, 78e-6);
	r = catalogue_find(c, "SOLIDIGM SBFPF2BV153T", 0);
	ck_assert_double_eq(r->sequential_drive_writes_per_day, 1.83);
	ck_assert_str_eq(r->basis, "random");
	ck_assert_double_eq(r->indirection_unit_bytes, 4096);
	ck_assert_double_eq(catalogue_find(c, "SOLIDIGM SBFPF2BU307T", 0)->indirection_unit_bytes, 8192);
	ck_assert_double_eq(catalogue_find(c, "INTEL SSDPF2NV153TZ", 0)->indirection_unit_bytes, 65536);
	r = catalogue_find(c, "P6530DT0384M00", 0);
	ck_assert_double_eq(r->throttle_min_celsius, 77);
	ck_assert_double_eq(r->throttle_max_celsius, 85);
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_the_most_specific_pattern_wins,
		test_the_whole_model_has_to_match_in_its_case,
		test_the_site_wins_even_when_it_is_less_specific,
		test_capacities_tell_models_apart,
		test_what_is_wrong_is_told_and_costs_the_file,
		test_noise_is_refused_or_taken_whole,
		test_drive_writes_and_bytes_follow_from_each_other,
		test_the_page_says_which_entry_matched,
		test_every_number_has_its_column,
		test_the_shipped_files_rate_the_drives_that_are_known,
		test_what_the_shipped_files_say_fits_its_page,
		test_the_performance_of_a_capacity_is_that_of_its_data_sheet,
		NULL,
	};

	return check_main_with("catalogue", tests, setup, teardown);
}
