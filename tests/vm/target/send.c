/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* What goes out over a connection. It waits for the host, whose driver always reads. */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "target.h"

static void send_all(struct connection *c, struct iovec *parts, size_t n)
{
	struct msghdr message = { .msg_iov = parts, .msg_iovlen = n };

	while (message.msg_iovlen) {
		ssize_t sent = sendmsg(c->fd, &message, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0) {
			connection_drop(c);
			return;
		}
		while (message.msg_iovlen && (size_t)sent >= message.msg_iov->iov_len) {
			sent -= (ssize_t)message.msg_iov->iov_len;
			message.msg_iov++;
			message.msg_iovlen--;
		}
		if (message.msg_iovlen) {
			message.msg_iov->iov_base = (uint8_t *)message.msg_iov->iov_base + sent;
			message.msg_iov->iov_len -= (size_t)sent;
		}
	}
}

static void header(uint8_t *pdu, enum pdu type, uint8_t flags, uint8_t size, uint32_t data)
{
	memset(pdu, 0, size);
	pdu[0] = (uint8_t)type;
	pdu[1] = flags;
	pdu[2] = size;
	pdu[3] = data ? size : 0;
	bytes_put(pdu + 4, 4, size + data);
}

static void send_data(struct connection *c, const uint8_t *sqe, const uint8_t *data,
		      uint32_t offset, uint32_t length, bool last)
{
	uint8_t pdu[C2H_DATA_SIZE];
	struct iovec parts[] = { { pdu, sizeof(pdu) }, { (uint8_t *)data, length } };

	header(pdu, PDU_C2H_DATA, last ? DATA_LAST : 0, sizeof(pdu), length);
	bytes_put(pdu + 8, 2, command_id(sqe));
	bytes_put(pdu + 12, 4, offset);
	bytes_put(pdu + 16, 4, length);
	send_all(c, parts, 2);
}

static void send_zeroes(struct connection *c, const uint8_t *sqe, uint32_t length)
{
	static const uint8_t zeroes[65536];

	for (uint32_t offset = 0, part; offset < length; offset += part) {
		part = length - offset < sizeof(zeroes) ? length - offset : sizeof(zeroes);
		send_data(c, sqe, zeroes, offset, part, offset + part == length);
	}
}

void connection_answer(struct connection *c, const uint8_t *sqe, const struct answer *a)
{
	uint8_t pdu[RESPONSE_SIZE], *cqe = pdu + PDU_HEADER;
	struct iovec part = { pdu, sizeof(pdu) };

	if (!a->status && a->zeroes)
		send_zeroes(c, sqe, a->length);
	else if (!a->status && a->length)
		send_data(c, sqe, a->data, 0, a->length, true);
	if (c->size)
		c->head = (uint16_t)((c->head + 1) % c->size);
	header(pdu, PDU_RESPONSE, 0, sizeof(pdu), 0);
	bytes_put(cqe, 8, a->result);
	bytes_put(cqe + 8, 2, c->head);
	bytes_put(cqe + 12, 2, command_id(sqe));
	bytes_put(cqe + 14, 2, (uint64_t)a->status << 1);
	send_all(c, &part, 1);
}

void connection_greet(struct connection *c)
{
	uint8_t pdu[ICREQ_SIZE];
	struct iovec part = { pdu, sizeof(pdu) };

	header(pdu, PDU_ICRESP, 0, sizeof(pdu), 0);
	bytes_put(pdu + 12, 4, 65536); /* MAXH2CDATA */
	send_all(c, &part, 1);
}
