# SPDX-License-Identifier: LGPL-2.1-or-later
"""Starting programs for a measurement, and what /proc says of them."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import urllib.request

BUILD = os.path.abspath(os.environ.get("NVMEWATCH_BUILD", "build"))
SOURCE = os.path.abspath(os.environ.get("NVMEWATCH_SRCDIR", "."))


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def cpu_seconds(pids):
    """CPU time that the processes have used, in the scheduler's own nanoseconds."""
    total = 0
    for pid in pids:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/schedstat") as f:
                total += int(f.read().split()[0])
    return total / 1e9


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as f:
        return [int(p) for p in f.read().split()]


def rss_anon_bytes(pids):
    total = 0
    for pid in pids:
        with open(f"/proc/{pid}/status") as f:
            total += sum(int(l.split()[1]) * 1024 for l in f if l.startswith("RssAnon:"))
    return total


def make_fleet(folder, count):
    """`count` simulated drives: the shipped ones, again under other serials."""
    shipped = sorted(os.listdir(f"{SOURCE}/etc/sim"))
    for i in range(count):
        with open(f"{SOURCE}/etc/sim/{shipped[i % len(shipped)]}") as f:
            lines = [f"serial = BENCH{i:04d}\n" if l.startswith("serial") else l for l in f]
        with open(f"{folder}/{i:03d}.drive", "w") as f:
            f.writelines(lines)


@contextlib.contextmanager
def running(*command, **kwargs):
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          **kwargs) as p:
        try:
            yield p
        finally:
            p.send_signal(signal.SIGTERM)
            p.wait(10)


@contextlib.contextmanager
def folder():
    path = tempfile.mkdtemp(prefix="nvmewatch-bench-")
    try:
        yield path
    finally:
        shutil.rmtree(path)


@contextlib.contextmanager
def daemons(where, drives, *options):
    """collect and serve on a simulated fleet; yields their processes and the server's port.

    drives: how many there are to be, all of them read; None: the caller has put them there.
    """
    if drives:
        os.makedirs(f"{where}/sim")
        make_fleet(f"{where}/sim", drives)
    port = free_port()
    common = [f"-opaths.run={where}/run", f"-opaths.state={where}/state",
              f"-ocollect.source=sim:{where}/sim", f"-oserve.listen=127.0.0.1:{port}", *options]
    config = f"{where}/empty.conf"
    open(config, "w").close()
    with running(f"{BUILD}/nvmewatch-collect", "--config", config, *common) as collect, \
            running(f"{BUILD}/nvmewatch-serve", "--config", config, *common) as serve:
        wait_for(lambda: fetch(port).count(b"nvmewatch_drive_temperature_celsius{") == (drives or 0) or not drives)
        yield collect, serve, port


def fetch(port, path="/metrics", **headers):
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
    with urllib.request.urlopen(request, timeout=10) as answer:
        return answer.read()


def wait_for(condition, seconds=30):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(OSError):
            if condition():
                return
        time.sleep(0.05)
    raise TimeoutError("a condition of the benchmark was not met")
