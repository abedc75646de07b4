/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Identify Controller, CNS 01h (NVMe Base 2.3, 5.2.13.2.1). Names are the specification's
 * mnemonics, with the base unit where a value has one. */

#include <errno.h>
#include <math.h>

#include "nvmewatch/cleanup.h"
#include "nvmewatch/page.h"

#define NPSS 263 /* number of power states, 0's based */
#define PSD 2048 /* power state descriptors */
#define PSD_SIZE 32
#define PSD_MXPS 3 /* bit 0: the scale of MP, in the opposite sense of the two-bit scales */

#define PLAIN(offset_, size_, name_, help_)                                              \
	{ .name = name_, .offset = offset_, .size = size_, .help = help_ }
#define NONZERO(offset_, size_, name_, help_)                                            \
	{ .name = name_, .offset = offset_, .size = size_, .absent = ABSENT_ZERO, .help = help_ }
#define SCALED(offset_, size_, mul_, div_, name_, help_)                                 \
	{ .name = name_, .offset = offset_, .size = size_, .mul = mul_, .div = div_,     \
	  .absent = ABSENT_ZERO, .help = help_ }
#define TEXT(offset_, size_, name_, help_)                                               \
	{ .name = name_, .type = FIELD_ASCII, .offset = offset_, .size = size_,          \
	  .absent = ABSENT_ZERO, .help = help_ }
/* FFFFh and the like are no temperature. */
#define KELVIN .bias = -273, .absent = ABSENT_ZERO, .min = 200, .max = 500
#define LIMIT(offset_, name_, label_, help_)                                             \
	{ .name = name_, .family = "temperature_limit_celsius",                          \
	  .labels = "limit=\"" label_ "\"", .kind = FIELD_GAUGE, .offset = offset_,      \
	  .size = 2, KELVIN, .help = help_ }
/* One value of each power state descriptor. */
#define STATE(at_, size_)                                                                \
	.offset = PSD + at_, .size = size_, .count = 32, .stride = PSD_SIZE,             \
	.label = "state", .reported = state_reported

static bool state_reported(const uint8_t *bytes, unsigned index)
{
	return index <= bytes[NPSS];
}

static bool vwci_reported(const uint8_t *bytes, unsigned index)
{
	(void)index;
	return bytes[254] & 0x80;
}

static int watts_decode(uint64_t raw, double divisor, struct value *ret)
{
	ret->real = (double)raw / divisor;
	ret->type = VALUE_REAL;
	return 0;
}

/* The finer unit where the value fits it. */
static int watts_encode(const struct value *v, uint64_t *ret_raw, bool *ret_fine)
{
	double watts = v->type == VALUE_REAL ? v->real : (double)v->integer;

	if (v->type == VALUE_TEXT)
		return -EINVAL;
	if (v->type == VALUE_ABSENT)
		watts = 0;
	if (!(watts >= 0 && round(watts * 100) <= 0xffff))
		return -ERANGE;
	*ret_fine = round(watts * 10000) <= 0xffff;
	*ret_raw = (uint64_t)round(watts * (*ret_fine ? 10000 : 100));
	return 0;
}

static int max_power_decode(const struct field *f, const uint8_t *bytes, unsigned at,
			    struct value *ret)
{
	uint64_t raw = bytes_get(bytes + at, f->size);

	return raw ? watts_decode(raw, bytes[at + PSD_MXPS] & 1 ? 10000 : 100, ret) : -ENODATA;
}

static int max_power_encode(const struct field *f, const struct value *v, uint8_t *bytes,
			    unsigned at)
{
	uint64_t raw;
	bool fine;
	int r = watts_encode(v, &raw, &fine);

	if (r < 0)
		return r;
	bytes_put(bytes + at, f->size, raw);
	bytes[at + PSD_MXPS] = (uint8_t)((bytes[at + PSD_MXPS] & ~1) | fine);
	return 0;
}

/* Idle and active power: the scale stands in bits 7:6 of the byte behind the value (0 not
 * reported, 1 0.0001 W, 2 0.01 W, 3 reserved). */
static int scaled_power_decode(const struct field *f, const uint8_t *bytes, unsigned at,
			       struct value *ret)
{
	unsigned scale = bytes[at + f->size] >> 6;
	uint64_t raw = bytes_get(bytes + at, f->size);

	if (!raw || (scale != 1 && scale != 2))
		return -ENODATA;
	return watts_decode(raw, scale == 1 ? 10000 : 100, ret);
}

static int scaled_power_encode(const struct field *f, const struct value *v, uint8_t *bytes,
			       unsigned at)
{
	uint64_t raw;
	bool fine;
	int r = watts_encode(v, &raw, &fine);

	if (r < 0)
		return r;
	unsigned scale = v->type == VALUE_ABSENT ? 0 : fine ? 1 : 2;
	bytes_put(bytes + at, f->size, raw);
	bytes[at + f->size] = (uint8_t)((bytes[at + f->size] & 0x3f) | scale << 6);
	return 0;
}

static const struct field_conversion max_power = {
	.decode = max_power_decode, .encode = max_power_encode, .real = true,
};
static const struct field_conversion scaled_power = {
	.decode = scaled_power_decode, .encode = scaled_power_encode, .real = true,
};

static const struct field fields[] = {
	PLAIN(0, 2, "vid", "PCI vendor id."),
	PLAIN(2, 2, "ssvid", "PCI subsystem vendor id."),
	TEXT(4, 20, "sn", "Serial number."),
	TEXT(24, 40, "mn", "Model number."),
	TEXT(64, 8, "fr", "Firmware revision."),
	PLAIN(72, 1, "rab", "Recommended arbitration burst, as a power of two."),
	{ .name = "ieee", .type = FIELD_HEX_LE, .offset = 73, .size = 3, .absent = ABSENT_ZERO,
	  .help = "IEEE OUI of the vendor." },
	PLAIN(76, 1, "cmic", "Multi-path and namespace sharing capabilities."),
	PLAIN(77, 1, "mdts", "Maximum data transfer size as a power of two of pages, 0 for no limit."),
	PLAIN(78, 2, "cntlid", "Controller id."),
	NONZERO(80, 4, "ver", "NVMe version, major 31:16, minor 15:8, tertiary 7:0."),
	SCALED(84, 4, 1, 1000000, "rtd3r_seconds", "Latency to resume from runtime D3."),
	SCALED(88, 4, 1, 1000000, "rtd3e_seconds", "Latency to enter runtime D3."),
	PLAIN(92, 4, "oaes", "Optional asynchronous events supported."),
	PLAIN(96, 4, "ctratt", "Controller attributes."),
	PLAIN(100, 2, "rrls", "Read recovery levels supported."),
	NONZERO(111, 1, "cntrltype", "Controller type, 1 I/O, 2 discovery, 3 administrative."),
	{ .name = "fguid", .type = FIELD_HEX, .offset = 112, .size = 16, .absent = ABSENT_ZERO,
	  .help = "FRU globally unique identifier." },
	SCALED(128, 2, 1, 10, "crdt1_seconds", "Command retry delay time 1."),
	SCALED(130, 2, 1, 10, "crdt2_seconds", "Command retry delay time 2."),
	SCALED(132, 2, 1, 10, "crdt3_seconds", "Command retry delay time 3."),
	NONZERO(253, 1, "nvmsr", "NVM subsystem report."),
	{ .name = "vwci", .offset = 254, .size = 1, .bits = 7, .reported = vwci_reported,
	  .help = "VPD write cycles remaining." },
	PLAIN(255, 1, "mec", "Management endpoint capabilities."),
	PLAIN(256, 2, "oacs", "Optional admin commands supported."),
	PLAIN(258, 1, "acl", "Abort command limit, 0's based."),
	PLAIN(259, 1, "aerl", "Asynchronous event request limit, 0's based."),
	PLAIN(260, 1, "frmw", "Firmware update capabilities."),
	PLAIN(261, 1, "lpa", "Log page attributes."),
	PLAIN(262, 1, "elpe", "Error log entries, 0's based."),
	PLAIN(NPSS, 1, "npss", "Power states, 0's based."),
	PLAIN(264, 1, "avscc", "Admin vendor specific command configuration."),
	PLAIN(265, 1, "apsta", "Autonomous power state transition attributes."),
	LIMIT(266, "wctemp_celsius", "warning",
	      "Temperature limit of the drive, warning or critical composite temperature."),
	LIMIT(268, "cctemp_celsius", "critical", "Critical composite temperature."),
	SCALED(270, 2, 1, 10, "mtfa_seconds", "Longest pause for a firmware activation."),
	SCALED(272, 4, 4096, 0, "hmpre_bytes", "Preferred host memory buffer size."),
	SCALED(276, 4, 4096, 0, "hmmin_bytes", "Minimum host memory buffer size."),
	NONZERO(280, 16, "tnvmcap_bytes", "Total NVM capacity."),
	PLAIN(296, 16, "unvmcap_bytes", "Unallocated NVM capacity."),
	PLAIN(312, 4, "rpmbs", "Replay protected memory block support."),
	SCALED(316, 2, 60, 0, "edstt_seconds", "Extended device self-test time, in whole minutes."),
	PLAIN(318, 1, "dsto", "Device self-test options."),
	NONZERO(319, 1, "fwug", "Firmware update granularity in 4 KiB, 255 for no restriction."),
	SCALED(320, 2, 1, 10, "kas_seconds", "Keep alive granularity."),
	PLAIN(322, 2, "hctma", "Host controlled thermal management attributes."),
	{ .name = "mntmt_celsius", .offset = 324, .size = 2, KELVIN,
	  .help = "Lowest temperature host controlled thermal management can be set to." },
	{ .name = "mxtmt_celsius", .offset = 326, .size = 2, KELVIN,
	  .help = "Highest temperature host controlled thermal management can be set to." },
	PLAIN(328, 4, "sanicap", "Sanitize capabilities."),
	SCALED(332, 4, 4096, 0, "hmminds_bytes", "Host memory buffer minimum descriptor entry size."),
	PLAIN(336, 2, "hmmaxd", "Host memory maximum descriptor entries."),
	PLAIN(338, 2, "nsetidmax", "Highest NVM set id."),
	NONZERO(340, 2, "endgidmax", "Highest endurance group id."),
	PLAIN(342, 1, "anatt_seconds", "ANA transition time."),
	PLAIN(343, 1, "anacap", "Asymmetric namespace access capabilities."),
	PLAIN(344, 4, "anagrpmax", "Highest ANA group id."),
	PLAIN(348, 4, "nanagrpid", "Number of ANA groups."),
	SCALED(352, 4, 65536, 0, "pels_bytes", "Longest persistent event log."),
	NONZERO(356, 2, "domainid", "Domain id."),
	PLAIN(368, 16, "megcap_bytes", "Maximum endurance group capacity."),
	NONZERO(384, 1, "tmpthha", "Temperature threshold hysteresis attributes."),
	PLAIN(386, 2, "cqt_raw", "Command quiesce time in milliseconds."),
	NONZERO(392, 2, "ipmsr", "Interval power sample, 15:8 scale, 7:0 value."),
	PLAIN(394, 2, "msmt", "Maximum stop measurement time."),
	PLAIN(512, 1, "sqes", "Submission queue entry sizes."),
	PLAIN(513, 1, "cqes", "Completion queue entry sizes."),
	PLAIN(514, 2, "maxcmd", "Maximum outstanding commands."),
	PLAIN(516, 4, "nn", "Highest namespace id."),
	PLAIN(520, 2, "oncs", "Optional NVM commands supported."),
	PLAIN(522, 2, "fuses", "Fused operation support."),
	PLAIN(524, 1, "fna", "Format NVM attributes."),
	PLAIN(525, 1, "vwc", "Volatile write cache."),
	PLAIN(526, 2, "awun", "Atomic write unit, normal, 0's based."),
	PLAIN(528, 2, "awupf", "Atomic write unit, power fail, 0's based."),
	PLAIN(530, 1, "icsvscc", "I/O command set vendor specific command configuration."),
	PLAIN(531, 1, "nwpc", "Namespace write protection capabilities."),
	PLAIN(532, 2, "acwu", "Atomic compare and write unit, 0's based."),
	PLAIN(534, 2, "ocfs", "Optional copy formats supported."),
	PLAIN(536, 4, "sgls", "Scatter-gather list support."),
	NONZERO(540, 4, "mnan", "Maximum number of allowed namespaces."),
	PLAIN(544, 16, "maxdna", "Maximum domain namespace attachments."),
	PLAIN(560, 4, "maxcna", "Maximum I/O controller namespace attachments."),
	{ .name = "subnqn", .type = FIELD_STRING, .offset = 768, .size = 256,
	  .absent = ABSENT_ZERO, .help = "NVM subsystem qualified name." },
	PLAIN(1792, 4, "ioccsz", "I/O queue command capsule size in 16 bytes (fabrics)."),
	PLAIN(1796, 4, "iorcsz", "I/O queue response capsule size in 16 bytes (fabrics)."),
	PLAIN(1800, 2, "icdoff", "In-capsule data offset in 16 bytes (fabrics)."),
	PLAIN(1802, 1, "fcatt", "Fabrics controller attributes."),
	PLAIN(1803, 1, "msdbd", "Maximum SGL data block descriptors (fabrics)."),
	PLAIN(1804, 2, "ofcs", "Optional fabrics commands supported."),
	PLAIN(1806, 1, "dctype", "Discovery controller type."),

	{ .name = "power_state_max_watts", .kind = FIELD_GAUGE, STATE(0, 2), .full = true,
	  .conversion = &max_power, .help = "Maximum power of a power state." },
	{ .name = "power_state_non_operational", .kind = FIELD_GAUGE, STATE(3, 1), .shift = 1,
	  .bits = 1, .full = true, .help = "1 for a power state in which no I/O is processed." },
	{ .name = "power_state_entry_seconds", STATE(4, 4), .div = 1000000, .absent = ABSENT_ZERO,
	  .help = "Latency to enter a power state." },
	{ .name = "power_state_exit_seconds", STATE(8, 4), .div = 1000000, .absent = ABSENT_ZERO,
	  .help = "Latency to leave a power state." },
	{ .name = "power_state_rrt", STATE(12, 1), .bits = 5,
	  .help = "Relative read throughput, lower is better." },
	{ .name = "power_state_rrl", STATE(13, 1), .bits = 5,
	  .help = "Relative read latency, lower is better." },
	{ .name = "power_state_rwt", STATE(14, 1), .bits = 5,
	  .help = "Relative write throughput, lower is better." },
	{ .name = "power_state_rwl", STATE(15, 1), .bits = 5,
	  .help = "Relative write latency, lower is better." },
	{ .name = "power_state_idle_watts", STATE(16, 2), .conversion = &scaled_power,
	  .help = "Typical power of a power state when idle for 30 seconds." },
	{ .name = "power_state_active_watts", STATE(20, 2), .conversion = &scaled_power,
	  .help = "Highest mean power of a power state over 10 seconds of work." },
	{ .name = "power_state_active_workload", STATE(22, 1), .bits = 3, .absent = ABSENT_ZERO,
	  .help = "Workload that the active power was measured with." },
};

const struct page identify_page = {
	.name = "identify",
	.title = "Identify Controller (CNS 01h)",
	.prefix = "drive",
	.command = PAGE_IDENTIFY,
	.id = 0x01,
	.size = 4096,
	.cadence = CADENCE_ATTACH,
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
