# SPDX-License-Identifier: LGPL-2.1-or-later
"""What history takes, and how soon it answers: bytes of history.db against Prometheus' blocks and VictoriaMetrics' files
with the same samples; queries against Prometheus; CPU time, memory and bytes written to the disk, by drives and by days.
The drives are the shipped simulated ones, by turns, with noise added; values are numbers only, for the others hold no
texts. Nothing waits for time to pass."""

import http.client
import os
import sqlite3
import statistics
import subprocess
import tempfile
import time
import urllib.parse

from databases import files_bytes, prometheus, prometheus_blocks, query_range, victoria_metrics_bytes
from processes import BUILD, cpu_seconds, daemons, folder, make_fleet
from report import line, ratio, table

DRIVES, DAYS = 8, 10
EVERY, FLUSH = 15, 900  # seconds, as by default
BY_DRIVES, BY_DRIVES_DAYS = (1, 8, 24, 64), 2
BY_DAYS, BY_DAYS_DRIVES = (1, 10, 30), 2
YEARS_DAYS, YEARS_EVERY = 1825, 900  # of five years a quarter of an hour is enough to wait for
START = 1767225600                   # as polls.h has it
REPEATS = 11
FIRST_MS = 50
POINTS = 500
FIELDS = ("thermal temperature_celsius", "smart host_written_bytes")


def fill(fleet, state, drives, days, every=EVERY, flush=FLUSH, *whole):
    """What fill prints, by its names."""
    os.makedirs(state)
    with tempfile.TemporaryDirectory(prefix="nvmewatch-bench-", dir="/dev/shm") as run:
        out = subprocess.check_output([f"{BUILD}/tests/bench/fill", fleet, state, run, str(drives), str(days),
                                       str(every), str(flush), *whole], text=True)
    return {name: float(value) for name, value in map(str.split, out.splitlines())}


def database_bytes(state):
    """Bytes of the packed samples, with their keys and times; of rollups; of all else."""
    with sqlite3.connect(f"file:{state}/history.db?mode=ro", uri=True) as db:
        tables = dict(db.execute("SELECT m.tbl_name, sum(s.pgsize) FROM dbstat s JOIN sqlite_schema m USING (name)"
                                 " GROUP BY 1"))
    samples = tables["chunks"]
    rollups = sum(size for name, size in tables.items() if name.endswith(("_hourly", "_daily")))
    return samples, rollups, os.path.getsize(f"{state}/history.db") - samples - rollups


def sizes(fleet, stamps):
    """In memory: only bytes count here."""
    with tempfile.TemporaryDirectory(prefix="nvmewatch-bench-", dir="/dev/shm") as where:
        told = fill(fleet, f"{where}/state", DRIVES, DAYS, EVERY, FLUSH, *(["whole"] if stamps == "whole" else []))
        values = told["values"]
        samples, rollups, rest = database_bytes(f"{where}/state")
        blocks = files_bytes(prometheus_blocks(where, fleet, DRIVES, DAYS, EVERY, stamps))
        victoria = victoria_metrics_bytes(where, fleet, DRIVES, DAYS, EVERY, stamps)
    kind = "seconds" if stamps == "whole" else "milliseconds"
    line(f"history_{kind}_values", values, "values")
    line(f"history_{kind}_rollup_bytes_per_value", rollups / values, "bytes")
    line(f"history_{kind}_other_bytes_per_value", rest / values, "bytes (tables, and room for a day's batches)")
    ratio(f"history_{kind}_sample_bytes_per_value", samples / values, blocks / values, "bytes", "prometheus", 1)
    ratio(f"history_{kind}_sample_bytes_per_value", samples / values, victoria / values, "bytes", "victoria_metrics", 1)
    all_of_it = (samples + rollups + rest) / values
    ratio(f"history_{kind}_file_bytes_per_value", all_of_it, blocks / values, "bytes", "prometheus", 1)
    ratio(f"history_{kind}_file_bytes_per_value", all_of_it, victoria / values, "bytes", "victoria_metrics", 1)


GROWTH = ("drives", "days", "values_1e6", "file_MiB", "KiB_per_drive_day", "written_MiB_per_drive_day",
          "with_log_index", "put_cpu_s_per_1e6", "flush_cpu_s_per_1e6", "pack_cpu_s_per_1e6", "pack_step_ms",
          "pack_memory_MiB", "query_of_a_day_ms")


def growth(state, told, drives, days):
    """A row of GROWTH."""
    samples, rollups, _ = database_bytes(state)
    return (drives, days, told["values"] / 1e6, told["file_bytes"] / 2**20, (samples + rollups) / drives / days / 1024,
            told["kernel_written_mib_per_drive_day"], told["blocks_written_mib_per_drive_day"],
            *(told[f"{part}_cpu_seconds_per_million"] for part in ("put", "flush", "pack")),
            told["pack_worst_step_seconds"] * 1e3, told["pack_peak_mib"], ask(state, FIELDS[0], 1, 0)[0])


def ask(state, field, days, step):
    """Milliseconds of wall clock, those of the first time, points, step in seconds, what answered."""
    out = subprocess.check_output([f"{BUILD}/tests/bench/ask", state, "BENCH0000", *field.split(), str(START),
                                   str(START + days * 86400), str(step), str(REPEATS)], text=True).split()
    return float(out[0]), float(out[2]), int(out[3]), int(out[4]), out[5]


def compare(name, state, port, process, field, days, step, aim):
    """Of a step of 0 the reader chooses one, and Prometheus gets the same."""
    ours, first, points, step, what = ask(state, field, days, step)
    metric = f'nvmewatch_{field.replace(" ", "_")}{{serial="BENCH0000"}}'
    query = f"{'avg' if 'celsius' in field else 'last'}_over_time({metric}[{step}s])"
    wall, cpu, theirs = query_range(port, process, query, START + step, START + days * 86400, step, REPEATS)
    name = f"history_query_{name}_{field.replace(' ', '_')}_{what}"
    line(f"{name}_points", points, f"points (prometheus: {theirs}) every {step} s")
    line(f"{name}_first", first, f"ms, with opening history.db (aim <= {FIRST_MS})")
    ratio(name, ours, wall, "ms", "prometheus", aim)
    line(f"{name}_prometheus_cpu", cpu, "ms")


def queries(fleet, state, name, days, every, block, aim):
    """Every time from rows and, with the step that the reader chooses, from rollups."""
    columns = [field.replace(" ", ".") for field in FIELDS]
    with folder() as where:
        blocks = prometheus_blocks(where, fleet, 1, days, every, "exact", *columns, block=block)
        with prometheus(where, blocks) as (port, process):
            for field in FIELDS:
                for step in (days * 86400 // POINTS, 0):
                    compare(name, state, port, process, field, days, step, aim)


def grow(fleet, drives, days, *then):
    """On the disk of /tmp."""
    with folder() as where:
        row = growth(f"{where}/state", fill(fleet, f"{where}/state", drives, days), drives, days)
        for call in then:
            call(f"{where}/state")
    return row


def growths(fleet):
    rows = [grow(fleet, drives, BY_DRIVES_DAYS) for drives in BY_DRIVES]
    rows += [grow(fleet, BY_DAYS_DRIVES, days) for days in BY_DAYS[:-1]]
    rows.append(grow(fleet, BY_DAYS_DRIVES, BY_DAYS[-1],
                     lambda state: queries(fleet, state, "30d", BY_DAYS[-1], EVERY, "162h", 0.2)))
    at = dict(zip(GROWTH, rows[BY_DRIVES.index(24)]))
    line("history_written_per_drive_day_of_24", at["written_MiB_per_drive_day"], "MiB (aim <= 0.5)")
    line("history_pack_memory", max(row[GROWTH.index("pack_memory_MiB")] for row in rows), "MiB (aim <= 16)")
    table(GROWTH, rows)


def years(fleet):
    with tempfile.TemporaryDirectory(prefix="nvmewatch-bench-", dir="/dev/shm") as where:
        fill(fleet, f"{where}/state", 1, YEARS_DAYS, YEARS_EVERY, 86400)
        line("history_5_years_file", os.path.getsize(f"{where}/state/history.db") / 2**20,
             f"MiB of one drive (polled every {YEARS_EVERY} s)")
        queries(fleet, f"{where}/state", "5y", YEARS_DAYS, YEARS_EVERY, "4374h", None)


def ask_newest(port, process, path):
    """Milliseconds of wall clock and of the server's CPU time, over a connection that is kept; slowly, so that what a
    server made of its values before is no help."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    wall = []
    before = cpu_seconds([process.pid])
    for _ in range(REPEATS):
        time.sleep(1.2)
        began = time.perf_counter()
        connection.request("GET", path)
        connection.getresponse().read()
        wall.append(time.perf_counter() - began)
    connection.close()
    return statistics.median(wall) * 1e3, (cpu_seconds([process.pid]) - before) / REPEATS * 1e3


def newest(fleet):
    """Of 64 drives all values."""
    drives = max(BY_DRIVES)
    last = START + 23 * 3600 + 30
    with folder() as where, daemons(where, drives, "-opoll.smart=1s") as (_, serve, port):
        ours, ours_cpu = ask_newest(port, serve, "/metrics")
    with folder() as where:
        blocks = prometheus_blocks(where, fleet, drives, 1, 3600, "exact")
        with prometheus(where, blocks) as (port, process):
            every = urllib.parse.quote('{serial!=""}')
            theirs, theirs_cpu = ask_newest(port, process, f"/api/v1/query?query={every}&time={last}")
    ratio("history_newest_of_64_drives", ours, theirs, "ms", "prometheus", 0.2)
    ratio("history_newest_of_64_drives_cpu", ours_cpu, theirs_cpu, "ms", "prometheus", 0.2)


def main():
    with folder() as where:
        make_fleet(where, max(BY_DRIVES))
        for stamps in ("exact", "whole"):
            sizes(where, stamps)
        growths(where)
        years(where)
        newest(where)


if __name__ == "__main__":
    main()
