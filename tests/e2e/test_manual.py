# SPDX-License-Identifier: LGPL-2.1-or-later
"""nvmewatch-collect(8) on what is asked of a drive, in which order, and what is not, against the program
and the tables of tests/data/log-pages."""
import re
from pathlib import Path

import pytest

import reference_names
import reference_table

SOURCE = Path(__file__).resolve().parents[2]
ID = re.compile(r"\b(?:LID|CNS) ([0-9A-F]{2}h)")
FEATURES = ("features", "features-data", "ocp-features", "ocp-features-data")
# What the program shows as one text, which no row describes.
TEXTS = ("supported-pages-00h", "uuid-list")


def section(title):
    """The text of a subsection."""
    manual = (SOURCE / "man" / "nvmewatch-collect.8").read_text()
    return re.search(rf"^\.Ss {re.escape(title)}\n(.*?)^\.S[sh] ", manual, re.M | re.S)[1]


def title_of(table):
    lines = (reference_table.FOLDER / f"{table}.tsv").read_text().splitlines()
    return next(line for line in lines if line.startswith("# ") and "SPDX" not in line)


def tables():
    return sorted(path.stem for path in reference_table.FOLDER.glob("*.tsv")
                  if path.stem not in reference_table.ABOUT_PROGRAM)


def left_out():
    """{id that no page of the program is read by: the table it is in}"""
    read = {(table.name, id_) for page in reference_names.load_pages() for table, id_ in page.tables}
    unread = set(tables()) - {table for table, _ in read} - {*TEXTS, *FEATURES}
    ids = {found: name for name in unread for found in ID.findall(title_of(name))}
    features = {(name, row.id) for name in FEATURES for row in reference_table.load(name).rows}
    known = {id_ for _, id_ in read if id_ is not None}
    return ids | {f"{id_:02X}h": name for name, id_ in features if id_ not in known}


def test_the_order_of_asking_is_that_of_the_manual():
    asked = [name for name in reference_names.program_pages()
             if name not in ("thermal", "error_counts", "rating", "wear", "peers")] # derived
    named = re.findall(r"^\.(?:Cm|It) ([a-z0-9_]+)", section("Order"), re.M)
    assert named == asked


@pytest.mark.parametrize("id_, table", sorted(left_out().items()))
def test_what_is_not_read_has_its_reason(id_, table):
    assert id_ in section("What is not read, and why"), title_of(table)


def test_some_of_the_tables_are_not_read():
    """Else the test before this one tests nothing."""
    assert {"07h", "08h", "D1h", "D2h", "06h", "0Eh", "16h", "C0h", "C5h"} <= set(left_out())
