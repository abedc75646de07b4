# SPDX-License-Identifier: LGPL-2.1-or-later
"""What Prometheus reads: valid to its own tools, the same in both formats, and the same as REST."""
import gzip
import subprocess
from collections import Counter

import pytest
from prometheus_client.openmetrics.parser import text_string_to_metric_families as openmetrics
from prometheus_client.parser import text_string_to_metric_families as text_format

from fleet import NASTY, NEWLINE, write_nasty, write_shipped
from web import drive_path

SHIPPED = 55
DRIVES = SHIPPED + len(NASTY) + 1  # 64
OPENMETRICS = "application/openmetrics-text; version=1.0.0"


@pytest.fixture(scope="module")
def fleet(shared_host):
    """64 drives, read once: their values stand still while the tests compare them."""
    write_shipped(shared_host, SHIPPED)
    write_nasty(shared_host, smart={"temperature_celsius": 41})
    shared_host.collect("poll.smart=1d", "poll.ocp=1d")
    shared_host.full = shared_host.serve("serve.metrics=full").web
    shared_host.core = shared_host.serve("serve.metrics=core").web
    shared_host.wait_pages(DRIVES, 60)
    return shared_host


@pytest.fixture(params=["core", "full"])
def web(fleet, request):
    return getattr(fleet, request.param)


def samples(families):
    return {(s.name, frozenset(s.labels.items())): s.value for f in families for s in f.samples}


def test_promtool_accepts_it(web):
    check = subprocess.run(["promtool", "check", "metrics"], input=web.text(), text=True,
                           capture_output=True, timeout=60)
    assert (check.returncode, check.stdout, check.stderr) == (0, "", "")


def test_no_series_comes_twice_and_families_stay_together(web):
    """PRM-01, PRM-08: Prometheus refuses the whole scrape otherwise."""
    lines = web.text().split("\n")
    series = Counter(line.rpartition(" ")[0] for line in lines if line and line[0] != "#")
    assert [s for s, n in series.items() if n > 1] == []
    types = Counter(line.split()[2] for line in lines if line.startswith("# TYPE "))
    assert [name for name, n in types.items() if n > 1] == []
    histograms = [line.split()[2] for line in lines if line.startswith("# TYPE ")
                  and line.endswith(" histogram")]
    assert histograms == ["nvmewatch_collect_duration_seconds"]
    seen = []
    for line in lines:
        name = line.split("{")[0].split(" ")[0]
        if name.rpartition("_")[0] in histograms:
            name = name.rpartition("_")[0]
        if line and line[0] != "#" and seen[-1:] != [name]:
            assert name not in seen
            seen.append(name)


def test_openmetrics_is_sound_and_says_the_same(web):
    answer = web.get("/metrics", Accept=OPENMETRICS)
    assert answer.headers["Content-Type"] == f"{OPENMETRICS}; charset=utf-8"
    assert answer.body.endswith(b"\n# EOF\n")
    assert "Accept" in answer.headers["Vary"]
    found = samples(openmetrics(answer.body.decode()))
    assert len(found) > 1000
    # One parser makes integers, the other floats, of the same text.
    assert {key: float(value) for key, value in found.items()} == samples(text_format(web.text()))


def test_text_is_the_default(web):
    answer = web.get("/metrics")
    assert answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    for accept in ("*/*", "text/plain", "application/json", "nonsense", "text/html;q=x"):
        assert web.get("/metrics", Accept=accept).headers["Content-Type"].startswith("text/plain")


def test_compressed_it_is_the_same(web):
    answer = web.get("/metrics", Accept_Encoding="gzip")
    assert answer.headers["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.body) == web.get("/metrics").body
    assert web.get("/metrics", Accept_Encoding="gzip;q=0").headers["Content-Encoding"] is None


def series_by_rest(web, full):
    """Every series that the field table promises, from the values that REST shows."""
    found = {}
    rows = [(page["name"], field) for page in web.json("/api/v1/fields")["pages"]
            for field in page["fields"] if field["metric"] and (full or not field["full"])]
    for drive in web.json("/api/v1/drives")["drives"]:
        pages = web.drive(drive["serial"])["pages"]
        for page, field in rows:
            values = pages[page]["fields"] if page in pages else {}
            for n, column in enumerate(field["columns"]):
                if values.get(column) is None:
                    continue
                labels = {"serial": drive["serial"], **field["labels"]}
                if field["index"]:
                    labels[field["index"]["label"]] = str(field["index"]["first"] + n)
                found[field["metric"], frozenset(labels.items())] = float(values[column])
    return found


def test_every_value_is_that_of_rest(fleet):
    for web, full in ((fleet.core, False), (fleet.full, True)):
        promised = series_by_rest(web, full)
        assert len({dict(labels)["serial"] for _, labels in promised}) == DRIVES
        names = {name for name, _ in promised}
        shown = samples(text_format(web.text()))
        assert {key: value for key, value in shown.items() if key[0] in names} == promised


def test_core_is_few_series_and_part_of_full(fleet):
    """At most 90 for a plain drive, 160 for one with OCP pages (reference/metrics.md)."""
    core, full = samples(text_format(fleet.core.text())), samples(text_format(fleet.full.text()))
    assert core.items() <= full.items() and len(core) < len(full)
    count = Counter(dict(labels).get("serial") for _, labels in core)
    ocp = {dict(labels)["serial"]: value for (name, labels), value in core.items()
           if name == "nvmewatch_collect_supported" and ("page", "ocp_smart") in labels}
    assert set(ocp.values()) == {0, 1}
    for serial, has_ocp in ocp.items():
        assert count[serial] <= (160 if has_ocp else 90), (serial, count[serial])


def test_any_serial_is_a_label(web):
    """PRM-02: quotes, backslashes and line ends are escaped, nothing is lost."""
    for serial in (*NASTY.values(), NEWLINE):
        assert web.value("nvmewatch_drive_temperature_celsius", serial=serial) == 41


def test_one_family_may_be_asked_for(web):
    for name in ("nvmewatch_drive_temperature_celsius", "nvmewatch_drive_power_cycles_total"):
        answer = web.get(f"/metrics?family={name}")
        assert {line.split("{")[0] for line in answer.body.decode().splitlines()
                if line[0] != "#"} == {name}
    # A scraper may send parameters of its own.
    assert web.get("/metrics?x=y").body == web.get("/metrics").body


def test_labels_may_be_added(fleet):
    web = fleet.serve("serve.labels=serial,device,model").web
    [(labels, _)] = web.samples("nvmewatch_drive_temperature_celsius", serial=NASTY["quote"])
    drive = web.json(drive_path(NASTY["quote"]))
    assert labels == {key: drive[key] for key in ("serial", "device", "model")}
