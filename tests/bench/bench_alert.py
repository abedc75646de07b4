# SPDX-License-Identifier: LGPL-2.1-or-later
"""From a drive's throttling to the alert firing in Prometheus, which scrapes and evaluates every 15 s,
as drives are read by default; `for: 0s`.

Drives begin one second after the other, so that every moment between two reads has its turn. When
Prometheus scrapes and evaluates within its 15 s is another thing at every run."""

import json
import os
import re
import statistics
import time

from databases import answers, get
from processes import SOURCE, daemons, fetch, folder, free_port, running, wait_for
from report import line

EVERY = 15
FIRST = 25  # seconds after the collector's start: when all is read, and scraped
LIMIT = 4 * EVERY  # read, scraped, recorded by one group of rules, seen by that of the alerts
DRIVE = """[identity]
serial = BENCH{n:04d}
model = ACME
[identify]
wctemp_celsius = 77
[smart]
temperature_celsius = 75
[ocp_smart]
throttled = 0
[change heat]
at = {at}s
smart.temperature_celsius = 78
ocp_smart.throttled = 1
"""
CONFIG = """global: {{scrape_interval: {every}s, evaluation_interval: {every}s}}
rule_files: ["{where}/nvmewatch.*.yml"]
scrape_configs:
- job_name: nvmewatch
  static_configs: [{{targets: ["127.0.0.1:{port}"]}}]
"""


def make_drives(where):
    os.makedirs(f"{where}/sim")
    for n in range(EVERY):
        with open(f"{where}/sim/{n:03d}.drive", "w", encoding="utf-8") as f:
            f.write(DRIVE.format(n=n, at=FIRST + n))


def make_config(where, port):
    """The shipped rules, and the alerts without their `for`."""
    for name in ("nvmewatch.rules.yml", "nvmewatch.alerts.yml"):
        with open(f"{SOURCE}/etc/prometheus/{name}", encoding="utf-8") as f:
            text = re.sub(r"(?m)^( +for:) .*$", r"\1 0s", f.read())
        with open(f"{where}/{name}", "w", encoding="utf-8") as f:
            f.write(text)
    with open(f"{where}/prometheus.yml", "w", encoding="utf-8") as f:
        f.write(CONFIG.format(where=where, port=port, every=EVERY))


def shown(port):
    """The drives that nvmewatch says throttle."""
    return re.findall(r'(?m)^nvmewatch_thermal_throttled\{serial="(\w+)"\} 1$', fetch(port).decode())


def firing(port):
    """Those that Prometheus has the alert of."""
    alerts = json.loads(get(port, "/api/v1/alerts"))["data"]["alerts"]
    return [alert["labels"]["serial"] for alert in alerts
            if alert["labels"]["alertname"] == "NvmewatchThrottling" and alert["state"] == "firing"]


def watch(port, prometheus, began):
    """Seconds from each drive's throttling until it is shown, and until the alert fires."""
    seen = {}, {}

    def look():
        for times, serials in zip(seen, (shown(port), firing(prometheus))):
            for serial in serials:
                times.setdefault(serial, time.monotonic() - began - FIRST - int(serial[-4:]))
        return len(seen[1]) == EVERY
    wait_for(look, FIRST + EVERY + LIMIT)
    return [sorted(times.values()) for times in seen]


def main():
    with folder() as where:
        make_drives(where)
        began = time.monotonic()
        with daemons(where, None) as (_, _, port):
            make_config(where, port)
            prometheus = free_port()
            with running("prometheus", f"--config.file={where}/prometheus.yml",
                         f"--storage.tsdb.path={where}/tsdb",
                         f"--web.listen-address=127.0.0.1:{prometheus}"):
                wait_for(lambda: answers(prometheus, "/-/ready"))
                metrics, alerts = watch(port, prometheus, began)
    line("throttle_to_metrics_median", statistics.median(metrics), "s")
    line("throttle_to_metrics_max", metrics[-1], f"s (limit {EVERY})")
    line("throttle_to_alert_min", alerts[0], "s")
    line("throttle_to_alert_median", statistics.median(alerts), "s")
    line("throttle_to_alert_max", alerts[-1], f"s (limit {LIMIT})")


main()
