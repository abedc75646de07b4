# SPDX-License-Identifier: LGPL-2.1-or-later
"""The bytes that the programs are tried with: whatever table they are for, every row has a value
in some of them, and another in others."""
import pytest

import reference
import reference_bytes
import reference_table
from reference_names import Page

SAMPLES = 16


def pages():
    """Every table as a page, features one by one."""
    for name in reference_table.names():
        table = reference_table.load(name)
        ids = {None} if table.items else {row.id for row in table.rows}
        for id_ in sorted(ids, key=lambda n: n or 0):
            yield Page(name + (f" {id_:02x}h" if id_ is not None else ""), [(table, id_)], {}, None)


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_the_bytes_give_every_row_more_than_one_value(page):
    table, id_ = page.tables[0]
    seen = {row.name: set() for row in table.rows if row.telemetry}
    for n in range(SAMPLES):
        data = bytes(reference_bytes.sample(page, {}, table.size or 4096, n))
        assert len(data) == (table.size or 4096)
        for key, value in reference.decode(table, data, id_).items():
            seen.get(key.partition("[")[0], set()).add(value)
    fixed = [offset for offset, _ in table.fixed]
    assert not [row.name for row in table.rows if row.telemetry and row.offset not in fixed and
                id_ in (None, row.id) and len(seen[row.name]) < 2]
