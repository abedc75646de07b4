# SPDX-License-Identifier: LGPL-2.1-or-later
"""All the way: drives that overheat, wear out, hang and vanish, what Prometheus makes of them, and what
Alertmanager tells of that. A minute of the alerts' `for` is a second here; nothing else of them is
another, so that what takes an hour or a day is not part of this."""
import contextlib
import re
import shutil
import tempfile
import time
from collections import Counter
from pathlib import Path

import pytest
import yaml

from control import FORGET, tell
from documents import PROMETHEUS, RULE_FILES, alerts, seconds
from harness import Host
from program import wait_until
from servers import Alertmanager, Prometheus, Webhook, told

FASTER = 60
QUIET = 4  # seconds in which nothing more may be told
ALERTS = PROMETHEUS / "nvmewatch.alerts.yml"

# What is told of each drive: that it fires, and that it is over.
EXPECTED = {
    "HEALTHY": [],
    "HOT": ["NvmewatchThrottling", "NvmewatchTemperatureNearLimit", "NvmewatchTemperatureCritical",
            "NvmewatchCriticalWarningTemperature"],
    # It is gone until it is forgotten: there is another in its place.
    "WORN": ["NvmewatchSpareNearThreshold", "NvmewatchCriticalWarningSpare", "NvmewatchDriveGone"],
    "SUCCESSOR": [],
    "SILENT": ["NvmewatchDriveNotResponding"],
    "AWAY": ["NvmewatchDriveGone"],
}
SLOTS = {"HEALTHY": "1", "HOT": "2", "WORN": "3", "SUCCESSOR": "3", "SILENT": "4", "AWAY": "5"}
NOTICES = Counter((name, serial, status) for serial, names in EXPECTED.items() for name in names
                  for status in ("firing", "resolved"))


def put_drives(host):
    """Times are seconds since the collector has started. Prometheus has to be there before the tenth."""
    def drive(serial, smart=None, **sections):
        host.drive(serial.lower(), serial, **sections,
                   identity={"model": f"ACME {serial}", "firmware": "FW1", "capacity": "1T",
                             "device": f"nvme{SLOTS[serial]}", "slot": SLOTS[serial],
                             "address": f"0000:0{SLOTS[serial]}:00.0"},
                   identify={"wctemp_celsius": 77, "cctemp_celsius": 85},
                   smart={"temperature_celsius": 40, "available_spare_ratio": 1,
                          "available_spare_threshold_ratio": 0.1, **(smart or {})})

    drive("HEALTHY")
    drive("HOT", ocp_smart={"throttled": 0}, **{
        "change heat": {"at": "10s", "ocp_smart.throttled": 2, "smart.temperature_celsius": 84,
                        "smart.critical_warning_temperature": 1},
        "change cold": {"at": "40s", "ocp_smart.throttled": 0, "smart.temperature_celsius": 45,
                        "smart.critical_warning_temperature": 0}})
    drive("WORN", smart={"available_spare_ratio": 0.5}, **{
        "change worn": {"at": "10s", "smart.available_spare_ratio": 0.05,
                        "smart.critical_warning_spare": 1},
        "fault pulled": {"what": "remove", "at": "32s", "for": "2s"},
        "change drive": {"at": "33s", "serial": "SUCCESSOR", "model": "ACME SUCCESSOR",
                         "smart.available_spare_ratio": 1, "smart.critical_warning_spare": 0}})
    drive("SILENT", fault={"what": "hang", "at": "12s", "for": "14s"})
    drive("AWAY", fault={"what": "remove", "at": "12s", "for": "14s"})


def hurried_alerts(folder):
    """The shipped alerts, `for` divided."""
    document = yaml.safe_load(ALERTS.read_text())
    for rule in (rule for group in document["groups"] for rule in group["rules"] if "for" in rule):
        rule["for"] = f"{seconds(rule['for']) * 1000 // FASTER}ms"
    file = folder / ALERTS.name
    file.write_text(yaml.safe_dump(document))
    return file


def tell_story(host, webhook, prometheus):
    """Until all is told that shall be, or for so long that it never will; then silence."""
    gone = "NvmewatchDriveGone", "WORN"
    wait_until(lambda: webhook.has(*gone), 70, "the drive that was pulled is not told of")
    assert tell(host, FORGET, "WORN") == "ok"
    end = time.monotonic() + 40
    while NOTICES - Counter(map(told, webhook.alerts)) and time.monotonic() < end:
        time.sleep(0.1)
    time.sleep(QUIET)
    return [alert for alert in prometheus.ask("alerts")["alerts"] if alert["state"] == "firing"]


@contextlib.contextmanager
def hosts():
    host = Host(Path(tempfile.mkdtemp(prefix="nvmewatch-alerting-")))
    try:
        yield host
    finally:
        faults = host.close()
        shutil.rmtree(host.folder)
    assert not faults, "\n".join(faults)


@pytest.fixture(scope="module", name="story")
def story_fixture(tmp_path_factory):
    """(what the webhook was told, what still fires at the end)."""
    folder = tmp_path_factory.mktemp("alerting")
    with contextlib.ExitStack() as running:
        webhook = running.enter_context(contextlib.closing(Webhook()))
        alertmanager = running.enter_context(contextlib.closing(Alertmanager(folder, webhook.url)))
        alertmanager.wait_ready()
        host = running.enter_context(hosts())
        put_drives(host)
        host.collect()
        host.serve()
        rules = [file for file in RULE_FILES if file != ALERTS] + [hurried_alerts(folder)]
        prometheus = running.enter_context(contextlib.closing(Prometheus(
            folder, {"nvmewatch": "%s:%d" % host.web.address}, rules, alertmanager.address)))
        firing = tell_story(host, webhook, prometheus)
    return webhook.alerts, firing


def test_exactly_what_happened_is_told_once_and_that_it_is_over(story):
    notices, still_firing = story
    received = Counter(map(told, notices))
    assert received == NOTICES, f"missing {NOTICES - received}, too many {received - NOTICES}"
    assert not still_firing


def test_nothing_is_over_before_it_fired(story):
    order = list(map(told, story[0]))
    for serial, names in EXPECTED.items():
        for name in names:
            assert order.index((name, serial, "firing")) < order.index((name, serial, "resolved"))


def test_every_notice_says_which_drive_it_is_about(story):
    for labels in [alert["labels"] for alert in story[0]]:
        serial = labels["serial"]
        assert labels["device"] == f"nvme{SLOTS[serial]}" and labels["slot"] == SLOTS[serial], labels
        assert labels["model"] == f"ACME {serial}" and labels["firmware"] == "FW1", labels
        assert labels["severity"] in ("critical", "warning", "info"), labels


def test_every_notice_is_a_text_for_people(story):
    for alert in story[0]:
        serial, notes = alert["labels"]["serial"], alert["annotations"]
        assert set(notes) == {"summary", "description", "runbook"}
        assert not re.search(r"\{\{|<no value>|<error|NaN|%!", " ".join(notes.values())), notes
        assert notes["summary"].startswith(f"nvme{SLOTS[serial]} of {alert['labels']['instance']}: ")
        assert f"ACME {serial} {serial} in slot {SLOTS[serial]}" in notes["description"]


def test_values_of_the_moment_are_in_the_text(story):
    texts = {told(alert)[:2]: alert["annotations"]["description"]
             for alert in story[0] if alert["status"] == "firing"}
    for name in EXPECTED["HOT"]:
        value = "-7 °C" if name == "NvmewatchTemperatureNearLimit" else "84 °C"
        assert value in texts[name, "HOT"]
    for name in ("NvmewatchSpareNearThreshold", "NvmewatchCriticalWarningSpare"):
        assert "5%" in texts[name, "WORN"]


def test_no_wait_is_too_short_to_be_divided():
    waits = {seconds(rule["for"]) for rule in alerts() if "for" in rule}
    assert min(waits) >= FASTER
