# SPDX-License-Identifier: LGPL-2.1-or-later
"""Sixteen controllers of every kind behind the real driver: coming, going, hanging and being reset."""
import time

import pytest

import drives
from daemons import require_programs, until
from units import COLLECT, CONFIGURATION, SERVE, Units
from vm import VM

PORTS = 4
MULTI = "TWO-PATHS"
HANG = "HANGS"


@pytest.fixture(scope="module")
def guest():
    """The installed units: their sandbox and their limits hold for sixteen readers too."""
    require_programs()
    with VM([*drives.sixteen(), *drives.ports(PORTS)]) as vm:
        units = Units(vm)
        units.configure(CONFIGURATION + "[collect]\nforget_after = 1h\n")
        units.start()
        yield units


def listed(guest):
    return {drive["serial"]: drive for drive in guest.json("/api/v1/drives")["drives"]}


def series(guest, name, **labels):
    """The values of the series of that name with at least those labels."""
    wanted = set(labels.items())
    return [value for (family, have), value in guest.metrics().items() if family == name and wanted <= have]


def test_sixteen_controllers_are_fifteen_drives(guest):
    assert len(guest.vm.output("ls /sys/class/nvme").split()) == 16
    until(lambda: len(listed(guest)) == 15, 5, "fifteen drives")
    until(lambda: all(d["temperature_celsius"] == 50 for d in listed(guest).values()), 10, "all are read")
    # What the plain ones among them refuse, the others of their model have all the same.
    for n in range(6):
        guest.wait_for_pages(f"OCP-{n}", "ocp_smart")
    assert all(d["present"] and d["responding"] and d["state"] == "live" for d in listed(guest).values())


def test_two_controllers_of_a_subsystem_are_two_paths(guest):
    drive = guest.drive(MULTI)
    assert len(drive["paths"]) == 2
    assert {path["state"] for path in drive["paths"]} == {"live"}
    assert drive["device"] in {path["device"] for path in drive["paths"]}
    assert sum(series(guest, "nvmewatch_path_state", serial=MULTI, state="live")) == 2


def capacity_changes(guest, serial):
    """What the history says of them."""
    return guest.history("SELECT detail FROM events JOIN drives ON drives.id = drive "
                         f"WHERE key = \"{serial}\" AND type = \"capacity_change\"")


def test_MPA_04_a_namespace_of_one_controller_alone_counts_once(guest):  # pylint: disable=invalid-name
    """A shared one of 64 MiB, and one of 16 and one of 8 that each only one of the controllers has."""
    drive = guest.drive(MULTI)
    lists = [guest.vm.output(f"nvme list-ns /dev/{path['device']}") for path in drive["paths"]]
    assert [text.count(":0x") for text in lists] == [2, 2] and lists[0] != lists[1]
    # A controller's namespaces count once it was asked for their list.
    until(lambda: guest.drive(MULTI)["capacity_bytes"] == (64 + 16 + 8) << 20, 5, "all three count")
    assert not capacity_changes(guest, MULTI)


def test_a_namespace_that_is_detached_and_attached_changes_the_capacity(guest):
    device = f"/dev/{guest.drive('MANY')['device']}"
    controller = guest.vm.output(f"cat /sys/class/nvme/{device[5:]}/cntlid").strip()
    all_three, without = (32 + 64 + 96) << 20, (32 + 96) << 20
    assert guest.drive("MANY")["capacity_bytes"] == all_three
    guest.vm.output(f"nvme detach-ns {device} -n 2 -c {controller}")
    until(lambda: guest.drive("MANY")["capacity_bytes"] == without, 3, "it is smaller")
    guest.vm.output(f"nvme attach-ns {device} -n 2 -c {controller}")
    until(lambda: guest.drive("MANY")["capacity_bytes"] == all_three, 3, "it is as large as before")
    events = [f"{all_three} to {without} bytes", f"{without} to {all_three} bytes"]
    until(lambda: capacity_changes(guest, "MANY") == events, 5, "both are in the history")


def test_the_other_path_is_used_when_one_goes(guest):
    used = guest.drive(MULTI)["device"]
    address = guest.vm.output(f"cat /sys/class/nvme/{used}/address").strip()
    guest.vm.output(f"echo 1 >/sys/bus/pci/devices/{address}/remove")
    until(lambda: guest.drive(MULTI)["device"] != used, 3, "the other path is used")
    time.sleep(2)
    assert guest.drive(MULTI)["temperature_celsius"] == 50
    guest.vm.output("echo 1 >/sys/bus/pci/rescan")
    until(lambda: len(guest.drive(MULTI)["paths"]) == 2, 5, "both paths are back")


def test_a_warning_set_from_the_start_and_one_set_later(guest):
    assert series(guest, "nvmewatch_drive_critical_warning", serial="WARNS", bit="spare") == [1]
    assert listed(guest)["WARNS"]["health"]["status"] == "critical"
    guest.vm.set_property("nvme-p0", "smart_critical_warning", 8)
    until(lambda: series(guest, "nvmewatch_drive_critical_warning", serial="PLAIN-0", bit="read_only") == [1], 3,
          "the warning is shown")
    guest.vm.set_property("nvme-p0", "smart_critical_warning", 0)


def test_a_drive_is_seen_two_seconds_after_it_is_added_and_removed(guest):
    for n in range(PORTS):
        drives.add(guest.vm, f"nvme-new{n}", f"NEW-{n}", n)
        until(lambda: f"NEW-{n}" in listed(guest), 2, "it is seen")
        until(lambda: listed(guest)[f"NEW-{n}"]["temperature_celsius"] == 50, 2, "it is read")
    for n in range(PORTS):
        guest.vm.qmp("device_del", {"id": f"nvme-new{n}"})
        until(lambda: listed(guest)[f"NEW-{n}"]["present"] is False, 2, "it is gone")
    assert series(guest, "nvmewatch_drive_present", serial="NEW-0") == [0]
    assert not series(guest, "nvmewatch_drive_temperature_celsius", serial="NEW-0")


def test_a_reset_is_survived(guest):
    device = guest.drive("OCP-0")["device"]
    guest.vm.output(f"echo 1 >/sys/class/nvme/{device}/reset_controller")
    guest.wait_for_reads("OCP-0", "smart", 2)
    assert listed(guest)["OCP-0"]["responding"] is True


def test_a_drive_bound_to_no_driver_is_not_gone(guest):
    device = guest.drive("PLAIN-2")["device"]
    address = guest.vm.output(f"cat /sys/class/nvme/{device}/address").strip()
    guest.vm.output(f"echo {address} >/sys/bus/pci/drivers/nvme/unbind")
    until(lambda: listed(guest)["PLAIN-2"]["state"] == "no driver", 3, "said to be without driver")
    assert listed(guest)["PLAIN-2"]["present"] is True
    guest.vm.output(f"echo {address} >/sys/bus/pci/drivers/nvme/bind")
    until(lambda: listed(guest)["PLAIN-2"]["state"] == "live", 5, "live again")
    guest.wait_for_reads("PLAIN-2", "smart", 2)


def test_a_command_that_hangs_for_the_kernels_whole_time_out(guest):
    """Without bus mastering the controller gets no command; the kernel gives up after 60 s and resets it."""
    address = guest.vm.output(f"cat /sys/class/nvme/{guest.drive(HANG)['device']}/address").strip()
    began, reader = guest.uptime(), guest.reader(HANG)
    guest.vm.output(f"printf '\\002\\000' | dd of=/sys/bus/pci/devices/{address}/config bs=1 seek=4 conv=notrunc")
    took = until(lambda: listed(guest)[HANG]["responding"] is False, 12, "it is reported")
    assert took < 9  # poll.timeout and a cadence
    assert guest.status(reader)["State"][0] == "D", "it hangs no more: nothing was shown"
    assert series(guest, "nvmewatch_drive_responding", serial=HANG) == [0]
    assert not series(guest, "nvmewatch_drive_temperature_celsius", serial=HANG)
    until(lambda: listed(guest)[HANG]["responding"] is True, 100, "the driver has reset it, and it answers")
    assert guest.uptime() - began > 50, "the kernel's time-out has not passed"
    gaps = guest.gaps(began)
    assert set(gaps) >= set(drives.SIXTEEN) - {HANG}
    late = {serial: gaps[serial] for serial in drives.SIXTEEN if serial != HANG and not gaps[serial] < 2}
    assert not late, "a cadence is a second"
    guest.wait_for_reads(HANG, "ocp_smart", 2)
    # The page for which the driver had to reset the controller is left alone for some minutes.
    assert not guest.drive(HANG)["pages"]["smart"]["fresh"]


def test_sixteen_drives_are_far_from_the_limits(guest, capsys):
    """After everything above."""
    for unit in (COLLECT, SERVE):
        used, limit = (int(guest.show(unit, name)) for name in ("MemoryCurrent", "MemoryMax"))
        tasks, most = (int(guest.show(unit, name)) for name in ("TasksCurrent", "TasksMax"))
        with capsys.disabled():
            print(f"\n{unit}: {used / 2**20:.1f} of {limit / 2**20:.0f} MiB, {tasks} of {most} tasks")
        assert used < limit / 4 and tasks < most / 4
        assert guest.show(unit, "NRestarts") == "0", "nothing above has ended it"
    denied = (f"(journalctl -q --no-pager -o cat -u {COLLECT} -u {SERVE}; dmesg) | "
              "grep -iE 'not permitted|denied|oom-kill|out of memory'")
    assert not guest.vm.run(denied)[1]


def test_the_first_drive_of_a_host_that_was_booted_without_any():
    """The driver is not even loaded, and collect's list of devices is made when it starts."""
    require_programs()
    with VM(drives.ports(1)) as vm:
        assert vm.run("test -e /sys/module/nvme")[0] != 0
        empty = Units(vm)
        empty.start()
        assert listed(empty) == {}
        drives.add(vm, "nvme-first", "FIRST", 0)
        until(lambda: "FIRST" in listed(empty), 3, "it is seen")
        empty.wait_for_pages("FIRST", "smart", "ocp_smart")
