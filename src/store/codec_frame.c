/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "codec_frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC_SIZE 4

static const uint8_t magic[MAGIC_SIZE] = { 0x28, 0xb5, 0x2f, 0xfd };

void codec_done(struct codec *c)
{
	ZSTD_freeCCtx(c->compressor);
	ZSTD_freeDCtx(c->decompressor);
	free(c->frame);
	free(c->bytes);
	*c = (struct codec){ 0 };
}

static int room(uint8_t **bytes, size_t *have, size_t need)
{
	if (*have >= need)
		return 0;
	uint8_t *more = realloc(*bytes, 2 * need);
	if (!more)
		return -ENOMEM;
	*bytes = more;
	*have = 2 * need;
	return 0;
}

int frame_put(struct codec *c, const void *bytes, size_t length, struct buffer *out)
{
	if (!c->compressor && !(c->compressor = ZSTD_createCCtx()))
		return -ENOMEM;
	if (room(&c->frame, &c->frame_room, ZSTD_compressBound(length)) < 0)
		return -ENOMEM;
	/* What a frame has by itself: its content's size, no checksum, no dictionary. */
	size_t size = ZSTD_compressCCtx(c->compressor, c->frame, c->frame_room, bytes, length, c->level);
	if (ZSTD_isError(size))
		return -ENOMEM;
	varint_put(out, size - MAGIC_SIZE);
	buffer_put(out, c->frame + MAGIC_SIZE, size - MAGIC_SIZE);
	return 0;
}

int frame_get(struct codec *c, struct intake *in, size_t most, struct intake *ret)
{
	struct intake frame;
	uint64_t length;

	if (!varint_get(in, &length) || !intake_take(in, length, &frame))
		return -EUCLEAN;
	if (room(&c->frame, &c->frame_room, length + MAGIC_SIZE) < 0)
		return -ENOMEM;
	memcpy(c->frame, magic, MAGIC_SIZE);
	memcpy(c->frame + MAGIC_SIZE, frame.at, length);
	/* The two that say "unknown" and "error" are the greatest of all. */
	unsigned long long size = ZSTD_getFrameContentSize(c->frame, length + MAGIC_SIZE);
	if (size > most)
		return -EUCLEAN;
	if ((!c->decompressor && !(c->decompressor = ZSTD_createDCtx())) ||
	    room(&c->bytes, &c->bytes_room, size + 1) < 0)
		return -ENOMEM;
	if (ZSTD_decompressDCtx(c->decompressor, c->bytes, size, c->frame, length + MAGIC_SIZE) != size)
		return -EUCLEAN;
	*ret = (struct intake){ c->bytes, c->bytes + size };
	return 0;
}
