# SPDX-License-Identifier: LGPL-2.1-or-later
"""What one question to history costs: one field of one drive, to at most 500 points."""

import subprocess
import tempfile

from processes import BUILD
from report import line

AIMS = {
    "open": ("history_open", 10),
    "raw_mean": ("history_query_30d_raw_mean", 4),
    "raw_rate": ("history_query_30d_raw_rate", 4),
    "hourly_30d": ("history_query_30d_hourly", 1),
    "hourly_5y": ("history_query_5y_hourly", 50),
    "daily_5y": ("history_query_5y_daily", 50),
}


def main():
    with tempfile.TemporaryDirectory() as where:
        output = subprocess.check_output([f"{BUILD}/tests/bench/history_query", where], text=True)
    for row in output.splitlines():
        name, milliseconds = row.split()
        full, aim = AIMS[name]
        line(full, float(milliseconds), f"ms (aim <= {aim})")


main()
