/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fault_vfs.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "file_support.h"

#define FILES 64
#define SECTOR 512

enum operation { OP_WRITE, OP_TRUNCATE, OP_SYNC, OP_DELETE, OP_MARK };

struct op {
	enum operation what;
	int file; /* number of its name; of OP_MARK: what */
	int64_t offset; /* or size, or the mark's number */
	size_t length;
	uint8_t *bytes;
};

struct fault_file {
	sqlite3_file base;
	int number;
	sqlite3_file *real;
};

static struct {
	sqlite3_vfs vfs, *real;
	bool recording;
	char folder[256];
	char names[FILES][256]; /* of files, without their folder */
	uint8_t *start[FILES];
	size_t start_size[FILES];
	bool started[FILES]; /* was there */
	int n_names;
	struct op *ops;
	size_t n_ops, room;
	unsigned nth, calls;
	int code;
	const char *part;
} fault;

/* ---- The record ---- */

static int name_number(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	for (int i = 0; i < fault.n_names; i++)
		if (!strcmp(fault.names[i], name))
			return i;
	ck_assert_int_lt(fault.n_names, FILES);
	snprintf(fault.names[fault.n_names], sizeof(fault.names[0]), "%s", name);
	return fault.n_names++;
}

static void add_op(enum operation what, int file, int64_t offset, const void *bytes, size_t length)
{
	if (!fault.recording)
		return;
	if (fault.n_ops == fault.room) {
		fault.room = fault.room * 2 + 1024;
		fault.ops = reallocarray(fault.ops, fault.room, sizeof(*fault.ops));
		ck_assert_ptr_nonnull(fault.ops);
	}
	struct op *op = &fault.ops[fault.n_ops++];
	*op = (struct op){ .what = what, .file = file, .offset = offset, .length = length };
	if (length) {
		op->bytes = malloc(length);
		ck_assert_ptr_nonnull(op->bytes);
		memcpy(op->bytes, bytes, length);
	}
}

static uint8_t *read_whole(const char *path, size_t *ret_size)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	*ret_size = 0;
	if (fd < 0)
		return NULL;
	ck_assert_int_eq(fstat(fd, &st), 0);
	uint8_t *bytes = malloc((size_t)st.st_size + 1);
	ck_assert_ptr_nonnull(bytes);
	ck_assert_int_eq(read(fd, bytes, (size_t)st.st_size), st.st_size);
	close(fd);
	*ret_size = (size_t)st.st_size;
	return bytes;
}

static void forget(void)
{
	for (size_t i = 0; i < fault.n_ops; i++)
		free(fault.ops[i].bytes);
	for (int i = 0; i < FILES; i++) {
		free(fault.start[i]);
		fault.start[i] = NULL;
		fault.started[i] = false;
	}
	fault.n_ops = 0; /* names stay: open files have their numbers */
}

static bool is_index(const char *name)
{
	size_t length = strlen(name);

	return length > 4 && !strcmp(name + length - 4, "-shm");
}

void fault_vfs_record(const char *from)
{
	DIR *d = opendir(from);
	struct dirent *entry;
	char path[600];

	forget();
	snprintf(fault.folder, sizeof(fault.folder), "%s", from);
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.' || is_index(entry->d_name))
			continue;
		snprintf(path, sizeof(path), "%s/%s", from, entry->d_name);
		int n = name_number(path);
		fault.start[n] = read_whole(path, &fault.start_size[n]);
		fault.started[n] = true;
	}
	closedir(d);
	fault.recording = true;
}

void fault_vfs_stop(void)
{
	fault.recording = false;
}

size_t fault_vfs_points(void)
{
	return fault.n_ops;
}

void fault_vfs_mark(unsigned what, int n)
{
	add_op(OP_MARK, (int)what, n, NULL, 0);
}

int fault_vfs_marked(unsigned what, size_t point)
{
	for (size_t i = point + 1; i-- > 0;)
		if (fault.ops[i].what == OP_MARK && fault.ops[i].file == (int)what)
			return (int)fault.ops[i].offset;
	return 0;
}

/* ---- Images ---- */

struct image {
	uint8_t *bytes;
	size_t size, room;
};

static void resize(struct image *m, size_t size)
{
	if (!m->bytes || size > m->room) {
		m->room = size * 2 + 1;
		m->bytes = realloc(m->bytes, m->room);
		ck_assert_ptr_nonnull(m->bytes);
	}
	if (size > m->size)
		memset(m->bytes + m->size, 0, size - m->size);
	m->size = size;
}

static void put_bytes(struct image *m, const struct op *op, size_t from, size_t length)
{
	size_t at = (size_t)op->offset + from;

	if (!length)
		return;
	if (at + length > m->size)
		resize(m, at + length);
	memcpy(m->bytes + at, op->bytes + from, length);
}

/* Some of its sectors. */
static void scatter(struct image *m, const struct op *op, uint64_t *random)
{
	for (size_t at = 0; at < op->length; at += SECTOR)
		if (random_next(random) % 2)
			put_bytes(m, op, at, op->length - at < SECTOR ? op->length - at : SECTOR);
}

static size_t last_sync(int file, size_t end)
{
	for (size_t i = end; i > 0; i--)
		if (fault.ops[i - 1].what == OP_SYNC && fault.ops[i - 1].file == file)
			return i;
	return 0;
}

static void replay(int file, size_t end, enum fault_image how, const char *path)
{
	size_t synced = how == IMAGE_KILLED ? end : last_sync(file, end);
	uint64_t random = end * 31 + (unsigned)file;
	size_t stop = how == IMAGE_PREFIX && end > synced ?
		synced + random_next(&random) % (end - synced) : end;
	bool is_there = fault.started[file];
	struct image m = { 0 };

	resize(&m, is_there ? fault.start_size[file] : 0);
	if (m.size)
		memcpy(m.bytes, fault.start[file], m.size);
	for (size_t i = 0; i < end; i++) {
		const struct op *op = &fault.ops[i];
		bool applied = i < synced || (how == IMAGE_PREFIX && i < stop);

		if (op->what == OP_MARK || op->what == OP_SYNC || op->file != file)
			continue;
		is_there = op->what != OP_DELETE;
		if (op->what == OP_DELETE)
			resize(&m, 0);
		else if (op->what == OP_TRUNCATE && applied)
			resize(&m, (size_t)op->offset);
		else if (op->what == OP_WRITE && applied)
			put_bytes(&m, op, 0, op->length);
		else if (op->what == OP_WRITE && how == IMAGE_PREFIX && i == stop)
			put_bytes(&m, op, 0, op->length / 2 / SECTOR * SECTOR);
		else if (op->what == OP_WRITE && how == IMAGE_SCATTERED)
			scatter(&m, op, &random);
	}
	if (is_there)
		write_bytes(path, m.bytes, m.size);
	free(m.bytes);
}

void fault_vfs_image(size_t point, enum fault_image how, const char *to)
{
	char path[600];

	for (int i = 0; i < fault.n_names; i++) {
		snprintf(path, sizeof(path), "%s/%s", to, fault.names[i]);
		unlink(path);
		if (is_index(fault.names[i]) || (how != IMAGE_KILLED &&
						 !strncmp(fault.names[i], "spool", 5)))
			continue;
		replay(i, point + 1, how, path);
	}
}

/* ---- Calls ---- */

void fault_vfs_fail(unsigned nth, int code, const char *part)
{
	fault.nth = nth;
	fault.code = code;
	fault.part = part;
	fault.calls = 0;
}

static int fails(int number)
{
	if (!fault.nth || !strstr(fault.names[number], fault.part))
		return SQLITE_OK;
	return ++fault.calls % fault.nth ? SQLITE_OK : fault.code;
}

#define FILE_OF(f) ((struct fault_file *)(f))
#define REAL(f) (FILE_OF(f)->real)

static int file_close(sqlite3_file *f)
{
	return REAL(f)->pMethods ? REAL(f)->pMethods->xClose(REAL(f)) : SQLITE_OK;
}

static int file_read(sqlite3_file *f, void *to, int n, sqlite3_int64 offset)
{
	int code = fails(FILE_OF(f)->number);

	if (code && code != SQLITE_FULL)
		return SQLITE_IOERR_READ;
	return REAL(f)->pMethods->xRead(REAL(f), to, n, offset);
}

static int file_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 offset)
{
	int code = fails(FILE_OF(f)->number);

	if (code)
		return code;
	add_op(OP_WRITE, FILE_OF(f)->number, offset, from, (size_t)n);
	return REAL(f)->pMethods->xWrite(REAL(f), from, n, offset);
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	add_op(OP_TRUNCATE, FILE_OF(f)->number, size, NULL, 0);
	return REAL(f)->pMethods->xTruncate(REAL(f), size);
}

static int file_sync(sqlite3_file *f, int flags)
{
	int code = fails(FILE_OF(f)->number);

	(void)flags;
	if (code)
		return code == SQLITE_FULL ? SQLITE_OK : SQLITE_IOERR_FSYNC;
	add_op(OP_SYNC, FILE_OF(f)->number, 0, NULL, 0);
	return SQLITE_OK;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *ret)
{
	return REAL(f)->pMethods->xFileSize(REAL(f), ret);
}

static int file_lock(sqlite3_file *f, int lock)
{
	return REAL(f)->pMethods->xLock(REAL(f), lock);
}

static int file_unlock(sqlite3_file *f, int lock)
{
	return REAL(f)->pMethods->xUnlock(REAL(f), lock);
}

static int file_check(sqlite3_file *f, int *ret)
{
	return REAL(f)->pMethods->xCheckReservedLock(REAL(f), ret);
}

static int file_control(sqlite3_file *f, int op, void *argument)
{
	return REAL(f)->pMethods->xFileControl(REAL(f), op, argument);
}

static int file_sector(sqlite3_file *f)
{
	return REAL(f)->pMethods->xSectorSize(REAL(f));
}

/* A sector of a file may be torn: nothing is promised. */
static int file_traits(sqlite3_file *f)
{
	(void)f;
	return 0;
}

static int shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
	return REAL(f)->pMethods->xShmMap(REAL(f), page, size, extend, ret);
}

static int shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return REAL(f)->pMethods->xShmLock(REAL(f), offset, n, flags);
}

static void shm_barrier(sqlite3_file *f)
{
	REAL(f)->pMethods->xShmBarrier(REAL(f));
}

static int shm_unmap(sqlite3_file *f, int remove)
{
	return REAL(f)->pMethods->xShmUnmap(REAL(f), remove);
}

static const sqlite3_io_methods methods = {
	.iVersion = 2, .xClose = file_close, .xRead = file_read, .xWrite = file_write,
	.xTruncate = file_truncate, .xSync = file_sync, .xFileSize = file_size, .xLock = file_lock,
	.xUnlock = file_unlock, .xCheckReservedLock = file_check, .xFileControl = file_control,
	.xSectorSize = file_sector, .xDeviceCharacteristics = file_traits, .xShmMap = shm_map,
	.xShmLock = shm_lock, .xShmBarrier = shm_barrier, .xShmUnmap = shm_unmap,
};

static int vfs_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *f, int flags, int *ret_flags)
{
	struct fault_file *file = FILE_OF(f);

	(void)vfs;
	file->real = (sqlite3_file *)(file + 1);
	file->number = name_number(name ? name : "temporary");
	int code = fault.real->xOpen(fault.real, name, file->real, flags, ret_flags);
	f->pMethods = file->real->pMethods ? &methods : NULL;
	return code;
}

static int vfs_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
	(void)vfs;
	(void)sync;
	add_op(OP_DELETE, name_number(name), 0, NULL, 0);
	return fault.real->xDelete(fault.real, name, 0);
}

void fault_vfs_register(void)
{
	if (fault.real)
		return;
	fault.real = sqlite3_vfs_find(NULL);
	fault.vfs = *fault.real;
	fault.vfs.zName = "fault";
	fault.vfs.szOsFile = (int)sizeof(struct fault_file) + fault.real->szOsFile;
	fault.vfs.xOpen = vfs_open;
	fault.vfs.xDelete = vfs_delete;
	ck_assert_int_eq(sqlite3_vfs_register(&fault.vfs, 1), SQLITE_OK);
}
