# SPDX-License-Identifier: LGPL-2.1-or-later
"""history.db: readable beside its writer, exact and complete."""
import json
import sqlite3
import subprocess
from datetime import datetime

import pytest

from program import wait_until

EXACT = 32381395005 * 512000
FAST = ("store.interval=1s", "store.flush=1s")


def start(host, *settings):
    host.drive("A", smart={"host_written_bytes": EXACT, "temperature_celsius": -8,
                           "endurance_used_ratio": 0.35},
               ocp_smart={"log_page_version": 2, "capacitor_health_ratio": "absent"})
    host.collect(*settings)
    host.serve()
    host.wait_pages(1)


def milliseconds(time):
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def sqlite(host, sql):
    """As a user would: sqlite3 -readonly."""
    shell = subprocess.run(["sqlite3", "-readonly", "-json", host.state / "history.db", sql],
                           capture_output=True, text=True, timeout=10)
    assert shell.returncode == 0, shell.stderr
    return json.loads(shell.stdout) if shell.stdout else []


def test_tables_are_named_after_pages_and_columns_after_fields(host):
    start(host, *FAST)
    wait_until(lambda: host.history("SELECT 1 FROM ocp_smart"))
    columns = {page["name"]: [c for f in page["fields"] for c in f["columns"]]
               for page in host.web.json("/api/v1/fields")["pages"]}
    for page in ("smart", "ocp_smart"):
        table = [row["name"] for row in sqlite(host, f"PRAGMA table_info({page})")]
        assert table == ["drive", "time", "mono", *columns[page]]
    [drive] = sqlite(host, "SELECT * FROM drives")
    assert drive.items() >= {"key": "A", "serial": "A", "firmware": "SIM1"}.items()


@pytest.mark.parametrize("page", ["smart", "ocp_smart"])
def test_its_values_are_those_of_rest(host, page):
    start(host, *FAST)
    shown = {}

    def row_of_a_shown_read():
        document = host.web.drive("A")["pages"][page]
        shown[milliseconds(document["time"])] = document["fields"]
        return sqlite(host, f"SELECT * FROM {page} WHERE time IN ({','.join(map(str, shown))})")
    for row in wait_until(row_of_a_shown_read):
        assert row.items() >= shown[row["time"]].items()
    types = host.history("SELECT typeof(host_written_bytes), host_written_bytes,"
                         " typeof(energy_joules), temperature_celsius FROM smart")
    assert types[0] == ("integer", EXACT, "null", -8)


def test_the_first_rows_are_there_soon(host):
    """Half a minute after the start, whatever store.flush is, and for plain SQL."""
    start(host)
    wait_until(lambda: host.history("SELECT temperature_celsius FROM smart") == [(-8,)], 45)
    assert host.history("SELECT typeof(data), count(DISTINCT flush) FROM batches GROUP BY 1") == [("text", 1)]


def test_nothing_is_lost_at_sigterm(host):
    """The batch of 15 minutes is far off: what was gathered is written at the end."""
    start(host, "store.interval=1s")
    seen = set()

    def four_reads():
        seen.add(milliseconds(host.web.drive("A")["pages"]["smart"]["time"]))
        return len(seen) >= 4
    wait_until(four_reads)
    assert host.history("SELECT count(*) FROM smart") == [(0,)]
    assert host.programs[0].stop() == 0
    kept = {time for time, in host.history("SELECT time FROM smart")}
    # A read sooner after a kept one than store.interval is not kept: that on the way to the grid.
    lost = {time for time in seen if not any(0 <= time - k < 900 for k in kept)}
    assert not lost and len(kept) >= len(seen) - 1


def test_it_goes_on_where_it_was(host):
    start(host, *FAST)
    wait_until(lambda: host.history("SELECT 1 FROM smart"))
    host.programs[0].stop()
    before = host.history("SELECT drive, time FROM smart ORDER BY time")
    host.collect(*FAST)
    wait_until(lambda: len(host.history("SELECT 1 FROM smart")) > len(before))
    assert host.history("SELECT drive, time FROM smart ORDER BY time")[:len(before)] == before
    assert host.history("SELECT count(*) FROM drives") == [(1,)]


def test_a_reader_that_holds_on_delays_nothing(host):
    start(host, *FAST)
    wait_until(lambda: host.history("SELECT 1 FROM smart"))
    reader = sqlite3.connect(f"file:{host.state}/history.db?mode=ro", uri=True)
    rows = reader.execute("SELECT time FROM smart")
    rows.fetchone()  # and never the rest: a read transaction is open
    before = len(host.history("SELECT 1 FROM smart"))
    wait_until(lambda: len(host.history("SELECT 1 FROM smart")) >= before + 2)
    reader.close()
