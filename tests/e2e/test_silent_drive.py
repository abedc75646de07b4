# SPDX-License-Identifier: LGPL-2.1-or-later
"""HNG-01: a drive that does not answer costs that drive alone, says so, and is left in peace."""
import os
import signal
import time

import pytest

from program import wait_until

FINE = [f"fine{n}" for n in range(7)]


def responding(host, serial):
    return host.web.value("nvmewatch_drive_responding", serial=serial)


def temperature(host, serial):
    return host.web.value("nvmewatch_drive_temperature_celsius", serial=serial)


@pytest.fixture
def one_hangs(host):
    for name in FINE:
        host.drive(name)
    host.drive("hung", identify={"wctemp_celsius": 77}, fault={"what": "hang", "at": "3s"})
    host.collect("store.interval=1s", "store.flush=1s")
    host.serve()
    host.wait_pages(8)
    return host


def test_a_hung_drive_costs_that_drive_alone(one_hangs):
    host = one_hangs
    assert responding(host, "hung") == 1 and temperature(host, "hung") == 30
    last, silent = wait_until(lambda: temperature(host, "hung") is None and
                              (last_read(host, "hung"), time.time()))
    # The page's last read is more than three cadences ago, and not by much.
    assert 3 <= silent - last < 4.5
    assert responding(host, "hung") == 0
    assert host.web.value("nvmewatch_drive_temperature_limit_celsius", serial="hung",
                          limit="warning") is None
    drive = host.web.drive("hung")
    assert drive["responding"] is False and drive["temperature_celsius"] is None
    assert drive["health"] == {"status": "critical", "reasons": ["the drive does not respond",
                                                                 "no answer in poll.timeout"]}
    # It is still there: an alert can fire (HNG-04), and REST shows its last values as old ones.
    assert drive["present"] is True and drive["pages"]["smart"]["fresh"] is False
    assert drive["pages"]["smart"]["fields"]["temperature_celsius"] == 30
    assert [responding(host, name) for name in FINE] == [1] * 7
    # No second command, no second process: it was asked once, and is counted once.
    assert host.web.value("nvmewatch_collect_errors_total", serial="hung", reason="timeout") == 1
    assert len(host.readers()) == 8
    assert host.programs[0].log().count("does not answer") == 1


def last_read(host, serial):
    return host.web.value("nvmewatch_collect_last_success_timestamp_seconds", serial=serial,
                          page="smart")


def test_the_others_keep_their_cadence(one_hangs):
    wait_until(lambda: responding(one_hangs, "hung") == 0)
    before = one_hangs.history("SELECT max(mono) FROM smart")[0][0]
    wait_until(lambda: one_hangs.history("SELECT max(mono) FROM smart")[0][0] > before + 4000)
    for name in FINE:
        distances = one_hangs.read_distances(name)
        assert len(distances) > 4 and 750 < min(distances) <= max(distances) < 1250, distances


def test_a_slow_drive_is_back_with_its_answer(host):
    # One command takes long; later ones do not.
    host.drive("slow", smart={"temperature_celsius": 50},
               fault={"page": "smart", "what": "delay 3s", "at": "1s", "until": "2s"})
    host.collect()
    host.serve()
    wait_until(lambda: responding(host, "slow") == 0)
    wait_until(lambda: responding(host, "slow") == 1)
    assert wait_until(lambda: temperature(host, "slow")) == 50
    log = host.programs[0].log()
    assert log.count("does not answer") == 1 and log.count("answers again") == 1


def test_a_drive_that_cannot_be_spoken_to_does_not_respond(host):
    """HNG-04: ENODEV for everything, as from a dead controller."""
    host.drive("dead", fault={"what": "errno ENODEV", "at": "2s"})
    host.drive("dead-from-the-start", fault={"what": "errno EAGAIN"})
    host.collect("poll.ocp=1h")
    host.serve()
    for serial in ("dead", "dead-from-the-start"):
        wait_until(lambda s=serial: responding(host, s) == 0)
        assert host.web.value("nvmewatch_drive_present", serial=serial) == 1
    wait_until(lambda: temperature(host, "dead") is None)
    assert host.programs[0].log().count("does not answer") == 2


def test_identify_is_read_later_where_it_could_not_be_at_first(host):
    # "Namespace not ready": what a drive says that is not up yet.
    host.drive("late", fault={"page": "identify", "what": "status 0x82", "until": "2s"})
    host.collect()
    host.serve()
    wait_until(lambda: host.web.value("nvmewatch_collect_errors_total", serial="late",
                                      page="identify", reason="status"))
    wait_until(lambda: host.web.fields("late", "identify"))


def test_a_killed_reader_is_replaced(host):
    host.drive("A")
    host.collect()
    host.serve()
    host.wait_pages(1)
    [reader] = host.readers()
    os.kill(reader, signal.SIGKILL)
    wait_until(lambda: host.readers() not in ([], [reader]))
    before = last_read(host, "A")
    wait_until(lambda: last_read(host, "A") > before)
    assert responding(host, "A") == 1
