"""Every published drive behind the real driver, as one description of it: nvme-cli and nvmewatch agree about it,
and each drive's journal proves that nvmewatch sent it nothing but what it may."""
import collections
import time
from typing import NamedTuple

import pytest

import everything
import pages
import snapshot
import target as targets
from allowed import ALL, ALLOWED, GET_LOG
from daemons import Daemons, require_programs, until
from samples import all_published, all_simulated, all_unshipped
from target import ADMIN, KEEP_ALIVE, Target, between, describe
from vm import VM

WINDOW = 10  # seconds of nothing but nvmewatch
# Drives of src/model/quirk.c, which answer 02h with zeros if the event is retained
WITHOUT_RAE = {"Samsung_SSD_970_EVO_Plus_250GB-nvme0": (GET_LOG, ALL, 0x007f0002, 0, 0, 0, 0, 0)}
# Bytes of Identify that target/identify.c may change, because no driver for fabrics takes a drive of PCIe as it is
CHANGED = {*range(320, 322), *range(514, 516), 536, *range(1792, 1802)}


class Seen(NamedTuple):
    """What there was to see of a batch."""
    drives: list
    asked: everything.Question
    pages: everything.Seen  # next to nothing moves, so nvme-cli is asked once
    journals: dict  # name -> commands in the window


@pytest.fixture(scope="module", params=[all_published, all_simulated, all_unshipped],
                ids=["published", "simulated", "unshipped"])
def guest(request):
    """A guest with many drives, and the daemons. Not all at once, as some are of one model, of which only one kind
    has been published with its OCP page."""
    require_programs()
    targets.build()
    with VM() as vm:
        daemons = Daemons(vm, "collect.fabrics=yes", "poll.slow=5s")
        daemons.drives = request.param()
        daemons.target = Target(vm, {drive.name: drive.text for drive in daemons.drives})
        daemons.target.connect()
        daemons.target.control("mark daemons")
        daemons.start()
        yield daemons
        assert not daemons.complaints()


def pages_read(guest):
    """Of every drive, once no more are added."""
    expected = {drive.serial: set(drive.pages) for drive in guest.drives}
    looks = []

    def settled():
        looks.append(snapshot.pages_read(guest.vm, expected))
        time.sleep(2)
        return looks[-3:] == [looks[-1]] * 3 and all(expected[serial] <= looks[-1][serial] for serial in expected)
    until(settled, 90, "every drive is read")
    return looks[-1]


@pytest.fixture(scope="module")
def seen(guest):
    """Looks on for a while, then asks both."""
    target, drives = guest.target, guest.drives
    read = pages_read(guest)
    time.sleep(WINDOW)
    target.control("mark nvme-cli")
    asked = everything.question(guest.vm, read, {drive.serial: target.devices[drive.name] for drive in drives})
    ours, series = snapshot.by_nvmewatch(guest.vm, asked.wanted()), guest.metrics()
    theirs = asked.ask(guest.vm)
    journals = {name: between(commands, "daemons", "nvme-cli") for name, commands in target.journals().items()}
    return Seen(drives, asked, everything.Seen(read, before(drives, theirs), theirs, ours, series), journals)


def before(drives, theirs):
    """Nothing moves but the error log: nvmewatch may have looked before its first refusal."""
    moved = dict(theirs)
    for drive in drives:
        reading = theirs[drive.serial, "smart"]
        moved[drive.serial, "smart"] = reading._replace(values={**reading.values, "num_err_log_entries": drive.errors})
    return moved


def test_kernel_and_nvmewatch_list_them(guest):
    listed = {drive["serial"]: drive for drive in guest.json("/api/v1/drives")["drives"]}
    assert set(listed) == {drive.serial for drive in guest.drives}
    for drive in guest.drives:
        shown = listed[drive.serial]
        assert (shown["device"], shown["model"]) == (guest.target.devices[drive.name], drive.model)
        assert (shown["capacity_bytes"], shown["state"]) == (drive.capacity, "live")
        assert shown["present"] is shown["responding"] is True


def same_bytes(page):
    """But for the number of errors."""
    cut = (lambda raw: raw[:176] + raw[192:]) if page.name == "smart" else (lambda raw: raw)
    return lambda ours, theirs: cut(ours) == cut(theirs)


def test_pages_are_as_nvme_cli_prints_them(seen, capsys):
    with capsys.disabled():
        print("", *everything.report(seen.asked, seen.pages), sep="\n")
    wrong = [line for serial, page in seen.asked.wanted()
             for line in everything.differences(page, serial, seen.pages, same_bytes(page))]
    assert not wrong, "\n".join(wrong)


def test_no_page_is_left_out(guest, seen):
    assert {page["name"] for page in guest.json("/api/v1/fields")["pages"]} == pages.known()
    assert not everything.left_out(seen.asked, seen.pages)
    for drive in seen.drives:
        assert set(drive.pages) <= seen.pages.read[drive.serial]


def test_published_bytes_arrive(seen):
    """From the sample through its drive file, the target, the driver and the reader."""
    for drive in seen.drives:
        for page, patch in drive.patches.items():
            raw = seen.pages.ours[drive.serial, page][1]
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
        may_sleep = seen.pages.ours[drive.serial, "identify"][0]["fields"]["apsta"] == 1
        assert count["identify 01h"] == 1, drive.name
        assert count["identify 17h"] <= 1, drive.name
        assert (1 if may_sleep else WINDOW) <= count["log 02h"] <= seconds + 2, drive.name
        has_c0 = {"ocp_smart", "wdc_eol", "hyperscale_boot_smart"} & set(drive.pages)
        assert count["log c0h"] <= (seconds + 2 if has_c0 else 1), drive.name


def test_drives_refuse_a_page_once_and_count_it(seen):
    """One drive of a model, at least: its siblings need not be asked."""
    refusals = 0
    for drive in seen.drives:
        refused = [command for command in seen.journals[drive.name] if command["status"]]
        # With the index of a UUID it is another command.
        different = {(describe(command), command["cdw11"], command["cdw14"]) for command in refused}
        entries = seen.pages.after[drive.serial, "smart"].values["num_err_log_entries"]
        assert len(different) == len(refused), f"{drive.name}: {refused}"
        assert entries == drive.errors + len(refused), drive.name
        refusals += len(refused)
    assert refusals, "no refusal was seen at all"
