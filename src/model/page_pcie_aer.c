/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Advanced Error Reporting of the drive's PCIe function, as the kernel has counted it since the
 * function is there (PCI Express Base 6.0, 7.8.4). Errors go by the kernel's abbreviations; the total
 * includes those that have no row here. */

#include "nvmewatch/cleanup.h"
#include "nvmewatch/host.h"
#include "nvmewatch/page.h"

#define ERROR(base_, i_, severity_, error_, help_)                                              \
	.name = severity_ "_" error_ "_errors", .family = "aer_errors",                         \
	.labels = "severity=\"" severity_ "\",error=\"" error_ "\"", .kind = FIELD_COUNTER,      \
	.offset = (base_) + HOST_NUMBER * (i_), .size = HOST_NUMBER, .absent = ABSENT_ONES,     \
	.help = help_

#define CORRECTABLE(i_, error_, help_)                                                          \
	{ ERROR(HOST_AER_CORRECTABLE, i_, "correctable", error_, help_), .full = true }
#define NONFATAL(i_, error_, help_)                                                             \
	{ ERROR(HOST_AER_NONFATAL, i_, "nonfatal", error_, help_), .full = true }
#define FATAL(i_, error_, help_)                                                                \
	{ ERROR(HOST_AER_FATAL, i_, "fatal", error_, help_), .full = true }
#define TOTAL(base_, n_, severity_, help_) { ERROR(base_, (n_) - 1, severity_, "total", help_) }

static const struct field fields[] = {
	TOTAL(HOST_AER_CORRECTABLE, HOST_AER_CORRECTABLES, "correctable",
	      "Errors of the drive's PCIe link by severity and kind, and all kinds of a severity."),
	CORRECTABLE(0, "rx_err", "Receiver errors."),
	CORRECTABLE(1, "bad_tlp", "Transaction layer packets with a wrong CRC or number."),
	CORRECTABLE(2, "bad_dllp", "Data link layer packets with a wrong CRC."),
	CORRECTABLE(3, "rollover", "Replays of a packet four times in a row."),
	CORRECTABLE(4, "timeout", "Replays of a packet that was not acknowledged in time."),
	CORRECTABLE(5, "non_fatal_err", "Uncorrectable errors that are only advised of."),
	CORRECTABLE(6, "corr_int_err", "Corrected internal errors."),
	CORRECTABLE(7, "header_of", "Overflows of the header log."),

	TOTAL(HOST_AER_NONFATAL, HOST_AER_UNCORRECTABLES, "nonfatal",
	      "All uncorrectable errors that were not fatal."),
	NONFATAL(0, "undefined", "Training errors, of PCIe 1.0."),
	NONFATAL(1, "dlp", "Data link protocol errors."),
	NONFATAL(2, "sdes", "Surprise down errors."),
	NONFATAL(3, "tlp", "Poisoned packets received."),
	NONFATAL(4, "fcp", "Flow control protocol errors."),
	NONFATAL(5, "cmplt_to", "Completions that did not come in time."),
	NONFATAL(6, "cmplt_abrt", "Completer aborts."),
	NONFATAL(7, "unx_cmplt", "Unexpected completions."),
	NONFATAL(8, "rx_of", "Receiver overflows."),
	NONFATAL(9, "malf_tlp", "Malformed packets."),
	NONFATAL(10, "ecrc", "Packets with a wrong end-to-end CRC."),
	NONFATAL(11, "unsup_req", "Unsupported requests."),
	NONFATAL(12, "acs_viol", "Access control violations."),
	NONFATAL(13, "uncorr_int_err", "Uncorrectable internal errors."),
	NONFATAL(14, "blocked_tlp", "Blocked multicast packets."),
	NONFATAL(15, "atomic_op_blocked", "Blocked atomic operations."),
	NONFATAL(16, "tlp_blocked_err", "Blocked packets with a prefix."),
	NONFATAL(17, "poison_tlp_blocked", "Blocked poisoned packets."),
	NONFATAL(18, "dm_wr_req_blocked", "Blocked deferrable memory writes."),
	NONFATAL(19, "ide_check", "Failed integrity checks of an encrypted link."),
	NONFATAL(20, "mis_ide_tlp", "Misrouted packets of an encrypted link."),
	NONFATAL(21, "pcrc_check", "Wrong CRCs of plaintext."),
	NONFATAL(22, "tlp_xlat_blocked", "Blocked translations of packets."),

	TOTAL(HOST_AER_FATAL, HOST_AER_UNCORRECTABLES, "fatal", "All fatal errors."),
	FATAL(0, "undefined", "Training errors, of PCIe 1.0."),
	FATAL(1, "dlp", "Data link protocol errors."),
	FATAL(2, "sdes", "Surprise down errors."),
	FATAL(3, "tlp", "Poisoned packets received."),
	FATAL(4, "fcp", "Flow control protocol errors."),
	FATAL(5, "cmplt_to", "Completions that did not come in time."),
	FATAL(6, "cmplt_abrt", "Completer aborts."),
	FATAL(7, "unx_cmplt", "Unexpected completions."),
	FATAL(8, "rx_of", "Receiver overflows."),
	FATAL(9, "malf_tlp", "Malformed packets."),
	FATAL(10, "ecrc", "Packets with a wrong end-to-end CRC."),
	FATAL(11, "unsup_req", "Unsupported requests."),
	FATAL(12, "acs_viol", "Access control violations."),
	FATAL(13, "uncorr_int_err", "Uncorrectable internal errors."),
	FATAL(14, "blocked_tlp", "Blocked multicast packets."),
	FATAL(15, "atomic_op_blocked", "Blocked atomic operations."),
	FATAL(16, "tlp_blocked_err", "Blocked packets with a prefix."),
	FATAL(17, "poison_tlp_blocked", "Blocked poisoned packets."),
	FATAL(18, "dm_wr_req_blocked", "Blocked deferrable memory writes."),
	FATAL(19, "ide_check", "Failed integrity checks of an encrypted link."),
	FATAL(20, "mis_ide_tlp", "Misrouted packets of an encrypted link."),
	FATAL(21, "pcrc_check", "Wrong CRCs of plaintext."),
	FATAL(22, "tlp_xlat_blocked", "Blocked translations of packets."),
};

const struct page pcie_aer_page = {
	.name = "pcie_aer",
	.title = "PCIe Advanced Error Reporting (kernel: aer_dev_correctable, _nonfatal, _fatal)",
	.prefix = "pcie",
	.command = PAGE_HOST,
	.id = HOST_PCIE_AER,
	.size = HOST_AER_SIZE,
	.cadence = CADENCE_OCP,
	.history = true,
	.may_be_zero = true, /* a link without errors */
	.fields = fields,
	.n_fields = ELEMENTS(fields),
};
