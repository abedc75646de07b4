# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every page that emulated controllers have, behind the real driver, as nvme-cli prints it: drives of every kind that
have done some work."""
import time

import pytest

import drives
import everything
import pages
import snapshot
from daemons import Daemons, require_programs, until
from vm import VM

# Serial numbers, and what the drive has beyond what all have
DRIVES = {"OCP": {"ocp_smart"}, "PLAIN": set(), "MANY": {"namespace_2", "namespace_3"}, "TWO": {"namespace_2"},
          "ZONED": set(), "FDP": set()}
ALL_HAVE = {"identify", "smart", "namespaces", "namespace_1", "error_information", "firmware_slots", "power_management",
            "over_temperature_threshold_0", "under_temperature_threshold_0", "async_event_configuration",
            "endurance_group_1"}


@pytest.fixture(scope="module")
def guest():
    require_programs()
    arguments = [*drives.ocp("nvme-ocp", "OCP", mdts=5, aerl=7),
                 *drives.plain("nvme-plain", "PLAIN", megabytes=256, vsl=3),
                 *drives.many_namespaces("nvme-many", "MANY", 3), *drives.two_paths("nvme-two", "TWO", private=(16, 8)),
                 *drives.zoned("nvme-zoned", "ZONED"), *drives.endurance_group("nvme-fdp", "FDP")]
    with VM(arguments) as vm:
        daemons = Daemons(vm, "poll.slow=1s", "poll.power=1s")
        for serial, megabytes in (("OCP", 30), ("PLAIN", 7), ("MANY", 21), ("FDP", 12)):
            device = daemons.device(serial) + "n1"
            vm.output(f"dd if=/dev/zero of={device} bs=1M count={megabytes // 2} oflag=direct && "
                      f"dd if={device} of=/dev/null bs=64k count={megabytes * 16} iflag=direct")
        change_features(daemons)
        vm.output("udevadm settle")
        daemons.start()
        yield daemons
        assert not daemons.complaints()


def change_features(daemons):
    """Each to a value of its own."""
    device = daemons.device("OCP")
    for fid, value in ((0x04, 340), (0x04, 0x100000 | 270), (0x0b, 0x107)):
        daemons.vm.output(f"nvme set-feature {device} -f {fid:#x} -v {value:#x}")


def all_read(guest):
    """The names of the pages by serial, when the drives were asked for all that they might have."""
    read = {}

    def settled():
        last = dict(read)
        read.update(snapshot.pages_read(guest.vm, DRIVES))
        time.sleep(2)
        return last == read and all(ALL_HAVE | more <= read[serial] for serial, more in DRIVES.items())
    until(settled, 40, "every drive is read")
    return read


@pytest.fixture(scope="module")
def seen(guest):
    """(asked, everything.Seen): nvme-cli's view, a few cadences later ours, and nvme-cli's again."""
    read = all_read(guest)
    asked = everything.question(guest.vm, read, {serial: guest.drive(serial)["device"] for serial in DRIVES})
    before = asked.ask(guest.vm)
    time.sleep(3)
    ours, series = snapshot.by_nvmewatch(guest.vm, asked.wanted()), guest.metrics()
    return asked, everything.Seen(read, before, asked.ask(guest.vm), ours, series)


def test_pages_are_as_nvme_cli_prints_them(seen, capsys):
    asked, view = seen
    with capsys.disabled():
        print("", *everything.report(asked, view), sep="\n")
    wrong = [line for serial, page in asked.wanted() for line in everything.differences(page, serial, view)]
    assert not wrong, "\n".join(wrong)
    assert all(document["fresh"] for document, _ in view.ours.values())


def test_what_was_changed_is_shown(seen):
    _, view = seen
    fields = {name: view.ours["OCP", name][0]["fields"] for serial, name in view.ours if serial == "OCP"}
    assert fields["over_temperature_threshold_0"]["over_temperature_threshold_celsius"] == 340 - 273
    assert fields["under_temperature_threshold_0"]["under_temperature_threshold_celsius"] == 270 - 273
    assert fields["async_event_configuration"] == {"smart_events": 7, "notices": 1}


def test_no_page_is_left_out(guest, seen):
    asked, view = seen
    assert {page["name"] for page in guest.json("/api/v1/fields")["pages"]} == pages.known()
    assert not everything.left_out(asked, view)
    for serial, more in DRIVES.items():
        compared = {name for of, name in asked.pages if of == serial}
        assert compared == ALL_HAVE | more, serial
