# SPDX-License-Identifier: LGPL-2.1-or-later
"""The databases that history is compared with, in a folder of their own, filled with what dump writes."""

import contextlib
import json
import os
import re
import subprocess
import time
import urllib.parse
import urllib.request

from processes import BUILD, cpu_seconds, free_port, running, wait_for

BLOCK = "162h"  # the longest that Prometheus compacts to within weeks: as if it had done so already
YEARS = "100y"
MERGES_BEGIN = 2  # seconds


def files_bytes(*folders):
    return sum(os.path.getsize(os.path.join(root, name)) for folder in folders
               for root, _, names in os.walk(folder) for name in names)


def dump(kind, fleet, drives, days, every, stamps, *columns, **how):
    return subprocess.Popen([f"{BUILD}/tests/bench/dump", kind, fleet, str(drives), str(days), str(every), stamps,
                             *columns], **how)


def get(port, path, **parameters):
    url = f"http://127.0.0.1:{port}{path}?{urllib.parse.urlencode(parameters)}"
    with urllib.request.urlopen(url, timeout=60) as answer:
        return answer.read()


def answers(port, path):
    with contextlib.suppress(OSError):
        return bool(get(port, path))
    return False


def prometheus_blocks(where, fleet, drives, days, every, stamps, *columns, block=BLOCK):
    """Makes blocks; returns their folder."""
    text, blocks = f"{where}/samples", f"{where}/blocks"
    with open(text, "wb") as f, dump("openmetrics", fleet, drives, days, every, stamps, *columns, stdout=f) as p:
        assert p.wait() == 0
    subprocess.run(["promtool", "tsdb", "create-blocks-from", "openmetrics", f"--max-block-duration={block}", "-q",
                    text, blocks], check=True, stdout=subprocess.DEVNULL)
    os.unlink(text)
    return blocks


@contextlib.contextmanager
def prometheus(where, blocks):
    """A server on the blocks; yields its port and process."""
    port, config = free_port(), f"{where}/prometheus.yml"
    with open(config, "w", encoding="utf-8") as f:
        f.write("global: {}\n")
    with running("prometheus", f"--config.file={config}", f"--storage.tsdb.path={blocks}",
                 f"--storage.tsdb.retention.time={YEARS}", f"--web.listen-address=127.0.0.1:{port}") as p:
        wait_for(lambda: answers(port, "/-/ready"))
        yield port, p


def victoria_metrics_bytes(where, fleet, drives, days, every, stamps):
    """Imports, merges, stops; returns the bytes of all its files."""
    data, port = f"{where}/victoria", free_port()
    with running("victoria-metrics", f"-storageDataPath={data}", f"-retentionPeriod={YEARS}",
                 f"-httpListenAddr=127.0.0.1:{port}"):
        wait_for(lambda: answers(port, "/health"))
        with dump("prometheus", fleet, drives, days, every, stamps, stdout=subprocess.PIPE) as p:
            subprocess.run(["curl", "-sSf", "-T", "-", "-X", "POST",
                            f"http://127.0.0.1:{port}/api/v1/import/prometheus"], check=True, stdin=p.stdout)
            assert p.wait() == 0
        get(port, "/internal/force_flush")
        get(port, "/internal/force_merge")
        time.sleep(MERGES_BEGIN)
        wait_for(lambda: not re.search(rb"vm_active_(force_)?merges.* [^0]", get(port, "/metrics")), 60)
    return files_bytes(f"{data}/data", f"{data}/indexdb")


def least_seconds(repeats, ask):
    """The least wall clock time of a call, and what it returns."""
    least, found = float("inf"), None
    for _ in range(repeats):
        began = time.perf_counter()
        found = ask()
        least = min(least, time.perf_counter() - began)
    return least, found


def query_range(port, process, query, start, end, step, repeats):
    """Milliseconds of wall clock, and of the server's CPU time on average; and how many points."""
    before = cpu_seconds([process.pid])
    wall, body = least_seconds(repeats, lambda: get(port, "/api/v1/query_range", query=query, start=start, end=end,
                                                    step=step))
    cpu = (cpu_seconds([process.pid]) - before) / repeats
    return wall * 1e3, cpu * 1e3, sum(len(s["values"]) for s in json.loads(body)["data"]["result"])
