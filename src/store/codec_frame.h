/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Bytes as a zstd frame, without the magic number that every frame begins with. The contexts and the
 * scratch memory serve one call of sheet_encode() or sheet_decode(), or many of sheet_decode_with(). */

#include <zstd.h>

#include "codec_bytes.h"

struct codec {
	int level;
	ZSTD_CCtx *compressor;
	ZSTD_DCtx *decompressor;
	uint8_t *frame, *bytes;
	size_t frame_room, bytes_room;
};

void codec_done(struct codec *c);

/* Appends the frame's length and the frame. 0 or -ENOMEM. */
int frame_put(struct codec *c, const void *bytes, size_t length, struct buffer *out);

/* Takes a length and a frame off; *ret is what was in it, at most `most` bytes, until the next call.
 * 0, -ENOMEM or -EUCLEAN. */
int frame_get(struct codec *c, struct intake *in, size_t most, struct intake *ret);
