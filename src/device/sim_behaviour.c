/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <errno.h>
#include <math.h>

#include "sim_internal.h"

#define RATED_AMBIENT 25 /* degrees Celsius that idle_temperature and load_temperature speak of */
#define HYSTERESIS 3     /* degrees Celsius to cool before throttling ends */
#define STEP_MAX 60      /* seconds */
#define AGE_MAX 1.5e9    /* seconds: 47 years, after which the drive stands still */
#define DAY 86400
#define BURST 300        /* seconds */

#define KEY(name_, kind_, min_, max_)                                                     \
	{ .name = #name_, .kind = kind_, .offset = offsetof(struct sim_behaviour, name_), \
	  .min = min_, .max = max_ }

enum workload { IDLE, STEADY, DIURNAL, BURSTY };

static const char *const workloads[] = { "idle", "steady", "diurnal", "bursty", NULL };

static const struct sim_key keys[] = {
	{ .name = "workload", .kind = SIM_WORD, .words = workloads,
	  .offset = offsetof(struct sim_behaviour, workload) },
	KEY(read, SIM_SIZE, 0, 0),
	KEY(write, SIM_SIZE, 0, 0),
	KEY(read_iops, SIM_SIZE, 0, 0),
	KEY(write_iops, SIM_SIZE, 0, 0),
	KEY(write_amplification, SIM_REAL, 0.1, 100),
	KEY(endurance, SIM_SIZE, 0, 0),
	KEY(ambient, SIM_REAL, -40, 80),
	KEY(ambient_swing, SIM_REAL, 0, 40),
	KEY(idle_temperature, SIM_REAL, -40, 120),
	KEY(load_temperature, SIM_REAL, -40, 120),
	KEY(throttle_temperature, SIM_REAL, 1, 120),
	KEY(heavy_temperature, SIM_REAL, 1, 120),
	KEY(time_constant, SIM_TIME, 0, 0),
	KEY(idle_power, SIM_REAL, 0, 600),
	KEY(load_power, SIM_REAL, 0, 600),
	KEY(accelerate, SIM_REAL, 0.001, 1000000),
};

void sim_behaviour_init(struct sim_behaviour *b)
{
	*b = (struct sim_behaviour){
		.write_amplification = 1,
		.ambient = RATED_AMBIENT,
		.idle_temperature = 35,
		.load_temperature = 55,
		.time_constant = 180 * UINT64_C(1000000),
		.idle_power = 5,
		.load_power = 12,
		.accelerate = 1,
	};
}

int sim_behaviour_set(struct sim_behaviour *b, const struct ini_place *at, const char *name,
		      const char *value)
{
	b->active = true;
	return sim_key_set(keys, ELEMENTS(keys), b, at, "behaviour", name, value);
}

int sim_behaviour_check(const struct sim_behaviour *b, const struct ini_place *at)
{
	if (b->load_temperature < b->idle_temperature)
		return ini_fail(at, -EINVAL, "[behaviour] load_temperature = %g: allowed is "
				"idle_temperature (%g) or more",
				b->load_temperature, b->idle_temperature);
	if (b->heavy_temperature && (!b->throttle_temperature ||
				     b->heavy_temperature < b->throttle_temperature))
		return ini_fail(at, -EINVAL, "[behaviour] heavy_temperature = %g: allowed is "
				"throttle_temperature or more, which must be set",
				b->heavy_temperature);
	if (b->load_power < b->idle_power)
		return ini_fail(at, -EINVAL,
				"[behaviour] load_power = %g: allowed is idle_power (%g) or more",
				b->load_power, b->idle_power);
	return 0;
}

void sim_behaviour_forget(struct sim_state *st)
{
	*st = (struct sim_state){
		.steps = st->steps,
		.temperature = st->temperature,
		.hottest = st->temperature,
		.load = st->load,
		.level = st->level,
	};
}

/* A number from -1 to 1 that depends on nothing but the drive and n (splitmix64). */
static double noise(uint64_t seed, uint64_t n)
{
	uint64_t z = seed + (n + 1) * UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	z ^= z >> 31;
	return (double)(z >> 11) * 0x1p-52 - 1;
}

/* -1 in the coldest, 1 in the warmest minute of this drive's day. */
static double day_swing(const struct sim_behaviour *b, double seconds)
{
	return sin(2 * M_PI * (seconds / DAY + noise(b->seed, 0)));
}

/* What the host asks for, 0 to 1 of full load. */
static double demand(const struct sim_behaviour *b, uint64_t step, double seconds, double swing)
{
	double jitter = noise(b->seed, step);

	switch (b->workload) {
	case STEADY: return 0.95 + 0.05 * jitter;
	case DIURNAL: return 0.5 + 0.4 * swing + 0.1 * jitter;
	case BURSTY: return noise(b->seed, (uint64_t)(seconds / BURST)) > 0.5 ? 0.97 + 0.03 * jitter
									      : 0.05;
	default: return 0;
	}
}

static unsigned throttle_level(const struct sim_behaviour *b, unsigned level, double temperature)
{
	const double limits[] = { b->throttle_temperature, b->heavy_temperature };

	while (level < 2 && limits[level] && temperature >= limits[level])
		level++;
	while (level && temperature < limits[level - 1] - HYSTERESIS)
		level--;
	return level;
}

/* approach: the share of the way to the settled temperature that one step goes. */
static void step_thermal(const struct sim_behaviour *b, struct sim_state *st, double swing,
			 double approach, double dt)
{
	double ambient = b->ambient + b->ambient_swing * swing;
	double settled = ambient - RATED_AMBIENT + b->idle_temperature +
			 st->load * (b->load_temperature - b->idle_temperature);
	unsigned before = st->level;

	st->temperature += (settled - st->temperature) * approach;
	st->hottest = fmax(st->hottest, st->temperature);
	st->level = throttle_level(b, before, st->temperature);
	for (unsigned level = before; level < st->level; level++)
		st->transitions[level]++;
	if (!before && st->level)
		st->throttle_events++;
	if (st->level)
		st->throttle_seconds[st->level - 1] += dt;
	if (b->critical_temperature && st->temperature >= b->critical_temperature)
		st->critical_seconds += dt;
	else if (b->warning_temperature && st->temperature >= b->warning_temperature)
		st->warning_seconds += dt;
}

static void step_work(const struct sim_behaviour *b, struct sim_state *st, double dt)
{
	double work = st->load * dt;
	double written = work * (double)b->write, media = written * b->write_amplification;

	st->powered_seconds += dt;
	st->busy_seconds += work;
	st->host_read += work * (double)b->read;
	st->host_written += written;
	st->read_commands += work * (double)b->read_iops;
	st->write_commands += work * (double)b->write_iops;
	/* What garbage collection writes again it has read before. */
	st->media_read += work * (double)b->read + fmax(media - written, 0);
	st->media_written += media;
	if (b->capacity)
		st->erase_cycles += media / (double)b->capacity;
	st->watt_seconds += sim_behaviour_power(b, st) * dt;
}

double sim_behaviour_power(const struct sim_behaviour *b, const struct sim_state *st)
{
	return b->idle_power + st->load * (b->load_power - b->idle_power);
}

/* Time passes in steps of one length, so that it matters to no value how often the drive is asked;
 * accelerated drives take longer ones. */
void sim_behaviour_advance(const struct sim_behaviour *b, struct sim_state *st,
			   uint64_t elapsed_us)
{
	static const double allowed[] = { 1, 0.6, 0.2 };
	double dt = fmin(fmax(ceil(b->accelerate), 1), STEP_MAX);
	double age = fmin((double)elapsed_us / 1e6 * b->accelerate, AGE_MAX);
	/* The exact answer of a first-order lag: stable whatever the step. */
	double approach = -expm1(-dt / fmax((double)b->time_constant / 1e6, 1));
	bool daily = b->workload == DIURNAL || b->ambient_swing;

	for (uint64_t last = (uint64_t)(age / dt); b->active && st->steps < last; st->steps++) {
		double seconds = (double)st->steps * dt;
		double swing = daily ? day_swing(b, seconds) : 0;
		st->load = demand(b, st->steps, seconds, swing) * allowed[st->level % 3];
		step_thermal(b, st, swing, approach, dt);
		step_work(b, st, dt);
	}
}
