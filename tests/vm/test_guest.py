"""The harness itself, without nvmewatch: a guest boots with every kind of drive and does what vm.py promises."""
import json

import pytest

import drives
from vm import VM, VMError

SERIALS = ["TWO-PATHS", "7", "OCP-20-CHARACTERS-XY", "NS/3 %41-x"]


@pytest.fixture(scope="module")
def vm():
    arguments = [*drives.two_paths("nvme-two", SERIALS[0]), *drives.plain("nvme-plain", SERIALS[1]),
                 *drives.ocp("nvme-ocp", SERIALS[2]), *drives.many_namespaces("nvme-many", SERIALS[3], 3)]
    with VM(arguments) as machine:
        print(f"booted in {machine.boot_seconds:.1f} s")
        yield machine


def test_every_controller_is_live(vm):
    assert vm.output("cat /sys/class/nvme/*/state").split() == ["live"] * 5
    listed = json.loads(vm.output("nvme list -o json"))["Devices"]
    names = [device["SerialNumber"].strip() for device in listed]
    assert sorted(set(names)) == sorted(SERIALS)
    assert names.count("NS/3 %41-x") == 3
    assert len(vm.output("ls -d /sys/class/nvme-subsystem/nvme-subsys*").split()) == 4
    assert vm.output("grep -c nvme /sys/class/hwmon/*/name").count(":1") >= 4


def test_commands_report_status_and_output(vm):
    assert vm.run("printf 'no newline'; echo error >&2; exit 3") == (3, "no newlineerror\n")
    assert vm.run("echo $((")[0] != 0
    assert vm.run("sleep 60", timeout=1)[0] == 124
    assert len(vm.output("seq 100000").splitlines()) == 100000
    with pytest.raises(VMError, match="status 1"):
        vm.output("false")


def test_the_folder_is_shared(vm):
    (vm.share / "there").write_text("and back")
    vm.output("cp /host/there /host/here")
    assert (vm.share / "here").read_text() == "and back"


def test_what_a_drive_is_sent_can_be_traced(vm):
    with vm.trace("pci_nvme_get_log", "pci_nvme_err_req_status") as lines:
        vm.run("nvme get-log /dev/nvme0 -i 2 -l 512 -b >/dev/null; nvme get-log /dev/nvme0 -i 0x55 -l 512")
    assert [line.split()[0] for line in lines] == ["pci_nvme_get_log"] * 2 + ["pci_nvme_err_req_status"]


def test_a_machine_that_does_not_start_says_why():
    with pytest.raises(VMError, match="can't find value 'no-such-disk'"):
        VM(drives.controller("nvme-broken", "X", "no-such-disk"))
    with pytest.raises(VMError, match="(?s)the guest ended.*Power down"):
        VM(kernel="systemd.unit=poweroff.target")
