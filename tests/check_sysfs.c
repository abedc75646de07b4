/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What a scan makes of the kernel's /sys, by the real sd-device: controllers as they are, incomplete,
 * vanishing, with paths, without names, and of fabrics. */

#include <dlfcn.h>
#include <ftw.h>
#include <systemd/sd-device.h>

#include "collect/census.h"
#include "fake_sysfs.h"
#include "nvmewatch/discovery.h"


static struct settings settings;
static struct discovery *discovery;
static struct discovered *found;
static struct candidate *list;
static size_t n_found, n;

/* ---- A controller goes when its first attribute is read. ---- */

static const char *vanishing; /* its path */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

int sd_device_get_sysattr_value(sd_device *device, const char *name, const char **ret)
{
	int (*real)(sd_device *, const char *, const char **) = NULL;
	const char *path;

	*(void **)&real = dlsym(RTLD_NEXT, "sd_device_get_sysattr_value");
	if (vanishing && sd_device_get_syspath(device, &path) >= 0 && !strcmp(path, vanishing)) {
		vanishing = NULL;
		ck_assert_int_eq(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
	}
	return real(device, name, ret);
}

/* ---- Hosts. ---- */

static const char *path_of(unsigned i)
{
	static char paths[2][96];
	static unsigned turn;
	char *path = paths[turn++ % 2];

	snprintf(path, sizeof(paths[0]), "devices/pci0000:00/0000:%02x:00.0/nvme/nvme%u", i + 1, i);
	return path;
}

/* nvme0 and so on, with a PCI function below it, and no attributes yet. */
static void bare(unsigned i)
{
	char parent[64];

	snprintf(parent, sizeof(parent), "devices/pci0000:00/0000:%02x:00.0", i + 1);
	sysfs_device(path_of(i), "class/nvme");
	sysfs_device(parent, "bus/pci/devices");
	sysfs_write("0x010802\n", "%s/class", parent);
	sysfs_link("bus/pci/drivers/nvme", "%s/driver", parent);
}

static void set(unsigned i, const char *attribute, const char *text)
{
	sysfs_write(text, "%s/%s", path_of(i), attribute);
}

static void plug(unsigned i, const char *serial)
{
	char address[32];

	bare(i);
	snprintf(address, sizeof(address), "0000:%02x:00.0\n", i + 1);
	set(i, "address", address);
	set(i, "serial", serial);
	set(i, "model", "M1      \n");
	set(i, "firmware_rev", "FW1     \n");
	set(i, "state", "live\n");
	set(i, "transport", "pcie\n");
	set(i, "cntlid", "1\n");
	set(i, "subsysnqn", "nqn.2014-08.org.nvmexpress:x\n");
}

static void load(const char *name)
{
	_cleanup_(freep) char *path = strdup(source_path(name));
	json_t *tree = json_load_file(path, 0, NULL), *one;
	size_t i;

	ck_assert_msg(tree != NULL, "%s", path);
	json_array_foreach(json_object_get(tree, "controllers"), i, one) {
		const char *at = json_string_value(json_object_get(one, "path")) + 1;
		sysfs_device(at, "class/nvme");
		sysfs_fill(at, one);
	}
	json_array_foreach(json_object_get(tree, "subsystems"), i, one) {
		const char *at = json_string_value(json_object_get(one, "path")) + 1, *child;
		json_t *unused;
		sysfs_fill(at, one);
		json_object_foreach(json_object_get(one, "namespaces"), child, unused) {
			char below[256];
			snprintf(below, sizeof(below), "%s/%s", at, child);
			sysfs_link(below, "class/block/%s", child);
		}
	}
	json_decref(tree);
}

static void scan(void)
{
	free(TAKE(list));
	free(TAKE(found));
	ck_assert_int_eq(discovery_scan(discovery, &settings, 0, &found, &n_found), 0);
	ck_assert_int_eq(census_take(found, n_found, &list, &n), 0);
}

static void setup(void)
{
	char error[256];

	sysfs_mount();
	ck_assert_int_eq(settings_init(&settings), 0);
	ck_assert_int_eq(discovery_new(&settings, 0, &discovery, error, sizeof(error)), 0);
}

static void teardown(void)
{
	free(TAKE(list));
	free(TAKE(found));
	discovery_free(discovery);
	settings_done(&settings);
	sysfs_umount();
}

/* ---- Tests. ---- */

START_TEST(test_PRM_06_a_host_without_nvme)
{
	scan();
	ck_assert_uint_eq(n, 0);
}
END_TEST

START_TEST(test_a_controller_is_described)
{
	plug(0, "  S1      \n");
	set(0, "nvme0n1/size", "1000\n");
	set(0, "nvme0n2/size", "24\n");
	scan();
	ck_assert_uint_eq(n, 1);
	const struct drive *d = &list[0].drive;
	ck_assert_str_eq(d->key, "S1");
	ck_assert_str_eq(d->model, "M1");
	ck_assert_str_eq(d->firmware, "FW1");
	ck_assert_str_eq(d->device, "nvme0");
	ck_assert_str_eq(d->address, "0000:01:00.0");
	ck_assert_str_eq(d->state, "live");
	ck_assert_uint_eq(d->capacity_bytes, 1024 * 512);
	ck_assert_str_eq(list[0].target, "nvme0");
}
END_TEST

/* It is gone; the others are not affected, and nobody is alarmed. */
START_TEST(test_HOT_01_a_controller_vanishes_while_it_is_read)
{
	for (unsigned i = 0; i < 4; i++)
		plug(i, (const char *const[]){ "S0\n", "S1\n", "S2\n", "S3\n" }[i]);
	char path[96];
	snprintf(path, sizeof(path), "/sys/%s", path_of(2));
	vanishing = path;
	scan();
	ck_assert_ptr_null(vanishing);
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(list[1].drive.key, "S1");
	ck_assert_str_eq(list[2].drive.key, "S3");
	ck_assert_str_eq(list[2].drive.firmware, "FW1");
}
END_TEST

START_TEST(test_HOT_02_missing_attributes_are_missing_values)
{
	plug(0, "S0\n");
	bare(1);
	set(1, "serial", "S1\n");
	bare(2);
	sysfs_link("devices/none/nvme3", "class/nvme/nvme3");
	sysfs_link("devices/none/nvme3", "class/nvme-subsystem/nvme-subsys0/nvme3");
	scan();
	ck_assert_uint_eq(n, 3);
	ck_assert_str_eq(list[0].drive.key, "S0");
	const struct drive *d = &list[1].drive;
	ck_assert_str_eq(d->key, "S1");
	ck_assert_str_eq(d->state, "");
	ck_assert_str_eq(d->transport, "");
	ck_assert_str_eq(d->model, "");
	/* Its parent has told that. */
	ck_assert_str_eq(d->address, "0000:02:00.0");
	ck_assert_str_eq(list[1].target, "nvme1");
	ck_assert_str_eq(list[2].drive.key, "@0000:03:00.0");
}
END_TEST

START_TEST(test_MPA_01_one_drive_two_paths)
{
	load("tests/data/cases/MPA-01-sysfs.json");
	scan();
	ck_assert_uint_eq(n_found, 3);
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(list[0].drive.key, "S7DFNB1A874704");
	ck_assert_uint_eq(list[0].drive.n_paths, 0);
	ck_assert_uint_eq(list[0].drive.capacity_bytes, UINT64_C(978143920) * 512);
	const struct drive *d = &list[1].drive;
	ck_assert_str_eq(d->key, "S6RTBV2K692328");
	ck_assert_uint_eq(d->n_paths, 2);
	ck_assert_str_eq(d->paths[0].device, "nvme1");
	ck_assert_str_eq(d->paths[0].address, "052e:78:00.0");
	ck_assert_str_eq(d->paths[1].device, "nvme2");
	/* Not doubled. */
	ck_assert_uint_eq(d->capacity_bytes, UINT64_C(11233968) * 512);
}
END_TEST

/* Two controllers of a drive, its namespaces shown by the subsystem. */
static void plug_multipath(void)
{
	static const char subsystem[] = "devices/virtual/nvme-subsystem/nvme-subsys0";

	plug(0, "S\n");
	plug(1, "S\n");
	set(1, "cntlid", "2\n");
	for (unsigned i = 1; i <= 2; i++) {
		char head[96];
		snprintf(head, sizeof(head), "%s/nvme0n%u", subsystem, i);
		sysfs_device(head, "class/block");
		sysfs_write(i == 1 ? "1000\n" : "24\n", "%s/size", head);
	}
}

/* What they say of themselves is not believed, and they are no drives. */
START_TEST(test_MPA_02_hidden_nodes_are_not_counted)
{
	plug_multipath();
	for (unsigned i = 0; i < 4; i++) {
		char name[64];
		snprintf(name, sizeof(name), "nvme0c%un%u/size", i / 2, i % 2 + 1);
		set(i / 2, name, "1\n");
		snprintf(name, sizeof(name), "nvme0c%un%u/hidden", i / 2, i % 2 + 1);
		set(i / 2, name, "1\n");
	}
	/* As the class lists them. */
	sysfs_device("devices/virtual/nvme0c0n1", "class/nvme");
	scan();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(n_found, 2);
	ck_assert_uint_eq(found[0].drive.capacity_bytes, 1024 * 512);
	ck_assert_uint_eq(found[1].drive.capacity_bytes, 1024 * 512);
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 1024 * 512);
	ck_assert_str_eq(list[0].target, "nvme0");
}
END_TEST

/* Whichever path is used, the drive is as large. */
START_TEST(test_MPA_04_namespaces_of_one_controller_only)
{
	plug_multipath();
	set(1, "nvme0c1n1/size", "1000\n");
	scan();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(found[0].drive.capacity_bytes, 0);
	ck_assert_str_eq(list[0].target, "nvme0");
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 1024 * 512);
	set(0, "state", "dead\n");
	scan();
	ck_assert_str_eq(list[0].target, "nvme1");
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 1024 * 512);
}
END_TEST

START_TEST(test_MPA_08_zero_ids_are_no_ids)
{
	static const char *const serials[] = { "S0\n", "S1\n", "S2\n", "\n", "\n", "\n" };
	char name[32];

	for (unsigned i = 0; i < 6; i++) {
		plug(i, serials[i]);
		set(i, "cntlid", "0\n");
		set(i, "subsysnqn", "\n");
		snprintf(name, sizeof(name), "nvme%un1/wwid", i);
		set(i, name, "eui.0000000000000000\n");
	}
	scan();
	ck_assert_uint_eq(n, 6);
	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(list[i].drive.n_paths, 0);
		for (unsigned k = 0; k < i; k++)
			ck_assert_str_ne(list[i].drive.key, list[k].drive.key);
	}
}
END_TEST

START_TEST(test_CAP_02_a_size_of_0_is_no_removal)
{
	plug(0, "S\n");
	set(0, "nvme0n1/size", "0\n");
	set(0, "nvme0n1/metadata_bytes", "16\n");
	scan();
	ck_assert_uint_eq(n, 1);
	ck_assert_str_eq(list[0].target, "nvme0");
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 0); /* unknown */
	set(0, "nvme0n1/size", "rubbish\n");
	scan();
	ck_assert_uint_eq(n, 1);
	ck_assert_uint_eq(list[0].drive.capacity_bytes, 0);
}
END_TEST

START_TEST(test_CAP_06_an_unknown_transport)
{
	load("tests/data/cases/CAP-06-sysfs.json");
	scan();
	ck_assert_uint_eq(n, 1);
	const struct drive *d = &list[0].drive;
	ck_assert_str_eq(d->key, "0ba09a48657aa022");
	ck_assert_str_eq(d->transport, "apple-nvme");
	ck_assert_int_eq(d->numa_node, -1);
	ck_assert_str_eq(list[0].target, "nvme0");
}
END_TEST

/* How often what a scan logs has a text in it. */
static unsigned said(const char *text)
{
	_cleanup_(fclosep) FILE *err = tmpfile();
	int saved = dup(2);
	unsigned times = 0;
	char line[512];

	dup2(fileno(err), 2);
	scan();
	dup2(saved, 2);
	close(saved);
	rewind(err);
	while (fgets(line, sizeof(line), err))
		times += strstr(line, text) != NULL;
	return times;
}

static void plug_fabric(unsigned i, const char *transport, const char *nqn)
{
	plug(i, "TARGET\n");
	set(i, "transport", transport);
	set(i, "address", "traddr=192.0.2.1,trsvcid=4420\n");
	set(i, "subsysnqn", nqn);
}

START_TEST(test_controllers_of_fabrics_are_said_and_not_read)
{
	plug(0, "S0\n");
	plug_fabric(1, "tcp\n", "nqn.2014-08.org.example:a\n");
	plug_fabric(2, "rdma\n", "nqn.2014-08.org.example:b\n");
	ck_assert_uint_eq(said("collect.fabrics"), 2);
	ck_assert_uint_eq(n, 1);
	/* Once. */
	ck_assert_uint_eq(said("collect.fabrics"), 0);
	/* Another under the same name is another. */
	set(1, "subsysnqn", "nqn.2014-08.org.example:c\n");
	ck_assert_uint_eq(said("nvme1 is a controller over tcp (nqn.2014-08.org.example:c)"), 1);
	settings.fabrics = true;
	ck_assert_uint_eq(said("collect.fabrics"), 0);
	ck_assert_uint_eq(n, 3);
}
END_TEST

START_TEST(test_a_function_of_another_driver_is_there)
{
	sysfs_device("devices/pci0000:00/0000:09:00.0", "bus/pci/devices");
	sysfs_write("0x010802\n", "devices/pci0000:00/0000:09:00.0/class");
	sysfs_link("bus/pci/drivers/vfio-pci", "devices/pci0000:00/0000:09:00.0/driver");
	plug(0, "S0\n");
	scan();
	ck_assert_uint_eq(n, 2);
	ck_assert_str_eq(list[0].drive.address, "0000:09:00.0");
	ck_assert_str_eq(list[0].drive.state, "vfio-pci");
	ck_assert_str_eq(list[0].target, "");
}
END_TEST

int main(void)
{
	const TTest *const tests[] = {
		test_PRM_06_a_host_without_nvme,
		test_a_controller_is_described,
		test_HOT_01_a_controller_vanishes_while_it_is_read,
		test_HOT_02_missing_attributes_are_missing_values,
		test_MPA_01_one_drive_two_paths,
		test_MPA_02_hidden_nodes_are_not_counted,
		test_MPA_04_namespaces_of_one_controller_only,
		test_MPA_08_zero_ids_are_no_ids,
		test_CAP_02_a_size_of_0_is_no_removal,
		test_CAP_06_an_unknown_transport,
		test_controllers_of_fabrics_are_said_and_not_read,
		test_a_function_of_another_driver_is_there,
		NULL,
	};

	if (!fake_sysfs_init()) {
		fprintf(stderr, "no mount namespace to be had: skipped\n");
		return FAKE_SYSFS_SKIP;
	}
	return check_main_with("sysfs", tests, setup, teardown);
}
