# SPDX-License-Identifier: LGPL-2.1-or-later
"""The values that the programs show of random and of extreme pages, against those of a decoder that
shares nothing with them."""
import math

import pytest

import control
import reference_bytes
import reference_names
from program import wait_until
from web import drive_path

SAMPLES = 16
SERIAL = slice(4, 24) # of Identify: whoever tells another one is another drive
PAGES = [page for page in reference_names.load_pages() if page.tables]
NAMES = reference_names.load_names()
ASKED = ("persistent_events",) # read when somebody asks


def groups():
    """Pages that one drive may have together. What Identify says decides which other pages are
    asked for, hence a drive with an odd one has no other."""
    found = {}
    for page in PAGES:
        key = (page.name == "identify", repr(page.drive))
        found.setdefault(key, []).append(page)
    return list(found.values())


def names_of(page):
    return [name for name in NAMES if name.page == page]


class Drive:
    """One simulated drive and the bytes of its pages."""

    def __init__(self, program, pages, number, sample):
        self.serial, self.pages, self.program = f"R{number}-{sample}", pages, program
        self.bytes = {page.name: self.sample(page, sample) for page in pages}
        if "identify" in self.bytes:
            self.bytes["identify"][SERIAL] = self.serial.encode().ljust(20)

    def sample(self, page, sample):
        bounds = reference_names.bounds(names_of(page.name))
        return reference_bytes.sample(page, bounds, self.program[page.name]["size"], sample)

    def sections(self):
        sections = {"raw": {}}
        for page in self.pages:
            sections.setdefault(page.shown(), {})
            for section, keys in page.drive.items():
                sections.setdefault(section, {}).update(keys)
            data = self.bytes[page.name]
            sections["raw"].update({f"{page.shown()}.{at}": data[at:at + 64].hex(" ")
                                    for at in range(0, len(data), 64)})
        # Of a firmware of its own: what others of its kind lack, a drive is not asked for.
        firmware = self.serial.replace("-", "").rjust(8, "F")
        if "identify" not in self.bytes:
            sections.setdefault("identity", {}).setdefault("firmware", firmware)
        return sections


@pytest.fixture(scope="module")
def program():
    return reference_names.program_pages()


@pytest.fixture(scope="module")
def fleet(shared_host, program):
    drives = [Drive(program, pages, number, sample) for number, pages in enumerate(groups())
              for sample in range(SAMPLES)]
    for drive in drives:
        shared_host.drive(drive.serial, **drive.sections())
    shared_host.collect("poll.timeout=5s")
    shared_host.serve()
    shared_host.fleet = drives
    return shared_host


def read(web, serial, page):
    return web.get(drive_path(serial, f"/pages/{page}?raw=1")).body


def same(shown, right):
    if isinstance(right, float):
        return isinstance(shown, float) and math.isclose(shown, right, rel_tol=1e-12)
    return type(shown) is type(right) and shown == right


def is_fixed(page, row):
    return row.offset in [offset for offset, _ in page.tables[0][0].fixed]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_programs_show_what_the_second_decoder_reads(fleet, program, page):
    names, seen = names_of(page.name), {}
    drives = [drive for drive in fleet.fleet if page.name in drive.bytes]
    for drive in drives if page.name in ASKED else []:
        wait_until(lambda drive=drive: control.tell(fleet, control.READ, drive.serial,
                                                    page=page.name) == "ok")
    for drive in drives:
        data = bytes(drive.bytes[page.name])
        wait_until(lambda: read(fleet.web, drive.serial, page.shown()) == data, 30,
                   f"page {page.name} of {drive.serial}")
        shown = fleet.web.json(drive_path(drive.serial, f"/pages/{page.shown()}"))["fields"]
        right = reference_names.expected(program[page.name], names, data)
        assert not {column: (shown[column], value) for column, (_, value) in right.items()
                    if not same(shown[column], value)}, drive.serial
        for name, value in right.values():
            seen.setdefault(name.column, set()).add(value)
    # Bytes that give a column one value only prove little of it.
    assert not [name.column for name in names if name.row and name.column and
                len(seen[name.column]) < 2 and not is_fixed(page, name.row)]
