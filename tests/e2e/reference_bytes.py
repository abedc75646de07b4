# SPDX-License-Identifier: LGPL-2.1-or-later
"""Bytes for pages: random, and such as lie at the limits of what a table's rows can say."""
import random

NUMBERS = (0, 1, 2, 99, 100, 101, 199, 200, 273, 400, 401, 500, 501, 2**16 - 1, 2**32 - 1,
           10**12 - 1, 10**12, 2**63 - 1, 2**63, 2**64 - 1, 2**64)
TEXTS = (b"", b" ", b"A", b"abc", b" left", b"\0nul", b"stop\0behind", b"tail \0",
         "Größe".encode(), "\U0001f600".encode(), b"\xff\xfe\x80", b"\xc3", b"\xed\xa0\x80",
         b"\xe2\x82")


def limits(table, row):
    """Raw numbers around which the row's value stops to fit, or others of the table turn."""
    factors = [n for sign, n in row.scale.operations if sign == "x"]
    compared = [value for other in table.rows for name, _, value in other.when
                if name == row.name and value != "n"]
    below = [row.scale.below - 1, row.scale.below] if row.scale.below else []
    return below + [(2**63 - 1) // n + k for n in factors for k in (-1, 0, 1)] + \
        [value + k for value in compared for k in (-1, 0, 1) if value + k >= 0] + \
        [value for other in table.rows if other.scale.by == row.name
         for value, _ in other.scale.choices]


def pick_believed(rng, bound, ones):
    """A number about the bounds of what the program believes, or between them."""
    lowest, highest = bound
    highest = ones if highest is None else highest
    pool = [lowest, highest, max(lowest - 1, 0), highest + 1, 0, ones]
    return rng.choice(pool) if rng.random() < 0.5 else rng.randint(lowest, highest)


def pick_number(rng, table, row, bound):
    bits = row.width()
    ones = (1 << bits) - 1
    if bound:
        return pick_believed(rng, bound, ones) & ones
    pool = [ones, ones - 1, rng.getrandbits(bits), rng.getrandbits(rng.randint(1, min(bits, 63))),
            rng.getrandbits(rng.randint(1, bits)), rng.choice(NUMBERS)] + limits(table, row)
    return rng.choice(pool) & ones


def pick_bytes(rng, row):
    if row.scale.type in ("ascii", "utf8"):
        pad = rng.choice(b" \0").to_bytes(1, "little")
        return rng.choice(TEXTS)[:row.length].ljust(row.length, pad)
    return rng.choice((bytes(row.length), b"\xff" * row.length, rng.randbytes(row.length)))


class Writer:
    """Writes rows into bytes. bounds: {row name: (lowest, highest) raw number} that is believed."""

    def __init__(self, rng, data, bounds):
        self.rng, self.data, self.bounds = rng, data, bounds

    def put_number(self, table, row, at):
        lowest = row.bits[0] if row.bits else 0
        value = pick_number(self.rng, table, row, self.bounds.get(row.name))
        before = int.from_bytes(self.data[at:at + row.length], "little")
        before &= ~((1 << row.width()) - 1 << lowest)
        self.data[at:at + row.length] = (before | value << lowest).to_bytes(row.length, "little")

    def put_row(self, table, row, at):
        if row.scale.type == "uint":
            self.put_number(table, row, at)
        else:
            self.data[at:at + row.length] = pick_bytes(self.rng, row)

    def put_rows(self, rows, base=0):
        for table, row in rows:
            for _, _, offset in row.elements():
                if base + offset + row.length <= len(self.data):
                    self.put_row(table, row, base + offset)

    def put_items(self, table):
        """Some of the ids in any order, with unused slots between them."""
        length, count = table.items
        ids = sorted({row.id for row in table.rows})
        chosen = self.rng.sample(ids, self.rng.randint(len(ids) // 2, min(len(ids), count)))
        slots = chosen + [0] * (count - len(chosen))
        self.rng.shuffle(slots)
        for slot, id_ in enumerate(slots):
            item = bytes((id_,)) + self.rng.randbytes(length - 1)
            self.data[slot * length:(slot + 1) * length] = item
            self.put_rows([(table, row) for row in table.rows if row.id == id_], slot * length)


def versions(table):
    since = sorted({int(row.since) for row in table.rows if row.since})
    return [*since, since[0] - 1, since[-1] + 1, (1 << 8 * table.version[1]) - 1]


def stamp(table, data, n):
    """What makes it a page of that table; of every version in turn."""
    if table.version:
        offset, length = table.version
        version = versions(table)[n % len(versions(table))]
        data[offset:offset + length] = version.to_bytes(length, "little")
    for offset, bytes_ in table.fixed:
        data[offset:offset + len(bytes_)] = bytes_


def sample(page, bounds, size, n):
    """The n-th bytes of a page, always the same: noise, all ones, then rows at their limits."""
    rng, first = random.Random(f"{page.name} {n}"), page.tables[0][0]
    data = bytearray(b"\xff" * size if n == 1 else rng.randbytes(size))
    writer = Writer(rng, data, bounds)
    if n > 1:
        writer.put_rows([(table, row) for table, row in page.rows() if not table.items])
    if first.items:
        writer.put_items(first)
    stamp(first, data, n)
    return data
