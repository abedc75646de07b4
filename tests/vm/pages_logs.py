# SPDX-License-Identifier: LGPL-2.1-or-later
"""Log pages of NVMe Base other than 02h: nvme-cli's names and ours, see compare.py."""
import json

from compare import At, Page, Row
from conversions import (leading_number, nonzero, nonzero_bits, packed_text, percent, ratio, ratio_to_one,
                         times_nonzero, bits, times, unless, unsigned, where)

ONES = (-1, 2**32 - 1)  # nvme-cli prints some numbers as if they had a sign
SHOWN = 8  # entries of the error log


def inner(text):
    """Without the device's name around it."""
    return next(iter(json.loads(text).values()))


def newest(text):
    """As many entries as we show."""
    return {"errors": json.loads(text)["errors"][:SHOWN]}


def error_entry(number):
    """The rows of an entry of the error log; one without a count is none."""
    cli, at = f"errors.{number}.", 64 * number
    count = cli + "error_count"
    entry = lambda *absent, convert=lambda value: value: (
        lambda value, count: None if not count or value in absent else convert(value))
    return [Row(key, f"{field}_{number + 1}", None, convert) for key, field, convert in (
        (count, "error_count", nonzero),
        ((cli + "sqid", count), "submission_queue", entry(0xffff)),
        ((cli + "cmdid", count), "command_id", entry(0xffff)),
        ((cli + "status_field", count), "status", entry(convert=bits(0, 11))),
        ((cli + "parm_error_location", count), "parameter_byte", entry(0xffff, convert=bits(0, 8))),
        ((cli + "parm_error_location", count), "parameter_bit", entry(0xffff, convert=bits(8, 3))),
        ((cli + "lba", count), "lba", entry(-1, 2**64 - 1)),
        ((cli + "nsid", count), "nsid", entry(convert=unsigned)),
        ((cli + "vs", count), "vendor_log_page", entry(0)),
        ((cli + "trtype", count), "transport_type", entry(0)),
        ((cli + "cs", count), "command_information", entry(0, -1, 2**64 - 1, convert=lambda n: f"{n:016x}")),
        ((cli + "trtype_spec_info", count), "transport_information", entry(0, 0xffff)),
        ((At(at + 30, 1), count, At(at + 63, 1)), "command_set", where(lambda count, version: count and version)),
        ((At(at + 31, 1), count, At(at + 63, 1)), "opcode", where(lambda count, version: count and version)),
    )]


def error_information(entries):
    """01h of a drive that keeps so many entries; at most 64 are read."""
    count = min(entries, 64)
    return Page("error_information", f"nvme error-log {{device}} -e {count} -o json",
                f"nvme get-log {{device}} -i 1 -l {64 * count} -b",
                [row for number in range(SHOWN) for row in error_entry(number)],
                not_compared={f"errors.{number}.phase_tag": "not shown" for number in range(SHOWN)},
                optional=r"errors\.\d\..*", parse=newest)


FIRMWARE_SLOTS = Page("firmware_slots", "nvme fw-log {device} -o json", "nvme get-log {device} -i 3 -l 512 -b", [
    Row("Active Firmware Slot (afi)", "firmware_slot_active", "drive_firmware_slot_active", nonzero_bits(0, 3)),
    Row("Active Firmware Slot (afi)", "firmware_slot_next", "drive_firmware_slot_next", nonzero_bits(4, 3)),
    *(Row(f"Firmware Rev Slot {n}", f"firmware_slot_revision_{n}", None, packed_text) for n in range(1, 8)),
], optional=r"Firmware Rev Slot \d", parse=inner)


def self_test_result(number):
    """The rows of a result."""
    cli = f"List of Valid Reports.{number}."
    result, code = cli + "Self test result", cli + "Self test code"
    valid = where(lambda code: code)  # no self-test has the number 0
    return [Row(key, f"{field}_{number + 1}", None, convert) for key, field, convert in (
        ((result, code), "result", valid),
        (code, "operation", nonzero),
        ((cli + "Segment number", result), "segment", where(lambda result: result == 7)),
        ((cli + "Valid Diagnostic Information", code), "diagnostics_valid", where(bool, bits(0, 4))),
        ((cli + "Power on hours", code), "power_on_seconds", where(bool, times(3600))),
        ((cli + "Namespace Identifier", code), "nsid", where(bool, unsigned)),
        ((cli + "Failing LBA", code), "lba", valid),
        ((cli + "Status Code Type", code), "status_code_type", where(bool, bits(0, 3))),
        ((cli + "Status Code", code), "status_code", valid),
        ((cli + "Vendor Specific", code), "vendor_specific", where(bool, nonzero)),
    )]


OPERATION = "Current Device Self-Test Operation"
SELF_TEST = Page("self_test", "nvme self-test-log {device} -o json", "nvme get-log {device} -i 6 -l 564 -b", [
    Row(OPERATION, "self_test_operation", "drive_self_test_operation", bits(0, 4)),
    Row(("Current Device Self-Test Completion", OPERATION), "self_test_progress_ratio",
        "drive_self_test_progress_ratio", where(bits(0, 4), lambda value: percent(value & 0x7f))),
    *(row for number in range(20) for row in self_test_result(number)),
], optional=r"List of Valid Reports\..*")

ESTIMATES = [("time_over_write", "overwrite"), ("time_block_erase", "block_erase"),
             ("time_crypto_erase", "crypto_erase"), ("time_over_write_no_dealloc", "overwrite_no_deallocate"),
             ("time_block_erase_no_dealloc", "block_erase_no_deallocate"),
             ("time_crypto_erase_no_dealloc", "crypto_erase_no_deallocate")]
SANITIZE = Page("sanitize", "nvme sanitize-log {device} -o json", "nvme get-log {device} -i 0x81 -l 512 -b", [
    Row("sstat.status", "sanitize_status", "drive_sanitize_status", leading_number),
    Row("sprog", "sanitize_progress_ratio", "drive_sanitize_progress_ratio",
        unless(0xffff, convert=lambda part: part / 65536)),
    Row("sstat.no_cmplted_passes", "overwrite_passes"),
    Row("sstat.global_erased", "global_data_erased"),
    Row(At(2, 2), "media_verification_cancelled", None, bits(9, 1)),
    Row(At(2, 2), "namespace_data_erased", None, bits(10, 1)),
    Row("cdw10_info", "sanitize_command", None, unsigned),
    *(Row(key, f"{field}_estimate_seconds", None, unless(*ONES, convert=unsigned)) for key, field in ESTIMATES),
    Row(At(32, 4), "post_verification_deallocation_estimate_seconds", None, unless(*ONES)),
    Row(At(36, 1), "sanitize_state", None, bits(0, 4)),
    Row(At(36, 1), "sanitize_failed_state", None, nonzero_bits(4, 4)),
    Row(At(40, 4), "namespaces_at_once_max", None, unless(0, *ONES)),
    Row(At(44, 4), "namespace_sanitized", None, nonzero),
], parse=inner)


def endurance_group(number):
    """09h of one; its unit is a thousand millions of bytes."""
    group = lambda name: f'endurance_group_{name}{{endurance_group="{number}"}}'
    warning = lambda name: f'endurance_group_critical_warning{{endurance_group="{number}",bit="{name}"}}'
    return Page(f"endurance_group_{number}", f"nvme endurance-log {{device}} -g {number} -o json",
                f"nvme get-log {{device}} -i 9 -l 512 -S {number} -b", [
        Row("critical_warning", "critical_warning_raw", group("critical_warning_raw")),
        *(Row("critical_warning", f"critical_warning_{name}", warning(name), bits(bit, 1))
          for bit, name in ((0, "spare"), (2, "reliability"), (3, "read_only"))),
        Row(At(1, 1), "features"),
        Row("avl_spare", "available_spare_ratio", group("available_spare_ratio"), ratio_to_one),
        Row("avl_spare_threshold", "available_spare_threshold_ratio", group("available_spare_threshold_ratio"),
            ratio_to_one),
        Row("percent_used", "endurance_used_ratio", group("endurance_used_ratio"), ratio),
        Row(At(6, 2), "domainid", None, nonzero),
        Row("endurance_estimate", "endurance_estimate_bytes", group("endurance_estimate_bytes"),
            times_nonzero(10**9)),
        *(Row(key, f"{field}_bytes", group(f"{field}_bytes_total"), times_nonzero(10**9)) for key, field in (
            ("data_units_read", "host_read"), ("data_units_written", "host_written"),
            ("media_units_written", "media_written"))),
        *(Row(key, field, group(f"{field}_total")) for key, field in (
            ("host_read_cmds", "host_read_commands"), ("host_write_cmds", "host_write_commands"),
            ("media_data_integrity_err", "media_errors"), ("num_err_info_log_entries", "error_log_entries"))),
        *(Row(At(offset, 16), field, group(field), nonzero)
          for offset, field in ((160, "capacity_bytes"), (176, "unallocated_bytes"))),
    ])
