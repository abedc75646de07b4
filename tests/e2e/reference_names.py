# SPDX-License-Identifier: LGPL-2.1-or-later
"""How the program's pages stand to the tables of tests/data/log-pages: pages.tsv and names.tsv
there, tests/data/README.md on their columns."""
import json
import re
import subprocess
from dataclasses import dataclass, replace

import reference
import reference_table
from program import BUILD

ELEMENT = re.compile(r"(.+)\[(\d+)\]")
INT64_MAX = 2**63 - 1


@dataclass
class Name:
    """One line of names.tsv."""
    table: reference_table.Table # None: the program's column is not in the reference
    row: reference_table.Row     # as the program reads it
    element: int                 # of an array, where only that one is meant
    first: int                   # so many elements of an array, None: all
    page: str
    column: str                  # None: left out
    bound: tuple                 # raw numbers outside are absent
    fits: bool                   # numbers above 2^63 - 1 are absent
    differs: dict
    note: str

    def elements(self):
        found = [e for e in self.row.elements() if self.element in (None, e[1])]
        return found[:self.first]

    def believes(self, raw):
        """Whether the program shows this raw number."""
        lowest, highest = self.bound
        exact = [step for step in self.row.scale.operations if step[0] != "/"]
        if self.row.scale.below and raw >= self.row.scale.below:
            exact = []
        return lowest <= raw and (highest is None or raw <= highest) and not \
            (self.fits and max(raw, reference.calculate(raw, exact)) > INT64_MAX)

    def values(self, data):
        """What the program has to show of a page, in the order of the elements."""
        base = reference.find_item(self.table, data, self.row.id) if self.table.items else 0
        if base is None:
            return [None for _ in self.elements()]
        decoder = reference.Decoder(self.table, data, base)
        return [self.value(decoder, n, offset) for _, n, offset in self.elements()]

    def value(self, decoder, n, offset):
        value = decoder.value(self.row, n, offset)
        if value is None or isinstance(value, str):
            return value
        raw = reference.raw(self.row, decoder.data, decoder.base + offset)
        return value if self.believes(raw) else None


def parse_differs(text):
    return dict(part.strip().split("=", 1) for part in text.split(";")) if text else {}


def differ(row, differs):
    """The row as the program has it."""
    plain = {key: None if differs.get(key) == "none" else differs.get(key) for key in differs}
    if "bytes" in differs:
        offset, length = differs["bytes"].split("+")
        row = replace(row, offset=int(offset), length=int(length))
    if "scale" in differs:
        row = replace(row, scale=reference_table.parse_scale(plain["scale"]))
    if "absent" in differs:
        row = replace(row, absent=reference_table.parse_absent(plain["absent"]))
    if "when" in differs:
        row = replace(row, when=reference_table.parse_when(plain["when"]))
    return replace(row, since=plain.get("since", row.since))


def parse_bound(text):
    """`200..400 i64`: either, or both."""
    words = (text or "").split()
    ends = next((word.split("..") for word in words if ".." in word), ["", ""])
    return (int(ends[0] or 0), int(ends[1]) if ends[1] else None), "i64" in words


def parse_name(cells, tables):
    table, row, element = tables.get(cells["table"]), None, None
    differs = parse_differs(cells["differs"])
    if table:
        one = ELEMENT.fullmatch(cells["row"])
        element = int(one[2]) if one else None
        row = differ(table.row(one[1] if one else cells["row"]), differs)
    bound, fits = parse_bound(cells["bound"])
    return Name(table, row, element, int(differs["first"]) if "first" in differs else None,
                cells["page"], cells["column"], bound, fits, differs, cells["note"])


def load_names():
    _, rows = reference_table.read_cells("names")
    tables = {cells["table"]: reference_table.load(cells["table"])
              for cells in rows if cells["table"]}
    return [parse_name(cells, tables) for cells in rows]


@dataclass
class Page:
    """One line of pages.tsv."""
    name: str
    tables: list # (table, id of a feature or None), the first with the page's version and GUID
    drive: dict  # {section: {key: value}} of a simulated drive that is asked for the page
    note: str
    instance: str = None # which of several, None: there is one

    def shown(self):
        """What it is called in drive files and URLs."""
        return f"{self.name}_{self.instance}" if self.instance else self.name

    def rows(self):
        return [(table, row) for table, id_ in self.tables for row in table.rows
                if id_ is None or row.id == id_]


def parse_table(text):
    name, _, id_ = text.strip().partition(" ")
    return reference_table.load(name), int(id_.rstrip("h"), 16) if id_ else None


def parse_drive(text):
    """`identity.vendor=0x8086; raw.identify.256=10 00`."""
    sections = {}
    for key, value in parse_differs(text).items():
        section, _, key = key.partition(".")
        sections.setdefault(section, {})[key] = value
    return sections


def parse_page(cells):
    tables = [parse_table(t) for t in cells["table"].split(",")] if cells["table"] else []
    drive = parse_drive(cells["drive"])
    return Page(cells["page"], tables, drive, cells["note"], drive.pop("instance", {}).get(""))


def load_pages():
    _, rows = reference_table.read_cells("pages")
    return [parse_page(cells) for cells in rows]


def program_pages():
    """{page: its entry of `nvmewatch fields --json`}. No server is asked."""
    command = [BUILD / "nvmewatch", "-o", "serve.listen=127.0.0.1:1", "fields", "--json"]
    done = subprocess.run(command, capture_output=True, timeout=60, check=True)
    return {page["name"]: page for page in json.loads(done.stdout)["pages"]}


def columns(page, column):
    """[(name, offset, field)] of a column of the program, or of all elements of an array."""
    found = []
    for field in page["fields"]:
        stride = (field["index"] or {"stride": 0})["stride"]
        found += [(name, field["offset"] + k * stride, field)
                  for k, name in enumerate(field["columns"])
                  if column in (field["name"], name)]
    return found


def bounds(names):
    """{row: (lowest, highest)} of the raw numbers that the program believes."""
    return {name.row.name: name.bound for name in names if name.row and name.bound != (0, None)}


def expected(page, names, data):
    """{column: (name, value)} of all the names of one page."""
    return {column: (name, value) for name in names if name.row and name.column
            for (column, _, _), value in zip(columns(page, name.column), name.values(data))}
