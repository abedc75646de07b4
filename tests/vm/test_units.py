"""The shipped units with systemd and real drivers: what the daemons may do, and that they come up."""
import json
import re
import time

import pytest

import drives
from daemons import require_programs, until
from units import COLLECT, CONFIGURATION, SERVE, SOCKET, Units
from vm import VM

OCP, PLAIN = "OCP-1", "PLAIN-2"
SYS_ADMIN = f"{1 << 21:016x}"
NONE = f"{0:016x}"
READER_DIED = "8f8d9834e3ce48a4b430c1ee2f84d475"


@pytest.fixture(scope="module")
def guest():
    """A guest with two drives and nvmewatch installed and started."""
    require_programs()
    with VM([*drives.ocp("nvme-ocp", OCP), *drives.plain("nvme-plain", PLAIN)]) as vm:
        units = Units(vm)
        units.start()
        units.wait_for_series(OCP, PLAIN)
        yield units


def test_drives_are_served(guest):
    assert {drive["serial"]: drive["responding"] for drive in guest.json("/api/v1/drives")["drives"]} == \
        {OCP: True, PLAIN: True}
    guest.wait_for_pages(OCP, "smart", "ocp_smart", "identify")


def test_systemd_has_taken_the_settings(guest):
    """A setting that systemd does not know, or cannot do here, is only a warning in its log."""
    warned = "journalctl --no-pager -o cat _PID=1 | grep -iE 'nvmewatch.*(unknown|ignoring|failed|denied)'"
    assert not guest.vm.run(warned)[1]
    expected = {COLLECT: {"DevicePolicy": "closed", "DeviceAllow": "char-nvme r", "LimitCORE": "0",
                          "CapabilityBoundingSet": "cap_sys_admin", "NoNewPrivileges": "yes", "PrivateNetwork": "no",
                          "PrivateUsers": "no", "RuntimeDirectoryPreserve": "yes", "WatchdogUSec": "30s"},
                SERVE: {"User": "nvmewatch", "CapabilityBoundingSet": "", "PrivateNetwork": "yes",
                        "PrivateUsers": "yes", "PrivateDevices": "yes", "LimitCORE": "0",
                        "WatchdogUSec": "30s"}}
    for unit, properties in expected.items():
        for name, value in properties.items():
            assert (unit, name, guest.show(unit, name)) == (unit, name, value)


def test_collect_has_one_capability_and_so_have_its_readers(guest):
    readers = guest.readers()
    assert len(readers) == 2
    for pid in (guest.pid(COLLECT), *readers):
        status = guest.status(pid)
        assert [status[name] for name in ("CapPrm", "CapEff", "CapBnd")] == [[SYS_ADMIN]] * 3
        assert [status[name] for name in ("CapInh", "CapAmb")] == [[NONE]] * 2
        assert (status["NoNewPrivs"], status["Seccomp"]) == (["1"], ["2"])
        assert status["Uid"] == ["0"] * 4


def test_collect_may_open_drives_and_no_other_device(guest):
    """Under the unit's rules, which hold for its control group, and with more rights than it has else."""
    def opens(how, path):
        return guest.vm.run(f"sh -c 'echo $$ >/sys/fs/cgroup{guest.show(COLLECT, 'ControlGroup')}/cgroup.procs && "
                            f"exec 3{how}{path}'")[0] == 0

    assert opens("<", guest.device(OCP)) and opens("<", "/dev/null")
    assert not opens("<>", guest.device(OCP)), "for writing"
    for device in (guest.device(OCP) + "n1", "/dev/vda", "/dev/mem", "/dev/rtc0", "/dev/kmsg"):
        guest.vm.output(f"test -e {device}")
        assert not opens("<", device), device


def test_readers_see_what_the_kernel_says(guest):
    guest.wait_for_pages(PLAIN, "controller", "block_1")
    pages = guest.drive(PLAIN)["pages"]
    assert pages["controller"]["fields"]["firmware"] == pages["identify"]["fields"]["fr"]
    assert re.fullmatch(r"nvme\d+n1", pages["block_1"]["fields"]["name"])
    assert pages["block_1"]["fields"]["read_completed"] > 0


def test_serve_has_nothing(guest):
    pid = guest.pid(SERVE)
    status = guest.status(pid)
    user = guest.vm.output("id -u nvmewatch").split()
    assert status["Uid"] == user * 4 and user != ["0"]
    assert {name: status[name] for name in status if name.startswith("Cap")} == \
        {name: [NONE] for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")}
    assert (status["NoNewPrivs"], status["Seccomp"]) == (["1"], ["2"])
    interfaces = guest.vm.output(f"tail -n +3 /proc/{pid}/net/dev | cut -d: -f1").split()
    assert interfaces == ["lo"]
    listed = guest.vm.output(f"ls /proc/{pid}/root/dev").split()
    assert "null" in listed and not [name for name in listed if name.startswith(("nvme", "vda", "mem", "hvc"))]
    assert guest.vm.output(f"ls /proc/{pid}/root/run").split() == ["nvmewatch", "systemd"]
    for folder in ("/run/nvmewatch", "/run", "/var/lib/nvmewatch", "/etc", "/usr"):
        message = guest.vm.run(f"nsenter -t {pid} -m touch {folder}/x")[1]
        assert "Read-only file system" in message, folder


def test_serve_may_read_the_history_and_others_may_not(guest):
    until(lambda: guest.vm.run("test -s /var/lib/nvmewatch/history.db")[0] == 0, 10, "history.db is there")
    query = "sqlite3 -readonly /var/lib/nvmewatch/history.db 'SELECT count(*) > 0 FROM smart'"
    as_serve = f"nsenter -t {guest.pid(SERVE)} -m setpriv --reuid=nvmewatch --regid=nvmewatch --clear-groups"
    until(lambda: guest.vm.run(f"{as_serve} {query}") == (0, "1\n"), 10, "serve's user reads history.db")
    assert guest.vm.run(f"setpriv --reuid=nobody --regid=nogroup --clear-groups {query}")[0] != 0
    assert guest.vm.output("stat -c '%U:%G %a' /var/lib/nvmewatch /run/nvmewatch").splitlines() == \
        ["root:nvmewatch 750", "root:nvmewatch 755"]


def test_events_of_udev_reach_collects_sandbox(guest):
    """What PrivateNetwork= or PrivateUsers= would prevent; udevadm in the place of the program."""
    program = "/bin/udevadm monitor --udev --subsystem-match=nvme"
    guest.vm.output(f"sed -e 's,^ExecStart=.*,ExecStart={program},' -e 's/^Type=.*/Type=exec/' -e '/^WatchdogSec/d' "
                    f"{guest.show(COLLECT, 'FragmentPath')} >/run/systemd/system/events.service && "
                    "systemctl daemon-reload && systemctl start events")
    try:
        def seen():
            guest.vm.output("udevadm trigger /sys/class/nvme/nvme0")
            return "change" in guest.vm.output("journalctl --no-pager -o cat -u events")
        until(seen, 10, "an event of udev")
    finally:
        guest.vm.output("systemctl stop events")


@pytest.mark.parametrize("unit", [COLLECT, SERVE])
def test_reload_takes_the_new_configuration(guest, unit):
    before = guest.pid(unit)
    guest.configure(CONFIGURATION.replace("ocp = 1s", "ocp = 2s"))
    guest.vm.output(f"systemctl reload {unit}")
    until(lambda: "configuration reloaded" in guest.messages("-o cat", unit), 10, "the configuration is reloaded")
    guest.configure("[poll]\nsmart = never\n")
    guest.vm.output(f"systemctl reload {unit}")
    until(lambda: "stays in force" in guest.messages("-o cat", unit), 10, "a bad configuration is refused")
    guest.configure(CONFIGURATION)
    assert guest.pid(unit) == before
    guest.wait_for_series(OCP, PLAIN)


def test_the_journal_has_fields_and_explanations(guest):
    device = guest.device(OCP).rpartition("/")[2]
    guest.vm.output(f"kill -9 {guest.reader(OCP)}")
    until(lambda: guest.vm.run(f"journalctl -q --no-pager MESSAGE_ID={READER_DIED}")[1], 10, "a message")
    message = json.loads(guest.messages(f"-o json MESSAGE_ID={READER_DIED}").splitlines()[0])
    assert (message["NVME_DRIVE"], message["NVME_SERIAL"], message["PRIORITY"]) == (device, OCP, "4")
    assert message["_SYSTEMD_UNIT"] == COLLECT
    explained = guest.messages(f"-x MESSAGE_ID={READER_DIED}")
    assert f"The process that reads NVMe drive {device} ({OCP}) ended" in explained
    assert "man:nvmewatch-collect(8)" in explained
    guest.wait_for_series(OCP, PLAIN)


def test_a_bad_configuration_is_retried_slowly_and_for_ever(guest):
    """Clients that come meanwhile drive neither serve into a loop nor the socket into giving up."""
    guest.configure("[serve]\nmetrics = everything\n")
    guest.signal(SERVE, "KILL")
    count = int(guest.show(SERVE, "NRestarts"))
    began = time.monotonic()
    while time.monotonic() - began < 8:
        guest.vm.run("curl -s -m 0.2 http://127.0.0.1:9917/healthz")
    restarts = int(guest.show(SERVE, "NRestarts")) - count
    assert 2 <= restarts <= 9
    assert guest.show(SOCKET, "ActiveState") == "active"
    guest.configure(CONFIGURATION)
    guest.wait_for_series(OCP, PLAIN)


def test_stopped_it_is_down_and_started_it_is_back(guest):
    guest.vm.output(f"systemctl stop {COLLECT}")
    until(lambda: guest.get("/readyz")[0] == 503, 10, "/readyz is 503")
    guest.vm.output("test -s /run/nvmewatch/now.db")
    guest.vm.output(f"systemctl start {COLLECT}")
    guest.wait_for_series(OCP, PLAIN)


def test_serve_starts_without_collect_ever_having_run(guest):
    guest.vm.output(f"systemctl stop {COLLECT} {SERVE} && rm -r /run/nvmewatch && "
                    "systemd-tmpfiles --create nvmewatch.conf")
    until(lambda: guest.get("/readyz")[0] == 503, 10, "/readyz is 503")
    guest.vm.output(f"systemctl start {COLLECT}")
    guest.wait_for_series(OCP, PLAIN)


def test_the_socket_listens_where_a_drop_in_says(guest):
    guest.drop_in(SOCKET, "[Socket]\nListenStream=\nListenStream=10.0.2.15:9918\nFreeBind=yes\n")
    guest.vm.output(f"systemctl restart {SOCKET}")
    assert guest.vm.output("ss -Hltn 'sport >= 9917 and sport <= 9918'").split()[3] == "10.0.2.15:9918"
    guest.drop_in(SOCKET, None)
    guest.vm.output(f"systemctl restart {SOCKET}")
    guest.wait_for_series(OCP, PLAIN)


def test_memory_is_far_from_its_limit(guest, capsys):
    used = {unit: int(guest.show(unit, "MemoryCurrent")) for unit in (COLLECT, SERVE)}
    with capsys.disabled():
        print("\nmemory:", ", ".join(f"{unit} {bytes_ / 2**20:.1f} MiB" for unit, bytes_ in used.items()))
    for unit, bytes_ in used.items():
        assert bytes_ < int(guest.show(unit, "MemoryMax")) / 4


def test_a_hung_drive_holds_up_no_restart(guest):
    """Last: the kernel gives up on the drive after a minute, and resets it."""
    name, reader = guest.device(OCP).rpartition("/")[2], guest.reader(OCP)
    address = guest.vm.output(f"cat /sys/class/nvme/{name}/address").strip()
    # Without PCI bus mastering the controller cannot fetch commands.
    guest.vm.output(f"printf '\\002\\000' | dd of=/sys/bus/pci/devices/{address}/config bs=1 seek=4 conv=notrunc")
    until(lambda: guest.status(reader)["State"][0] == "D", 20, "it hangs")
    began = time.monotonic()
    guest.vm.output(f"systemctl restart {COLLECT}")
    assert time.monotonic() - began < 4, "waits for a reader that cannot be killed"
    assert guest.vm.run(f"grep -q 'State:.D' /proc/{reader}/status")[0] == 0, "it hangs no more: nothing was shown"
    guest.wait_for_series(PLAIN)
