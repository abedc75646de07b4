# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a poll costs, and what 64 drives cost in memory."""

import subprocess
import time

from processes import BUILD, children, cpu_seconds, daemons, folder, rss_anon_bytes
from report import line, ratio

DRIVES = 64
SECONDS = 20


def main():
    with folder() as where, daemons(where, DRIVES, "-opoll.smart=1s") as (collect, serve, _):
        readers = children(collect.pid)
        before = cpu_seconds([collect.pid]), cpu_seconds(readers)
        time.sleep(SECONDS)
        polls = DRIVES * SECONDS
        ours = (cpu_seconds([collect.pid]) - before[0]) / polls * 1e6
        reading = (cpu_seconds(readers) - before[1]) / polls * 1e6
        memory = rss_anon_bytes([collect.pid, serve.pid, *readers])
    decode = float(subprocess.check_output([f"{BUILD}/tests/bench/decode"]))
    ratio("poll_cpu_per_drive", ours, decode, "us", "decode")
    line("poll_cpu_per_drive_in_reader", reading, "us")
    line("rss_anon_64_drives", memory / 2**20, "MiB (aim <= 16)")


main()
