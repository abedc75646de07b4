# SPDX-License-Identifier: LGPL-2.1-or-later
"""One process under test: started, watched, and ended by its pid whatever happens."""
import os
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

BUILD = Path(os.environ.get("NVMEWATCH_BUILD") or
             Path(__file__).resolve().parents[2] / "build").resolve()
SANITIZERS = ("AddressSanitizer", "LeakSanitizer", "ThreadSanitizer", "runtime error:",
              "UndefinedBehaviorSanitizer")
STARTED_BY_SERVICE_MANAGER = 'LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@" 3<&'


def wait_until(condition, within=10.0, why=""):
    """What the condition returns once it holds; a condition that raises does not hold yet."""
    end, last = time.monotonic() + within, None
    while True:
        try:
            last = condition()
        except (OSError, AssertionError, LookupError, ValueError, TypeError, sqlite3.Error) as e:
            last = None
            why = why or repr(e)
        if last:
            return last
        assert time.monotonic() < end, f"not within {within} s: {why or condition}"
        time.sleep(0.03)


class Program:
    """One process, its stderr in a file."""

    def __init__(self, name, arguments, log, listener=None, wrapper=()):
        self.name, self.log_path, self.ended_by_test = name, log, False
        command = [*wrapper, str(BUILD / name), *arguments]
        fds = []
        if listener:  # race-free: the port is bound before the program starts
            fds = [listener.fileno()]
            command = ["bash", "-c", STARTED_BY_SERVICE_MANAGER + str(fds[0]), *command]
        with open(log, "wb") as stderr:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=stderr,
                                            stdout=subprocess.DEVNULL, pass_fds=fds)
        self.pid = self.process.pid

    def log(self):
        return self.log_path.read_text(errors="replace")

    def send(self, signal_number):
        self.process.send_signal(signal_number)

    def stop(self, signal_number=signal.SIGTERM, within=5.0):
        """The exit code. The test fails where the program takes longer."""
        self.ended_by_test = True
        self.send(signal_number)
        return self.process.wait(within)

    def close(self):
        """Ends it whatever its state; what is wrong with how it went, or None."""
        fault = None
        if self.process.poll() is None:
            self.send(signal.SIGCONT)
            try:
                code = self.stop()
                fault = f"exit code {code} after SIGTERM" if code else None
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
                fault = "did not end within 5 s of SIGTERM"
        elif not self.ended_by_test:
            fault = f"ended by itself with {self.process.returncode}"
        if any(word in self.log() for word in SANITIZERS):
            fault = "was caught by a sanitizer"
        return f"{self.name} {fault}\n{self.log()}" if fault else None
