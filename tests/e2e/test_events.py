# SPDX-License-Identifier: LGPL-2.1-or-later
"""What happens to a drive, told once: in history, and counted in /metrics."""
import pytest

from program import wait_until

SERIALS = ["throttles", "grows-hot", "tests", "sanitized", "errs", "falls", "plain"]
ENTRY = {"count": 5, "status": 0x281, "sqid": 3, "cid": 77, "nsid": 1, "lba": 123456}


def entry(n, **values):
    """Changes that put entry number n, which is a read error, first in the log."""
    values = {**ENTRY, "count": n, **values}
    return {"smart.error_log_entries": n,
            **{f"error_information.{COLUMNS[key]}": value for key, value in values.items()}}


COLUMNS = {"count": "error_count_1", "status": "status_1", "sqid": "submission_queue_1", "cid": "command_id_1",
           "nsid": "nsid_1", "lba": "lba_1"}


def fleet(host):
    ocp = {"ocp_smart": {"throttled": 0}, "identify": {"wctemp_celsius": 77}}
    # A model of its own: what others of its model lack, a drive is not asked for.
    host.drive("throttles", identity={"model": "OCP"}, **ocp, smart={"temperature_celsius": 70}, **{
        "change on": {"at": "3s", "ocp_smart.throttled": 2, "smart.temperature_celsius": 81},
        "change off": {"at": "6s", "ocp_smart.throttled": 0, "smart.temperature_celsius": 75}})
    host.drive("grows-hot", identify={"hctma": 1}, **{
        "change on": {"at": "3s", "smart.thermal_transitions_1": 1}})
    host.drive("tests", identify={"oacs": "0x10"}, self_test={"self_test_operation": 0}, **{
        "change on": {"at": "3s", "self_test.self_test_operation": 1},
        "change off": {"at": "6s", "self_test.self_test_operation": 0,
                       "self_test.operation_1": 1, "self_test.result_1": 0}})
    host.drive("sanitized", identify={"sanicap": 2}, sanitize={"sanitize_status": 0}, **{
        "change on": {"at": "3s", "sanitize.sanitize_status": 2, "sanitize.sanitize_command": 2},
        "change off": {"at": "6s", "sanitize.sanitize_status": 1}})
    host.drive("errs", identify={"lpa": "0x20", "elpe": 63}, smart={"error_log_entries": 4}, **{
        "change one": {"at": "3s", **entry(5)},
        "change two": {"at": "6s", **entry(6, status="0x002")}})
    host.drive("falls", smart={"power_cycles": 12}, **{
        "change": {"at": "3s", "smart.power_cycles": 1}})
    host.drive("plain")


def events(host, serial):
    return [tuple(row) for row in host.history(
        "SELECT type, detail FROM events JOIN drives ON drives.id = drive WHERE key = ?"
        " AND type <> 'attach' ORDER BY events.id", serial)]


@pytest.fixture(scope="module")
def told(shared_host):
    fleet(shared_host)
    shared_host.collect("poll.slow=1s")
    shared_host.serve("serve.metrics=full")
    last = {("throttles", "throttle_end"): 1, ("tests", "self_test_end"): 1, ("errs", "error_log"): 2,
            ("sanitized", "sanitize_end"): 1, ("falls", "counter_reset"): 1}
    for (serial, kind), n in last.items():
        wait_until(lambda s=serial, k=kind, n=n: [t for t, _ in events(shared_host, s)].count(k) == n, 20)
    # History is told at once, /metrics with the next publication.
    for (serial, kind), n in last.items():
        wait_until(lambda s=serial, k=kind, n=n: shared_host.web.value(
            "nvmewatch_events_total", serial=s, type=k) == n)
    return shared_host


def test_throttling_begins_and_ends(told):
    begin, end = events(told, "throttles")
    # One of the two pages is read first.
    assert begin[0] == "throttle_begin"
    assert begin[1] in (f"thermal throttling status at {celsius} C" for celsius in (70, 81))
    assert end[0] == "throttle_end"
    assert end[1].startswith("after ") and end[1].endswith(" s, up to 81 C")
    assert told.web.value("nvmewatch_thermal_throttled", serial="throttles") == 0
    assert told.web.value("nvmewatch_thermal_headroom_celsius", serial="throttles") == 2
    assert told.web.value("nvmewatch_thermal_headroom_celsius", serial="plain") is None


def test_counters_that_grow_are_throttling(told):
    assert events(told, "grows-hot")[0] == (
        "throttle_begin", "light throttling by host thermal management at 30 C")
    assert told.web.value("nvmewatch_thermal_throttled", serial="grows-hot") == 1
    fields = told.web.fields("grows-hot", "thermal")
    assert fields["throttle_reason"] == "light throttling by host thermal management"
    assert fields["throttled_temperature_max_celsius"] == 30


def test_throttling_is_counted_from_0_where_identify_says_that_it_is_counted(told):
    def shown(serial):
        fields = told.web.fields(serial, "smart")
        return [(fields[f"thermal_transitions_{level}"],
                 told.web.value("nvmewatch_drive_thermal_transitions_total", serial=serial, level=level))
                for level in "12"]

    assert shown("grows-hot") == [(1, 1), (0, 0)]
    assert shown("plain") == [(None, None), (None, None)]


def test_a_self_test_begins_and_ends(told):
    assert events(told, "tests") == [("self_test_begin", "short"), ("self_test_end", "short, passed")]


def test_a_sanitize_begins_and_ends(told):
    assert events(told, "sanitized") == [("sanitize_begin", "block erase"),
                                         ("sanitize_end", "block erase, done")]


def test_ERR_02_new_error_log_entries_are_told_with_their_cause(told):
    device, host = events(told, "errs")
    assert device == ("error_log", "entry 5, device: Unrecovered Read Error (SCT 2h, SC 81h), namespace 1,"
                      " LBA 123456")
    assert host[1].startswith("entry 6, host: ") and "(SCT 0h, SC 02h)" in host[1]
    logged = {labels["cause"]: value for labels, value in
              told.web.samples("nvmewatch_drive_errors_logged_total", serial="errs")}
    assert logged == {"host": 1, "device": 1}


def test_CNT_03_counters_that_fall_are_told(told):
    assert events(told, "falls") == [("counter_reset", "power_cycles from 12 to 1")]


def test_events_are_counted_by_type(told):
    counts = {labels["type"]: value for labels, value in
              told.web.samples("nvmewatch_events_total", serial="tests")}
    assert counts == {"self_test_begin": 1, "self_test_end": 1}
    assert told.web.value("nvmewatch_event_timestamp_seconds", serial="tests",
                          type="self_test_end") > 1.7e9


def test_ERR_08_what_was_there_before_is_no_event(host):
    host.drive("old", identify={"lpa": "0x20", "elpe": 63}, smart={"error_log_entries": 119699},
               error_information={COLUMNS[key]: value for key, value in {**ENTRY, "count": 119699}.items()})
    host.collect("poll.slow=1s")
    host.serve("serve.metrics=full")
    wait_until(lambda: host.web.samples("nvmewatch_drive_errors_logged_total", serial="old"))
    assert events(host, "old") == []


def test_ERR_06_entries_of_a_restart_are_told_once_and_as_such(host):
    """A kernel or a tool asks a drive for what it does not have at every boot."""
    drive = {"identify": {"lpa": "0x20", "elpe": 63}, "smart": {"error_log_entries": 5},
             "error_information": {COLUMNS[key]: value for key, value in ENTRY.items()}}
    host.drive("boots", **drive)
    collect = host.collect("poll.slow=1s")
    host.serve("serve.metrics=full")
    wait_until(lambda: host.web.samples("nvmewatch_drive_errors_logged_total", serial="boots"))
    collect.stop()
    drive["smart"]["error_log_entries"] = 8
    drive["error_information"].update({"error_count_1": 8, "status_1": "0x002"})
    host.drive("boots", **drive)
    for _ in range(2):
        collect = host.collect("poll.slow=1s")
        wait_until(lambda: host.web.samples("nvmewatch_drive_errors_logged_total", serial="boots"))
        wait_until(lambda: events(host, "boots"))
        collect.stop()
    (kind, detail), = events(host, "boots")
    assert kind == "error_log" and detail.startswith("entry 8, host: ")
    assert detail.endswith(", while nobody watched")
