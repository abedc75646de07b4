# SPDX-License-Identifier: LGPL-2.1-or-later
"""Which drives there are, and what they are called."""
import subprocess

import pytest

from fleet import NEWLINE, write_nasty
from program import wait_until
from web import drive_path


def serials(web):
    return [drive["serial"] for drive in web.json("/api/v1/drives")["drives"]]


def start(host, drives, *settings):
    host.collect(*settings)
    host.serve()
    host.wait_pages(drives)


def test_equal_serials_are_two_drives_and_a_warning(host):
    """IDN-11, PRM-01: neither disappears, and no series comes twice."""
    for name, address, heat in (("a", "0000:01:00.0", 41), ("b", "0000:02:00.0", 42)):
        host.drive(name, "0000000000CA", identity={"address": address},
                   smart={"temperature_celsius": heat})
    start(host, 2)
    keys = ["0000000000CA@0000:01:00.0", "0000000000CA@0000:02:00.0"]
    assert serials(host.web) == keys
    assert [host.web.drive(key)["temperature_celsius"] for key in keys] == [41, 42]
    assert [host.web.value("nvmewatch_drive_temperature_celsius", serial=key)
            for key in keys] == [41, 42]
    log = host.programs[0].log()
    assert log.count("warning") == log.count("its serial is claimed by another drive") == 2
    assert host.web.get("/api/v1/drives/0000000000CA").status == 404


def test_equal_serial_and_address_cannot_void_the_rest(host):
    for name in "ab":
        host.drive(name, "SAME", identity={"address": "0000:01:00.0"})
    host.drive("c")
    start(host, 2)
    assert serials(host.web) == ["SAME@0000:01:00.0", "c"]
    assert "not watched" in host.programs[0].log()


def test_a_drive_without_serial_goes_by_its_address_or_name(host):
    host.drive("a", "", identity={"address": "0000:01:00.0"})
    host.drive("b", "", identity={"device": "nvme7"})
    start(host, 2)
    assert serials(host.web) == ["@0000:01:00.0", "@nvme7"]
    assert host.web.get(drive_path("@nvme7", "/pages/smart")).status == 200


def test_info_names_what_changes(host):
    host.drive("A", identity={"model": "Model X", "firmware": "FW 1", "vendor": "0x1c5f",
                              "slot": "3", "transport": "pcie", "address": "0000:41:00.0",
                              "numa_node": 1, "nqn": "nqn.2019-08.org:x", "device": "nvme4"},
               ocp_smart={"log_page_version": 3, "dssd_major_version": 2, "dssd_minor_version": 5})
    start(host, 1)
    [(labels, value)] = host.web.samples("nvmewatch_drive_info")
    assert value == 1 and labels == {
        "serial": "A", "device": "nvme4", "model": "Model X", "firmware": "FW 1",
        "vendor": "0x1c5f", "subsystem_nqn": "nqn.2019-08.org:x", "transport": "pcie",
        "pci_address": "0000:41:00.0", "slot": "3", "numa_node": "1", "nvme_version": "1.4",
        "ocp_version": "2.5"}


def test_a_serial_cannot_begin_a_line_of_the_log(host):
    # Each has something to be said of it.
    write_nasty(host, ocp_smart={"plp_starts": 7}, fault={"page": "ocp_smart", "what": "status 0x6"})
    host.collect()
    wait_until(lambda: host.programs[0].log().count("cannot read page ocp_smart") == 9)
    lines = host.programs[0].log().splitlines()
    assert all(line.startswith("nvmewatch-collect: ") for line in lines)
    assert any(NEWLINE.replace("\n", "?") in line for line in lines)


@pytest.mark.parametrize("settings, kept", [
    (["collect.include=a*"], ["a1", "a2"]),
    (["collect.exclude=a1, *7"], ["a2"]),
    (["collect.include=a* b*", "collect.exclude=nvme1"], ["a1", "b7"]),
    (["collect.include=Special*"], ["b7"]),
    (["collect.exclude=0000:0?:00.0"], ["b7"]),
])
def test_patterns_choose_drives(host, settings, kept):
    host.drive("a1", identity={"address": "0000:01:00.0"})
    host.drive("a2", identity={"address": "0000:02:00.0"})
    host.drive("b7", identity={"address": "0000:11:00.0", "model": "Special 1"})
    start(host, len(kept), *settings)
    assert serials(host.web) == kept
    assert len(host.readers()) == len(kept)


@pytest.fixture
def comma_locale(tmp_path, monkeypatch):
    made = subprocess.run(["localedef", "-i", "de_DE", "-f", "UTF-8", tmp_path / "de_DE.UTF-8"],
                          capture_output=True)
    if made.returncode not in (0, 1):  # 1: with warnings
        pytest.skip("no locale sources here")
    monkeypatch.setenv("LOCPATH", str(tmp_path))
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    # newlocale(), called by a library of libmicrohttpd's, does not free the parts of LOCPATH.
    (tmp_path / "leaks").write_text("leak:__argz_add_sep\n")
    monkeypatch.setenv("LSAN_OPTIONS", f"suppressions={tmp_path}/leaks:print_suppressions=0")


def test_numbers_have_a_point_in_every_locale(comma_locale, host):
    """DEC-06"""
    host.drive("A", smart={"endurance_used_ratio": 0.35, "power_watts": 7.5})
    start(host, 1)
    assert 'nvmewatch_drive_power_watts{serial="A"} 7.5\n' in host.web.text()
    assert wait_until(lambda: host.web.fields("A", "smart"))["endurance_used_ratio"] == 0.35
