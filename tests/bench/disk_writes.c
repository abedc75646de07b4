/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "disk_writes.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK 4096
#define BLOCKS_MAX (1u << 20)
#define SHM_BLOCKS 64

static sqlite3_vfs *original, counting;
/* Databases and their logs have others of their own. */
static sqlite3_io_methods counted[2];
static const sqlite3_io_methods *plain[2];
static const char *counted_folder;
static uint64_t bytes_written, blocks_written;

/* Which blocks of a file were written since it was synced last. */
static struct dirty {
	sqlite3_file *file;
	uint8_t blocks[BLOCKS_MAX / 8];
} files[8];

static struct dirty *dirty_of(sqlite3_file *file)
{
	for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++) {
		if (!files[i].file)
			files[i].file = file;
		if (files[i].file == file)
			return &files[i];
	}
	fprintf(stderr, "disk_writes: too many files\n");
	exit(1);
}

static const sqlite3_io_methods *plain_of(const sqlite3_file *file)
{
	return plain[file->pMethods == &counted[1]];
}

static int count_write(sqlite3_file *file, const void *bytes, int n, sqlite3_int64 offset)
{
	struct dirty *d = dirty_of(file);

	bytes_written += (uint64_t)n;
	for (sqlite3_int64 i = offset / BLOCK; i <= (offset + n - 1) / BLOCK && i < BLOCKS_MAX; i++)
		d->blocks[i / 8] |= (uint8_t)(1u << i % 8);
	return plain_of(file)->xWrite(file, bytes, n, offset);
}

static void count_blocks(struct dirty *d)
{
	for (unsigned i = 0; i < sizeof(d->blocks); i++)
		blocks_written += (uint64_t)__builtin_popcount(d->blocks[i]);
	memset(d->blocks, 0, sizeof(d->blocks));
}

static int count_sync(sqlite3_file *file, int flags)
{
	count_blocks(dirty_of(file));
	return plain_of(file)->xSync(file, flags);
}

static int count_close(sqlite3_file *file)
{
	struct dirty *d = dirty_of(file);

	count_blocks(d);
	d->file = NULL;
	return plain_of(file)->xClose(file);
}

static int count_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *ret_flags)
{
	int code = original->xOpen(vfs, name, file, flags, ret_flags);

	if (code != SQLITE_OK || !name || strncmp(name, counted_folder, strlen(counted_folder)) != 0)
		return code;
	unsigned i = plain[0] && plain[0] != file->pMethods;
	if (!plain[i]) {
		plain[i] = file->pMethods;
		counted[i] = *plain[i];
		counted[i].xWrite = count_write;
		counted[i].xSync = count_sync;
		counted[i].xClose = count_close;
	}
	if (file->pMethods == plain[i])
		file->pMethods = &counted[i];
	return code;
}

int disk_writes_count(const char *folder)
{
	original = sqlite3_vfs_find(NULL);
	if (!original)
		return -1;
	counted_folder = folder;
	counting = *original;
	counting.zName = "counting";
	counting.xOpen = count_open;
	return sqlite3_vfs_register(&counting, 1) == SQLITE_OK ? 0 : -1;
}

void disk_writes_count_changes(const char *path)
{
	static uint8_t before[SHM_BLOCKS][BLOCK];
	uint8_t now[BLOCK] = { 0 };
	FILE *f = fopen(path, "re");

	for (unsigned i = 0; f && i < SHM_BLOCKS && fread(now, 1, BLOCK, f) == BLOCK; i++) {
		blocks_written += memcmp(before[i], now, BLOCK) != 0;
		memcpy(before[i], now, BLOCK);
	}
	if (f)
		fclose(f);
}

uint64_t disk_writes_bytes(void)
{
	return bytes_written;
}

uint64_t disk_writes_block_bytes(void)
{
	return blocks_written * BLOCK;
}
