# SPDX-License-Identifier: LGPL-2.1-or-later
"""The REST interface: the shapes that clients rely on, and values that are exact or absent."""
import gzip
import json
import re
from datetime import datetime, timezone
from pathlib import Path

import pytest

import decode
from fleet import NEWLINE, write_nasty, write_shipped
from web import drive_path

SUMMARY = {"serial": str, "device": str, "model": str, "firmware": str, "capacity_bytes": int, "capacity_from": str,
           "present": bool, "responding": bool, "state": str, "health": dict,
           "temperature_celsius": int}
BEYOND_2_53 = 32381395004 * 512000 + 1 * 512000  # DEC-13


@pytest.fixture(scope="module")
def fleet(shared_host):
    write_shipped(shared_host, 18)
    shared_host.serials = write_nasty(shared_host)
    # DEC-13, TMP-02: exact integers where a float has none, and nothing where there is no sensor.
    shared_host.drive("exact", smart={"host_written_bytes": BEYOND_2_53},
                      raw={"smart.1": "00 00", "smart.64": "ff ff ff ff ff ff ff 7f"})
    # What does not fit is absent and counted, never wrapped.
    shared_host.drive("overflow", raw={"smart.64": "00 00 00 00 00 00 00 00 01"})
    shared_host.collect("poll.smart=1d", "poll.ocp=1d")
    shared_host.serve()
    shared_host.wait_pages(18 + len(shared_host.serials) + 2, 30)
    return shared_host


@pytest.fixture
def web(fleet):
    return fleet.web


def test_the_list_names_every_drive(web):
    drives = web.json("/api/v1/drives")["drives"]
    assert len(drives) == len({d["serial"] for d in drives}) == 29
    for drive in drives:
        for key, kind in SUMMARY.items():
            unknown = drive["serial"] == "exact" and key == "temperature_celsius"
            no_capacity = not drive["serial"].startswith("SIM") and key.startswith("capacity")
            assert isinstance(drive[key], kind) or unknown or no_capacity, (drive, key)
        assert drive["state"] == "live" and drive["present"] and drive["responding"]
        assert drive["health"]["status"] in ("ok", "warning", "critical")
        assert (drive["health"]["status"] == "ok") == (drive["health"]["reasons"] == [])


def test_one_drive_is_its_summary_with_its_pages(web):
    for summary in web.json("/api/v1/drives")["drives"]:
        drive = web.drive(summary["serial"])
        assert drive.items() >= summary.items()
        assert set(drive["pages"]) | set(drive["unsupported"]) >= {"identify", "smart", "ocp_smart"}
        assert not set(drive["pages"]) & set(drive["unsupported"])
        for page in drive["pages"].values():
            assert page["fresh"] is True
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", page["time"])
            age = datetime.now(timezone.utc) - datetime.fromisoformat(page["time"])
            assert 0 <= age.total_seconds() < 300


def test_a_page_is_the_same_by_itself(web):
    for name, page in web.drive("SIMPM9A30001-14")["pages"].items():
        assert web.json(drive_path("SIMPM9A30001-14", f"/pages/{name}")) == page


def test_raw_bytes_decode_to_the_values_shown(web):
    checked = 0
    for drive in web.json("/api/v1/drives")["drives"]:
        for page, document in web.drive(drive["serial"])["pages"].items():
            if page not in decode.PAGES:
                continue
            size, decoder = decode.PAGES[page]
            answer = web.get(drive_path(drive["serial"], f"/pages/{page}?raw=1"))
            assert answer.headers["Content-Type"] == "application/octet-stream"
            assert len(answer.body) == size
            shown = document["fields"]
            for key, value in decoder(answer.body).items():
                # Which values mean "not reported" is the field table's to know.
                if shown[key] is not None:
                    assert shown[key] == value, (drive["serial"], page, key)
                    checked += 1
    assert checked > 700


JSON_TYPES = {"integer": int, "real": (int, float), "text": str}
CONTRACT = Path(__file__).resolve().parents[1] / "data" / "api-types.tsv"


def test_DEC_09_types_are_those_that_were_promised(web):
    rows = [line.split("\t") for line in CONTRACT.read_text().splitlines() if line[0] != "#"][1:]
    types = {(page["name"], field["name"]): field["type"]
             for page in web.json("/api/v1/fields")["pages"] for field in page["fields"]}
    assert len(rows) > 70
    assert [(page, name, types.get((page, name))) for page, name, _ in rows] == [tuple(r) for r in rows]


def test_DEC_09_a_type_does_not_depend_on_the_value(web):
    """What a field is said to be, it is, or null: on every drive."""
    types = {(page["name"], column): JSON_TYPES[field["type"]]
             for page in web.json("/api/v1/fields")["pages"]
             for field in page["fields"] for column in field["columns"]}
    checked = 0
    for drive in web.json("/api/v1/drives")["drives"]:
        for shown, page in web.drive(drive["serial"])["pages"].items():
            name = shown if (shown, next(iter(page["fields"]))) in types else shown.rpartition("_")[0]
            for column, value in page["fields"].items():
                assert value is None or (isinstance(value, types[name, column])
                                         and not isinstance(value, bool)), (shown, column, value)
                checked += value is not None
    assert checked > 5000


def test_integers_are_exact(web):
    fields = web.fields("exact", "smart")
    assert fields["host_written_bytes"] == BEYOND_2_53
    assert fields["host_read_commands"] == 2**63 - 1
    # As text too: a reader without big integers must not find 1.6579274242560001e+16.
    assert f'"host_written_bytes":{BEYOND_2_53},'.encode() in web.get(drive_path("exact")).body


def test_what_is_not_reported_is_null_and_has_no_series(web):
    assert web.fields("exact", "smart")["temperature_celsius"] is None
    assert web.drive("exact")["temperature_celsius"] is None
    assert web.value("nvmewatch_drive_temperature_celsius", serial="exact") is None


def test_what_does_not_fit_is_absent_and_counted(web):
    assert web.fields("overflow", "smart")["host_read_commands"] is None
    assert web.fields("overflow", "smart")["temperature_celsius"] == 30
    assert {"page": "smart", "reason": "overflow", "count": 1} in web.drive("overflow")["errors"]


def test_any_serial_has_its_address(fleet):
    for serial in fleet.serials:
        assert fleet.web.drive(serial)["serial"] == serial
        assert fleet.web.get(drive_path(serial, "/pages/smart?raw=1")).status == 200
    assert "%0A" in drive_path(NEWLINE)


def test_the_field_table_describes_every_column(web):
    pages = web.json("/api/v1/fields")["pages"]
    fields = {p["name"]: [c for f in p["fields"] for c in f["columns"]] for p in pages}
    drive = web.drive("SIMPM9A30001-14")
    for name, page in drive["pages"].items():
        assert list(page["fields"]) == fields[name if name in fields else re.sub(r"_\d+$", "", name)]
    for page in pages:
        for f in page["fields"]:
            assert f["help"].endswith(".") and f["type"] in ("integer", "real", "text")
            assert f["kind"] in ("gauge", "counter", "info")
            assert (f["metric"] is None) or f["metric"].startswith("nvmewatch_")
            last = f["index"]["last"] - f["index"]["first"] if f["index"] else 0
            stride = f["index"]["stride"] if f["index"] else 0
            assert f["offset"] + last * stride + f["size"] <= page["size"]


def test_compressed_it_is_the_same(web):
    answer = web.get("/api/v1/fields", Accept_Encoding="gzip, deflate")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(answer.body)) == web.json("/api/v1/fields")


def test_probes_are_short_and_plain(web):
    assert web.json("/healthz") == {"status": "ok"}
    ready = web.json("/readyz")
    assert ready["status"] == "ready" and ready["drives"] == 29 and ready["age_seconds"] >= 0
