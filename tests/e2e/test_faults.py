# SPDX-License-Identifier: LGPL-2.1-or-later
"""One bad page costs that page, one bad drive costs that drive, and both are counted."""
import pytest

from program import wait_until

WRONG_GUID = " ".join(["ab"] * 16)
ZERO = " ".join(["00"] * 512)


def fault(what):
    return {"fault": {"page": "{page}", "what": what}}


# What is wrong with a page: the drive file that shows it, and the reason it is counted under.
FAULTS = {
    "truncated": ({"raw": {"{page}.length": 300}}, "size"),
    "oversized": ({"raw": {"{page}.length": 600}}, "size"),
    "all-zero": ({"raw": {"{page}.0": ZERO}}, "zero"),             # LOG-15
    "refused-0109": (fault("status 0x109"), "refused"),
    "refused-2109": (fault("status 0x2109"), "refused"),  # DEC-17
    "refused-4109": (fault("status 0x4109"), "refused"),
    "refused-6109": (fault("status 0x6109"), "refused"),
    "invalid-field": (fault("status 0x4002"), "refused"),
    "internal-error": (fault("status 0x6"), "status"),
    "errno": (fault("errno EIO"), "io"),
    "crash": (fault("crash"), "reader"),
}
ONLY_OCP = {"wrong-guid": ({"raw": {"ocp_smart.496": WRONG_GUID}}, "guid")}
FAULTS_OF = {"smart": FAULTS, "ocp_smart": {**FAULTS, **ONLY_OCP}}
CASES = {f"{page[:3]}-{name}": (page, *case) for page, cases in FAULTS_OF.items()
         for name, case in cases.items()}
ASKED_ONCE = [name for name, case in CASES.items() if case[2] in ("refused", "guid")]
FINE = "fine"


def drive_sections(page, sections):
    return {section: {key.format(page=page): str(value).format(page=page)
                      for key, value in keys.items()}
            for section, keys in sections.items()}


@pytest.fixture(scope="module")
def fleet(shared_host):
    """Every faulty drive at once, and one without fault among them."""
    for name, (page, sections, _) in CASES.items():
        # A model each: what one drive refuses, others of its model are not asked for.
        shared_host.drive(name, identity={"model": name}, **drive_sections(page, sections), smart={"temperature_celsius": 40},
                          ocp_smart={"plp_starts": 7}, identify={"wctemp_celsius": 77})
    shared_host.drive(FINE, ocp_smart={"plp_starts": 7})
    shared_host.collect("store.interval=1s", "store.flush=1s")
    shared_host.serve()
    wait_until(lambda: shared_host.web.fields(FINE, "smart"))
    return shared_host


def errors(web, serial):
    return {(labels["page"], labels["reason"]): count for labels, count in
            web.samples("nvmewatch_collect_errors_total", serial=serial)}


@pytest.mark.parametrize("serial", CASES)
def test_a_bad_page_costs_that_page(fleet, serial):
    page, _, reason = CASES[serial]
    other = "smart" if page == "ocp_smart" else "ocp_smart"
    wait_until(lambda: fleet.web.fields(serial, other), 15, f"{other} of {serial}")
    wait_until(lambda: (page, reason) in errors(fleet.web, serial))
    assert set(errors(fleet.web, serial)) == {(page, reason)}
    assert fleet.web.fields(serial, page) is None
    assert bool(fleet.web.samples("nvmewatch_drive_temperature_celsius", serial=serial)) \
        == (other == "smart")
    assert bool(fleet.web.samples("nvmewatch_ocp_plp_starts_total", serial=serial)) \
        == (other == "ocp_smart")


@pytest.mark.parametrize("serial", CASES)
def test_a_drive_with_a_bad_page_responds(fleet, serial):
    wait_until(lambda: errors(fleet.web, serial))
    assert fleet.web.value("nvmewatch_drive_responding", serial=serial) == 1
    assert fleet.web.drive(serial)["responding"] is True
    # What identify says stands.
    assert fleet.web.value("nvmewatch_drive_temperature_limit_celsius", serial=serial,
                           limit="warning") == 77


@pytest.mark.parametrize("serial", ASKED_ONCE)
def test_a_refused_page_is_unsupported_and_counted_once(fleet, serial):
    page = CASES[serial][0]
    wait_until(lambda: errors(fleet.web, serial))
    assert fleet.web.value("nvmewatch_collect_supported", serial=serial, page=page) == 0
    assert page in fleet.web.drive(serial)["unsupported"]
    assert list(errors(fleet.web, serial).values()) == [1]
    answer = fleet.web.get(f"/api/v1/drives/{serial}/pages/{page}")
    assert answer.status == 404
    assert "does not have the page" in answer.problem()["detail"]


def test_polling_adds_no_entry_to_an_error_log(fleet):
    """ERR-01: a refusal is an entry of the drive's error log; the one of the first try is all."""
    for serial in (s for s in ASKED_ONCE if CASES[s][0] == "ocp_smart"):
        wait_until(lambda s=serial: fleet.web.fields(s, "smart"))
    first = fleet.web.drive(FINE)["pages"]["smart"]["time"]
    polled = set()

    def five_polls():
        polled.add(fleet.web.drive(FINE)["pages"]["smart"]["time"])
        return len(polled - {first}) >= 5
    wait_until(five_polls)
    for serial in (s for s in ASKED_ONCE if CASES[s][0] == "ocp_smart"):
        entries = fleet.web.fields(serial, "smart")["error_log_entries"]
        assert entries == (0 if "guid" in serial else 1), serial
    assert fleet.web.fields(FINE, "smart")["error_log_entries"] == 0


def test_faulty_neighbours_do_not_delay_a_drive(fleet):
    distances = wait_until(lambda: len(fleet.read_distances(FINE)) > 3 and
                           fleet.read_distances(FINE))
    assert 750 < min(distances) <= max(distances) < 1250, distances


def test_a_fault_does_not_fill_the_log(fleet):
    log = fleet.programs[0].log()
    for serial, (_, _, reason) in CASES.items():
        lines = [line for line in log.splitlines() if f"({serial})" in line]
        # What a drive logs of it is told too, and it is asked for less and less often.
        entries = [line for line in lines if "has logged an error" in line]
        assert len(entries) <= 4, entries
        lines = [line for line in lines if line not in entries]
        if reason == "reader":
            # It is started again and again; each death is worth a line.
            assert all("its reader process died" in line for line in lines), lines
        else:
            assert len(lines) == 1, lines
