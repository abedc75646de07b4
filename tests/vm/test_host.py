"""What the kernel says of its drives, as the daemons show it and as sysfs has it: emulated drives on a port of their
own, on the root bus, with two paths, and one of a fabric, which lacks most of it."""
import json
import re

import pytest

import drives
import target as targets
from compare import PREFIX, identity
from daemons import Daemons, require_programs
from target import Target
from vm import VM

PORT, ROOT, PATHS, FABRIC = "PORT", "ROOT", "PATHS", "FABRIC"
EVERY = (PORT, ROOT, PATHS, FABRIC)
# Columns of a block device's stat, from 0: the field, and what divides or multiplies it
STAT = {0: ("read_completed", 1), 1: ("read_merged", 1), 2: ("read_bytes", 512), 3: ("read_latency_seconds", 1e-3),
        4: ("write_completed", 1), 5: ("write_merged", 1), 6: ("write_bytes", 512), 7: ("write_latency_seconds", 1e-3),
        8: ("in_flight", 1), 9: ("busy_seconds", 1e-3), 10: ("queued_seconds", 1e-3), 11: ("discard_completed", 1),
        12: ("discard_merged", 1), 13: ("discard_bytes", 512), 14: ("discard_latency_seconds", 1e-3),
        15: ("flush_completed", 1), 16: ("flush_latency_seconds", 1e-3)}


@pytest.fixture(scope="module")
def guest():
    require_programs()
    targets.build()
    disk = drives.null_disk("disk", 64)
    arguments = [*drives.ports(1), *disk, *drives.controller("port", PORT, "disk", bus="port0"),
                 *drives.plain("root", ROOT), *drives.two_paths("paths", PATHS)]
    with VM(arguments) as vm:
        daemons = Daemons(vm, "collect.fabrics=yes", "poll.slow=1s")
        Target(vm, {"fabric": f"[identity]\nserial = {FABRIC}\n"}).connect()
        work(daemons)
        daemons.start()
        for serial in EVERY:
            daemons.wait_for_pages(serial, "controller")
            if serial != FABRIC:  # whose description has none that could be read
                daemons.wait_for_pages(serial, "block_1")
        yield daemons
        assert not daemons.complaints()


def work(daemons):
    for serial in (PORT, ROOT):
        device = f"{daemons.device(serial)}n1"
        daemons.vm.output(f"dd if=/dev/zero of={device} bs=1M count=9 oflag=direct && "
                          f"dd if={device} of=/dev/null bs=64k count=77 iflag=direct")
    daemons.vm.output("udevadm settle")


def sysfs(daemons, serial, name):
    """An attribute of the controller that the daemons use, None where there is none."""
    device = daemons.drive(serial)["device"]
    status, text = daemons.vm.run(f"cat /sys/class/nvme/{device}/{name}")
    return None if status else text.strip()


def fields(daemons, serial, page):
    daemons.wait_for_reads(serial, page)
    return daemons.drive(serial, f"/pages/{page}")["fields"]


def number(text, most=None):
    """An attribute as a number, None where it is none."""
    value = int(text) if text and text.isdecimal() else None
    return None if most and not (value and value <= most) else value


def speed(text):
    found = re.match(r"([\d.]+) GT/s", text or "")
    return int(float(found[1]) * 10**9) if found else None


@pytest.mark.parametrize("serial", [PORT, ROOT, PATHS])
def test_link(guest, serial):
    of = lambda name: sysfs(guest, serial, f"device/{name}")
    expected = {"current_link_speed_transfers_per_second": speed(of("current_link_speed")),
                "max_link_speed_transfers_per_second": speed(of("max_link_speed")),
                "current_link_width": number(of("current_link_width"), 32),
                "max_link_width": number(of("max_link_width"), 32)}
    if of("max_link_speed") is None:
        assert "pcie_link" not in guest.drive(serial)["pages"]
        return
    assert fields(guest, serial, "pcie_link") == expected
    series = guest.metrics()
    for name, value in expected.items():
        which, metric = name.split("_", 1)
        assert series.get(identity(f'pcie_{metric}{{which="{which}"}}', serial)) == value


def test_some_drive_has_a_link(guest):
    assert fields(guest, PORT, "pcie_link")["current_link_width"]


@pytest.mark.parametrize("serial", [PORT, ROOT, PATHS])
def test_errors_of_the_link(guest, serial):
    kinds = {kind: sysfs(guest, serial, f"device/aer_dev_{kind}") for kind in ("correctable", "nonfatal", "fatal")}
    if not any(kinds.values()):
        assert "pcie_aer" not in guest.drive(serial)["pages"]
        return
    ours = fields(guest, serial, "pcie_aer")
    for kind, text in kinds.items():
        counts = [int(line.split()[1]) for line in text.splitlines()]
        known = [ours[name] for name in ours if name.startswith(kind) and ours[name] is not None]
        assert sorted(known) == sorted(counts), kind


@pytest.mark.parametrize("serial", EVERY)
def test_controller(guest, serial):
    ours = fields(guest, serial, "controller")
    of = lambda name: number(sysfs(guest, serial, name))
    sqsize = of("sqsize")
    assert ours == {
        "cntlid": of("cntlid"), "queue_count": of("queue_count"), "kato_seconds": of("kato"),
        "io_queue_entries": None if sqsize is None else sqsize + 1, "numa_node": of("numa_node"), "hmb": of("hmb"),
        "command_errors": of("diag/command_error_count"), "reset_events": of("diag/reset_count"),
        "reconnect_events": of("diag/reconnect_count"), "firmware": sysfs(guest, serial, "firmware_rev")}


@pytest.mark.parametrize("serial", [PORT, ROOT, PATHS])
def test_block_device(guest, serial):
    listed = json.loads(guest.vm.output("lsblk -J -d -o NAME,SERIAL"))["blockdevices"]
    name, = [device["name"] for device in listed if device["serial"] == serial]
    queue = guest.vm.output(f"cat /sys/block/{name}/queue/logical_block_size /sys/block/{name}/queue/iostats").split()
    # Linux 6.1 does not count where it joins paths, which it does with whatever QEMU emulates, but on the way
    hidden = re.sub(r"^nvme(\d+)n", r"nvme\1c*n", name)
    ways = guest.vm.output(f"ls -d /sys/class/nvme/*/{hidden} || true").split()
    counted = queue[1] != "0" or len(ways) == 1
    stat = f"cat {ways[0] if queue[1] == '0' else f'/sys/block/{name}'}/stat"
    before = guest.vm.output(stat).split()
    ours = fields(guest, serial, "block_1")
    assert guest.vm.output(stat).split() == before, "somebody works"
    wwid = guest.vm.output(f"cat /sys/block/{name}/wwid").strip()
    assert (ours["name"], ours["logical_block_bytes"], ours["wwid"]) == (name, int(queue[0]), wwid)
    assert counted == (serial != PATHS)
    for column, (field, unit) in STAT.items():
        expected = int(before[column]) * unit if counted else None
        assert ours[field] == (pytest.approx(expected) if counted else None), field
    series = guest.metrics()
    assert series[f"{PREFIX}namespace_info", frozenset({
        "serial": serial, "device": guest.drive(serial)["device"], "namespace": name, "nsid": "1",
        "wwid": wwid}.items())] == 1
    reads = f"{PREFIX}io_completed_total", frozenset({"serial": serial, "namespace": name, "op": "read"}.items())
    assert series.get(reads) == ours["read_completed"]
    assert serial == PATHS or series[reads] >= 77


def test_what_a_fabric_lacks_is_no_error(guest):
    pages = guest.drive(FABRIC)["pages"]
    assert not {"pcie_link", "pcie_aer"} & set(pages)
    for (name, labels), value in guest.metrics().items():
        assert name != f"{PREFIX}collect_errors_total" or dict(labels)["page"] not in (
            "pcie_link", "pcie_aer", "controller", "block"), (labels, value)
