# SPDX-License-Identifier: LGPL-2.1-or-later
"""Collecting from real controllers of the Linux driver, in a virtual machine: against the same ioctls in a bare loop
at the same pace, and against smartctl. One round is 02h of eight drives, with C0h in one of twenty, as with the
default cadences. Emulation makes every switch between processes dear, so the ratios are worse than on bare metal.
"""

import os
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "vm"))

import drives  # noqa: E402
from daemons import BUILD, Daemons  # noqa: E402
from report import ratio  # noqa: E402
from vm import VM  # noqa: E402

DRIVES = 8
SECONDS = 20
RUNS = 3  # the least of them counts: the rest is the machine's other work
# CPU nanoseconds of a daemon and of its readers.
USED = "cat $(for p in $(pgrep ^nvmewatch); do echo /proc/$p/task/*/schedstat; done)"


def used_us(vm):
    return sum(int(line.split()[0]) for line in vm.output(USED).splitlines()) / 1e3


def collecting(vm, daemons):
    daemons.start()
    for n in range(DRIVES):
        daemons.wait_for_pages(f"BENCH{n}", "smart", "ocp_smart")
    vm.output("systemctl stop nvmewatch-serve")
    before = used_us(vm)
    time.sleep(SECONDS)
    after = used_us(vm)
    vm.output("systemctl stop nvmewatch-collect")
    return (after - before) / SECONDS


def bare_loop(vm):
    shutil.copy(BUILD / "tests/bench/ioctl_loop", vm.share / "bin")
    return float(vm.output("/host/bin/ioctl_loop " + " ".join(f"/dev/nvme{n}" for n in range(DRIVES)), 120))


def smartctl(vm):
    times = vm.output("for n in $(seq 0 %d); do smartctl -j -a /dev/nvme$n >/dev/null || true; done; times"
                      % (DRIVES - 1), 120)
    user, system = times.splitlines()[-1].split()
    return sum(float(t.split("m")[0]) * 60 + float(t.split("m")[1].rstrip("s")) for t in (user, system)) * 1e6


def main():
    machine = sum((drives.ocp(f"nvme-{n}", f"BENCH{n}") for n in range(DRIVES)), [])
    with VM(machine) as vm:
        daemons = Daemons(vm, "poll.ocp=20s")
        ours, bare = zip(*((collecting(vm, daemons), bare_loop(vm)) for _ in range(RUNS)))
        ratio("vm_collect_8_drives_cpu", min(ours), min(bare), "us", "bare_ioctls", 2)
        ratio("vm_collect_8_drives_cpu", min(ours), smartctl(vm), "us", "smartctl", "1/50")


main()
