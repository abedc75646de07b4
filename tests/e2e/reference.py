# SPDX-License-Identifier: LGPL-2.1-or-later
"""A second decoder of log pages, features and Identify data, out of the tables of
tests/data/log-pages alone. It shares nothing with the program's own tables: what both say of the
same bytes is true, or wrong in the reference.

Values are exact: whole numbers where no unit is divided, else floats; texts; None is "not
reported". What drives report is not judged here: a temperature of 60000 degrees is one."""
import operator
import re
from functools import reduce

BLANKS = b"\0 \t\r\n"
COMPARE = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
           ">": operator.gt, ">=": operator.ge}
OPERATE = {"+": operator.add, "-": operator.sub, "x": operator.mul, "/": operator.truediv}


def number(data, at, length):
    return int.from_bytes(data[at:at + length], "little")


def raw(row, data, at):
    """The number that a row takes of the bytes, before any scale."""
    value = number(data, at, row.length)
    return value >> row.bits[0] & (1 << row.width()) - 1 if row.bits else value


def text(data):
    """Padded on either side; what is no UTF-8 becomes one mark a byte; ends at the first NUL."""
    data = data.lstrip(BLANKS).split(b"\0")[0].rstrip(BLANKS)
    return re.sub("[\udc80-\udcff]", "?", data.decode("utf-8", "surrogateescape")) or None


def calculate(value, operations):
    return reduce(lambda n, step: OPERATE[step[0]](n, step[1]), operations, value)


class Decoder:
    """One page's bytes, read by one table."""

    def __init__(self, table, data, base=0):
        self.table, self.data, self.base = table, data, base

    def version(self):
        """A page says no less than what its oldest version does."""
        oldest = min(int(row.since) for row in self.table.rows if row.since)
        return max(oldest, number(self.data, *self.table.version))

    def is_older(self, row):
        return bool(self.table.version and row.since and int(row.since) > self.version())

    def other(self, name, n):
        """The raw value of another row, of the same element where that is an array too."""
        row = self.table.row(name)
        step = row.index.index(n) * row.stride if row.index else 0
        return raw(row, self.data, self.base + row.offset + step)

    def holds(self, row, n):
        return all(COMPARE[sign](self.other(name, n), n if value == "n" else value)
                   for name, sign, value in row.when)

    def is_ones(self, at, length):
        return self.data[at:at + length] == b"\xff" * length

    def means_absent(self, row, at, rule):
        if rule == 0:
            return raw(row, self.data, at) == 0
        if rule == "ones" and row.bits:
            return raw(row, self.data, at) == (1 << row.width()) - 1
        offset, length = (0, row.length) if rule == "ones" else rule
        return self.is_ones(at + offset, length)

    def is_absent(self, row, at):
        return any(self.means_absent(row, at, rule) for rule in row.absent)

    def operations(self, row, value, n):
        """None: no scale is given for this value."""
        scale = row.scale
        if scale.by:
            return dict(scale.choices).get(self.other(scale.by, n))
        return () if scale.below and value >= scale.below else scale.operations

    def value(self, row, n, offset):
        at = self.base + offset
        if at + row.length > len(self.data) or self.is_older(row) or not self.holds(row, n) or \
           self.is_absent(row, at):
            return None
        data = self.data[at:at + row.length]
        if row.scale.type in ("ascii", "utf8"):
            return text(data)
        if row.scale.type in ("hex", "hex-reversed"):
            return (data if row.scale.type == "hex" else data[::-1]).hex()
        value = raw(row, self.data, at)
        operations = self.operations(row, value, n)
        return None if operations is None else calculate(value, operations)


def find_item(table, data, id_):
    """The offset of the first item of that id, or None. An id of 0 is an unused slot."""
    length, count = table.items
    slots = (n * length for n in range(count))
    return next((at for at in slots if at + length <= len(data) and data[at] == id_), None)


def decode_row(table, row, data):
    """{key: value or None} of one row: several where it is an array."""
    base = find_item(table, data, row.id) if table.items else 0
    if base is None:
        return {key: None for key, _, _ in row.elements()}
    decoder = Decoder(table, data, base)
    return {key: decoder.value(row, n, offset) for key, n, offset in row.elements()}


def decode(table, data, id_=None):
    """{name: value or None} of a page; of arrays `name[index]`. id_: of a table of features."""
    rows = [row for row in table.rows if id_ is None or row.id == id_]
    return {key: value for row in rows for key, value in decode_row(table, row, data).items()}
