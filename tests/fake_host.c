/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "fake_host.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/eventfd.h>

#include "collect/control.h"
#include "collect/fleet.h"
#include "collect/memory.h"
#include "collect/recorder.h"
#include "collect/schedule.h"
#include "history_support.h"
#include "nvmewatch/boot.h"
#include "nvmewatch/buffer.h"
#include "nvmewatch/privilege.h"
#include "nvmewatch/reader.h"

#define BOOT "2a5b3c7e-8f10-4c6d-9a52-1b0e7d4f6a83"
#define UPTIME (1000 * SECOND)
#define WAIT (10 * SECOND)

struct fake_drive fake_drives[FAKE_DRIVES];
struct collector host;
_Atomic int64_t fake_now; /* the recorder's thread asks too */

static struct now_snapshot *snapshot;
static discovery_event_fn *event_fn;
static void *event_userdata;

/* ---- boot.h ---- */

int64_t clock_mono(void)
{
	return fake_now;
}

int64_t clock_real(void)
{
	return TIME + fake_now;
}

void boot_id(char ret[static 40])
{
	strcpy(ret, BOOT);
}

/* ---- discovery.h ---- */

struct discovery {
	char unused;
};

int discovery_new(const struct settings *s, int64_t start, struct discovery **ret, char *error,
		  size_t error_size)
{
	(void)s;
	(void)start;
	(void)error;
	(void)error_size;
	*ret = calloc(1, sizeof(**ret));
	return *ret ? 0 : -ENOMEM;
}

void discovery_free(struct discovery *d)
{
	free(d);
}

bool discovery_wants(const struct settings *s, const struct drive *d)
{
	(void)s;
	(void)d;
	return true;
}

/* In the order of device names, as the contract has it. */
static int by_device(const void *a, const void *b)
{
	return strverscmp(((const struct discovered *)a)->drive.device,
			  ((const struct discovered *)b)->drive.device);
}

int discovery_scan(struct discovery *d, const struct settings *s, int64_t now,
		   struct discovered **ret, size_t *ret_n)
{
	struct discovered *list = calloc(FAKE_DRIVES, sizeof(*list));
	size_t n = 0;

	(void)d;
	(void)s;
	(void)now;
	if (!list)
		return -ENOMEM;
	for (size_t i = 0; i < FAKE_DRIVES; i++)
		if (fake_drives[i].there)
			list[n++] = fake_drives[i].found;
	qsort(list, n, sizeof(*list), by_device);
	*ret = list;
	*ret_n = n;
	return 0;
}

int discovery_watch(struct discovery *d, sd_event *e, discovery_event_fn *fn, void *userdata)
{
	(void)d;
	(void)e;
	event_fn = fn;
	event_userdata = userdata;
	return 0;
}

int64_t discovery_next_change(const struct discovery *d, int64_t now)
{
	(void)d;
	(void)now;
	return INT64_MAX;
}

/* The controller that has the name now. */
static struct fake_drive *by_name(const char *device)
{
	for (size_t i = 0; i < FAKE_DRIVES; i++)
		if (fake_drives[i].there && !strcmp(fake_drives[i].found.drive.device, device))
			return &fake_drives[i];
	return NULL;
}

void discovery_state(struct drive *d)
{
	const struct fake_drive *fake = by_name(d->device);

	snprintf(d->state, sizeof(d->state), "%s", fake ? fake->found.drive.state : "");
}

bool discovery_is_suspended(const struct drive *d)
{
	const struct fake_drive *fake = by_name(d->device);

	return fake && fake->suspended;
}

/* ---- privilege.h ---- */

bool privilege_is_denial(int error)
{
	return error == -EACCES || error == -EPERM;
}

void privilege_explain(const char *device, int error, char *ret, size_t size)
{
	snprintf(ret, size, "/dev/%s: %s", device, strerror(-error));
}

/* ---- reader.h ---- */

struct reader {
	struct reader *next;
	char lock[128];
	char target[32];
	struct fake_drive *drive; /* what it has open */
	unsigned pulled;          /* .drive, when it was opened */
	int fd;
	bool busy;
	int64_t ready; /* mono: the answer to .command */
	struct command command;
};

static struct reader *readers; /* that run */
static char last_lock[128];

int reader_program_open(const char *source)
{
	(void)source;
	return open("/dev/null", O_PATH | O_CLOEXEC);
}

int reader_lock(const char *run, const char *controller)
{
	char device[32];

	(void)run;
	snprintf(device, sizeof(device), "%.*s", (int)strcspn(controller, "-"), controller);
	const struct fake_drive *d = by_name(device);
	for (const struct reader *r = readers; r; r = r->next)
		if (!strcmp(r->lock, controller))
			return -EBUSY;
	snprintf(last_lock, sizeof(last_lock), "%s", controller);
	return d && d->locked ? -EBUSY : open("/dev/null", O_PATH | O_CLOEXEC);
}

/* One process per controller. */
static void open_target(struct reader *r)
{
	r->drive = by_name(r->target);
	if (!r->drive)
		return;
	r->pulled = r->drive->pulled;
	for (const struct reader *other = readers; other; other = other->next)
		ck_assert_msg(other == r || other->drive != r->drive ||
				      other->pulled != r->drive->pulled,
			      "readers of %s and %s both have the controller", r->lock, other->lock);
	r->drive->readers++;
}

int reader_spawn(int program_fd, const char *source, const char *target, int lock_fd,
		 struct reader **ret)
{
	struct reader *r = calloc(1, sizeof(*r));

	(void)program_fd;
	(void)lock_fd;
	ck_assert_ptr_nonnull(r);
	ck_assert_str_eq(source, "linux");
	snprintf(r->target, sizeof(r->target), "%s", target);
	r->fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	ck_assert_int_ge(r->fd, 0);
	strcpy(r->lock, last_lock);
	r->next = readers;
	readers = r;
	*ret = r; /* opens it for its first command, as that of linux does */
	return 0;
}

int reader_fd(const struct reader *r)
{
	return r->fd;
}

static void count(struct fake_drive *d, const struct command *c)
{
	if (c->kind == COMMAND_HOST) {
		d->looks++;
		return;
	}
	d->commands++;
	d->woken += fake_now - d->last >= 10 * SECOND;
	d->last = fake_now;
	d->identified += c->opcode == OPCODE_IDENTIFY && c->id == 1;
	if (c->opcode != OPCODE_GET_LOG_PAGE)
		return;
	d->asked[c->id]++;
	d->clearing += !c->rae;
	if (!d->first_ask[c->id])
		d->first_ask[c->id] = fake_now;
}

/* What it has open is still there. */
static bool is_open(const struct reader *r)
{
	return r->drive && r->pulled == r->drive->pulled;
}

int reader_send(struct reader *r, struct command c)
{
	if (r->busy)
		return -EBUSY;
	if (!r->drive)
		open_target(r);
	c.protocol = COMMAND_PROTOCOL;
	r->command = c;
	r->busy = true;
	r->ready = fake_now + (c.kind == COMMAND_ADMIN && r->drive ? r->drive->slow : 0);
	ck_assert(command_allowed(&c));
	if (is_open(r)) {
		/* No second command while one is with the drive. */
		ck_assert_uint_eq(r->drive->outstanding++, 0);
		count(r->drive, &c);
	}
	return 0;
}

/* As the sources do. */
static void execute_on(struct fake_drive *d, const struct command *c, struct reply *ret)
{
	static struct reply released;
	struct command release;

	sim_execute(d->sim, (uint64_t)fake_now, c, ret);
	if (!command_release(c, ret, &release))
		return;
	d->released++;
	sim_execute(d->sim, (uint64_t)fake_now, &release, &released);
}

int reader_receive(struct reader *r, struct reply *ret)
{
	struct fake_drive *d = r->drive;

	if (d && d->crashes)
		return -EPIPE;
	if (!r->busy || fake_now < r->ready || (is_open(r) && d->hangs && d->there))
		return -EAGAIN;
	memset(ret, 0, REPLY_HEADER);
	if (!is_open(r) || !d->there)
		ret->error = -ENODEV;
	else if (!strcmp(d->found.drive.state, "live"))
		execute_on(d, &r->command, ret);
	else
		ret->error = -EAGAIN;
	r->busy = false;
	if (is_open(r))
		d->outstanding--;
	else
		r->drive = NULL; /* opened anew for the next command */
	return 0;
}

void reader_free(struct reader *r)
{
	if (!r)
		return;
	struct reader **link = &readers;
	while (*link != r)
		link = &(*link)->next;
	*link = r->next;
	if (is_open(r)) {
		r->drive->readers--;
		r->drive->outstanding -= r->busy;
	}
	close(r->fd);
	free(r);
}

/* ---- The host. ---- */

void host_setup(void)
{
	folder_make();
	/* Just behind a poll, whatever its cadence. */
	fake_now = schedule_next(UPTIME, UINT64_C(3600000000), schedule_phase(BOOT)) + SECOND / 10;
	memset(&host, 0, sizeof(host));
	memset(fake_drives, 0, sizeof(fake_drives));
}

void host_teardown(void)
{
	host_stop();
	for (size_t i = 0; i < FAKE_DRIVES; i++)
		sim_free(fake_drives[i].sim);
	now_snapshot_free(TAKE(snapshot));
	folder_remove();
}

void fake_pull(struct fake_drive *d)
{
	d->pulled++;
	d->readers = d->outstanding = 0;
}

void fake_become(struct fake_drive *d, const char *drive_file)
{
	char device[32], error[1024] = "";

	memcpy(device, d->found.drive.device, sizeof(device));
	write_text(in_folder("fake.drive"), drive_file);
	sim_free(TAKE(d->sim));
	ck_assert_msg(sim_load(in_folder("fake.drive"), &d->sim, error, sizeof(error)) == 0, "%s",
		      error);
	sim_describe(d->sim, &d->found.drive);
	memcpy(d->found.drive.device, device, sizeof(device));
}

void fake_swap(struct fake_drive *d, const char *drive_file)
{
	fake_pull(d);
	fake_become(d, drive_file);
}

struct fake_drive *fake_plug(const char *device, const char *drive_file)
{
	struct fake_drive *d = fake_drives;

	while (d->sim)
		d++;
	ck_assert_ptr_ne(d, fake_drives + FAKE_DRIVES);
	snprintf(d->found.drive.device, sizeof(d->found.drive.device), "%s", device);
	fake_become(d, drive_file);
	d->found.source = "linux";
	snprintf(d->found.target, sizeof(d->found.target), "%s", device);
	d->there = true;
	return d;
}

static void start(const char *state_dir)
{
	char error[256];
	struct settings *s = &host.settings;

	ck_assert_int_eq(settings_init(s), 0);
	free(s->state_dir);
	free(s->run_dir);
	s->state_dir = strdup(state_dir);
	s->run_dir = strdup(folder);
	host.phase = schedule_phase(BOOT);
	host.reader_program = reader_program_open("sim");
	ck_assert_int_eq(sd_event_new(&host.event), 0);
	ck_assert_int_ge(collector_start(&host), 0);
	ck_assert_int_eq(publication_start(&host), 0);
	ck_assert_int_eq(recorder_new(host.settings.state_dir, host.settings.run_dir, &host.recorder), 0);
	ck_assert_int_eq(fleet_start(&host, error, sizeof(error)), 0);
	ck_assert_int_eq(control_start(&host, &host.control), 0);
	collector_run(&host);
}

void host_remembers(void)
{
	for (int i = 0; i < 10000 && !host.remembered; i++) {
		usleep(1000);
		collector_run(&host);
	}
	ck_assert(host.remembered);
}

void host_start(void)
{
	start(folder);
	host_remembers();
}

void host_start_without_history(void)
{
	start(in_folder("later"));
}

void host_stop(void)
{
	if (!host.event)
		return;
	control_stop(host.control);
	fleet_stop(&host);
	recorder_stop(host.recorder, WAIT);
	sd_event_source_unref(host.timer);
	sd_event_unref(host.event);
	history_memory_free(host.memory);
	now_free(host.now);
	free(host.now_path);
	close(host.reader_program);
	settings_done(&host.settings);
	memset(&host, 0, sizeof(host));
}

/* The first answer of a slow drive, which wakes the loop. */
static uint64_t first_ready(uint64_t next)
{
	for (const struct reader *r = readers; r; r = r->next)
		if (r->busy && r->ready > fake_now && (uint64_t)r->ready < next)
			next = (uint64_t)r->ready;
	return next;
}

void host_run(int64_t us)
{
	int64_t end = fake_now + us;

	for (;;) {
		uint64_t next;
		ck_assert_int_ge(sd_event_source_get_time(host.timer, &next), 0);
		next = first_ready(next);
		if ((int64_t)next > end)
			break;
		/* What is overdue is a loop that spins. */
		if ((int64_t)next > fake_now)
			fake_now = (int64_t)next;
		else
			fake_now += 100;
		collector_run(&host);
	}
	fake_now = end;
}

void host_event(const struct fake_drive *d, bool connected, uint32_t aen)
{
	struct discovery_event event = { .device = d ? d->found.drive.device : "",
					 .connected = connected, .aen = aen };

	event_fn(event_userdata, &event);
	host_run(SECOND / 5);
}

void host_remove(struct fake_drive *d)
{
	fake_pull(d);
	d->there = false;
	host_event(d, false, 0);
}

void host_add(struct fake_drive *d)
{
	d->there = true;
	host_event(d, false, 0);
}

void host_state(struct fake_drive *d, const char *state)
{
	snprintf(d->found.drive.state, sizeof(d->found.drive.state), "%s", state);
	host_event(d, false, 0);
}

static void look(void)
{
	now_snapshot_free(TAKE(snapshot));
	ck_assert_int_eq(now_publish(host.now, host.now_path, clock_real(), fake_now), 0);
	ck_assert_int_eq(now_read(host.now_path, &snapshot), 0);
}

const struct now_drive *host_shown(const char *key)
{
	look();
	return now_find(snapshot, key);
}

size_t host_drives(void)
{
	look();
	return snapshot->n_drives;
}

int64_t host_value(const char *key, const struct page *p, const char *column)
{
	const struct now_drive *d = host_shown(key);
	const struct now_page *page = d ? &d->pages[page_index(p)] : NULL;
	unsigned index;
	const struct field *f = page_field(p, column, &index);
	struct value v;

	if (!page || !d->drive.present || !now_page_is_live(d, page, fake_now) ||
	    page_decode(p, f, index, page->bytes, &v) < 0)
		return -1;
	return v.integer;
}

void host_history_comes(void)
{
	ck_assert_int_eq(mkdir(host.settings.state_dir, 0755), 0);
	rename(db_path(), in_folder("later/history.db")); /* where there was one */
	recorder_flush(host.recorder);
	host_remembers();
}

const char *host_query(const char *sql)
{
	host_stop();
	rename(in_folder("later/history.db"), db_path());
	return query(sql);
}

const char *host_events(const char *key)
{
	char sql[512];

	snprintf(sql, sizeof(sql),
		 "SELECT ifnull(group_concat(type || ' ' || detail, ', '), '') FROM (SELECT type, detail"
		 " FROM events JOIN drives ON drives.id = drive WHERE key = '%s' ORDER BY events.id)",
		 key);
	return host_query(sql);
}
