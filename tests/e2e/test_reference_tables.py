# SPDX-License-Identifier: LGPL-2.1-or-later
"""The tables of tests/data/log-pages are what they should be: rows in order and inside their page,
no bit described twice, nothing that the decoder would not understand."""
from itertools import combinations

import pytest

import reference_table

TABLES = {name: reference_table.load(name) for name in reference_table.names()}
each_table = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def bits_of(row, offset):
    """The bits of a page that an element takes, from the lowest to before the last."""
    first = 8 * offset + (row.bits[0] if row.bits else 0)
    return first, first + row.width()


def collide(one, other):
    """Whether two elements describe the same bits, but for a field and its parts."""
    (row, offset), (row2, offset2) = one, other
    (low, high), (low2, high2) = bits_of(row, offset), bits_of(row2, offset2)
    if high <= low2 or high2 <= low:
        return False
    whole = (offset, row.length) == (offset2, row2.length) and bool(row.bits) != bool(row2.bits)
    return not whole


def groups(table):
    """Rows that lie in the same bytes: of one item, of one feature, or all."""
    return [[row for row in table.rows if row.id == id_] for id_ in {row.id for row in table.rows}]


@each_table
def test_no_bit_is_described_twice(table):
    for rows in groups(table):
        elements = [(row, offset) for row in rows for _, _, offset in row.elements()]
        elements.sort(key=lambda element: bits_of(*element))
        # In this order what collides is never far apart: a field has few parts.
        for n, one in enumerate(elements):
            for other in elements[n + 1:n + 24]:
                assert not collide(one, other), (one[0].name, other[0].name)


@each_table
def test_rows_stand_in_the_order_of_their_offsets(table):
    if table.items:
        assert len({(r.id, r.offset, r.length, r.name) for r in table.rows}) == len(table.rows)
        return
    for rows in groups(table):
        assert [row.offset for row in rows] == sorted(row.offset for row in rows)


@each_table
def test_every_element_lies_inside_its_page(table):
    size = table.items[0] if table.items else table.size
    for row in table.rows:
        assert row.length > 0 and (row.index is None) == (row.stride == 0), row.name
        assert not row.bits or 0 <= row.bits[0] <= row.bits[1] < 8 * row.length, row.name
        for key, _, offset in row.elements():
            assert offset >= 0 and (size is None or offset + row.length <= size), key
    if table.items:
        assert table.items[0] * table.items[1] <= table.size


@each_table
def test_every_word_is_one_that_the_decoder_knows(table):
    names = [row.name for row in table.rows]
    assert len(set(names)) == len(names)
    for row in table.rows:
        assert row.unit in reference_table.UNITS and row.kind in reference_table.KINDS, row.name
        assert row.scale.type == "uint" or not row.bits, row.name
        assert row.scale.type != "uint" or row.length <= 16, row.name
        others = [row.scale.by] * bool(row.scale.by) + [name for name, _, _ in row.when]
        for other in others:
            # The same element of another array is meant, or the one value of the page.
            assert table.row(other).index in (None, row.index), (row.name, other)
        assert all(value == "n" or value >= 0 for _, _, value in row.when), row.name


@each_table
def test_versions_are_those_of_the_page_where_it_has_one(table):
    if not table.version:
        return
    offset, length = table.version
    assert [row.name for row in table.rows if (row.offset, row.length) == (offset, length)]
    assert all(row.since is None or row.since.isdecimal() for row in table.rows)
    assert min(int(row.since) for row in table.rows if row.since) >= 1


@each_table
def test_what_telemetry_shows_has_a_kind_and_is_not_reserved(table):
    for row in table.rows:
        if row.telemetry:
            assert row.kind and not row.name.startswith("reserved"), row.name


def test_no_two_pages_have_the_same_guid():
    guids = [bytes_ for table in TABLES.values() for _, bytes_ in table.fixed if len(bytes_) == 16]
    assert all(a != b for a, b in combinations(guids, 2)) and len(guids) > 8
