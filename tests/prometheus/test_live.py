# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real Prometheus with all rules on the shipped fleet: what made-up series would not show."""
import json
import socket
import subprocess
import urllib.parse
import urllib.request

import pytest

from documents import DASHBOARDS, RULE_FILES, dashboard, dashboard_queries, rules
from program import wait_until

CONFIG = """
global: {{scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s}}
rule_files: {rule_files}
scrape_configs:
- job_name: nvmewatch
  static_configs: [{{targets: ["{target}"]}}]
# Twice, under the same name, as it happens when a job is moved.
- job_name: again
  static_configs: [{{targets: ["{target}"]}}]
"""
ROUNDS = 10  # evaluations before anything is asked


class Prometheus:
    def __init__(self, folder, target):
        config = folder / "prometheus.yml"
        config.write_text(CONFIG.format(target=target, rule_files=[str(file) for file in RULE_FILES]))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = "127.0.0.1:%d" % free.getsockname()[1]
        self.instance = target
        with open(folder / "prometheus.log", "wb") as log:
            self.process = subprocess.Popen(
                ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/tsdb",
                 f"--web.listen-address={self.address}"],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def ask(self, path, **query):
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=5) as response:
            return json.load(response)["data"]

    def query(self, expression):
        return self.ask("query", query=expression)["result"]

    def close(self):
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture(scope="module", name="prometheus")
def prometheus_fixture(fleet, tmp_path_factory):
    server = Prometheus(tmp_path_factory.mktemp("prometheus"), "%s:%d" % fleet.core.address)
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
def test_panels_show_something(prometheus, file):
    chosen = {"$__rate_interval": "1m", "$model": ".+", "$serial": "SIM2700000001",
              "$instance": prometheus.instance}
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
