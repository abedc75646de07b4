"""The daemons in a guest: puts the programs there, runs them as services and asks them over HTTP."""
import json
import os
import pathlib
import re
import shutil
import time
from urllib.parse import quote

from compare import PREFIX

BUILD = pathlib.Path(os.environ.get("NVMEWATCH_BUILD", pathlib.Path(__file__).resolve().parents[2] / "build"))
PROGRAMS = ["nvmewatch-collect", "nvmewatch-serve", "nvmewatch-reader"]
ADDRESS = "127.0.0.1:9917"
SERIES = re.compile(r'^(\w+)(?:\{(.*)\})? (\S+)$')
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def require_programs():
    """Says so before a guest is started for nothing."""
    missing = [program for program in PROGRAMS if not (BUILD / program).exists()]
    assert not missing, f"not in {BUILD}: {', '.join(missing)}; build them or set NVMEWATCH_BUILD"


def until(condition, seconds, what):
    """Calls `condition` until it is true, for so many seconds at most; returns how long it took."""
    began = time.monotonic()
    while not condition():
        assert time.monotonic() - began < seconds, f"not in {seconds} s: {what}"
        time.sleep(0.1)
    return time.monotonic() - began


def number(digits):
    """Integers stay exact."""
    return int(digits) if digits.lstrip("-").isdigit() else float(digits)


class Daemons:
    """collect and serve in the guest `vm`, with short cadences."""

    def __init__(self, vm, *options):
        self.vm = vm
        self.options = ["paths.run=/tmp/nw/run", "paths.state=/tmp/nw/state", "poll.smart=1s", "poll.ocp=1s",
                        f"serve.listen={ADDRESS}", "serve.metrics=full", *options]
        (vm.share / "bin").mkdir()
        for program in PROGRAMS:
            shutil.copy(BUILD / program, vm.share / "bin")
        vm.output("mkdir -p /tmp/nw/run /tmp/nw/state; : >/tmp/nw/empty.conf")

    def start(self):
        """Starts both; collect says when it is ready."""
        self._run("nvmewatch-collect", "notify")
        self._run("nvmewatch-serve", "exec")
        until(lambda: self.get("/readyz")[0] == 200, 20, "/readyz is 200\n" + self.logs())

    def wait_for_pages(self, serial, *pages):
        """Until the pages were read for the first time."""
        until(lambda: set(pages) <= set(self.drive(serial)["pages"]), 10, f"{pages} of {serial} are read")

    def signal(self, program, name):
        """Sends a signal to a daemon itself, not to its children."""
        self.vm.output(f"systemctl kill --kill-whom=main --signal={name} {program}")

    def logs(self):
        """The daemons' last messages."""
        return self.vm.run("journalctl --no-pager -n 40 -o cat -u nvmewatch-collect -u nvmewatch-serve")[1]

    def complaints(self):
        """What sanitizers had to say, where the programs were built with them."""
        return self.vm.run("journalctl --no-pager -o cat | grep -E -A 20 'Sanitizer|runtime error'")[1]

    def get(self, path):
        """Status and body of a request in the guest."""
        status, code = self.vm.run(f"curl -sS -m 10 -o /host/body -w '%{{http_code}}' 'http://{ADDRESS}{path}'")
        return (int(code), (self.vm.share / "body").read_bytes()) if status == 0 else (0, code.encode())

    def json(self, path):
        """The JSON of a request that must succeed; numbers are exact."""
        status, body = self.get(path)
        assert status == 200, f"{path}: {status} {body[:500]!r}"
        return json.loads(body)

    def drive(self, serial, rest=""):
        """JSON of a drive."""
        return self.json(f"/api/v1/drives/{quote(serial, safe='')}{rest}")

    def raw(self, serial, page):
        """The bytes of a page as they were last read."""
        status, body = self.get(f"/api/v1/drives/{quote(serial, safe='')}/pages/{page}?raw=1")
        assert status == 200, f"{serial} {page}: {status}"
        return body

    def metrics(self):
        """(name, frozenset of label pairs) -> number; a series twice is an error."""
        status, body = self.get("/metrics")
        assert status == 200, f"/metrics: {status} {body[:500]!r}"
        series = {}
        for line in body.decode().splitlines():
            if line and not line.startswith("#"):
                name, labels, value = SERIES.match(line).groups()
                key = name, frozenset(LABEL.findall(labels or ""))
                assert key not in series, f"twice: {line}"
                series[key] = number(value)
        return series

    def wait_for_reads(self, serial, page, count=2):
        """Until the page was read so many times more. The first may have begun before the call, the second not."""
        times = {self.drive(serial)["pages"][page]["time"]}

        def enough():
            times.add(self.drive(serial)["pages"][page]["time"])
            return len(times) > count
        until(enough, 10 + 2 * count, f"{count} reads of {page} of {serial}")

    def reading(self, page, serial):
        """nvme-cli's reading of a page."""
        device = self.device(serial)
        printed = self.vm.output(page.json.format(device=device))
        self.vm.output(f"{page.binary.format(device=device)} >/host/raw")
        return page.reading(printed, (self.vm.share / "raw").read_bytes())

    def device(self, serial):
        """The controller's device file."""
        found = self.vm.output(f"grep -lx '{serial} *' /sys/class/nvme/*/serial")
        return "/dev/" + pathlib.PurePath(found.split()[0]).parent.name

    def _run(self, program, kind):
        options = " ".join(f"-o {option}" for option in self.options)
        status, output = self.vm.run(f"systemd-run --quiet --unit={program} -p Type={kind} "
                                     f"/host/bin/{program} --config /tmp/nw/empty.conf {options}", 60)
        assert status == 0, f"{program} does not start: {output}\n{self.logs()}"


def drive_series(series, serial=None):
    """Those of a drive, or of all; not those about its collection."""
    return {key: value for key, value in series.items()
            if any(label == "serial" and serial in (None, of) for label, of in key[1])
            and not key[0].startswith(PREFIX + "collect_")}
