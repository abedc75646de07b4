# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a drive that hangs costs the others, how soon a new drive is served, how soon collect ends."""

import os
import signal
import statistics
import time

from processes import daemons, fetch, folder, make_fleet, wait_for
from report import line

DRIVES = 64
SCRAPES = 300
HANG = "\n[fault hang]\nwhat = hang\nat = 2s\n"
LATE = "\n[fault late]\nwhat = remove\nfor = 6s\n"


def append(where, number, text):
    with open(f"{where}/sim/{number:03d}.drive", "a", encoding="utf-8") as f:
        f.write(text)


def scrape_times(port):
    times = []
    for _ in range(SCRAPES):
        began = time.perf_counter()
        fetch(port)
        times.append((time.perf_counter() - began) * 1e3)
        time.sleep(0.01)
    return times


def report_scrapes(port):
    times = statistics.quantiles(scrape_times(port), n=100)
    line("scrape_with_a_hung_drive_p50", times[49], "ms")
    line("scrape_with_a_hung_drive_p99", times[98], "ms")


def hung(where):
    make_fleet_with(where, DRIVES, {0: HANG})
    with daemons(where, None, "-opoll.smart=1s", "-opoll.timeout=1s") as (_, _, port):
        wait_for(lambda: b'nvmewatch_drive_responding{serial="BENCH0000"} 0' in fetch(port))
        report_scrapes(port)


def added(where):
    make_fleet_with(where, 2, {1: LATE})
    with daemons(where, None, "-opoll.smart=1s") as (_, _, port):
        began = time.monotonic()
        wait_for(lambda: b'nvmewatch_drive_temperature_celsius{serial="BENCH0001"}' in fetch(port))
        # It comes six seconds after the collector's start, which was a moment before `began`.
        line("added_to_first_value", max(0.0, time.monotonic() - began - 6), "s after it came, at most")


def ended(where):
    make_fleet_with(where, 8, {n: HANG for n in range(8)})
    with daemons(where, None, "-opoll.smart=1s", "-opoll.timeout=1s") as (collect, _, port):
        wait_for(lambda: fetch(port).count(b"nvmewatch_drive_responding{") == 8 and
                 fetch(port).count(b'"} 0\n') >= 8 and
                 b'nvmewatch_drive_responding{serial="BENCH0007"} 0' in fetch(port))
        began = time.monotonic()
        collect.send_signal(signal.SIGTERM)
        collect.wait(10)
        line("sigterm_to_exit_8_hung_drives", (time.monotonic() - began) * 1e3, "ms (limit 2000)")


def make_fleet_with(where, count, extra):
    os.makedirs(f"{where}/sim")
    make_fleet(f"{where}/sim", count)
    for number, text in extra.items():
        append(where, number, text)


def main():
    for part in (hung, added, ended):
        with folder() as where:
            part(where)


main()
