# SPDX-License-Identifier: LGPL-2.1-or-later
"""A real Prometheus scrapes, stores and answers."""
import json
import socket
import subprocess
import urllib.parse
import urllib.request

import pytest

from fleet import NASTY, write_nasty
from program import wait_until

CONFIG = """
global: {{scrape_interval: 1s, scrape_timeout: 1s}}
scrape_configs:
- job_name: nvmewatch
  static_configs: [{{targets: ["{target}"]}}]
"""


class Prometheus:
    def __init__(self, folder, target):
        config = folder / "prometheus.yml"
        config.write_text(CONFIG.format(target=target))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = "127.0.0.1:%d" % free.getsockname()[1]
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder}/tsdb",
             f"--web.listen-address={self.address}"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def query(self, expression):
        """[(labels, value)]"""
        query = urllib.parse.urlencode({"query": expression})
        with urllib.request.urlopen(f"http://{self.address}/api/v1/query?{query}", timeout=5) as r:
            result = json.load(r)["data"]["result"]
        return [(row["metric"], float(row["value"][1])) for row in result]

    def close(self):
        self.process.terminate()
        self.process.wait(10)


@pytest.fixture
def scraped(host):
    host.drive("A", smart={"temperature_celsius": 43, "host_written_bytes": 16579274242048000})
    write_nasty(host)
    host.collector = host.collect()
    host.serve()
    host.wait_pages(len(NASTY) + 2)
    prometheus = Prometheus(host.folder, "%s:%d" % host.web.address)
    try:
        wait_until(lambda: prometheus.query('up{job="nvmewatch"}')[0][1] == 1, 20)
        yield host, prometheus
    finally:
        prometheus.close()


def test_prometheus_scrapes_all_of_it(scraped):
    host, prometheus = scraped
    [(labels, value)] = wait_until(
        lambda: prometheus.query('nvmewatch_drive_temperature_celsius{serial="A"}'))
    assert value == 43
    # The serial and nothing that changes.
    assert set(labels) == {"__name__", "serial", "instance", "job"}
    assert prometheus.query('nvmewatch_drive_host_written_bytes_total{serial="A"}')[0][1] \
        == 16579274242048000
    # Not one sample of the text was lost on the way: that is what `up` alone would not tell.
    lines = [line for line in host.web.text().splitlines() if line[0] != "#"]
    [(_, kept)] = prometheus.query("scrape_samples_scraped")
    assert kept == len(lines)
    known = {labels["serial"] for labels, _ in prometheus.query("nvmewatch_drive_present")}
    assert set(NASTY.values()) <= known


def test_series_go_stale_when_the_collector_stops(scraped):
    host, prometheus = scraped
    host.collector.stop()
    wait_until(lambda: prometheus.query("nvmewatch_collector_up")[0][1] == 0)
    wait_until(lambda: not prometheus.query("nvmewatch_drive_temperature_celsius"))
    assert prometheus.query("up")[0][1] == 1
