# SPDX-License-Identifier: LGPL-2.1-or-later
"""Drives that go, come, move, reset, hang and kill their readers at random, all at once, with the real
processes; a thousand cycles of it on simulated time are in tests/check_soak.c."""
import random

from program import wait_until

SECONDS = 10
DRIVES = 16
WHATS = ["remove", "remove", "reset", "hang", "crash", "garbage", "zero", "errno EIO", "status 0x82",
         "delay 2s"]


def timeline(rng, n):
    """Something for each second or two, and then peace."""
    sections, at = {}, 1
    while at < SECONDS:
        length = rng.randint(1, 2)
        sections[f"fault {at}"] = {"what": rng.choice(WHATS), "at": f"{at}s", "for": f"{length}s"}
        if rng.random() < 0.5:
            change = rng.choice([{"device": f"nvme{100 + 20 * n + at}"}, {"capacity": f"{at}T"},
                                 {"firmware": f"FW{at}"}])
            sections[f"change {at}"] = {"at": f"{at}s", **change}
        at += length
    return sections


def test_after_a_rough_time_everybody_is_there(host):
    rng = random.Random(3)
    for n in range(DRIVES):
        host.drive(f"S{n:02}", identity={"model": f"M{n % 3}", "firmware": "FW0",
                                         "address": f"0000:{n:02x}:00.0"},
                   **({"ocp_smart": {"plp_starts": n}} if n % 3 else {}), **timeline(rng, n))
    host.collect("poll.timeout=2s", "store.flush=1s")
    host.serve()

    def all_well():
        return host.web.samples("nvmewatch_drive_present") and all(
            host.web.value(name, serial=f"S{n:02}") for n in range(DRIVES)
            for name in ("nvmewatch_drive_present", "nvmewatch_drive_responding",
                         "nvmewatch_drive_temperature_celsius"))
    wait_until(lambda: host.history("SELECT count(*) FROM events WHERE type = 'remove'")[0][0] > 10,
               SECONDS + 2)
    wait_until(all_well, SECONDS + 20)
    wait_until(lambda: len(host.readers()) == DRIVES, 5)
    # As often as one went, it came.
    for serial, attached, removed in host.history(
            "SELECT key, sum(type = 'attach'), sum(type = 'remove') FROM events JOIN drives"
            " ON drives.id = drive GROUP BY key"):
        assert attached == removed + 1, serial
