# SPDX-License-Identifier: LGPL-2.1-or-later
"""The program's field tables against the tables of tests/data/log-pages: nothing forgotten, nothing
made up, every field at its place."""
import pytest

import reference_names

PAGES = {page.name: page for page in reference_names.load_pages()}
NAMES = reference_names.load_names()


@pytest.fixture(scope="module")
def program():
    return reference_names.program_pages()


def names_of(page):
    return [name for name in NAMES if name.page == page]


def test_every_page_of_the_program_has_a_table_or_a_reason(program):
    assert set(program) == set(PAGES)
    assert {name.page for name in NAMES} <= set(PAGES)
    assert not [page.name for page in PAGES.values() if not page.tables and not page.note]


@pytest.mark.parametrize("page", PAGES)
def test_what_telemetry_should_show_is_a_column_or_left_out_for_a_reason(page):
    named = {(name.table.name, name.row.name, name.element) for name in names_of(page) if name.row}
    missing = [f"{table.name}: {key}" for table, row in PAGES[page].rows() if row.telemetry
               for key, n, _ in row.elements()
               if not {(table.name, row.name, n), (table.name, row.name, None)} & named]
    assert not missing
    assert not [name.row.name for name in names_of(page) if not name.column and not name.note]
    assert not [name.row.name for name in names_of(page) if name.differs and not name.note]


@pytest.mark.parametrize("page", PAGES)
def test_every_column_is_of_one_row_or_said_to_be_of_none(program, page):
    named = [column for name in names_of(page) if name.column
             for column, _, _ in reference_names.columns(program[page], name.column)]
    assert sorted(named) == sorted(c for f in program[page]["fields"] for c in f["columns"])
    unknown = [name.column for name in names_of(page)
               if name.column and not reference_names.columns(program[page], name.column)]
    assert not unknown
    assert not [name.column for name in names_of(page) if not name.row and not name.note]


def places(name, page):
    """What reference and program say of where the values of a name are."""
    ours = reference_names.columns(page, name.column)
    return ([(offset, name.row.length) for _, _, offset in name.elements()],
            [(offset, field["size"]) for _, offset, field in ours])


def since(name):
    """The log page version that brings a row, 0 where the oldest has it."""
    if not name.table.version or not name.row.since:
        return 0
    oldest = min(int(row.since) for row in name.table.rows if row.since)
    return int(name.row.since) if int(name.row.since) > oldest else 0


@pytest.mark.parametrize("page", PAGES)
def test_every_column_lies_where_the_reference_says(program, page):
    for name in names_of(page):
        if not name.row or not name.column:
            continue
        if not name.table.items: # an item lies where its id is found
            there, here = places(name, program[page])
            assert here == there, name.column
        for _, _, field in reference_names.columns(program[page], name.column):
            assert field["since"] == since(name), name.column
