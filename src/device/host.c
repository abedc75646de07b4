/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/field.h"
#include "nvmewatch/parse.h"

void host_open(const char *root, const char *device, struct host *ret)
{
	_cleanup_(closep) int class = -1;

	ret->folder = -1;
	ret->sysfs = open(root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (ret->sysfs >= 0)
		class = openat(ret->sysfs, "class/nvme", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (class >= 0)
		ret->folder = openat(class, device, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

void host_close(struct host *h)
{
	closep(&h->folder);
	closep(&h->sysfs);
}

int host_text_all(int folder, const char *name, char *ret, size_t size)
{
	_cleanup_(closep) int fd = openat(folder, name, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? -1 : read(fd, ret, size - 1);

	if (n < 0)
		return -errno;
	ret[n] = 0;
	return 0;
}

int host_text(int folder, const char *name, char *ret, size_t size)
{
	int r = host_text_all(folder, name, ret, size);

	if (r == 0)
		ret[strcspn(ret, "\n")] = 0;
	return r;
}

bool host_put_number(int folder, const char *name, uint8_t *bytes, unsigned at)
{
	char text[32];
	uint64_t n;

	if (host_text(folder, name, text, sizeof(text)) < 0 || parse_uint(text, &n) < 0)
		return false;
	bytes_put(bytes + at, HOST_NUMBER, n);
	return true;
}

int host_read(const struct host *h, unsigned page, uint32_t nsid, uint8_t *ret, size_t size)
{
	static const struct {
		size_t size;
		int (*read)(const struct host *h, uint32_t nsid, uint8_t *ret);
	} known[] = {
		[HOST_PCIE_LINK] = { HOST_LINK_SIZE, host_pcie_link },
		[HOST_PCIE_AER] = { HOST_AER_SIZE, host_pcie_aer },
		[HOST_BLOCK] = { HOST_BLOCK_SIZE, host_block },
		[HOST_CONTROLLER] = { HOST_CONTROLLER_SIZE, host_controller },
	};

	if (h->folder < 0 || page >= ELEMENTS(known) || !known[page].read || size < known[page].size)
		return -ENODATA;
	/* Every controller has this one. */
	if (faccessat(h->folder, "cntlid", F_OK, 0) < 0)
		return -ENODEV;
	memset(ret, 0xff, size);
	return known[page].read(h, nsid, ret);
}
