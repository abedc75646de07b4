"""The daemons with real drivers and emulated drives: every field as nvme-cli prints it, and no harm done."""
import re
import time

import pytest

import drives
from compare import compare, identity
from daemons import Daemons, drive_series, require_programs, until
from pages_identify import IDENTIFY
from pages_ocp import OCP_SMART
from pages_smart import SMART
from vm import VM

OCP, PLAIN, MANY = "OCP-20-CHARACTERS-XY", "7", "NS/3 %41-x"
CADENCE = 1  # seconds, see daemons.py
COMPARED = [(SMART, OCP), (SMART, PLAIN), (SMART, MANY), (OCP_SMART, OCP),
            (IDENTIFY, OCP), (IDENTIFY, PLAIN), (IDENTIFY, MANY)]
READ_ONLY = {"GET_LOG_PAGE", "IDENTIFY", "GET_FEATURES", "ASYNC_EV_REQ"}


@pytest.fixture(scope="module")
def guest(tmp_path_factory):
    """A guest with three drives that have done some work, and the daemons."""
    require_programs()
    disk = drives.file_disk("ocp-disk", tmp_path_factory.mktemp("disks"))
    arguments = [*disk, *drives.controller("nvme-ocp", OCP, "ocp-disk", ocp="on", mdts=5, aerl=7),
                 *drives.plain("nvme-plain", PLAIN, megabytes=256, vsl=3),
                 *drives.many_namespaces("nvme-many", MANY, 3)]
    with VM(arguments) as vm:
        daemons = Daemons(vm)
        work(daemons)
        daemons.start()
        for page, serial in COMPARED:
            daemons.wait_for_pages(serial, page.name)
        yield daemons
        assert not daemons.complaints()


def work(daemons):
    """Moves the counters, each drive's by another amount, and has ended when it returns."""
    for serial, namespace, megabytes in ((OCP, 1, 30), (PLAIN, 1, 7), (MANY, 3, 50)):
        device = f"{daemons.device(serial)}n{namespace}"
        daemons.vm.output(f"dd if=/dev/zero of={device} bs=1M count={megabytes // 2} oflag=direct && "
                          f"dd if={device} of=/dev/null bs=64k count={megabytes * 16} iflag=direct")
    daemons.vm.output("udevadm settle")  # udev looks at what was written


def test_drives_are_listed(guest):
    listed = {drive["serial"]: drive for drive in guest.json("/api/v1/drives")["drives"]}
    assert set(listed) == {OCP, PLAIN, MANY}
    for serial, drive in listed.items():
        assert drive["device"] == guest.device(serial).rpartition("/")[2]
        assert (drive["model"], drive["present"], drive["responding"]) == ("QEMU NVMe Ctrl", True, True)
        assert drive["temperature_celsius"] == 50


@pytest.mark.parametrize("page, serial", COMPARED, ids=lambda value: getattr(value, "name", value))
def test_page_is_as_nvme_cli_prints_it(guest, page, serial, capsys):
    before = guest.reading(page, serial)
    if page is not IDENTIFY:  # which is read once
        guest.wait_for_reads(serial, page.name)
    document = guest.drive(serial, f"/pages/{page.name}")
    fields = document["fields"]
    raw, series, whole = guest.raw(serial, page.name), guest.metrics(), guest.drive(serial)
    after = guest.reading(page, serial)
    wrong, summary = compare(page, serial, before, after, fields, series)
    with capsys.disabled():
        print("\n" + summary)
    assert not wrong, "\n".join(wrong)
    assert document["fresh"] is True
    assert raw in (before.raw, after.raw)
    assert set(whole["pages"][page.name]["fields"]) == set(fields)


def test_plain_drive_has_no_ocp_page(guest):
    assert guest.get(f"/api/v1/drives/{PLAIN}/pages/ocp_smart")[0] == 404
    assert not [name for name, _ in drive_series(guest.metrics(), PLAIN) if name.startswith("nvmewatch_ocp_")]


def test_critical_warning_is_seen_within_three_seconds(guest):
    def shown():
        fields = guest.drive(PLAIN, "/pages/smart")["fields"]
        series = guest.metrics()
        in_metrics = [series[identity(metric, PLAIN)] for metric in (
            "drive_critical_warning_raw", 'drive_critical_warning{bit="temperature"}',
            'drive_critical_warning{bit="backup_failed"}', 'drive_critical_warning{bit="spare"}')]
        return [fields["critical_warning_raw"], fields["critical_warning_temperature"], *in_metrics]

    for value, as_shown in ((0b10010, [18, 1, 18, 1, 1, 0]), (0, [0, 0, 0, 0, 0, 0])):
        guest.vm.set_property("nvme-plain", "smart_critical_warning", value)
        until(lambda: shown() == as_shown, 3, f"critical warning {value}")  # pylint: disable=cell-var-from-loop


def test_steady_state_changes_nothing_and_is_never_refused(guest):
    """The emulated error log counter stands still whatever happens, hence the look at what the drives were sent."""
    def entries():
        return [guest.reading(SMART, serial).values["num_err_log_entries"] for serial in (OCP, PLAIN, MANY)]

    counted = entries()
    with guest.vm.trace("pci_nvme_admin_cmd", "pci_nvme_get_log", "pci_nvme_err_req_status") as lines:
        time.sleep(31 * CADENCE)
    assert entries() == counted
    assert not [line for line in lines if line.startswith("pci_nvme_err")]
    assert {re.search("NVME_ADM_CMD_(\\w+)", line)[1] for line in lines if "admin_cmd" in line} <= READ_ONLY
    reads = [line for line in lines if " lid 0x2 " in line]
    assert len(reads) >= 3 * 29
    assert not [line for line in reads if " rae 0x0 " in line], "takes the kernel's events away"


def test_stopped_collector_leaves_no_stale_series(guest):
    def gone():
        series = guest.metrics()
        return not drive_series(series) and series[identity("collector_up", None)] == 0

    assert drive_series(guest.metrics())
    guest.signal("nvmewatch-collect", "STOP")
    took = until(lambda: guest.get("/readyz")[0] == 503, 3 * CADENCE + 3, "/readyz 503")
    until(gone, 3, "drive series vanish")
    assert took > CADENCE, "a late read is no reason yet"
    guest.signal("nvmewatch-collect", "CONT")
    until(lambda: guest.get("/readyz")[0] == 200, 5, "/readyz 200")
    until(lambda: {OCP, PLAIN, MANY} <= {dict(labels)["serial"] for _, labels in drive_series(guest.metrics())},
          5, "drive series are back")
