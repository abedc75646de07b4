/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "mock_ioctl.h"

#include <check.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static struct {
	struct sim *drive;
	uint64_t now;
	struct mock_command *commands;
	unsigned n;
} mock;

void mock_begin(struct sim *drive)
{
	free(mock.commands);
	memset(&mock, 0, sizeof(mock));
	mock.drive = drive;
}

uint64_t mock_now(void)
{
	return mock.now;
}

void mock_advance(uint64_t us)
{
	mock.now += us;
}

unsigned mock_count(void)
{
	return mock.n;
}

const struct mock_command *mock_command(unsigned i)
{
	ck_assert_msg(i < mock.n, "there was no command %u", i);
	return &mock.commands[i];
}

const struct mock_command *mock_last(void)
{
	return mock_command(mock.n - 1);
}

/* ---- What may be sent. ---- */

/* Log pages that are cleared, or events that are consumed, by being read (AEN-02). */
static bool is_clear_on_read(unsigned lid)
{
	return lid == 0x04 || lid == 0x0c || lid == 0x70 || lid == 0x80;
}

/* Log pages of which there are several. */
static bool has_identifier(unsigned lid)
{
	return lid == 0x09 || lid == 0x16;
}

/* Only the Persistent Event Log has one: its context is made by a read, or released. */
static bool lsp_is_right(const struct nvme_passthru_cmd64 *w)
{
	unsigned lsp = w->cdw10 >> 8 & 0x7f;

	return (w->cdw10 & 0xff) == 0x0d ? lsp == 1 || lsp == 2 : !lsp;
}

static const char *log_objection(const struct nvme_passthru_cmd64 *w)
{
	uint64_t dwords = (w->cdw10 >> 16 | (uint64_t)(w->cdw11 & 0xffff) << 16) + 1;

	if (is_clear_on_read(w->cdw10 & 0xff))
		return "a log page that is cleared by reading it";
	if (!(w->cdw10 & 0x8000))
		return "a log page without Retain Asynchronous Event";
	if (!lsp_is_right(w))
		return "a log specific parameter";
	if (w->nsid != NSID_ALL)
		return "a log page of one namespace";
	if (dwords * 4 != w->data_len)
		return "a number of dwords that is not the buffer's";
	if ((w->cdw11 >> 16 && !has_identifier(w->cdw10 & 0xff)) || w->cdw12 || w->cdw13 ||
	    w->cdw14 & ~0x7fu)
		return "a log specific identifier, an offset or a command set";
	return NULL;
}

static const char *identify_objection(const struct nvme_passthru_cmd64 *w)
{
	if ((w->nsid && w->cdw10) || w->cdw10 & ~0xffu || w->cdw11 || w->cdw12 || w->cdw13 || w->cdw14)
		return "an Identify with a namespace that has none, of a controller or a command set";
	return w->data_len == 4096 ? NULL : "an Identify of other than 4096 bytes";
}

/* TMPSEL and THSEL of the temperature threshold are all that may be told; nothing but the current value
 * is asked for (SEL in CDW10). */
static const char *feature_objection(const struct nvme_passthru_cmd64 *w)
{
	if (w->nsid || w->cdw10 & ~0xffu || w->cdw12 || w->cdw13 || w->cdw14 & ~0x7fu ||
	    w->cdw11 & ~(w->cdw10 == 0x04 ? 0x1f0000u : 0))
		return "a feature of a namespace, other than its current value, or with arguments";
	return w->data_len == (w->cdw10 == 0x0c ? 256 : 0) ? NULL : "data of another length";
}

const char *mock_objection(const struct nvme_passthru_cmd64 *w)
{
	if (w->opcode != OPCODE_GET_LOG_PAGE && w->opcode != OPCODE_IDENTIFY &&
	    w->opcode != OPCODE_GET_FEATURES)
		return "an opcode other than Get Log Page, Identify and Get Features";
	if (w->timeout_ms)
		return "a time-out of its own: the kernel resets the controller after it";
	if (w->flags || w->rsvd1 || w->cdw2 || w->cdw3 || w->cdw15)
		return "reserved bits";
	if (w->metadata || w->metadata_len)
		return "metadata";
	if (w->addr % 4096)
		return "a buffer that is not page-aligned";
	if (w->opcode == OPCODE_GET_FEATURES)
		return feature_objection(w);
	if (w->data_len < 4 || w->data_len % 4 || w->data_len > PAGE_SIZE_MAX)
		return "a length that is no number of dwords up to 4 KiB";
	return w->opcode == OPCODE_GET_LOG_PAGE ? log_objection(w) : identify_objection(w);
}

static struct command decode(const struct nvme_passthru_cmd64 *w)
{
	bool log = w->opcode == OPCODE_GET_LOG_PAGE, feature = w->opcode == OPCODE_GET_FEATURES;

	return (struct command){
		.protocol = COMMAND_PROTOCOL,
		.opcode = w->opcode,
		.id = (uint8_t)w->cdw10,
		.lsp = log ? w->cdw10 >> 8 & 0x7f : 0,
		.rae = log ? w->cdw10 >> 15 & 1 : 0,
		.uuid_index = w->cdw14 & 0x7f,
		.nsid = w->nsid,
		.lsi = log ? (uint16_t)(w->cdw11 >> 16) : 0,
		.cdw11 = feature ? w->cdw11 : 0,
		.length = w->data_len + (feature ? FEATURE_RESULT : 0),
	};
}

/* ---- What becomes of it. Results as of the ioctl: a status, or a negative errno. ---- */

/* A controller that is not live (Linux 6.1, drivers/nvme/host/core.c): user commands are failed
 * before they get to it; in use when it goes, its queue dies. */
static int refuse(enum sim_presence presence)
{
	return presence == SIM_GONE ? -ENODEV : MOCK_HOST_PATH_ERROR;
}

/* Waits for the answer. What a reset, a removal or the time-out cancels ends in EINTR. */
static int wait_answer(const struct command *c)
{
	uint64_t delay = sim_delay_us(mock.drive, mock.now, c);

	if (delay >= MOCK_ADMIN_TIMEOUT) {
		mock.now += MOCK_ADMIN_TIMEOUT;
		return -EINTR;
	}
	mock.now += delay;
	return delay && sim_presence(mock.drive, mock.now) != SIM_LIVE ? -EINTR : 0;
}

/* A short transfer leaves the rest of the buffer alone, and nobody says so. */
static void transfer(const struct command *c, const struct reply *reply, void *data, uint64_t *ret_result)
{
	unsigned front = c->opcode == OPCODE_GET_FEATURES ? FEATURE_RESULT : 0;
	unsigned length = reply->length < c->length ? reply->length : c->length;

	*ret_result = bytes_get(reply->data, front);
	if (length > front)
		memcpy(data, reply->data + front, length - front);
}

static int perform(const struct command *c, void *data, uint64_t *ret_result)
{
	static struct reply reply;
	enum sim_presence presence = sim_presence(mock.drive, mock.now);

	ck_assert_msg(!sim_crashes(mock.drive, mock.now, c), "a crash is a reader's, not a kernel's");
	if (presence != SIM_LIVE)
		return refuse(presence);
	int r = wait_answer(c);
	if (r < 0)
		return r;
	sim_execute(mock.drive, mock.now, c, &reply);
	if (reply.error)
		return reply.error;
	transfer(c, &reply, data, ret_result);
	return sim_wire_status(mock.drive);
}

static void record(const struct mock_command *done)
{
	mock.commands = reallocarray(mock.commands, mock.n + 1, sizeof(*mock.commands));
	ck_assert_ptr_nonnull(mock.commands);
	mock.commands[mock.n++] = *done;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct mock_command done = { .issued = mock.now };
	va_list args;

	va_start(args, request);
	void *wire = va_arg(args, void *);
	va_end(args);
	(void)fd;
	ck_assert_msg(request == NVME_IOCTL_ADMIN_CMD || request == NVME_IOCTL_ADMIN64_CMD,
		      "ioctl %lxh is not for admin commands", request);
	ck_assert_ptr_nonnull(mock.drive);
	/* The two structs differ behind the time-out only. */
	memcpy(&done.wire, wire, offsetof(struct nvme_passthru_cmd, result));
	const char *objection = mock_objection(&done.wire);
	ck_assert_msg(!objection, "opcode %02xh, CDW10 %08xh: %s", done.wire.opcode,
		      done.wire.cdw10, objection);
	const struct command c = decode(&done.wire);
	uint64_t result = 0;
	int r = perform(&c, (void *)(uintptr_t)done.wire.addr, &result);
	if (request == NVME_IOCTL_ADMIN64_CMD)
		((struct nvme_passthru_cmd64 *)wire)->result = result;
	else
		((struct nvme_passthru_cmd *)wire)->result = (uint32_t)result;
	done.ended = mock.now;
	done.result = r < 0 ? -1 : r;
	done.error = r < 0 ? -r : 0;
	record(&done);
	errno = done.error;
	return done.result;
}
