# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sixteen controllers under the installed units, whose processes are killed, stopped and ended: what one sees of it."""
import pytest

import drives
from daemons import require_programs, until
from drives import SIXTEEN
from units import COLLECT, SERVE, SOCKET, Units
from vm import VM

ONE = "OCP-1"
OTHERS = set(SIXTEEN) - {ONE}
UP, RESPONDING = "nvmewatch_collector_up", "nvmewatch_drive_responding"
TEMPERATURE = "nvmewatch_drive_temperature_celsius"
UNRESPONSIVE = "f80ea3acad3c4e85bf24c56e6e4db20a"


@pytest.fixture(scope="module")
def guest():
    """nvmewatch installed and started, and every drive read. systemd waits for less than it does by default, half
    a minute, to see what is stopped."""
    require_programs()
    with VM(drives.sixteen()) as vm:
        units = Units(vm)
        for unit in (COLLECT, SERVE):
            units.drop_in(unit, "[Service]\nWatchdogSec=6s\n")
        units.start()
        units.wait_for_series(*SIXTEEN)
        yield units


@pytest.fixture(autouse=True)
def all_is_well_afterwards(guest):
    """Every drive is shown, and there is one collect, one serve and one reader a drive: no more and no less."""
    yield
    guest.wait_for_series(*SIXTEEN)
    assert shown(guest, UP) == {None: 1}
    assert shown(guest, RESPONDING) == dict.fromkeys(SIXTEEN, 1)
    until(lambda: guest.processes() == {guest.pid(COLLECT), *guest.readers()}, 5, "no process is left over")
    assert len(guest.readers()) == len(SIXTEEN)
    assert guest.processes(SERVE) == {guest.pid(SERVE)}


def shown(guest, family):
    """Serial -> value of a family's series."""
    return {dict(labels).get("serial"): value for (name, labels), value in guest.metrics().items() if name == family}


def late(guest, since, serials):
    """Those that were not read every second, give or take one."""
    gaps = guest.gaps(since)
    return {serial: gaps.get(serial) for serial in serials if not (gaps.get(serial) or 9) < 2}


def watchdog_messages(guest, unit):
    """What systemd had to say."""
    return guest.vm.run(f"journalctl -q --no-pager -o cat _PID=1 UNIT={unit} | grep -c 'Watchdog timeout'")[1]


@pytest.mark.parametrize("signal", ["KILL", "TERM"])
def test_a_reader_that_ends_costs_its_drive_a_moment(guest, signal):
    victim, collect, since = guest.reader(ONE), guest.pid(COLLECT), guest.uptime()
    others = set(guest.readers()) - {victim}
    guest.vm.output(f"kill -{signal} {victim}")
    until(lambda: guest.reader(ONE) not in (0, victim), 5, "it has another")
    guest.wait_for_reads(ONE, "smart", 3)
    assert guest.pid(COLLECT) == collect and others <= set(guest.readers())
    assert not late(guest, since, OTHERS)
    assert guest.gaps(since)[ONE] < 5


def test_a_stopped_reader_costs_its_drive_alone_and_is_reported(guest):
    victim, since = guest.reader(ONE), guest.uptime()
    guest.vm.output(f"kill -STOP {victim}")
    until(lambda: shown(guest, RESPONDING)[ONE] == 0, 9, "it is reported")
    until(lambda: ONE not in shown(guest, TEMPERATURE), 3, "its series end")
    assert set(shown(guest, TEMPERATURE)) == OTHERS
    assert shown(guest, RESPONDING) == {**dict.fromkeys(OTHERS, 1), ONE: 0}
    assert shown(guest, UP) == {None: 1} and guest.get("/readyz")[0] == 200
    assert f'"NVME_SERIAL":"{ONE}"' in guest.messages(f"-o json MESSAGE_ID={UNRESPONSIVE}")
    assert guest.reader(ONE) == victim and guest.status(victim)["State"][0] == "T"
    guest.vm.output(f"kill -CONT {victim}")
    until(lambda: shown(guest, RESPONDING)[ONE] == 1, 5, "it answers again")
    guest.wait_for_reads(ONE, "smart", 3)
    assert guest.reader(ONE) == victim
    assert not late(guest, since, OTHERS)


def test_a_stopped_reader_does_not_outlive_its_collect(guest):
    victim = guest.reader(ONE)
    guest.vm.output(f"kill -STOP {victim} && systemctl restart {COLLECT}")
    until(lambda: not guest.vm.run(f"test -e /proc/{victim}")[0] == 0, 2, "it is gone")


@pytest.mark.parametrize("unit", [COLLECT, SERVE])
def test_killed_it_is_back(guest, unit):
    readers = set(guest.readers())
    assert guest.cause(lambda: guest.signal(unit, "KILL"), unit) < 6
    assert (set(guest.readers()) & readers == set()) == (unit == COLLECT)


@pytest.mark.parametrize("unit", [COLLECT, SERVE])
def test_ended_it_is_gone_within_two_seconds_and_back(guest, unit):
    former = guest.pid(unit)
    wait = f"n=0; while test -e /proc/{former}; do sleep 0.05; n=$((n+1)); test $n -lt 40 || exit 1; done"
    assert guest.cause(lambda: guest.vm.output(f"kill -TERM {former}; {wait}"), unit) < 6
    said = guest.vm.output(f"journalctl -q --no-pager -o cat _PID=1 UNIT={unit} | grep -vE 'Start|Consumed'")
    assert said.splitlines()[-3].startswith(f"{unit}: Deactivated successfully"), "it says that it failed"


def test_stopped_by_systemd_nothing_is_left(guest):
    began = guest.uptime()
    guest.vm.output(f"systemctl stop {COLLECT}")
    assert guest.uptime() - began < 2
    assert guest.show(COLLECT, "Result") == "success" and guest.show(COLLECT, "ExecMainStatus") == "0"
    assert guest.vm.run("pgrep 'watch[:-][^s]'")[1] == "", "a process"
    until(lambda: shown(guest, UP) == {None: 0} and not shown(guest, TEMPERATURE), 5, "values are withdrawn")
    assert guest.get("/readyz")[0] == 503 and guest.get("/healthz")[0] == 200
    guest.vm.output(f"systemctl start {COLLECT}")


def test_serve_that_was_stopped_by_systemd_starts_with_the_next_request(guest):
    began = guest.uptime()
    guest.vm.output(f"systemctl stop {SERVE} 2>&1")
    assert guest.uptime() - began < 2
    assert guest.show(SERVE, "Result") == "success" and guest.pid(SERVE) == 0
    assert guest.get("/readyz")[0] == 200


def test_the_watchdog_ends_a_collect_that_stands_still(guest):
    def withdrawn():
        return shown(guest, UP) == {None: 0} and not shown(guest, TEMPERATURE) and guest.get("/readyz")[0] == 503

    def stand_still():
        guest.signal(COLLECT, "STOP")
        until(withdrawn, 5, "values are withdrawn after three cadences")
        assert guest.pid(COLLECT) == former, "the watchdog was first"

    former, count = guest.pid(COLLECT), int(guest.show(COLLECT, "NRestarts"))
    assert guest.cause(stand_still) < 20
    assert int(guest.show(COLLECT, "NRestarts")) == count + 1
    assert watchdog_messages(guest, COLLECT) == "1\n"


def test_the_watchdog_ends_a_serve_that_stands_still_and_who_waits_is_answered(guest):
    """By its successor, as systemd has the socket."""
    collect, former, since = guest.pid(COLLECT), guest.pid(SERVE), guest.uptime()
    guest.signal(SERVE, "STOP")
    code = guest.vm.output("curl -sS -m 25 -o /dev/null -w '%{http_code}' http://127.0.0.1:9917/readyz", 30)
    assert code == "200" and guest.pid(SERVE) not in (0, former)
    assert watchdog_messages(guest, SERVE) == "1\n"
    assert guest.pid(COLLECT) == collect
    guest.wait_for_reads(ONE, "smart", 2)
    assert not late(guest, since, SIXTEEN)


def test_killed_again_and_again_they_are_back(guest):
    """Faster than systemd's default limit of five starts in ten seconds."""
    loop = """main() { systemctl show --value -p MainPID $1; }
        killed() { for i in $(seq 10); do
            until pid=$(main $1); [ $pid != 0 ]; do sleep 0.1; done
            kill -9 $pid; while [ $(main $1) = $pid ]; do :; done
        done; }
        """
    guest.vm.output(f"{loop} killed {COLLECT} & killed {SERVE} & wait", 90)
    assert guest.show(SOCKET, "ActiveState") == "active"
