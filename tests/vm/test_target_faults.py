"""What drives do to nvmewatch through the real driver: odd values, refusals, delays, hangs, events, lost connections.

The driver's time-out is 15 s here, not 60, so that a hang ends while we look on."""
import itertools
import time

import pytest

import snapshot
import target as targets
from allowed import READS
from compare import compare, identity
from daemons import Daemons, require_programs, until
from pages_ocp import OCP_SMART
from pages_smart import SMART
from target import ADMIN, ASYNC_EVENT, FABRICS, KEEP_ALIVE, SET_FEATURES, Target, between, describe
from vm import VM

ADMIN_TIMEOUT = 15
STATUSES = [0x0109, 0x2109, 0x4109, 0x6109, 0x4002, 0x0001]  # with More, with DNR, with both, other codes
ONES = 16 * "ff "


def drive(name, smart="", raw="", rest=""):
    """A drive file. Each is a model of its own, as siblings learn from one another."""
    return (f"[identity]\nserial = {name}\nmodel = {name}\ncapacity = 1G\n[identify]\noaes = 0x300\naerl = 3\n"
            f"wctemp_celsius = 70\n[smart]\n{smart}\n[raw]\n{raw}\n{rest}\n")


def fault(what, page, *more):
    """A fault of the drive file."""
    return "\n".join([f"[fault {page}]", f"what = {what}", f"page = {page}", *more])


ODD = {
    "COLD": drive("COLD", raw="smart.1 = 09 01\nsmart.200 = e9 00 00 00 09 01"),  # -8, and sensors 1 and 3
    "FROSTY": drive("FROSTY", raw="smart.1 = 10 01"),  # -1
    "NOTEMP": drive("NOTEMP", raw="smart.1 = 00 00"),
    "GAPS": drive("GAPS", raw="smart.1 = 33 01\nsmart.200 = 00 00 63 01 00 00 00 00 00 00 00 00 00 00 01 01"),
    "HUGE": drive("HUGE", raw=f"smart.32 = {ONES}{ONES}{ONES}{ONES}{ONES}{ONES}\nsmart.192 = ff ff ff ff ff ff ff ff"),
    "LARGE": drive("LARGE", raw="smart.64 = ff ff ff ff ff ff ff 7f\nsmart.80 = 00 00 00 00 00 00 00 80\n"
                                "smart.48 = 3c e0 14 8a 07"),
    "WORN": drive("WORN", raw="smart.0 = 3f 33 01 64 ff ff"),
    "OCPONES": drive("OCPONES", rest="[ocp_smart]\nlog_page_version = 3\n[raw]\n"
                                     f"ocp_smart.0 = {ONES}{ONES}ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff ff"),
}
REFUSING = {f"R{status:04X}": drive(f"R{status:04X}", rest=fault(f"status 0x{status:x}", "ocp_smart"))
            for status in STATUSES}
OTHERS = {name: drive(name) for name in ("SLOW", "HUNG", "HOT", "LOST", "WELL1", "WELL2")}


@pytest.fixture(scope="module")
def guest():
    """A guest with all of them, and the daemons."""
    require_programs()
    targets.build()
    with VM(kernel=f"nvme_core.admin_timeout={ADMIN_TIMEOUT}") as vm:
        daemons = Daemons(vm, "collect.fabrics=yes")
        daemons.target = Target(vm, {**ODD, **REFUSING, **OTHERS})
        daemons.target.connect()
        daemons.target.control("mark daemons")
        daemons.start()
        for name in daemons.target.drives:
            daemons.wait_for_pages(name, "smart", "identify")
        yield daemons
        assert not daemons.complaints()


def own(commands):
    """Those that nvmewatch sends."""
    return [command for command in commands if command["opcode"] not in (KEEP_ALIVE, ASYNC_EVENT)]


def reads(commands, what):
    """When a page was asked for, in seconds."""
    return [command["at"] / 1e6 for command in commands if describe(command).startswith(what)]


def longest_gap(times):
    """Between two neighbours."""
    return max(later - earlier for earlier, later in itertools.pairwise(times))


def resets(target, name, mark):
    """How often the driver has connected the drive anew."""
    return sum(command["opcode"] == FABRICS and command["nsid"] & 0xff == 1 and command["queue"] == 0
               for command in target.journal(name, mark))


def test_odd_values_are_as_nvme_cli_prints_them(guest, capsys):
    wanted = [(name, SMART) for name in ODD] + [("OCPONES", OCP_SMART)]
    devices = {name: guest.target.devices[name] for name in ODD}
    for name in ODD:  # each has refused C0h once by now, and says so
        guest.wait_for_reads(name, "smart", 1)
    before = snapshot.by_nvme_cli(guest.vm, wanted, devices)
    guest.wait_for_reads("OCPONES", "ocp_smart")
    ours, series = snapshot.by_nvmewatch(guest.vm, wanted), guest.metrics()
    wrong = []
    for name, page in wanted:
        document, raw = ours[name, page.name]
        differences, summary = compare(page, name, before[name, page.name], before[name, page.name],
                                       document["fields"], series)
        wrong += differences
        with capsys.disabled():
            print("\n" + summary, end="")
        assert raw == before[name, page.name].raw
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("name, expected", [
    ("COLD", {"temperature_celsius": -8, "sensor_temperature_celsius_1": -40, "sensor_temperature_celsius_2": None,
              "sensor_temperature_celsius_3": -8}),
    ("FROSTY", {"temperature_celsius": -1}),
    ("NOTEMP", {"temperature_celsius": None}),
    ("GAPS", {"sensor_temperature_celsius_1": None, "sensor_temperature_celsius_2": 82,
              "sensor_temperature_celsius_8": -16}),
    ("HUGE", {"host_read_bytes": None, "power_cycles": None, "temperature_over_warning_seconds": (2**32 - 1) * 60}),
    ("LARGE", {"host_read_commands": 2**63 - 1, "host_write_commands": None,
               "host_written_bytes": 32381395004 * 512000}),
    ("WORN", {"endurance_used_ratio": 2.55, "available_spare_threshold_ratio": None, "critical_warning_raw": 63}),
])
def test_odd_values(guest, name, expected):
    fields = guest.drive(name, "/pages/smart")["fields"]
    assert {key: fields[key] for key in expected} == expected
    temperature = guest.metrics().get(identity("drive_temperature_celsius", name))
    assert temperature == fields["temperature_celsius"] == guest.drive(name)["temperature_celsius"]


@pytest.mark.parametrize("status", STATUSES, ids=hex)
def test_refusal_passes_the_driver_and_is_final(guest, status):
    name = f"R{status:04X}"
    asked = [command for command in guest.target.journal(name, "daemons") if describe(command) == "log c0h rae"]
    assert [command["status"] for command in asked] == [status]
    assert guest.get(f"/api/v1/drives/{name}/pages/ocp_smart")[0] == 404
    assert guest.get(f"/api/v1/drives/{name}/pages/smart")[0] == 200
    printed = guest.vm.run(f"nvme get-log /dev/{guest.target.devices[name]} -i 0xc0 -l 512 -b")[1]
    assert f"(0x{status:x})" in printed.lower(), "the driver keeps the flag bits"


def test_drive_that_takes_ten_seconds(guest):
    target = guest.target
    target.load("SLOW", drive("SLOW", rest=fault("delay 10s", "smart", "times = 1")))
    target.control("mark slow")
    until(lambda: not guest.drive("SLOW")["responding"], 8, "it is said not to respond")
    until(lambda: guest.drive("SLOW")["responding"], 9, "it responds again")
    time.sleep(3)
    target.control("mark slow-over")
    commands = own(target.journal("SLOW", "slow", "slow-over"))
    late = [command for command in commands if command["took"] > 9e6]
    assert [describe(command) for command in late] == ["log 02h rae"]
    assert not [command for command in commands
                if late[0]["at"] < command["at"] < late[0]["at"] + late[0]["took"]], "a second command"
    assert resets(target, "SLOW", "slow") == 0 and target.states("SLOW") == {"live"}
    for neighbour in ("WELL1", "WELL2", "COLD"):
        assert longest_gap(reads(target.journal(neighbour, "slow", "slow-over"), "log 02h")) < 2.5, neighbour


def test_drive_that_hangs_is_reset_once(guest):
    """The driver resets a drive that it waits for in vain: that must not happen with every poll."""
    target = guest.target
    target.control("mark hang")
    target.load("HUNG", drive("HUNG", rest=fault("hang", "smart")))
    until(lambda: not guest.drive("HUNG")["responding"], 8, "it is said not to respond")
    assert guest.metrics()[identity("drive_responding", "HUNG")] == 0
    until(lambda: resets(target, "HUNG", "hang"), ADMIN_TIMEOUT + 5, "the driver gives up and connects anew")
    time.sleep(ADMIN_TIMEOUT + 10)
    shown = guest.drive("HUNG")
    assert shown["responding"] and not guest.drive("HUNG", "/pages/smart")["fresh"], "but for that page it is well"
    target.control("mark hang-over")
    commands = own(target.journal("HUNG", "hang", "hang-over"))
    hung = [index for index, command in enumerate(commands) if command["status"] is None]
    assert [describe(commands[index]) for index in hung] == ["log 02h rae"]
    assert commands[hung[0] + 1]["opcode"] == FABRICS, "nothing until the driver itself connects anew"
    assert resets(target, "HUNG", "hang") == 1
    for neighbour in ("WELL1", "WELL2", "SLOW"):
        assert longest_gap(reads(target.journal(neighbour, "hang", "hang-over"), "log 02h")) < 2.5, neighbour


def test_temperature_event_is_heard_and_stays(guest):
    target = guest.target
    guest.vm.output("udevadm monitor --kernel --property --subsystem-match=nvme >/tmp/events 2>&1 & sleep 1")
    target.control("mark event")
    target.control("event HOT 0x020101")
    until(lambda: "NVME_AEN=0x020101" in guest.vm.output("cat /tmp/events"), 5, "the event")
    time.sleep(3)
    guest.vm.output("pkill -x udevadm")
    commands = target.journal("HOT", "event")
    events = [command for command in commands if command["opcode"] == ASYNC_EVENT]
    assert [(command["status"], command.get("result")) for command in events] == [(0, 0x020101), (None, None)]
    logs = [text for text in map(describe, own(commands)) if text.startswith("log ")]
    assert all(text.endswith(" rae") for text in logs), "taken from others"
    assert len(reads(commands, "log 02h")) >= 2


def test_lost_connection_is_no_lost_drive(guest):
    target = guest.target
    target.control("mark lost")
    target.control("drop LOST")
    until(lambda: resets(target, "LOST", "lost"), 10, "the driver connects anew")
    until(lambda: target.states("LOST") == {"live"}, 10, "it is live")
    guest.wait_for_reads("LOST", "smart")
    shown = guest.drive("LOST")
    assert shown["present"] is shown["responding"] is True
    assert shown["device"] == target.devices["LOST"]
    assert guest.get("/readyz")[0] == 200


def test_reset_in_a_drive_file_is_one_for_the_kernel(guest):
    target = guest.target
    target.load("LOST", drive("LOST", rest="[fault]\nwhat = reset\nat = 1s\nfor = 3s"))
    until(lambda: target.states("LOST") & {"connecting", "resetting"}, 5, "the kernel has lost it")
    until(lambda: target.states("LOST") == {"live"}, 10, "the kernel has it back")
    guest.wait_for_reads("LOST", "smart")
    assert guest.drive("LOST")["responding"] and guest.drive("LOST")["state"] == "live"


def test_a_namespace_that_was_resized_is_a_changed_capacity(guest):
    """The drive says so with an event; the kernel looks at its namespaces then."""
    def changes():
        return guest.vm.output("sqlite3 -readonly /tmp/nw/state/history.db 'SELECT detail FROM events JOIN drives ON "
                               "drives.id = drive WHERE key = \"WELL2\" AND type = \"capacity_change\"'").splitlines()

    target = guest.target
    target.load("WELL2", drive("WELL2").replace("capacity = 1G", "capacity = 2G"))
    target.control("event WELL2 0x040002")  # a notice: namespace attributes have changed, see log page 04h
    until(lambda: changes() == ["1000000000 to 2000000000 bytes"], 5, "it is in the history")
    until(lambda: guest.drive("WELL2")["capacity_bytes"] == 2 * 10**9, 5, "it is shown")


def test_no_drive_was_sent_anything_but_reads(guest):
    """Whatever happened above. nvme-cli, which helped to find out, reads too."""
    for name, commands in guest.target.journals().items():
        sent = {command["opcode"] for command in between(commands, "daemons") if command["queue"] == ADMIN}
        # The driver's own, the latter where it had to start the drive again.
        drivers = {KEEP_ALIVE, ASYNC_EVENT} | ({FABRICS, SET_FEATURES} if name in ("HUNG", "LOST") else set())
        assert sent & READS and sent - drivers <= READS, name
