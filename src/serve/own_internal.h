/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Shared by own.c (the table), own_drive.c and own_collect.c. Each function writes one drive's samples of
 * one family. */

#include "own.h"

/* `name{serial="…"`, to which more labels may be added. */
struct buffer *own_sample(struct exposition *e, const struct drive_labels *l);

/* own_drive.c */
void own_put_info(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_capacity(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_namespaces(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_present(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_responding(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_state(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_paths(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_health(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);

/* own_store.c: of the collector, not of a drive */
void own_put_store_bytes(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_store_oldest(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_store_written(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_store_spooled(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_store_errors(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_store_dropped(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);

/* own_collect.c */
void own_put_durations(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_errors(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_events(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_event_time(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_last_success(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
void own_put_supported(struct exposition *e, const struct now_drive *d, const struct drive_labels *l);
