"""Every published drive behind the real driver, as one description of it: nvme-cli and nvmewatch agree about it,
and each drive's journal proves that nvmewatch sent it nothing but what it may."""
import collections
import time
from typing import NamedTuple

import pytest

import snapshot
import target as targets
from compare import compare
from daemons import Daemons, require_programs, until
from pages_identify import IDENTIFY
from pages_ocp import OCP_SMART
from pages_smart import SMART
from samples import all_published, all_simulated
from target import ADMIN, ALL, ALLOWED, GET_LOG, KEEP_ALIVE, Target, between, describe
from vm import VM

WINDOW = 10  # seconds of nothing but nvmewatch
# Drives of src/model/quirk.c, which answer 02h with zeros if the event is retained
WITHOUT_RAE = {"Samsung_SSD_970_EVO_Plus_250GB-nvme0": (GET_LOG, ALL, 0x007f0002, 0, 0, 0, 0, 0)}
# Bytes of Identify that target/identify.c may change, because no driver for fabrics takes a drive of PCIe as it is
CHANGED = {*range(320, 322), *range(514, 516), 536, *range(1792, 1802)}


class Seen(NamedTuple):
    """What there was to see of a batch."""
    drives: list
    theirs: dict  # nvme-cli's readings by (serial, page); next to nothing moves, so one will do
    ours: dict  # (JSON, bytes) by (serial, page)
    series: dict
    journals: dict  # name -> commands in the window


@pytest.fixture(scope="module", params=[all_published, all_simulated], ids=["published", "simulated"])
def guest(request):
    """A guest with many drives, and the daemons. Not all at once, as some are of one model, of which only one kind
    has been published with its OCP page."""
    require_programs()
    targets.build()
    with VM() as vm:
        daemons = Daemons(vm, "collect.fabrics=yes")
        daemons.drives = request.param()
        daemons.target = Target(vm, {drive.name: drive.text for drive in daemons.drives})
        daemons.target.connect()
        daemons.target.control("mark daemons")
        daemons.start()
        yield daemons
        assert not daemons.complaints()


def pages_of(drive):
    return [page for page in (SMART, IDENTIFY, OCP_SMART) if page.name in drive.pages]


@pytest.fixture(scope="module")
def seen(guest):
    """Looks on for a while, then asks both."""
    target, drives = guest.target, guest.drives
    expected = {drive.serial: set(drive.pages) for drive in drives}
    until(lambda: snapshot.pages_read(guest.vm, expected) == expected, 60, "every drive is read")
    time.sleep(WINDOW)
    target.control("mark nvme-cli")
    wanted = [(drive.serial, page) for drive in drives for page in pages_of(drive)]
    ours, series = snapshot.by_nvmewatch(guest.vm, wanted), guest.metrics()
    theirs = snapshot.by_nvme_cli(guest.vm, wanted, {drive.serial: target.devices[drive.name] for drive in drives})
    journals = {name: between(commands, "daemons", "nvme-cli") for name, commands in target.journals().items()}
    return Seen(drives, theirs, ours, series, journals)


def test_kernel_and_nvmewatch_list_them(guest):
    listed = {drive["serial"]: drive for drive in guest.json("/api/v1/drives")["drives"]}
    assert set(listed) == {drive.serial for drive in guest.drives}
    for drive in guest.drives:
        shown = listed[drive.serial]
        assert (shown["device"], shown["model"]) == (guest.target.devices[drive.name], drive.model)
        assert (shown["capacity_bytes"], shown["state"]) == (drive.capacity, "live")
        assert shown["present"] is shown["responding"] is True


def before(drive, reading):
    """Nothing moves but the error log: nvmewatch may have looked before its first refusal."""
    moved = {"num_err_log_entries": drive.errors} if "num_err_log_entries" in reading.values else {}
    return reading._replace(values={**reading.values, **moved})


def without_errors(page, raw):
    return raw[:176] + raw[192:] if page is SMART else raw


@pytest.mark.parametrize("page", [SMART, IDENTIFY, OCP_SMART], ids=lambda page: page.name)
def test_pages_are_as_nvme_cli_prints_them(guest, seen, page, capsys):
    wrong, compared = [], collections.Counter()
    for drive in seen.drives:
        if page not in pages_of(drive):
            continue
        theirs = seen.theirs[drive.serial, page.name]
        document, raw = seen.ours[drive.serial, page.name]
        differences, _ = compare(page, drive.serial, before(drive, theirs), theirs, document["fields"], seen.series)
        if without_errors(page, raw) != without_errors(page, theirs.raw):
            differences.append("other bytes than nvme-cli's")
        wrong += [f"{drive.name}: {difference}" for difference in differences]
        compared.update(drives=1, fields=len(document["fields"]),
                        present=sum(value is not None for value in document["fields"].values()))
    with capsys.disabled():
        print(f"\n{page.name}: {dict(compared)}")
    assert not wrong, "\n".join(wrong)


def test_published_bytes_arrive(seen):
    """From the sample through its drive file, the target, the driver and the reader."""
    for drive in seen.drives:
        for page, patch in drive.patches.items():
            raw = seen.ours[drive.serial, page][1]
            wrong = {offset: (byte, raw[offset]) for offset, byte in patch.items()
                     if raw[offset] != byte and not (page == "identify" and offset in CHANGED)}
            assert not wrong, f"{drive.name}: {page}: {wrong}"


def test_drives_are_sent_nothing_but_allowed_reads(seen):
    for name, commands in seen.journals.items():
        allowed = ALLOWED | {WITHOUT_RAE.get(name)}
        for command in commands:
            if command["opcode"] == KEEP_ALIVE:  # the driver's own
                continue
            sent = command["opcode"], command["nsid"], *(command[f"cdw{n}"] for n in range(10, 16))
            assert command["queue"] == ADMIN and sent in allowed, f"{name}: {describe(command)}: {command}"


def test_drives_are_asked_no_more_often_than_need_be(seen):
    for drive in seen.drives:
        commands = seen.journals[drive.name]
        count = collections.Counter(describe(command).removesuffix(" rae") for command in commands)
        seconds = (commands[-1]["at"] - commands[0]["at"]) / 1e6
        may_sleep = seen.ours[drive.serial, "identify"][0]["fields"]["apsta"] == 1
        assert count["identify 01h"] == 1, drive.name
        assert count["identify 17h"] <= 1, drive.name
        assert (1 if may_sleep else WINDOW) <= count["log 02h"] <= seconds + 2, drive.name
        assert count["log c0h"] <= (seconds + 2 if "ocp_smart" in drive.pages else 1), drive.name


def test_drives_refuse_a_page_once_and_count_it(seen):
    """One drive of a model, at least: its siblings need not be asked."""
    asked = set()
    for drive in seen.drives:
        refused = [describe(command) for command in seen.journals[drive.name] if command["status"]]
        entries = seen.theirs[drive.serial, "smart"].values["num_err_log_entries"]
        assert refused in ([], ["log c0h rae"]) and not (refused and "ocp_smart" in drive.pages), drive.name
        assert entries == drive.errors + len(refused), drive.name
        asked |= {drive.model} if refused else set()
    assert asked, "no refusal was seen at all"
