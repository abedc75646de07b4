# SPDX-License-Identifier: LGPL-2.1-or-later
"""What is shipped for Prometheus and Grafana, read as data."""
import json
import re
from pathlib import Path

import yaml

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[1]
PROMETHEUS = TOP / "etc" / "prometheus"
GRAFANA = TOP / "etc" / "grafana"
RUNBOOK = TOP / "man" / "nvmewatch-alerts.7"

RULE_FILES = sorted(PROMETHEUS.glob("nvmewatch.*.yml"))
TEST_FILES = sorted(HERE.glob("*.test.yml"))
DASHBOARDS = sorted(GRAFANA.glob("*.json"))

STRING = r'"(?:[^"\\]|\\.)*"'
SELECTOR = re.compile(r"([a-zA-Z_:][a-zA-Z0-9_:]*)\s*(\{[^{}]*\})?")
MATCHER = re.compile(r"(\w+)\s*(=~|!~|!=|=)\s*(" + STRING + ")")


def rules():
    """Every rule, as the file has it."""
    return [rule for file in RULE_FILES for group in yaml.safe_load(file.read_text())["groups"]
            for rule in group["rules"]]


def alerts():
    return [rule for rule in rules() if "alert" in rule]


def recorded():
    return {rule["record"] for rule in rules() if "record" in rule}


def test_cases():
    """(file, test) of every test of rules."""
    return [(file, test) for file in TEST_FILES for test in yaml.safe_load(file.read_text())["tests"]]


test_cases.__test__ = False  # for pytest


def dashboard(file):
    return json.loads(file.read_text())


def dashboard_queries(file):
    """Every query of a dashboard: those of panels, those of variables."""
    document = dashboard(file)
    for panel in document["panels"]:
        for target in panel["targets"]:
            yield target["expr"]
    for variable in document["templating"]["list"]:
        if variable["type"] == "query":
            yield re.sub(r"^label_values\((.*), \w+\)$", r"\1", variable["query"]["query"])


def is_metric(name):
    return ":" in name or name in ("up", "ALERTS") or re.match(r"(nvmewatch|nvme|smartctl)_", name)


def selectors(expression):
    """[(name, [(label, operator, value)])] of the metrics in an expression."""
    text = re.sub(r"(?m)#.*$", "", expression)
    found = []
    for name, matchers in SELECTOR.findall(re.sub(r'(?<![=~])' + STRING, '""', text)):
        if is_metric(name):
            found.append((name, [(label, operator, json.loads(value))
                                 for label, operator, value in MATCHER.findall(matchers)]))
    return found


def seconds(duration):
    """Of "1d3h"."""
    units = {"d": 86400, "h": 3600, "m": 60, "s": 1}
    return sum(int(n) * units[unit] for n, unit in re.findall(r"(\d+)([dhms])", duration))
