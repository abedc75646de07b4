/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* A controller of the Linux NVMe driver: /dev/nvmeN, through libnvme. The only place in nvmewatch
 * that opens a device. The command's time-out is left to the kernel: a shorter one would make it
 * reset the controller. */

#include <errno.h>
#include <fcntl.h>
#include <libnvme.h>
#include <stdalign.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "host.h"
#include "nvmewatch/cleanup.h"
#include "source.h"

/* What is left of the ioctl's status without CRD (12:11), More (13) and DNR (14). */
#define STATUS_MASK 0x7ff
#define SYSFS "/sys"

struct controller {
	/* Page-aligned: some firmware refuses other buffers (PRP Offset Invalid). */
	alignas(4096) uint8_t data[PAGE_SIZE_MAX];
	char path[64];
	const char *device; /* in path */
	int fd;
	bool opened;
	struct host host; /* what the kernel says of it */
	bool gone; /* the name may lead to another controller now: this reader has had its time */
};

static int linux_open(const char *target, void **ret)
{
	struct controller *c = aligned_alloc(alignof(struct controller), sizeof(*c));

	if (!c)
		return -ENOMEM;
	snprintf(c->path, sizeof(c->path), "/dev/%s", target);
	c->device = c->path + strlen("/dev/");
	c->opened = false;
	c->gone = false;
	c->fd = -1; /* opened by the first command, where it may block and fail */
	*ret = c;
	return 0;
}

static int get_log(struct controller *ctrl, const struct command *c)
{
	struct nvme_get_log_args args = {
		.args_size = sizeof(args),
		.fd = ctrl->fd,
		.log = ctrl->data,
		.len = c->length,
		.lid = c->id,
		.lsp = c->lsp,
		.rae = c->rae,
		.nsid = c->nsid,
		.lsi = c->lsi,
		.uuidx = c->uuid_index,
		.csi = NVME_CSI_NVM,
	};

	return nvme_get_log(&args);
}

static int identify(struct controller *ctrl, const struct command *c)
{
	struct nvme_identify_args args = {
		.args_size = sizeof(args),
		.fd = ctrl->fd,
		.data = ctrl->data,
		.cns = c->id,
		.nsid = c->nsid,
		.csi = NVME_CSI_NVM,
	};

	return nvme_identify(&args);
}

static int get_features(struct controller *ctrl, const struct command *c)
{
	uint32_t result = 0, size = c->length - FEATURE_RESULT;
	struct nvme_get_features_args args = {
		.args_size = sizeof(args),
		.fd = ctrl->fd,
		.fid = c->id,
		.nsid = c->nsid,
		.cdw11 = c->cdw11,
		.uuidx = c->uuid_index,
		.sel = NVME_GET_FEATURES_SEL_CURRENT,
		.data_len = size,
		.data = size ? ctrl->data : NULL,
		.result = &result,
	};
	int r = nvme_get_features(&args);

	memmove(ctrl->data + FEATURE_RESULT, ctrl->data, size);
	bytes_put(ctrl->data, FEATURE_RESULT, result);
	return r;
}

static int admin(struct controller *ctrl, const struct command *c)
{
	switch (c->opcode) {
	case OPCODE_GET_LOG_PAGE: return get_log(ctrl, c);
	case OPCODE_IDENTIFY: return identify(ctrl, c);
	case OPCODE_GET_FEATURES: return get_features(ctrl, c);
	}
	errno = EPERM;
	return -1;
}

static void admin_execute(struct controller *ctrl, const struct command *c, struct reply *ret)
{
	/* A short transfer must not pass off the last command's bytes as this one's. */
	memset(ctrl->data, 0, sizeof(ctrl->data));
	errno = 0;
	int r = admin(ctrl, c);
	if (r < 0)
		ret->error = errno ? -errno : -EIO;
	else if (r > 0)
		ret->status = r & STATUS_MASK ? r & STATUS_MASK : NVME_SC_INTERNAL;
	ctrl->gone = ret->error == -ENODEV || ret->error == -ENXIO;
	if (r)
		return;
	memcpy(ret->data, ctrl->data, c->length);
	ret->length = (uint16_t)c->length;
}

/* What a read has taken hold of is let go at once. Nobody waits for how that went: it can only fail where
 * the controller is gone or in a reset, which releases too. */
static void admin_serve(struct controller *ctrl, const struct command *c, struct reply *ret)
{
	struct command release;

	if (ctrl->fd < 0)
		ctrl->fd = open(ctrl->path, O_RDONLY | O_CLOEXEC);
	if (ctrl->fd < 0) {
		ret->error = -errno;
		return;
	}
	admin_execute(ctrl, c, ret);
	if (command_release(c, ret, &release))
		(void)admin(ctrl, &release);
}

/* What the kernel cannot tell of this controller ends as a page that a drive does not have. */
static void host_execute(struct controller *ctrl, const struct command *c, struct reply *ret)
{
	int r = host_read(&ctrl->host, c->id, c->nsid, ret->data, c->length);

	if (r == -ENODATA)
		ret->status = NVME_SC_INVALID_FIELD;
	else if (r < 0)
		ret->error = r;
	else
		ret->length = (uint16_t)c->length;
}

static void linux_execute(void *drive, const struct command *c, struct reply *ret)
{
	struct controller *ctrl = drive;

	if (ctrl->gone) {
		ret->error = -ENODEV;
		return;
	}
	/* With the device, so that both are of the same controller. */
	if (!ctrl->opened)
		host_open(SYSFS, ctrl->device, &ctrl->host);
	ctrl->opened = true;
	if (c->kind == COMMAND_HOST)
		host_execute(ctrl, c, ret);
	else
		admin_serve(ctrl, c, ret);
}

const struct source linux_source = {
	.name = "linux",
	.open = linux_open,
	.execute = linux_execute,
};
