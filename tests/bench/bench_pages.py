# SPDX-License-Identifier: LGPL-2.1-or-later
"""What all pages of a drive cost: to read, and in series; and how soon what an event changed is shown."""

import os
import re
import time
from collections import Counter

from processes import children, cpu_seconds, daemons, fetch, folder, make_fleet, wait_for
from report import line, ratio

DRIVES = 64
SHIPPED = 18  # one of each
SECONDS = 10
READ = 4      # seconds from the start, by when every page was asked for
RESET = "\n[fault reset]\nwhat = reset\nat = 5s\nfor = 1s\n[change]\nat = 5s\nfirmware = BENCH\n"
EVENTS = 3    # the slowest counts: it is luck how long ago the last publication was
CADENCES = ("smart", "ocp", "power", "slow")


def round_us(*fast):
    """CPU microseconds of the collector and its readers for a round of the pages of those cadences."""
    options = [f"-opoll.{c}={'1s' if c in fast else '1d'}" for c in CADENCES]
    with folder() as where, daemons(where, DRIVES, *options) as (collect, _, _):
        time.sleep(READ)
        pids = [collect.pid, *children(collect.pid)]
        before = cpu_seconds(pids)
        time.sleep(SECONDS)
        return (cpu_seconds(pids) - before) / DRIVES / SECONDS * 1e6


def attach():
    """From nothing to every page, the start of the programs included."""
    with folder() as where, daemons(where, DRIVES) as (collect, _, _):
        time.sleep(READ)
        line("attach_cpu_per_drive", cpu_seconds([collect.pid]) / DRIVES * 1e6, "us")
        line("attach_cpu_per_drive_in_reader", cpu_seconds(children(collect.pid)) / DRIVES * 1e6, "us")


def rounds():
    """An hour is the rounds of the default cadences: 15 s, 5 min, 1 h; with each round goes a publication."""
    smart = round_us("smart")
    ocp = round_us("smart", "ocp", "power") - smart
    whole = round_us(*CADENCES)
    line("round_of_all_pages_cpu_per_drive", whole, "us")
    line("hour_cpu_per_drive", (240 * smart + 12 * ocp + (whole - ocp - smart)) / 1e3, "ms")


def started(collect):
    """When the collector's simulated drives were powered on (CLOCK_BOOTTIME), as its readers are told."""
    with open(f"/proc/{children(collect.pid)[0]}/cmdline", encoding="utf-8") as f:
        return int(f.read().rstrip("\0").rsplit("@", 1)[1]) / 1e6


def event_seconds():
    """A reset ends six seconds after the start; what Identify says after it is read then or never."""
    with folder() as where:
        os.makedirs(f"{where}/sim")
        make_fleet(f"{where}/sim", 1)
        with open(f"{where}/sim/000.drive", "a", encoding="utf-8") as f:
            f.write(RESET)
        with daemons(where, None, "-opoll.smart=1s") as (collect, _, port):
            wait_for(lambda: b'firmware="BENCH"' in fetch(port))
            return time.clock_gettime(time.CLOCK_BOOTTIME) - started(collect) - 6


def series(kind):
    with folder() as where, daemons(where, SHIPPED, f"-oserve.metrics={kind}") as (_, _, port):
        time.sleep(READ)
        lines = [l for l in fetch(port).decode().splitlines() if 'serial="' in l and not l.startswith("#")]
    count = Counter(re.search('serial="([^"]*)"', l)[1] for l in lines)
    ocp = {re.search('serial="([^"]*)"', l)[1] for l in lines if l.startswith("nvmewatch_ocp_")}
    return max(count[s] for s in count if s not in ocp), max(count[s] for s in ocp)


def main():
    attach()
    rounds()
    ratio("event_to_metrics", max(event_seconds() for _ in range(EVENTS)), 1.5, "s", "limit", 1)
    for kind in ("core", "full"):
        plain, ocp = series(kind)
        if kind == "core":
            ratio("series_core_plain_drive", plain, 90, "series", "limit", 1)
            ratio("series_core_ocp_drive", ocp, 160, "series", "limit", 1)
        else:
            line("series_full_plain_drive", plain, "series")
            line("series_full_ocp_drive", ocp, "series")


main()
