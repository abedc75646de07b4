# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is wrong with history.db costs history: live service goes on, and the log has one line."""
import sqlite3
from datetime import datetime

import pytest

from program import wait_until


def start(host, *settings):
    host.drive("A")
    host.collect("store.interval=1s", "store.flush=1s", *settings)
    host.serve()
    host.wait_pages(1)


def milliseconds(time):
    return round(datetime.fromisoformat(time).timestamp() * 1000)


def garbage(path):
    path.write_bytes(b"this is no database\n" * 1000)


def newer(path):
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 999")
    database.close()


def locked(path):
    """SQL-10: by a user's transaction, until the test is over."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("BEGIN EXCLUSIVE")
    return database


@pytest.mark.parametrize("spoil, word", [
    (newer, "newer nvmewatch"), (lambda p: p.mkdir(), ""),
])
def test_a_history_that_cannot_be_written_is_one_line_and_no_harm(host, spoil, word):
    host.state.mkdir()
    path = host.state / "history.db"
    spoil(path)
    content = path.read_bytes() if path.is_file() else None
    start(host)
    goes_on(host, path, word)
    # It is somebody's: neither written to nor replaced without a word.
    assert content is None or path.read_bytes() == content


def test_what_is_no_database_is_set_aside(host):
    """It may be somebody's: it is kept, under a dated name, and history goes on in a new one."""
    host.state.mkdir()
    path = host.state / "history.db"
    garbage(path)
    content = path.read_bytes()
    start(host)
    wait_until(lambda: host.history("SELECT 1 FROM events WHERE type = 'history_replaced'"))
    [aside] = host.state.glob("history.db.damaged-*Z")
    assert aside.read_bytes() == content
    [line] = [line for line in host.programs[0].log().splitlines() if "history.db" in line]
    assert f"error: {path} was damaged: it is set aside" in line
    assert host.web.get("/readyz").status == 200
    wait_until(lambda: host.history("SELECT 1 FROM smart"))


def test_a_state_folder_without_write_access_is_one_line_and_no_harm(host):
    """Even root cannot make a file there."""
    start(host, "paths.state=/proc/sys")
    goes_on(host, "/proc/sys/history.db", "")


def goes_on(host, path, word):
    first = host.web.drive("A")["pages"]["smart"]["time"]
    seen = set()

    def three_reads():
        seen.add(host.web.drive("A")["pages"]["smart"]["time"])
        return len(seen - {first}) >= 3
    wait_until(three_reads)
    assert host.web.get("/readyz").status == 200
    log = host.programs[0].log()
    [line] = [line for line in log.splitlines() if "history" in line]
    assert f"error: {path} cannot be written" in line and word in line
    assert host.programs[0].stop(within=2) == 0


def test_a_locked_history_loses_nothing(host):
    host.state.mkdir()
    database = locked(host.state / "history.db")
    start(host)
    first = milliseconds(host.web.drive("A")["pages"]["smart"]["time"])
    wait_until(lambda: milliseconds(host.web.drive("A")["pages"]["smart"]["time"]) > first + 3000)
    database.rollback()
    database.close()
    wait_until(lambda: host.history("SELECT 1 FROM smart WHERE time > ?", first + 3000))
    assert host.history("SELECT 1 FROM smart WHERE time <= ?", first)
