# SPDX-License-Identifier: LGPL-2.1-or-later
"""A host under test: folders of its own, simulated drives, and the programs that run on them."""
import contextlib
import os
import signal
import socket
import sqlite3
import time
from pathlib import Path

from program import Program, wait_until
from web import Client


class Host:
    def __init__(self, folder):
        self.folder, self.programs, self.serial = folder, [], 0
        self.drives, self.run, self.state = folder / "drives", folder / "run", folder / "state"
        self.drives.mkdir(parents=True)
        self.web = None

    def drive(self, name, serial=None, **sections):
        """Writes NAME.drive: one dictionary per section. The serial is the name's, if not given."""
        identity = {"serial": name if serial is None else serial, **sections.pop("identity", {})}
        lines = []
        for section, keys in {"identity": identity, **sections}.items():
            lines += [f"[{section}]", *(f"{key} = {value}" for key, value in keys.items())]
        self.drive_file(name, "\n".join(lines) + "\n")

    def drive_file(self, name, text):
        (self.drives / f"{name}.drive").write_text(text)

    def start(self, name, *arguments, listener=None, wrapper=()):
        log = self.folder / f"{len(self.programs)}-{name}.log"
        program = Program(name, arguments, log, listener, wrapper)
        self.programs.append(program)
        return program

    def collect(self, *settings, arguments=()):
        """At the fastest cadence, so that three of them are soon over."""
        return self.start("nvmewatch-collect", *arguments, *options(
            f"collect.source=sim:{self.drives}", f"paths.run={self.run}",
            f"paths.state={self.state}", "poll.smart=1s", "poll.ocp=1s", "poll.timeout=1s",
            *settings))

    def serve(self, *settings, arguments=()):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            program = self.start("nvmewatch-serve", *arguments, *options(
                f"paths.run={self.run}", *settings), listener=listener)
            self.web = program.web = Client(listener.getsockname())
        return program

    def refuses(self, name, *arguments, within=10, code=1):
        """Runs a program that must not start; what it says."""
        program = self.start(name, *arguments)
        program.ended_by_test = True
        assert program.process.wait(within) == code, program.log()
        return program.log()

    def wait_pages(self, drives, within=20):
        """Until every page of so many drives was read or refused: nothing has been added for longer than
        it takes to publish."""
        seen = (0, time.monotonic())

        def settled():
            nonlocal seen
            supported = self.web.samples("nvmewatch_collect_supported")
            known = {labels["serial"] for labels, _ in supported if labels["page"] == "ocp_smart"}
            if len(known) < drives or len(supported) != seen[0]:
                seen = (len(supported), time.monotonic())
            return len(known) == drives and time.monotonic() - seen[1] > 1.2
        wait_until(settled, within, f"pages of {drives} drives")

    def history(self, sql, *parameters):
        """Rows of history.db, read beside its writer as a user would."""
        database = sqlite3.connect(f"file:{self.state}/history.db?mode=ro", uri=True)
        with contextlib.closing(database):
            return database.execute(sql, parameters).fetchall()

    def read_distances(self, serial):
        """Milliseconds between the reads of a drive's SMART page, as history has them: of what is
        published, gathered for up to a second, one may be skipped. Wants store.interval=1s."""
        reads = [mono for mono, in self.history(
            "SELECT mono FROM smart JOIN drives ON id = drive WHERE key = ? ORDER BY mono", serial)]
        # The first is the way onto the grid of the cadence.
        return [b - a for a, b in zip(reads[1:], reads[2:])]

    def readers(self):
        """The readers of this host's drives, by pid."""
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            try:
                arguments = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if arguments[0] == b"nvmewatch-reader" and os.fsencode(self.drives) in arguments[2]:
                found.append(int(process.name))
        return found

    def close(self):
        """Ends everything; what went wrong on the way."""
        faults = [program.close() for program in reversed(self.programs)]
        for pid in self.readers():
            try:
                wait_until(lambda pid=pid: not Path(f"/proc/{pid}").exists(), 2)
            except AssertionError:
                faults.append(f"reader {pid} survived its collector")
                os.kill(pid, signal.SIGKILL)
        return [fault for fault in faults if fault]


def options(*settings):
    return [word for setting in settings for word in ("-o", setting)]
