# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sixteen controllers of every kind behind the real driver: coming, going, hanging and being reset."""
import time

import pytest

import drives
from daemons import Daemons, require_programs, until
from vm import VM

PORTS = 4
MULTI = "TWO-PATHS"
HANG = "HANGS"


def machine():
    """16 controllers: 7 OCP, 3 plain, one with 3 namespaces, two of one subsystem, zoned, FDP, one that warns."""
    arguments = []
    for n in range(6):
        arguments += drives.ocp(f"nvme-o{n}", f"OCP-{n}")
    for n in range(3):
        arguments += drives.plain(f"nvme-p{n}", f"PLAIN-{n}")
    arguments += drives.ocp("nvme-hang", HANG)
    arguments += drives.many_namespaces("nvme-many", "MANY", 3)
    arguments += drives.two_paths("nvme-two", MULTI)
    arguments += drives.zoned("nvme-zoned", "ZONED")
    arguments += drives.endurance_group("nvme-fdp", "FDP")
    arguments += drives.plain("nvme-warn", "WARNS", smart_critical_warning=1)
    return arguments + drives.ports(PORTS)


@pytest.fixture(scope="module")
def vm():
    require_programs()
    with VM(machine()) as guest:
        yield guest


@pytest.fixture(scope="module")
def daemons(vm):
    running = Daemons(vm, "collect.forget_after=1h")
    running.start()
    return running


def listed(daemons):
    return {drive["serial"]: drive for drive in daemons.json("/api/v1/drives")["drives"]}


def series(daemons, name, **labels):
    """The values of the series of that name with at least those labels."""
    wanted = set(labels.items())
    return [value for (family, have), value in daemons.metrics().items() if family == name and wanted <= have]


def test_sixteen_controllers_are_fifteen_drives(vm, daemons):
    assert len(vm.output("ls /sys/class/nvme").split()) == 16
    until(lambda: len(listed(daemons)) == 15, 5, "fifteen drives")
    until(lambda: all(d["temperature_celsius"] == 50 for d in listed(daemons).values()), 10, "all are read")
    # What the plain ones among them refuse, the others of their model have all the same.
    for n in range(6):
        daemons.wait_for_pages(f"OCP-{n}", "ocp_smart")
    assert all(d["present"] and d["responding"] and d["state"] == "live" for d in listed(daemons).values())


def test_two_controllers_of_a_subsystem_are_two_paths(daemons):
    drive = daemons.drive(MULTI)
    assert len(drive["paths"]) == 2
    assert {path["state"] for path in drive["paths"]} == {"live"}
    assert drive["device"] in {path["device"] for path in drive["paths"]}
    assert sum(series(daemons, "nvmewatch_path_state", serial=MULTI, state="live")) == 2


def test_the_other_path_is_used_when_one_goes(vm, daemons):
    used = daemons.drive(MULTI)["device"]
    address = vm.output(f"cat /sys/class/nvme/{used}/address").strip()
    vm.output(f"echo 1 >/sys/bus/pci/devices/{address}/remove")
    until(lambda: daemons.drive(MULTI)["device"] != used, 3, "the other path is used")
    time.sleep(2)
    assert daemons.drive(MULTI)["temperature_celsius"] == 50
    vm.output("echo 1 >/sys/bus/pci/rescan")
    until(lambda: len(daemons.drive(MULTI)["paths"]) == 2, 5, "both paths are back")


def test_a_warning_set_from_the_start_and_one_set_later(vm, daemons):
    assert series(daemons, "nvmewatch_drive_critical_warning", serial="WARNS", bit="spare") == [1]
    assert listed(daemons)["WARNS"]["health"]["status"] == "critical"
    vm.set_property("nvme-p0", "smart_critical_warning", 8)
    until(lambda: series(daemons, "nvmewatch_drive_critical_warning", serial="PLAIN-0", bit="read_only") == [1], 3,
          "the warning is shown")
    vm.set_property("nvme-p0", "smart_critical_warning", 0)


def test_a_drive_is_seen_two_seconds_after_it_is_added_and_removed(vm, daemons):
    for n in range(PORTS):
        drives.add(vm, f"nvme-new{n}", f"NEW-{n}", n)
        until(lambda: f"NEW-{n}" in listed(daemons), 2, "it is seen")
        until(lambda: listed(daemons)[f"NEW-{n}"]["temperature_celsius"] == 50, 2, "it is read")
    for n in range(PORTS):
        vm.qmp("device_del", {"id": f"nvme-new{n}"})
        until(lambda: listed(daemons)[f"NEW-{n}"]["present"] is False, 3, "it is gone")
    assert series(daemons, "nvmewatch_drive_present", serial="NEW-0") == [0]
    assert not series(daemons, "nvmewatch_drive_temperature_celsius", serial="NEW-0")


def test_a_reset_is_survived(vm, daemons):
    device = daemons.drive("OCP-0")["device"]
    vm.output(f"echo 1 >/sys/class/nvme/{device}/reset_controller")
    daemons.wait_for_reads("OCP-0", "smart", 2)
    assert listed(daemons)["OCP-0"]["responding"] is True


def test_a_drive_bound_to_no_driver_is_not_gone(vm, daemons):
    device = daemons.drive("PLAIN-2")["device"]
    address = vm.output(f"cat /sys/class/nvme/{device}/address").strip()
    vm.output(f"echo {address} >/sys/bus/pci/drivers/nvme/unbind")
    until(lambda: listed(daemons)["PLAIN-2"]["state"] == "no driver", 3, "said to be without driver")
    assert listed(daemons)["PLAIN-2"]["present"] is True
    vm.output(f"echo {address} >/sys/bus/pci/drivers/nvme/bind")
    until(lambda: listed(daemons)["PLAIN-2"]["state"] == "live", 5, "live again")
    daemons.wait_for_reads("PLAIN-2", "smart", 2)


def test_a_command_that_hangs_for_the_kernels_whole_time_out(vm, daemons):
    """Without bus mastering the controller gets no command; the kernel gives up after 60 s and resets it."""
    address = vm.output(f"cat /sys/class/nvme/{daemons.drive(HANG)['device']}/address").strip()
    vm.output(f"printf '\\002\\000' | dd of=/sys/bus/pci/devices/{address}/config bs=1 seek=4 conv=notrunc")
    took = until(lambda: listed(daemons)[HANG]["responding"] is False, 12, "it is reported")
    assert took < 9  # poll.timeout and a cadence
    assert series(daemons, "nvmewatch_drive_responding", serial=HANG) == [0]
    gaps, last = [], daemons.drive("OCP-1")["pages"]["smart"]["time"]
    for _ in range(10):
        took = until(lambda: daemons.drive("OCP-1")["pages"]["smart"]["time"] != last, 5, "the others are read")
        last = daemons.drive("OCP-1")["pages"]["smart"]["time"]
        gaps.append(took)
    assert max(gaps) < 2, gaps
    assert not series(daemons, "nvmewatch_drive_temperature_celsius", serial=HANG)
    until(lambda: listed(daemons)[HANG]["responding"] is True, 100, "the driver has reset it, and it answers")
    daemons.wait_for_reads(HANG, "ocp_smart", 2)
    # The page for which the driver had to reset the controller is left alone for some minutes.
    assert not daemons.drive(HANG)["pages"]["smart"]["fresh"]


def test_the_first_drive_of_a_host_that_was_booted_without_any():
    with VM(drives.ports(1)) as guest:
        empty = Daemons(guest)
        empty.start()
        assert listed(empty) == {}
        drives.add(guest, "nvme-first", "FIRST", 0)
        until(lambda: "FIRST" in listed(empty), 3, "it is seen")
        empty.wait_for_pages("FIRST", "smart", "ocp_smart")
