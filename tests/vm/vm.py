"""A virtual machine with emulated NVMe controllers, in software emulation, so that no KVM is needed.

    with VM(drives.plain("n0", "SERIAL")) as vm:
        status, output = vm.run("nvme list")
        vm.qmp("qom-set", {"path": "/machine/peripheral/n0", "property": "smart_critical_warning", "value": 1})

The guest is build-guest's. The folder `vm.share` is /host in there. What the machine needs ends with it.
"""
import base64
import contextlib
import json
import pathlib
import secrets
import shutil
import tempfile
import time

import qemu
from qemu import VMError


class VM:
    """A running guest with QEMU's further `arguments` (see drives.py).

    With `http`, a port of the guest, `http_port` is one on 127.0.0.1 that leads there.
    """

    def __init__(self, arguments=(), http=None, memory=1024, cpus=2, kernel=""):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="nvmewatch-vm-"))
        self.share = self.folder / "share"
        self.http_port = qemu.free_port() if http else None
        self.boot_seconds = None
        self._qemu = self._console = self._qmp = None
        self._received = b""
        try:
            self.share.mkdir()
            machine = qemu.command_line(self.folder, self.share, memory, cpus, kernel)
            network = qemu.network(self.http_port, http) if http else []
            self._boot([*machine, *network, *arguments])
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, command, timeout=30):
        """Runs a shell command in the guest; returns its status and its output, both streams in one.

        After `timeout` seconds the command is ended and the status is 124.
        """
        token = secrets.token_hex(8)
        script = base64.b64encode(command.encode()).decode()
        self._console.sendall(f"{token} {timeout} {script}\n".encode())
        output = self._until(f"\n{token} ".encode(), timeout + 30)
        status = int(self._until(b"\n", 30))
        return status, output.decode(errors="replace")

    def output(self, command, timeout=30):
        """The output of a command that must succeed."""
        status, output = self.run(command, timeout)
        if status:
            raise VMError(f"{command!r} in the guest: status {status}\n{output}")
        return output

    def qmp(self, command, arguments=None):
        """Executes a command of QEMU's machine protocol and returns its result; events are dropped."""
        self._qmp.write(json.dumps({"execute": command, "arguments": arguments or {}}) + "\n")
        self._qmp.flush()
        for line in self._qmp:
            answer = json.loads(line)
            if "error" in answer:
                raise VMError(f"{command}: {answer['error']['desc']}")
            if "return" in answer:
                return answer["return"]
        raise VMError(f"QEMU ended during {command}:\n{self._qemu.logs()}")

    def set_property(self, device, name, value):
        """Changes a property of a device while it runs, as `smart_critical_warning` of a controller."""
        self.qmp("qom-set", {"path": f"/machine/peripheral/{device}", "property": name, "value": value})

    @contextlib.contextmanager
    def trace(self, *events):
        """Yields a list that holds, after the block, QEMU's trace lines of these events: what a drive really got."""
        lines, log = [], self.folder / "qemu.log"
        start = log.stat().st_size
        self._switch_trace(events, True)
        yield lines
        self._switch_trace(events, False)
        text = log.read_bytes()[start:].decode(errors="replace")
        lines += [line for line in text.splitlines() if line.startswith(events)]

    def stop(self):
        """Ends the machine and removes its folder."""
        if self._qemu:
            self._qemu.stop()
        for stream in (self._console, self._qmp):
            if stream:
                stream.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _boot(self, arguments):
        began = time.monotonic()
        self._qemu = qemu.Process(arguments, self.folder)
        self._console = self._qemu.connect("shell")
        self._open_protocol()
        self._until(b"READY", 120)
        self._until(b"\n", 30)
        self.boot_seconds = time.monotonic() - began

    def _open_protocol(self):
        protocol = self._qemu.connect("qmp")
        protocol.settimeout(60)
        self._qmp = protocol.makefile("rw")
        try:
            self._qmp.readline()
            self.qmp("qmp_capabilities")
        except OSError:  # bad arguments end it after it has opened the socket
            raise VMError(f"QEMU did not start:\n{self._qemu.logs()}") from None

    def _until(self, mark, timeout):
        """What the console sends before `mark`, which is taken too."""
        deadline = time.monotonic() + timeout
        while mark not in self._received:
            self._console.settimeout(max(0.01, deadline - time.monotonic()))
            try:
                more = self._console.recv(65536)
            except TimeoutError:
                raise VMError(f"no answer from the guest in {timeout} s:\n{self._last_words()}") from None
            if not more:
                raise VMError(f"the guest ended:\n{self._last_words()}")
            self._received += more
        before, _, self._received = self._received.partition(mark)
        return before

    def _last_words(self):
        return self._received.decode(errors="replace")[-2000:] + "\n" + self._qemu.logs()

    def _switch_trace(self, events, enable):
        for event in events:
            self.qmp("trace-event-set-state", {"name": event, "enable": enable})
