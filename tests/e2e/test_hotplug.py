# SPDX-License-Identifier: LGPL-2.1-or-later
"""Drives that come, go, change and come back, on a timeline of their own: what is shown while they
do, and which events stay. The corners of it are in tests/check_fleet*.c, on simulated time."""
import time

import pytest

from control import FORGET, tell
from fleet import write_nasty
from program import wait_until
from web import drive_path

END = 10  # seconds after which every timeline below has come to rest

GONE = {"fault gone": {"what": "remove", "at": "2s"}}
# Drives with a list of their log pages refuse nothing, and so have no error log entries of that, which
# would be gone when they are back.
LISTING = {"identify": {"lpa": "0x20"}}
AWAY = {"fault away": {"what": "remove", "at": "2s", "for": "2s"}}


def timelines(host):
    """One drive per story."""
    host.drive("stays", device="nvme10")
    host.drive("goes", device="nvme11", **GONE)
    host.drive("returns", device="nvme12", **LISTING, **AWAY)
    host.drive("renamed", device="nvme13", **LISTING, **AWAY, **{"change name": {"at": "3s", "device": "nvme33"}})
    host.drive("comes", device="nvme14", **{"fault not yet": {"what": "remove", "until": "3s"}})
    # Another drive in the same slot, under the same name.
    host.drive("slot", "first", device="nvme15", address="0000:15:00.0", **AWAY,
               **{"change drive": {"at": "3s", "serial": "second"}})
    host.drive("updated", device="nvme16", **LISTING, **{
        "change fw": {"at": "2s", "firmware": "FW2"},
        "fault reset": {"what": "reset", "at": "3s", "for": "1s"}})
    host.drive("grows", device="nvme17", **{"change size": {"at": "2s", "capacity": "2T"}})
    host.drive("resets", device="nvme18", **{"fault reset": {"what": "reset", "at": "2s", "for": "3s"}})
    # What it says of itself in and after the reset is rubbish.
    host.drive("babbles", device="nvme19",
               **{"fault reset": {"what": "reset", "at": "2s", "for": "1s"},
                  "fault noise": {"what": "garbage", "page": "identify", "at": "2s", "for": "4s"}})
    host.drive("hangs", device="nvme20", **{"fault hang": {"what": "hang", "at": "2s", "for": "7s"}})


SERIALS = ["stays", "goes", "returns", "renamed", "comes", "first", "second", "updated", "grows",
           "resets", "babbles", "hangs"]


class Story:
    """The fleet of the timelines; what was seen of it in its first seconds, by serial."""

    def __init__(self, host):
        self.host, self.seen = host, {serial: [] for serial in SERIALS}
        drive = host.drive

        def with_identity(name, serial=None, **sections):
            identity = {key: sections.pop(key) for key in ("device", "address") if key in sections}
            drive(name, serial, identity={"model": "M-" + name, "firmware": "FW1", "capacity": "1T",
                                          **identity}, **sections)
        host.drive = with_identity
        timelines(host)
        host.collect("poll.timeout=4s", "store.flush=1s")
        host.serve()
        end = time.monotonic() + END + 1
        wait_until(lambda: host.web.get("/readyz").status == 200)
        while time.monotonic() < end:
            for d in host.web.json("/api/v1/drives")["drives"]:
                self.seen.setdefault(d["serial"], []).append(d)
            time.sleep(0.2)

    def values(self, serial, key):
        """What a key of the drive was, in order, without repetitions."""
        values = [d[key] for d in self.seen[serial]]
        return [v for n, v in enumerate(values) if not n or v != values[n - 1]]

    def events(self, serial):
        return [tuple(row) for row in self.host.history(
            "SELECT type, detail FROM events JOIN drives ON drives.id = drive WHERE key = ?"
            " ORDER BY events.id", serial)]


@pytest.fixture(scope="module")
def story(shared_host):
    return Story(shared_host)


def temperature(web, serial):
    return web.value("nvmewatch_drive_temperature_celsius", serial=serial)


def test_nobody_else_is_seen(story):
    """Garbage identities and half-started controllers are no drives."""
    assert sorted(story.seen) == sorted(SERIALS)


def test_a_drive_that_stays_is_not_touched_by_it(story):
    assert story.values("stays", "present") == [True]
    assert story.values("stays", "responding") == [True]
    assert story.events("stays") == [("attach", "nvme10")]
    assert temperature(story.host.web, "stays") is not None


def test_a_drive_that_goes_is_shown_as_gone(story):
    """HOT-07: with what was last known of it; its series end."""
    web = story.host.web
    assert story.values("goes", "present") == [True, False]
    assert web.value("nvmewatch_drive_present", serial="goes") == 0
    assert temperature(web, "goes") is None
    drive = web.drive("goes")
    assert drive["model"] == "M-goes" and drive["firmware"] == "FW1"
    assert not any(page["fresh"] for page in drive["pages"].values())
    assert web.value("nvmewatch_drive_temperature_limit_celsius", serial="goes") is None
    assert story.events("goes") == [("attach", "nvme11"), ("remove", "nvme11")]


def test_a_drive_that_returns_is_the_same(story):
    assert story.values("returns", "present") == [True, False, True]
    assert temperature(story.host.web, "returns") is not None
    assert story.events("returns") == [("attach", "nvme12"), ("remove", "nvme12"),
                                       ("attach", "nvme12")]


def test_a_drive_may_return_under_another_name(story):
    assert story.values("renamed", "device")[0] == "nvme13"
    assert story.values("renamed", "device")[-1] == "nvme33"
    assert temperature(story.host.web, "renamed") is not None
    assert story.events("renamed") == [("attach", "nvme13"), ("remove", "nvme13"),
                                       ("attach", "nvme33")]


def test_a_drive_that_comes_later_is_read(story):
    assert story.values("comes", "present") == [True]
    assert temperature(story.host.web, "comes") is not None
    assert story.events("comes") == [("attach", "nvme14")]


def test_a_swapped_drive_is_another(story):
    assert story.values("first", "present") == [True, False]
    assert story.values("second", "present") == [True]
    assert temperature(story.host.web, "first") is None
    assert temperature(story.host.web, "second") is not None
    assert story.events("first") == [("attach", "nvme15"), ("remove", "nvme15")]
    assert story.events("second") == [("attach", "nvme15")]


def test_new_firmware_is_shown_and_kept(story):
    """FWU-01: Identify tells before the kernel does, which learns of it in the reset."""
    assert story.values("updated", "firmware") == ["FW1", "FW2"]
    assert story.values("updated", "present") == [True]
    events = story.events("updated")
    assert [e for e in events if e[0] == "firmware_change"] == [("firmware_change", "FW1 to FW2")]
    assert {e[0] for e in events} == {"attach", "reset", "firmware_change"}


def test_a_new_size_is_shown_and_kept(story):
    assert story.values("grows", "capacity_bytes") == [10**12, 2 * 10**12]
    assert story.events("grows") == [
        ("attach", "nvme17"), ("capacity_change", "1000000000000 to 2000000000000 bytes")]


def test_HNG_08_a_reset_is_shown_and_is_no_alarm(story):
    assert story.values("resets", "state") == ["live", "resetting", "live"]
    assert story.values("resets", "responding") == [True]
    assert [e[0] for e in story.events("resets")] == ["attach", "reset"]
    assert temperature(story.host.web, "resets") is not None


def test_garbage_identity_is_not_believed(story):
    assert story.values("babbles", "firmware") == ["FW1"]
    assert story.values("babbles", "model") == ["M-babbles"]
    assert [e[0] for e in story.events("babbles")] == ["attach", "reset"]
    wait_until(lambda: story.host.web.fields("babbles", "identify")["fr"] == "FW1")


def test_a_hang_and_its_end_are_kept(story):
    assert story.values("hangs", "responding") == [True, False, True]
    assert [e[0] for e in story.events("hangs")] == ["attach", "unresponsive", "responsive"]


def test_no_process_is_left_over(story):
    """One reader for each drive that is there."""
    assert len(story.host.readers()) == len(SERIALS) - 2  # goes, first


def test_a_restart_keeps_who_is_gone(story):
    """From history.db; and says nothing new of it."""
    host = story.host
    host.programs[0].stop()
    # Whatever is on the timeline has happened: these are not there from the start.
    for path in host.drives.glob("*.drive"):
        if path.stem in ("goes", "hangs"):
            path.unlink()
    before = story.events("goes")
    host.collect("store.flush=1s")
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="goes") == 0)
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="hangs") == 0)
    assert host.web.drive("goes")["model"] == "M-goes"
    assert temperature(host.web, "goes") is None
    assert story.events("goes") == before
    assert tell(host, FORGET, "stays") == "EBUSY"
    assert tell(host, FORGET, "goes") == "ok"
    assert tell(host, FORGET, "goes") == "ENOENT"
    wait_until(lambda: host.web.get(drive_path("goes")).status == 404)
    assert host.web.value("nvmewatch_drive_present", serial="goes") is None
    # For good; its history stays.
    host.programs[-1].stop()
    host.collect()
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="hangs") == 0)
    assert host.web.value("nvmewatch_drive_present", serial="goes") is None
    assert story.events("goes") == before


def test_the_last_drive_goes_and_the_first_one_comes(host):
    """No drives is a normal state of a host, whoever comes next."""
    host.drive("A", **{"fault not yet": {"what": "remove", "until": "2s"},
                       "fault again": {"what": "remove", "at": "4s", "for": "2s"}})
    host.collect("collect.forget_after=1s")
    host.serve()
    wait_until(lambda: host.web.json("/api/v1/drives") == {"drives": []}, 2)
    wait_until(lambda: temperature(host.web, "A") is not None, 4)
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="A") == 0, 4)
    wait_until(lambda: temperature(host.web, "A") is not None, 5)
    assert host.web.value("nvmewatch_collector_up") == 1


def test_a_drive_is_forgotten_after_its_time(host):
    host.drive("A", **GONE)
    # It is looked at with each scan: once a minute, and when something happens to another drive.
    host.drive("B", **{"change size": {"at": "4s", "capacity": "2T"},
                       "change again": {"at": "6s", "capacity": "3T"}})
    host.collect("collect.forget_after=3s")
    host.serve()
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="A") == 0)
    gone = time.monotonic()
    wait_until(lambda: host.web.value("nvmewatch_drive_present", serial="A") is None)
    assert time.monotonic() - gone > 2
    assert temperature(host.web, "B") is not None


def test_PRM_04_names_swap_between_two_starts(host):
    """History and series go by serial: what nvme0 was is nvme1 now."""
    for run, names in enumerate((("nvme0", "nvme1"), ("nvme1", "nvme0"))):
        for serial, name, heat in zip("AB", names, (41, 52)):
            host.drive(serial, identity={"device": name}, smart={"temperature_celsius": heat})
        collector = host.collect("store.interval=1s", "store.flush=1s")
        if not run:
            host.serve()
        wait_until(lambda: host.web.samples("nvmewatch_drive_info", serial="A")[0][0]["device"] ==
                   names[0])
        wait_until(lambda: (temperature(host.web, "A"), temperature(host.web, "B")) == (41, 52))
        collector.stop()
    assert host.history("SELECT key, min(temperature_celsius), max(temperature_celsius) FROM smart"
                        " JOIN drives ON drives.id = drive GROUP BY key") == [
                            ("A", 41, 41), ("B", 52, 52)]


def test_IDN_odd_serials_go_and_come_back(host):
    """IDN-04, IDN-08, PRM-02: whatever is in it, it is the same drive again."""
    serials = write_nasty(host, **LISTING, **AWAY)
    host.collect()
    host.serve()

    def present():
        return [v for _, v in host.web.samples("nvmewatch_drive_present")]
    for expected in (1, 0, 1):
        wait_until(lambda e=expected: present() == [e] * len(serials))
    for serial in serials:
        wait_until(lambda s=serial: temperature(host.web, s) is not None)
        assert host.history("SELECT count(*) FROM events JOIN drives ON drives.id = drive"
                            " WHERE key = ?", serial) == [(3,)]
