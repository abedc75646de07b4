# SPDX-License-Identifier: LGPL-2.1-or-later
"""Who starts and ends when, and what is shown meanwhile: never a stale value as a live one."""
import os
import signal
import time

import pytest

from program import wait_until

CADENCE = 1.0  # of Host.collect()
SLACK = 1.5    # a busy machine, and the second that is a publication's least distance


def series_of_drives(web):
    return [line for line in web.text().splitlines() if 'serial="' in line]


def withdrawn(web):
    return web.value("nvmewatch_collector_up") == 0 and not series_of_drives(web)


@pytest.fixture
def running(host):
    host.drive("A")
    host.drive("B")
    host.collector = host.collect()
    host.serve()
    host.wait_pages(2)
    return host


def end_by_sigterm(collector):
    assert collector.stop() == 0


def end_by_sigkill(collector):
    collector.stop(signal.SIGKILL)


def freeze(collector):
    collector.send(signal.SIGSTOP)


@pytest.mark.parametrize("end", [end_by_sigterm, end_by_sigkill, freeze])
def test_series_end_three_cadences_after_the_collector(running, end):
    end(running.collector)
    ended = time.monotonic()
    wait_until(lambda: withdrawn(running.web), 3 * CADENCE + SLACK)
    # Nor sooner: a collector that comes late once is not dead.
    assert time.monotonic() - ended > 1.5 * CADENCE
    answer = running.web.get("/readyz")
    assert answer.status == 503
    assert "stopped publishing" in answer.problem()["detail"]
    for drive in running.web.json("/api/v1/drives")["drives"]:
        assert drive["health"]["status"] == "unknown"
        assert drive["responding"] is None and drive["temperature_celsius"] is None
    assert running.web.get("/healthz").status == 200


def test_a_collector_that_goes_on_is_live_again(running):
    freeze(running.collector)
    wait_until(lambda: withdrawn(running.web))
    running.collector.send(signal.SIGCONT)
    wait_until(lambda: running.web.get("/readyz").status == 200)
    wait_until(lambda: len(running.web.samples("nvmewatch_drive_temperature_celsius")) == 2)


def test_serve_may_start_before_collect(host):
    host.drive("A")
    host.serve()
    assert host.web.get("/healthz").status == 200
    assert host.web.get("/readyz").status == 503
    assert host.web.value("nvmewatch_collector_up") == 0
    # Not an empty list, which would say that the host has no drives.
    assert host.web.get("/api/v1/drives").problem()["status"] == 503
    host.collect()
    host.wait_pages(1)
    assert host.web.get("/readyz").status == 200


def test_a_restarted_collector_takes_at_once(running):
    running.collector.stop()
    running.drive("C")
    running.collect()
    running.wait_pages(3)
    assert [d["serial"] for d in running.web.json("/api/v1/drives")["drives"]] == ["A", "B", "C"]


def test_serve_may_be_restarted(running):
    running.programs[-1].stop()
    running.serve()
    assert running.web.value("nvmewatch_collector_up") == 1
    assert len(running.web.samples("nvmewatch_drive_temperature_celsius")) == 2


def test_no_drives_is_normal(host):
    host.collect()
    host.serve()
    wait_until(lambda: host.web.get("/readyz").status == 200)
    assert host.web.json("/api/v1/drives") == {"drives": []}
    assert host.web.value("nvmewatch_collector_up") == 1
    # PRM-06: one line, not one per poll.
    assert len(host.programs[0].log().splitlines()) == 1
    assert "0 drives" in host.programs[0].log()


@pytest.fixture
def hung(host):
    host.drive("A")
    for name in "HIJ":
        host.drive(name, fault={"what": "hang"})
    host.collector = host.collect()
    host.serve()
    wait_until(lambda: [v for _, v in host.web.samples("nvmewatch_drive_responding")]
               == [1, 0, 0, 0])
    return host


@pytest.mark.parametrize("signal_number", [signal.SIGTERM, signal.SIGINT])
def test_collect_waits_for_no_drive_when_it_ends(hung, signal_number):
    started = time.monotonic()
    assert hung.collector.stop(signal_number) == 0
    assert time.monotonic() - started < 2
    wait_until(lambda: not hung.readers(), 1)


def test_no_reader_survives_a_killed_collector(hung):
    assert len(hung.readers()) == 4
    hung.collector.stop(signal.SIGKILL)
    wait_until(lambda: not hung.readers(), 2, "readers that are left")


def test_a_reader_holds_its_socket_and_its_lock_only(running):
    readers = running.readers()
    assert len(readers) == 2
    for pid in readers:
        assert {int(fd) for fd in os.listdir(f"/proc/{pid}/fd")} == {0, 1, 2, 3, 4}
