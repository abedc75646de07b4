# SPDX-License-Identifier: LGPL-2.1-or-later
"""Do no harm: no error of a drive's log is ours, none is woken or warmed, a stuck one gets no second
command, and an administrator can have a drive left alone."""
import fcntl
import os
import time

import pytest

from control import PAUSE, tell
from program import wait_until

OCP = {"ocp_smart": {"plp_starts": 7}}


def reads(host, serial):
    """Good reads of the SMART page that history has. Wants store.interval=1s."""
    return host.history("SELECT count(*) FROM smart JOIN drives ON drives.id = drive"
                        " WHERE key = ?", serial)[0][0]


def entries(host, serials):
    """Of the drives' error logs, all together."""
    return sum(value for labels, value in
               host.web.samples("nvmewatch_drive_error_log_entries_total")
               if labels["serial"] in serials)


def errors(host, serial):
    return {(labels["page"], labels["reason"]): count for labels, count in
            host.web.samples("nvmewatch_collect_errors_total", serial=serial)}


def responding(host, serial):
    return host.web.value("nvmewatch_drive_responding", serial=serial)


def test_ERR_01_a_thousand_polls_add_nothing(host):
    """A fleet of one model that has no C0h: the first drive is asked, once, ever."""
    serials = [f"S{n:02}" for n in range(48)]
    for serial in serials:
        host.drive(serial, identity={"model": "No OCP", "firmware": "FW1"})
    host.serve()
    polls = 0
    # A simulated drive forgets its log when its reader ends; history.db does not forget.
    for run, expected in enumerate((1, 0)):
        collector = host.collect("store.interval=1s", "store.flush=1s")
        host.wait_pages(len(serials))
        wait_until(lambda e=expected: entries(host, serials) == e)
        wanted = polls + 11 * len(serials)
        polls = wait_until(lambda: (n := sum(reads(host, s) for s in serials)) >= wanted and n, 30)
        assert entries(host, serials) == expected
        asked = [serial for serial in serials if errors(host, serial)]
        assert asked == ["S00"][:expected], run
        collector.stop()
    assert polls >= 1000
    assert host.history("SELECT model, firmware, page FROM refusals") == [
        ("No OCP", "FW1", "ocp_smart")]


@pytest.fixture(scope="module")
def fleet(shared_host):
    """A drive per story, a model each."""
    def drive(name, **sections):
        shared_host.drive(name, identity={"model": name, "firmware": "FW1"}, **{**OCP, **sections})
    drive("plain")
    drive("apst", identify={"apsta": 1})
    for what in ("zero", "garbage"):
        drive(f"rae-{what}", smart={"power_cycles": 5}, fault={"page": "smart", "rae": 1, "what": what})
    drive("soon", fault={"page": "smart", "what": "status 0x82", "at": "3s", "times": 1})
    drive("busy", fault={"page": "smart", "what": "errno EAGAIN", "at": "3s", "times": 1})
    drive("not-soon", fault={"page": "smart", "what": "status 0x82", "at": "3s", "times": 2})
    drive("broken", fault={"page": "smart", "what": "status 0x6", "at": "3s", "times": 1})
    drive("io", fault={"page": "smart", "what": "errno EIO", "at": "3s", "times": 1})
    shared_host.collect("store.interval=1s", "store.flush=1s")
    shared_host.serve()
    wait_until(lambda: reads(shared_host, "plain") >= 8)
    return shared_host


def test_PWR_06_an_apst_drive_is_left_to_sleep(fleet):
    """At most once a minute: once at attach, and at most one of its minutes has come since."""
    assert 1 <= reads(fleet, "apst") <= 2
    assert responding(fleet, "apst") == 1
    # A minute is its cadence: its series stand until then.
    assert fleet.web.value("nvmewatch_drive_temperature_celsius", serial="apst") is not None


@pytest.mark.parametrize("serial", ["rae-zero", "rae-garbage"])
def test_a_drive_that_cannot_retain_events_is_read_all_the_same(fleet, serial):
    assert fleet.web.fields(serial, "smart")["power_cycles"] == 5
    assert errors(fleet, serial) == {}
    assert fleet.history("SELECT min(power_cycles), max(power_cycles) FROM smart JOIN drives"
                         " ON drives.id = drive WHERE key = ?", serial) == [(5, 5)]
    lines = [line for line in fleet.programs[0].log().splitlines() if f"({serial})" in line]
    assert len(lines) == 1 and "without the event retained" in lines[0], lines


@pytest.mark.parametrize("serial", ["soon", "busy"])
def test_HNG_10_one_quick_retry(fleet, serial):
    assert errors(fleet, serial) == {}
    assert max(fleet.read_distances(serial)) < 1800
    assert responding(fleet, serial) == 1


def test_HNG_10_but_one_only(fleet):
    assert errors(fleet, "not-soon") == {("smart", "status"): 1}


@pytest.mark.parametrize("serial, reason", [("broken", "status"), ("io", "io")])
def test_HNG_10_and_none_for_other_failures(fleet, serial, reason):
    assert errors(fleet, serial) == {("smart", reason): 1}


def test_nothing_is_asked_of_a_paused_drive(fleet):
    assert tell(fleet, PAUSE, "none", 60) == "ENOENT"
    assert tell(fleet, PAUSE, "plain", 31 * 86400) == "EINVAL"
    assert tell(fleet, PAUSE, "plain", 3600) == "ok"
    time.sleep(2.5)  # what was on its way
    before = reads(fleet, "plain")
    # Withdrawn as old; it is there, and nothing is wrong with it.
    wait_until(lambda: fleet.web.value("nvmewatch_drive_temperature_celsius", serial="plain") is None)
    assert reads(fleet, "plain") == before
    assert responding(fleet, "plain") == 1
    assert fleet.web.value("nvmewatch_drive_present", serial="plain") == 1
    assert tell(fleet, PAUSE, "plain", 0) == "ok"
    wait_until(lambda: reads(fleet, "plain") > before, 4)


def test_a_reader_that_cannot_be_killed_gets_no_company(host):
    """Its lock outlives it: the drive is not asked by another one, and is said not to answer."""
    host.drive("A", identity={"device": "nvme3", "address": "0000:03:00.0"})
    host.run.mkdir()
    lock = os.open(host.run / "nvme3-0000:03:00.0.lock", os.O_RDWR | os.O_CREAT, 0o600)
    fcntl.flock(lock, fcntl.LOCK_EX)
    host.collect()
    host.serve()
    wait_until(lambda: responding(host, "A") == 0)
    assert host.readers() == []
    assert host.web.value("nvmewatch_drive_present", serial="A") == 1
    os.close(lock)
    wait_until(lambda: responding(host, "A") == 1, 20)
    assert len(host.readers()) == 1
    wait_until(lambda: host.web.fields("A", "smart"))


def test_eight_hung_drives_do_not_hold_up_the_end(host):
    for n in range(8):
        host.drive(f"H{n}", fault={"what": "hang", "at": "1s"})
    collector = host.collect()
    host.serve()
    wait_until(lambda: [v for _, v in host.web.samples("nvmewatch_drive_responding")] == [0] * 8)
    started = time.monotonic()
    assert collector.stop() == 0
    assert time.monotonic() - started < 2
    wait_until(lambda: not host.readers(), 1)
