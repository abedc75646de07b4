# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real Prometheus with all rules on the shipped fleet: what made-up series would not show."""
import json

import pytest

from documents import DASHBOARDS, RULE_FILES, dashboard, dashboard_queries, rules
from program import wait_until
from servers import Prometheus

ROUNDS = 10  # evaluations before anything is asked


@pytest.fixture(scope="module", name="prometheus")
def prometheus_fixture(fleet, tmp_path_factory):
    target = "%s:%d" % fleet.core.address
    # Twice, under the same name, as it happens when a job is moved.
    server = Prometheus(tmp_path_factory.mktemp("prometheus"), {"nvmewatch": target, "again": target},
                        RULE_FILES)
    try:
        wait_until(lambda: float(server.query("count_over_time("
                   "instance_serial:nvmewatch_drive_info:topk[1m])")[0]["value"][1]) >= ROUNDS, 40)
        yield server
    finally:
        server.close()


def test_every_rule_evaluates(prometheus):
    evaluated = [rule for group in prometheus.ask("rules")["groups"] for rule in group["rules"]]
    assert len(evaluated) == len(rules())
    assert not [(rule["name"], rule["lastError"]) for rule in evaluated if rule["health"] != "ok"]


def test_alerts_tell_of_the_drives_that_are_not_well(prometheus):
    def known():
        return {(alert["labels"]["alertname"], alert["labels"].get("serial")): alert
                for alert in prometheus.ask("alerts")["alerts"]}
    failed = ("NvmewatchCriticalWarningBackupFailed", "SIMPM9A30002")
    told = wait_until(lambda: failed in known() and known())
    alert = told[failed]
    assert alert["state"] == "firing"
    assert {"device", "model", "firmware", "slot"} <= set(alert["labels"])
    assert "SAMSUNG MZQL21T9HCJR-00A07 SIMPM9A30002 in slot " in alert["annotations"]["description"]
    # Of no drive of this fleet can it be said that it is lost, or could not be told about.
    names = {name for name, _ in told}
    assert not names & {"NvmewatchDriveGone", "NvmewatchDriveNotResponding", "NvmewatchDriveUnread",
                        "NvmewatchRulesMissing", "NvmewatchCollectorDown", "NvmewatchMediaErrors"}
    assert "<error" not in json.dumps([alert["annotations"] for alert in told.values()])


@pytest.mark.parametrize("file", DASHBOARDS, ids=lambda file: file.name)
def test_panels_show_something(fleet, prometheus, file):
    chosen = {"$__rate_interval": "1m", "$model": ".+", "$serial": "SIM2700000001",
              "$instance": "%s:%d" % fleet.core.address}
    empty = []
    for query in dashboard_queries(file):
        for variable, value in chosen.items():
            query = query.replace(variable, value)
        if not prometheus.query(query):
            empty.append(query)
    # What takes a day of samples, or fifteen minutes of load, is not there after ten seconds.
    assert not [query for query in empty if "delta" not in query and "15m" not in query
                and "nvmewatch_wear_" not in query and "nvmewatch_store_" not in query
                and "endurance_left" not in query]
    assert len(empty) < len(list(dashboard_queries(file))) / 2
    assert dashboard(file)["title"].startswith("nvmewatch: ")
