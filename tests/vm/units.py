"""nvmewatch as `make install` leaves it, in a guest, under the shipped units."""
import itertools
import subprocess

from daemons import BUILD, Daemons, drive_series, until

COLLECT, SERVE, SOCKET = "nvmewatch-collect.service", "nvmewatch-serve.service", "nvmewatch-serve.socket"
CONFIGURATION = "[poll]\nsmart = 1s\nocp = 1s\n[store]\ninterval = 1s\nflush = 1s\n[serve]\nmetrics = full\n"


class Units(Daemons):
    """The units in the guest `vm`; HTTP to them as in Daemons."""

    def __init__(self, vm):  # pylint: disable=super-init-not-called # which puts other programs there
        self.vm = vm
        tree = vm.share / "tree"
        install = ["make", "-s", "-C", BUILD, "install", f"DESTDIR={tree}"]
        subprocess.run(install, check=True, stdout=subprocess.DEVNULL)
        self.settings = f"/{next(tree.rglob('etc/nvmewatch')).relative_to(tree)}/nvmewatch.conf.d"
        vm.output("cp -r --preserve=mode /host/tree/. /")
        # What a package does after its files are there.
        vm.output("systemd-sysusers && systemd-tmpfiles --create nvmewatch.conf && journalctl --update-catalog && "
                  "systemctl daemon-reload")
        self.configure(CONFIGURATION)

    def start(self):
        """As an administrator does."""
        self.vm.output(f"systemctl start {COLLECT} {SOCKET}")
        until(lambda: self.get("/readyz")[0] == 200, 20, "/readyz is 200\n" + self.logs())

    def configure(self, text):
        """Replaces the test's own configuration file."""
        self.vm.output(f"mkdir -p {self.settings} && cat >{self.settings}/test.conf <<'END'\n{text}END")

    def drop_in(self, unit, text):
        """Adds to a unit; without text takes it away again."""
        folder = f"/run/systemd/system/{unit}.d"
        write = f"mkdir -p {folder} && cat >{folder}/test.conf <<'END'\n{text}END" if text else f"rm -r {folder}"
        self.vm.output(f"{write}\nsystemctl daemon-reload")

    def show(self, unit, name):
        """A property of a unit."""
        return self.vm.output(f"systemctl show --value -p {name} {unit}").strip()

    def pid(self, unit):
        """The unit's main process, 0 where there is none."""
        return int(self.show(unit, "MainPID"))

    def readers(self):
        """The processes of collect's readers."""
        return [int(pid) for pid in self.vm.output(f"pgrep -P {self.pid(COLLECT)}").split()]

    def reader(self, serial):
        """The process of a drive's reader, 0 where there is none."""
        name = f"nvmewatch:{self.device(serial).rpartition('/nvme')[2]}"
        return int(self.vm.run(f"pgrep -x -P {self.pid(COLLECT)} {name}")[1] or 0)

    def processes(self, unit=COLLECT):
        """All that runs in the unit's control group, whoever started it."""
        status, pids = self.vm.run(f"cat /sys/fs/cgroup/system.slice/{unit}/cgroup.procs")
        return {int(pid) for pid in pids.split()} if status == 0 else set()

    def history(self, query):
        """The rows of history.db that a query finds, in which texts are in double quotes."""
        return self.vm.output(f"sqlite3 -readonly /var/lib/nvmewatch/history.db '{query}'").splitlines()

    def uptime(self):
        """The guest's, in seconds: the clock of gaps()."""
        return float(self.vm.output("cut -d' ' -f1 /proc/uptime"))

    def gaps(self, since):
        """Serial -> the longest time in seconds between two reads of its page 02h, as history.db has them."""
        rows = self.history("SELECT key, smart.mono FROM smart JOIN drives ON drives.id = smart.drive "
                            f"WHERE smart.mono > {int(since * 1e3)} ORDER BY key, smart.mono")
        reads = {}
        for key, mono in (row.rsplit("|", 1) for row in rows):
            reads.setdefault(key, []).append(int(mono) / 1e3)
        return {key: max((b - a for a, b in itertools.pairwise(times)), default=None) for key, times in reads.items()}

    def status(self, pid):
        """/proc/PID/status."""
        lines = self.vm.output(f"cat /proc/{pid}/status").splitlines()
        return {key: value.split() for key, _, value in (line.partition(":") for line in lines)}

    def cause(self, action, unit=COLLECT):
        """Does something that ends the unit's main process; returns how long it took until there was another."""
        former = self.pid(unit)
        action()
        return until(lambda: self.pid(unit) not in (0, former) and self.show(unit, "ActiveState") == "active",
                     30, f"{unit} is started again\n" + self.logs())

    def wait_for_series(self, *serials):
        """Until these drives, and no others, have series."""
        def shown():
            if self.get("/readyz")[0] != 200:
                return False
            return {dict(labels)["serial"] for name, labels in drive_series(self.metrics())
                    if name == "nvmewatch_drive_temperature_celsius"} == set(serials)
        return until(shown, 20, f"series of {serials}\n" + self.logs())

    def messages(self, arguments, unit=COLLECT):
        """What journalctl prints about a unit with these arguments."""
        return self.vm.output(f"journalctl --no-pager -u {unit} {arguments}")
