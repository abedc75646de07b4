# SPDX-License-Identifier: LGPL-2.1-or-later
"""Rules, alerts and dashboards are complete, and speak of what there is."""
import os
import re
from pathlib import Path

import pytest
import yaml
from prometheus_client.parser import text_string_to_metric_families

from documents import (DASHBOARDS, RULE_FILES, RUNBOOK, TEST_FILES, alerts, dashboard, dashboard_queries,
                       recorded, rules, seconds, selectors, test_cases)

# What a drive has to be watched for longer than a test takes, and what the labels of it may be.
LATER = {
    "nvmewatch_wear_drive_writes_per_day": {"window": {"1h", "24h", "7d", "30d", "life"}},
    "nvmewatch_wear_exhaustion_timestamp_seconds": {
        "basis": {"percentage_used", "rated_tbw", "ocp_endurance", "endurance_group"}},
    "nvmewatch_wear_write_amplification_ratio": {"window": {"1h", "24h", "7d", "30d", "life"}},
}
PROMETHEUS_OWN = {"up", "ALERTS"}

ALERTS = sorted({rule["alert"] for rule in alerts()})
QUERIES = {file.name: [query for query in dashboard_queries(file)] for file in DASHBOARDS}
EXPRESSIONS = {**{file.name: [rule["expr"] for group in yaml.safe_load(file.read_text())["groups"]
                              for rule in group["rules"]] for file in RULE_FILES}, **QUERIES}


def shown(web):
    """{name: [labels]} of a scrape."""
    found = {}
    for family in text_string_to_metric_families(web.text()):
        for sample in family.samples:
            found.setdefault(sample.name, []).append(sample.labels)
    return found


@pytest.fixture(scope="module", name="core")
def core_fixture(fleet):
    return shown(fleet.core)


@pytest.fixture(scope="module", name="full")
def full_fixture(fleet):
    return shown(fleet.full)


def wanted(operator, value):
    """The values that a matcher asks for by name."""
    if operator == "=" and "$" not in value:
        return [value]
    if operator == "=~" and re.fullmatch(r"[\w|]+", value):
        return value.split("|")
    return []


@pytest.mark.parametrize("file", EXPRESSIONS)
def test_every_metric_is_one_that_a_core_scrape_has(core, file):
    known = {*core, *recorded(), *LATER, *PROMETHEUS_OWN}
    for expression in EXPRESSIONS[file]:
        found = selectors(expression)
        assert found, expression
        assert {name for name, _ in found} <= known, expression


@pytest.mark.parametrize("file", EXPRESSIONS)
def test_every_label_asked_for_is_one_that_the_metric_has(core, file):
    for expression in EXPRESSIONS[file]:
        for name, matchers in selectors(expression):
            for label, operator, value in matchers if name in {*core, *LATER} else []:
                values = LATER.get(name, {}).get(label) or {labels.get(label) for labels in core[name]}
                assert set(wanted(operator, value)) <= values, (name, label, value)


@pytest.mark.parametrize("name", sorted(LATER))
def test_what_takes_longer_is_in_the_manual(name):
    manual = Path(os.environ["NVMEWATCH_BUILD"], "man/nvmewatch-metrics.7").read_text()
    assert name in manual


@pytest.mark.parametrize("file", TEST_FILES, ids=lambda file: file.name)
def test_tests_of_rules_feed_what_a_daemon_shows(full, file):
    for tested, test in test_cases():
        for series in test["input_series"] if tested == file else []:
            [(name, matchers)] = selectors(series["series"])
            assert name in {*full, *LATER, *PROMETHEUS_OWN, "nvmewatch_path_state"}, series
            if name in full and name != "nvmewatch_drive_info":
                labels = {label for shown in full[name] for label in shown}
                assert {label for label, _, _ in matchers} <= {*labels, "instance", "job"}, series


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_every_alert_says_what_is_wrong_and_what_to_do(rule):
    notes = rule["annotations"]
    assert set(notes) == {"summary", "description", "runbook"}
    assert "$labels.instance" in notes["summary"]
    assert "$value" in notes["description"] or "| query" in notes["description"]
    assert notes["runbook"] == f"man 7 nvmewatch-alerts, {rule['alert']}"
    assert rule["labels"]["severity"] in ("critical", "warning", "info")


def test_every_alert_has_its_section_in_the_manual_and_no_other():
    sections = re.findall(r"(?m)^\.Ss (\w+)$", RUNBOOK.read_text())
    assert sorted(sections) == ALERTS


@pytest.mark.parametrize("name", ALERTS)
def test_every_alert_has_a_test_of_its_firing_its_silence_and_its_end(name):
    stories = []
    for _, test in test_cases():
        steps = sorted((seconds(step["eval_time"]), bool(step.get("exp_alerts")))
                       for step in test.get("alert_rule_test", []) if step["alertname"] == name)
        stories.append("".join("x" if fires else "." for _, fires in steps))
    assert any(re.search(r"\.x+\.", story) for story in stories), stories


@pytest.mark.parametrize("name", ALERTS)
def test_every_alert_of_a_drive_tells_which_one(name):
    about_host = {"NvmewatchTargetDown", "NvmewatchCollectorDown", "NvmewatchHistoryNotWritten",
                  "NvmewatchHistoryWriteErrors", "NvmewatchRulesMissing"}
    fired = [alert["exp_labels"] for _, test in test_cases() for step in test.get("alert_rule_test", [])
             if step["alertname"] == name for alert in step.get("exp_alerts", [])]
    for labels in fired if name not in about_host else []:
        slot = {"slot"} if not labels["serial"].startswith("CA@") else set()
        assert {"instance", "serial", "device", "model", "firmware"} | slot <= set(labels)


def test_recording_rules_are_named_by_level_metric_and_operations():
    for rule in rules():
        name = rule.get("record", "")
        if not re.match(r"(nvme|smartctl)_", name):
            assert re.fullmatch(r"([a-z]+(_[a-z]+)*:nvmewatch_[a-z0-9_]+:[a-z0-9_]+|)", name), name


@pytest.mark.parametrize("name", sorted(recorded()))
def test_every_recorded_series_is_used_or_tested(name):
    tested = [step["expr"] for _, test in test_cases() for step in test.get("promql_expr_test", [])]
    expressions = [*tested, *(e for file in EXPRESSIONS.values() for e in file)]
    assert any(name == used for expression in expressions for used, _ in selectors(expression))


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.name)
def test_dashboards_ask_the_chosen_source_for_the_chosen_drive(file):
    document = dashboard(file)
    assert document["uid"] == file.stem and document["schemaVersion"] >= 36
    variables = {variable["name"] for variable in document["templating"]["list"]}
    assert "datasource" in variables
    used = set(re.findall(r"\$\{?(\w+)", file.read_text())) - {"__rate_interval"}
    assert used == variables
    ids = [panel["id"] for panel in document["panels"]]
    assert len(set(ids)) == len(ids)
    for panel in document["panels"]:
        assert panel["datasource"]["uid"] == "${datasource}"
        assert panel["title"] and panel["fieldConfig"]["defaults"]["unit"]
        spot = panel["gridPos"]
        assert spot["x"] + spot["w"] <= 24
