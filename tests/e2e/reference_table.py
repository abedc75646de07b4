# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of tests/data/log-pages: what the specifications say of the bytes of a page, as rows.
tests/data/README.md tells what the columns mean."""
import re
from dataclasses import dataclass, field
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "data" / "log-pages"
# These describe no page, but how the pages stand in the program.
ABOUT_PROGRAM = ("names", "pages")

TYPES = ("uint", "ascii", "utf8", "hex", "hex-reversed")
UNITS = (None, "bytes", "blocks", "C", "K", "s", "W", "J", "ratio")
KINDS = (None, "C", "G", "S", "A", "B")
OPERATION = re.compile(r"([-+x/])(\d+)")
COMPARISON = re.compile(r"(.+) (=|!=|<|<=|>|>=) (\S+)")
ONES = re.compile(r"ones@(-?\d+):(\d+)")


@dataclass(frozen=True)
class Scale:
    """A type, or the operations that make a number of base units out of the raw one."""
    type: str = "uint"
    operations: tuple = ()
    by: str = None      # the row whose raw value chooses the operations
    choices: tuple = () # (that value, operations)
    below: int = None   # operations apply to raw values below this only


@dataclass(frozen=True)
class Row:
    id: int
    offset: int
    length: int
    bits: tuple   # (lowest, highest) or None: all
    index: range  # None: a single value
    stride: int
    name: str
    scale: Scale
    unit: str
    absent: tuple # of 0, "ones", or (offset from the value, length) of bytes that are all ones
    when: tuple   # of (name, comparison, what to compare with)
    since: str    # log page version, or a specification's, where the page has none
    kind: str
    telemetry: bool
    note: str

    def width(self):
        """How many bits the number has that is taken out of the bytes."""
        return self.bits[1] - self.bits[0] + 1 if self.bits else 8 * self.length

    def elements(self):
        """(key, index, offset) of each value."""
        if self.index is None:
            return [(self.name, 0, self.offset)]
        return [(f"{self.name}[{n}]", n, self.offset + k * self.stride)
                for k, n in enumerate(self.index)]


@dataclass
class Table:
    name: str
    title: str
    rows: list
    size: int = None     # None: varies
    version: tuple = None # (offset, length)
    fixed: list = field(default_factory=list) # (offset, bytes) that every such page has
    items: tuple = None   # (length of one, how many at most)

    def row(self, name):
        found = [row for row in self.rows if row.name == name]
        assert len(found) == 1, f"{self.name} has {len(found)} rows {name}"
        return found[0]


def parse_operations(text):
    words = text.split()
    assert all(OPERATION.fullmatch(word) for word in words), text
    return tuple((word[0], int(word[1:])) for word in words)


def parse_scale(text):
    if text in TYPES:
        return Scale(text)
    word, _, rest = text.partition(" ")
    if word == "by":
        name, choices = rest.split(": ")
        pairs = [choice.split("=") for choice in choices.split()]
        return Scale(by=name, choices=tuple((int(k), parse_operations(v)) for k, v in pairs))
    if word == "below":
        limit, operations = rest.split(": ")
        return Scale(operations=parse_operations(operations), below=int(limit))
    return Scale(operations=parse_operations(text))


def parse_absent_word(word):
    if word in ("0", "ones"):
        return 0 if word == "0" else word
    offset, length = ONES.fullmatch(word).groups()
    return int(offset), int(length)


def parse_absent(text):
    return tuple(parse_absent_word(word) for word in (text or "").split("|") if word)


def parse_comparison(text):
    name, sign, value = COMPARISON.fullmatch(text).groups()
    return name, sign, value if value == "n" else int(value, 0)


def parse_when(text):
    return tuple(parse_comparison(part) for part in text.split(" and ")) if text else ()


def parse_range(text, mark):
    return tuple(int(part) for part in text.split(mark)) if text else None


def parse_row(cells):
    index = parse_range(cells["index"], "..")
    return Row(id=int(cells["id"].rstrip("h"), 16) if "id" in cells else None,
               offset=int(cells["offset"]), length=int(cells["length"]),
               bits=parse_range(cells["bits"], ":"),
               index=range(index[0], index[1] + 1) if index else None,
               stride=int(cells["stride"] or 0), name=cells["name"],
               scale=parse_scale(cells["scale"]), unit=cells["unit"],
               absent=parse_absent(cells["absent"]),
               when=parse_when(cells["when"]), since=cells["since"], kind=cells["kind"],
               telemetry={"yes": True, "no": False}[cells["telemetry"]], note=cells["note"])


def read_cells(name):
    """The lines of remarks, and the rows as dictionaries; `-` is None."""
    lines = (FOLDER / f"{name}.tsv").read_text().splitlines()
    remarks = [line[1:].strip() for line in lines if line.startswith("#")]
    head, *rows = [[cell.strip() for cell in line.split("\t")]
                   for line in lines if line and not line.startswith("#")]
    assert all(len(row) == len(head) for row in rows), \
        [row for row in rows if len(row) != len(head)]
    return remarks, [{k: None if v == "-" else v for k, v in zip(head, row)} for row in rows]


def parse_remarks(table, remarks):
    for remark in remarks:
        word, *rest = remark.split()
        if word == "size":
            table.size = int(rest[0])
        elif word in ("version", "items"):
            setattr(table, word, (int(rest[0]), int(rest[1])))
        elif word in ("guid", "fixed"):
            table.fixed.append((int(rest[0]), bytes.fromhex(rest[1])))
        else:
            raise AssertionError(f"{table.name}: {remark}")


def load(name):
    (_, title, *remarks), rows = read_cells(name)
    table = Table(name, title, [parse_row(cells) for cells in rows])
    parse_remarks(table, remarks)
    return table


def names():
    return sorted(path.stem for path in FOLDER.glob("*.tsv") if path.stem not in ABOUT_PROGRAM)
