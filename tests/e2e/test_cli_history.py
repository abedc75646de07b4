# SPDX-License-Identifier: LGPL-2.1-or-later
"""nvmewatch history, events and export: from the server, and from the files where it does not answer."""
import csv
import io
import json
import sqlite3
import subprocess

import pytest

from harness import options
from program import BUILD, wait_until
from test_cli import NOWHERE, run

EXACT = 32381395005 * 512000


class Cli:
    def __init__(self, host):
        self.host = host
        self.paths = options(f"paths.run={host.run}", f"paths.state={host.state}")

    def asks(self, *arguments, **more):
        port = self.host.web.address[1]
        done = run(*self.paths, "-o", f"serve.listen=127.0.0.1:{port}", *arguments, **more)
        assert "reading" not in done.stderr, done.stderr
        return done

    def reads(self, *arguments, **more):
        return run(*self.paths, "-o", f"serve.listen={NOWHERE}", *arguments, **more)


@pytest.fixture(scope="module")
def past(shared_host):
    """Some seconds of history, and nobody who adds to it."""
    host = shared_host
    host.drive("a1", "SN100", smart={"temperature_celsius": 41, "host_written_bytes": EXACT, "power_cycles": 9},
               **{"change": {"at": "3s", "smart.temperature_celsius": 45, "smart.power_cycles": 1}})
    host.drive("b2", "SN2, \"x\"")
    host.collect("store.interval=1s", "store.flush=1s")
    host.serve(f"paths.state={host.state}")
    host.wait_pages(2)
    wait_until(lambda: host.history("SELECT 1 FROM events WHERE type = 'counter_reset'"), 20)
    wait_until(lambda: host.history("SELECT 1 FROM smart WHERE temperature_celsius = 45"))
    host.programs[0].stop()
    return Cli(host)


def test_a_line_for_each_time(past):
    done = past.asks("history", "nvme0", "smart", "temperature_celsius", "host_written_bytes")
    head, _, titles, *rows = done.stdout.splitlines()
    assert head.startswith("smart of SN100, 20")
    assert titles.split()[:4] == ["TIME", "(UTC)", "temperature_celsius", "host_written_bytes"]
    values = [row.split()[2:4] for row in rows]
    assert values[0] == ["41", str(EXACT)] and values[-1] == ["45", str(EXACT)]


def test_a_line_for_each_field(past):
    done = past.asks("history", "SN100", "smart", LC_ALL="C")
    row = next(line for line in done.stdout.splitlines() if line.startswith("temperature_celsius")).split()
    assert row[2:5] == ["41", "45", "45"] and set(row[5]) <= set("_.-~=+*#")
    assert "sensor_temperature_celsius_1" not in done.stdout  # not reported
    assert "\u2588" in past.asks("history", "SN100", "smart", LC_ALL="C.UTF-8").stdout


@pytest.mark.parametrize("form", [(), ("--json",), ("--csv",)])
def test_files_tell_the_same(past, form):
    words = ("history", "SN100", "smart", "--start", "2026-01-01", "--end", "2099-01-01", "--step", "1d",
             "--agg", "max")
    asked, read = past.asks(*words, *form), past.reads(*words, *form)
    assert asked.stdout == read.stdout
    assert "Connection refused" in read.stderr and read.stderr.count("\n") == 1
    asked, read = past.asks("events", *form), past.reads("events", *form)
    assert asked.stdout == read.stdout != ""
    assert f"reading {past.host.state}/history.db instead" in read.stderr


def test_what_was_asked_for_is_what_is_shown(past):
    found = json.loads(past.asks("history", "SN100", "smart", "power_cycles", "--start", "1d", "--step", "1h",
                                 "--agg", "increase", "--json").stdout)
    assert found["step"] == 3600 and found["agg"] == {"power_cycles": "increase"}
    assert "reset" in "".join(mark or "" for mark in found["marks"])
    assert "reset" in past.asks("history", "SN100", "smart", "power_cycles", "--step", "1h").stdout


def test_events_have_a_line_each(past):
    lines = past.asks("events").stdout.splitlines()
    assert lines[0].split() == ["TIME", "(UTC)", "DRIVE", "EVENT", "DETAIL"]
    assert any("SN100" in line and "counter_reset" in line and "power_cycles" in line for line in lines)
    assert "SN100" not in past.asks("events", 'SN2, "x"').stdout
    assert past.asks("events", "--since", "0s").stdout.count("\n") == 1
    assert past.asks("events", "--since", "1d").stdout == past.asks("events").stdout
    rows = list(csv.DictReader(io.StringIO(past.asks("events", "--csv").stdout)))
    assert {row["serial"] for row in rows} >= {"SN100", 'SN2, "x"'}


def test_a_drive_that_only_history_knows_is_called_by_its_serial(past):
    there = past.host.run / "now.db"
    away = past.host.run / "away.db"
    there.rename(away)
    try:
        done = past.reads("history", "SN100", "smart", "temperature_celsius")
        assert "45" in done.stdout
        assert "NONE" in past.reads("history", "NONE", "smart", code=1).stderr
        assert "NONE" in past.reads("events", "NONE", code=1).stderr
    finally:
        away.rename(there)


@pytest.mark.parametrize("words, said", [
    (("history", "SN100", "smrt"), '"smrt"'), (("history", "SN100", "smart", "warmth"), '"warmth"'),
    (("history", "SN100", "smart", "--step", "0"), "above 0"),
    (("history", "SN100", "smart", "--agg", "median"), "last, min, max"),
    (("history", "SN100", "smart", "--start", "yesterday"), "2026-11-30T21:00:00Z"),
    (("history", "SN", "smart"), "any of 2 drives"), (("history", "NONE", "smart"), '"NONE"'),
    (("events", "NONE"), '"NONE"'), (("events", "--since", "x"), '"x"'),
])
def test_mistakes_are_said_the_same_way(past, words, said):
    asked, read = past.asks(*words, code=1), past.reads(*words, code=1)
    assert said in asked.stderr and said in read.stderr
    assert not asked.stdout and not read.stdout


@pytest.mark.parametrize("words, said", [
    (("list", "--csv"), "list takes no --csv"), (("events", "--step", "1h"), "events takes no --step"),
    (("history", "SN100"), "usage: nvmewatch history DRIVE PAGE"),
    (("history", "SN100", "smart", "--json", "--csv"), "exclude"), (("export", "--csv"), "DRIVE PAGE"),
    (("export", "--start", "x"), '"x"'),
])
def test_what_is_no_usage_is_said_so(past, words, said):
    assert said in past.asks(*words, code=2).stderr


# ---- Export. ----

def exported(past, *words):
    done = subprocess.run([BUILD / "nvmewatch", *past.paths, "export", *words], capture_output=True,
                          timeout=60, check=True)
    return done.stdout


def test_exported_sql_is_a_database(past, tmp_path):
    database = sqlite3.connect(tmp_path / "copy.db")
    database.executescript(exported(past).decode())
    [(most,)] = database.execute("SELECT max(host_written_bytes) FROM smart")
    assert most == EXACT
    [(drives,)] = database.execute("SELECT count(*) FROM drives")
    assert drives == 2
    assert database.execute("SELECT 1 FROM events WHERE type = 'counter_reset'").fetchone()
    one = sqlite3.connect(":memory:")
    one.executescript(exported(past, "nvme1", "smart").decode())
    assert one.execute("SELECT count(*) FROM smart").fetchone()[0] > 0
    assert one.execute("SELECT max(temperature_celsius) FROM smart").fetchone() != (45,)
    for each in database, one:
        each.close()


def test_exported_csv_has_every_row(past):
    rows = list(csv.DictReader(io.StringIO(exported(past, "--csv", "-", "smart").decode(), newline="")))
    assert {row["drive"] for row in rows} == {"SN100", 'SN2, "x"'}
    times = json.loads(past.asks("history", "SN100", "smart", "--json").stdout)["time"]
    assert sum(row["drive"] == "SN100" for row in rows) == len(times)
    assert not list(csv.DictReader(io.StringIO(exported(
        past, "--csv", "-", "smart", "--end", "2020-01-01").decode(), newline="")))


def test_an_export_that_cannot_be_written_fails(past):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([BUILD / "nvmewatch", *past.paths, "export"], stdout=full, check=False,
                              stderr=subprocess.PIPE, timeout=60)
    assert done.returncode == 1 and b"cannot" in done.stderr
