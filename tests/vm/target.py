"""nvme-target in a guest: drive files behind the guest's own NVMe driver, and what each drive was sent.

    target = Target(vm, {"cold": "[identity]\\nserial = COLD\\n[raw]\\nsmart.1 = 09 01\\n"})
    target.connect()                                    # every drive is a /dev/nvmeN now
    target.control("event cold 0x020101")               # an asynchronous event
    target.load("cold", "... [fault]\\nhang = yes\\n")   # from now on it is described so
    target.journal("cold")                              # every command, as a dict
"""
import json
import re
import shutil
import subprocess

from allowed import GET_FEATURES, GET_LOG, IDENTIFY_COMMAND
from daemons import BUILD, until

PROGRAM = "tests/vm/target/nvme-target"
PORT = 4420
NQN = "nqn.2024-01.invalid.nvmewatch:"
HOST = "hostnqn=nqn.2024-01.invalid.nvmewatch:guest"
ADMIN = 0  # queue
SET_FEATURES, KEEP_ALIVE, ASYNC_EVENT, FABRICS = 0x09, 0x18, 0x0c, 0x7f


def build():
    """The program, which "make all" does not build."""
    subprocess.run(["make", "-s", "-C", BUILD, PROGRAM], check=True)


class Target:
    """The target in the guest `vm`, with drives by name."""

    def __init__(self, vm, drives):
        self.vm, self.drives, self.folder = vm, drives, vm.share / "target"
        self.devices = {}  # drive's name -> nvmeN
        self.folder.mkdir()
        shutil.copy(BUILD / PROGRAM, self.folder)
        for name, text in drives.items():
            (self.folder / f"{name}.drive").write_text(text)
        vm.output("mkdir -p /tmp/target && modprobe nvme-tcp && "
                  "systemd-run --quiet --unit=nvme-target -p Type=notify -p LimitNOFILE=4096 "
                  f"/host/target/nvme-target {PORT} /tmp/target /tmp/target/control /host/target/*.drive")

    def connect(self, *names, options="nr_io_queues=1,reconnect_delay=1"):
        """Connects drives, all by default, and waits for their namespaces: what nvme connect does, but it takes
        0.1 s a drive to start."""
        names = names or tuple(self.drives)
        line = f"transport=tcp,traddr=127.0.0.1,trsvcid={PORT},{HOST},{options},nqn={NQN}"
        script = "".join(f"exec 3<>/dev/nvme-fabrics; echo {line}{name} >&3 && read -r answer <&3 && "
                         f"echo {name} $answer || exit 1\n" for name in names)
        for answer in self.vm.output(script, 120).splitlines():
            name, instance = re.fullmatch(r"(\S+) instance=(\d+),cntlid=\d+", answer).groups()
            self.devices[name] = f"nvme{instance}"
        self.vm.output("udevadm settle", 60)
        until(lambda: self.states(*names) == {"live"}, 20, "all drives are live")

    def states(self, *names):
        """The states of the drives' controllers."""
        return set(self.vm.output("cat " + " ".join(f"/sys/class/nvme/{self.devices[name]}/state"
                                                    for name in names)).split())

    def control(self, line):
        """A line for control.c."""
        self.vm.output(f"echo '{line}' >/tmp/target/control")

    def load(self, name, text):
        """Describes a drive anew while it runs."""
        (self.folder / f"{name}.next").write_text(text)
        self.control(f"load {name} /host/target/{name}.next")

    def journals(self):
        """Name -> what the drive was sent so far."""
        self.vm.output("cp /tmp/target/*.jsonl /host/target/")
        return {name: [json.loads(line) for line in (self.folder / f"{name}.jsonl").read_text().splitlines()]
                for name in self.drives}

    def journal(self, name, start=None, end=None):
        """What a drive was sent between two marks."""
        return between(self.journals()[name], start, end)


def between(commands, start=None, end=None):
    """The commands after the mark `start` and before the mark `end`."""
    marks = {command["mark"]: index for index, command in enumerate(commands) if "mark" in command}
    part = commands[marks[start] if start else 0:marks[end] if end else None]
    return [command for command in part if "mark" not in command]


def describe(command):
    """A command as a text for comparison: "log 02h rae", "identify 17h", "feature 04h", "opcode 18h"."""
    low = command["cdw10"] & 0xff
    if command["queue"] != ADMIN:
        return f"io {command['opcode']:02x}h"
    if command["opcode"] == GET_LOG:
        return f"log {low:02x}h" + (" rae" if command["cdw10"] >> 15 & 1 else "")
    if command["opcode"] == IDENTIFY_COMMAND:
        return f"identify {low:02x}h"
    if command["opcode"] == GET_FEATURES:
        return f"feature {low:02x}h"
    return f"opcode {command['opcode']:02x}h"
