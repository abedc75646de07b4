# SPDX-License-Identifier: LGPL-2.1-or-later
"""What history takes: bytes of history.db against Prometheus' blocks and VictoriaMetrics' files with the same samples;
CPU time, memory and bytes written to the disk, by drives and by days. The drives are the shipped simulated ones, by
turns, with noise added; values are numbers only, for the others hold no texts. Nothing waits for time to pass."""

import os
import sqlite3
import subprocess
import tempfile

from databases import files_bytes, prometheus_blocks, victoria_metrics_bytes
from processes import BUILD, folder, make_fleet
from report import line, ratio

DRIVES, DAYS = 8, 10
FLUSH = 900  # seconds, as by default
BY_DRIVES, BY_DRIVES_DAYS = (1, 8, 24, 64), 2
BY_DAYS, BY_DAYS_DRIVES = (1, 10, 30), 2


def fill(fleet, state, drives, days, every=60, flush=FLUSH, *whole):
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
        told = fill(fleet, f"{where}/state", DRIVES, DAYS, 60, FLUSH, *(["whole"] if stamps == "whole" else []))
        values = told["values"]
        samples, rollups, rest = database_bytes(f"{where}/state")
        blocks = files_bytes(prometheus_blocks(where, fleet, DRIVES, DAYS, 60, stamps))
        victoria = victoria_metrics_bytes(where, fleet, DRIVES, DAYS, 60, stamps)
    kind = "seconds" if stamps == "whole" else "milliseconds"
    line(f"history_{kind}_values", values, "values")
    line(f"history_{kind}_rollup_bytes_per_value", rollups / values, "bytes")
    line(f"history_{kind}_other_bytes_per_value", rest / values, "bytes (tables, and room for a day's batches)")
    ratio(f"history_{kind}_sample_bytes_per_value", samples / values, blocks / values, "bytes", "prometheus", 1)
    ratio(f"history_{kind}_sample_bytes_per_value", samples / values, victoria / values, "bytes", "victoria_metrics", 1)
    all_of_it = (samples + rollups + rest) / values
    ratio(f"history_{kind}_file_bytes_per_value", all_of_it, blocks / values, "bytes", "prometheus", 1)
    ratio(f"history_{kind}_file_bytes_per_value", all_of_it, victoria / values, "bytes", "victoria_metrics", 1)


def grow(fleet, drives, days):
    """On the disk of /tmp."""
    with folder() as where:
        told = fill(fleet, f"{where}/state", drives, days)
        samples, rollups, _ = database_bytes(f"{where}/state")
    name = f"history_{drives}_drives_{days}_days"
    line(f"{name}_file", told["file_bytes"] / 2**20, "MiB")
    line(f"{name}_per_drive_day", (samples + rollups) / drives / days / 1024, "KiB")
    line(f"{name}_written_per_drive_day", told["kernel_written_mib_per_drive_day"],
         "MiB" + (" (aim <= 0.5)" if drives == 24 else ""))
    line(f"{name}_written_per_drive_day_with_index", told["blocks_written_mib_per_drive_day"],
         "MiB (the log's mapped index included)")
    for part in ("put", "flush", "pack"):
        line(f"{name}_{part}_cpu_per_million_values", told[f"{part}_cpu_seconds_per_million"], "s")
    line(f"{name}_pack_step", told["pack_worst_step_seconds"] * 1e3, "ms at most")
    line(f"{name}_pack_memory", told["pack_peak_mib"], "MiB (aim <= 16)")


def main():
    with folder() as where:
        make_fleet(where, max(BY_DRIVES))
        for stamps in ("exact", "whole"):
            sizes(where, stamps)
        for drives in BY_DRIVES:
            grow(where, drives, BY_DRIVES_DAYS)
        for days in BY_DAYS:
            grow(where, BY_DAYS_DRIVES, days)


if __name__ == "__main__":
    main()
