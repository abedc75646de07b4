/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* A host for the collector whose clock, controllers and readers are the test's: a test that links
 * fake_host.c has boot.h, discovery.h and reader.h of its own, with a simulated drive behind each
 * controller. Above them is the collector as it is shipped, its recorder and history.db included.
 * Time is simulated, from one moment at which something is due to the next: an hour takes none, and
 * every run is the same. */

#include "collect/collector.h"
#include "nvmewatch/command.h"
#include "nvmewatch/discovery.h"
#include "nvmewatch/sim.h"

#define SECOND INT64_C(1000000)
#define FAKE_DRIVES 64

/* One controller. What is set in it takes effect with the next scan or command. */
struct fake_drive {
	struct discovered found; /* as a scan finds it */
	bool there;
	struct sim *sim;  /* what its reader asks */
	bool hangs;       /* commands are not answered, until this ends */
	int64_t slow;     /* microseconds that a command takes */
	bool crashes;     /* its reader dies of a command */
	bool locked;      /* a reader that cannot be killed has its lock */
	bool suspended;   /* by the kernel */

	/* What came of it. */
	unsigned pulled;   /* times */
	unsigned readers;  /* that run */
	unsigned commands; /* sent so far */
	unsigned looks;    /* at what the kernel says of it */
	unsigned woken;    /* times that there was one after ten seconds without any */
	int64_t last;      /* mono, of the last one */
	unsigned outstanding;
	unsigned asked[256];    /* log pages, by LID */
	unsigned clearing;      /* 02h without RAE */
	unsigned released;      /* contexts of 0Dh */
	unsigned identified;    /* Identify Controller */
	int64_t first_ask[256]; /* mono, 0: never */
};

extern struct fake_drive fake_drives[FAKE_DRIVES];
extern struct collector host;
extern _Atomic int64_t fake_now; /* mono */

/* A folder, a clock, a collector that is not started yet. */
void host_setup(void);
void host_teardown(void);

/* A controller of the text of a drive file, there from now on. */
struct fake_drive *fake_plug(const char *device, const char *drive_file);

/* The controller is from now on what the drive file says, in place. */
void fake_become(struct fake_drive *d, const char *drive_file);

/* Another drive, pulled and put, under the same name. */
void fake_swap(struct fake_drive *d, const char *drive_file);

/* It goes from the bus, perhaps to come back at once: what its readers have open is dead. */
void fake_pull(struct fake_drive *d);

/* Starts and stops the collector. Without history: its folder,
 * host.settings.state_dir, is not there until it is made. */
void host_start(void);
void host_start_without_history(void);
void host_stop(void);

/* The recorder's thread, which works in real time, has read history.db. */
void host_remembers(void);

/* Lets so much time go by. */
void host_run(int64_t us);

/* The kernel says something (the drive may be NULL), and the collector has looked. */
void host_event(const struct fake_drive *d, bool connected, uint32_t aen);

/* The controller goes, or comes, and the kernel says so. */
void host_remove(struct fake_drive *d);
void host_add(struct fake_drive *d);

/* The kernel's state of the controller. */
void host_state(struct fake_drive *d, const char *state);

/* What is published of a drive, valid until the next call; NULL: nothing. */
const struct now_drive *host_shown(const char *key);
size_t host_drives(void);

/* An integer of a page of it as it was last read, or absent (-1) where that is not live. */
int64_t host_value(const char *key, const struct page *p, const char *column);

/* After host_start_without_history(): its folder comes, with what the last host_start() left, and the
 * collector has read that. */
void host_history_comes(void);

/* Stops the collector. What history.db answers. */
const char *host_query(const char *sql);

/* Stops the collector. The events of a drive in history.db: "attach nvme0, remove nvme0". */
const char *host_events(const char *key);
