# SPDX-License-Identifier: LGPL-2.1-or-later
"""Prometheus, Alertmanager, and what receives its notifications: on loopback, on free ports."""
import http.server
import json
import socket
import subprocess
import threading
import urllib.parse
import urllib.request

import yaml

from program import wait_until


class Server:
    """One program with an HTTP API; ended by its pid."""

    def __init__(self, folder, program, config, *options):
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.address = "127.0.0.1:%d" % free.getsockname()[1]
        file, self.log = folder / f"{program}.yml", folder / f"{program}.log"
        file.write_text(yaml.safe_dump(config))
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [program, f"--config.file={file}", f"--web.listen-address={self.address}", *options],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def get(self, path, **query):
        url = f"http://{self.address}{path}?{urllib.parse.urlencode(query)}"
        with urllib.request.urlopen(url, timeout=5) as response:
            return response.read()

    def wait_ready(self):
        wait_until(lambda: self.get("/-/ready"), 20, f"{self.log}: not ready")

    def close(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


class Prometheus(Server):
    """At one scrape and one evaluation a second."""

    def __init__(self, folder, jobs, rule_files, alertmanager=None):
        """jobs: {name: target}."""
        config = {
            "global": {"scrape_interval": "1s", "scrape_timeout": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(file) for file in rule_files],
            "scrape_configs": [{"job_name": name, "static_configs": [{"targets": [target]}]}
                               for name, target in jobs.items()],
        }
        if alertmanager:
            config["alerting"] = {
                "alertmanagers": [{"static_configs": [{"targets": [alertmanager]}]}]}
        super().__init__(folder, "prometheus", config, f"--storage.tsdb.path={folder}/tsdb")

    def ask(self, path, **query):
        return json.loads(self.get(f"/api/v1/{path}", **query))["data"]

    def query(self, expression):
        return self.ask("query", query=expression)["result"]


class Alertmanager(Server):
    """Tells of every alert by itself, at once: when it fires, and when it is resolved."""

    def __init__(self, folder, webhook):
        config = {
            "route": {"receiver": "test", "group_by": ["..."], "group_wait": "0s",
                      "group_interval": "1s", "repeat_interval": "1h"},
            "receivers": [{"name": "test",
                           "webhook_configs": [{"url": webhook, "send_resolved": True}]}],
        }
        super().__init__(folder, "prometheus-alertmanager", config,
                         f"--storage.path={folder}/alertmanager", "--cluster.listen-address=")


class Webhook(http.server.ThreadingHTTPServer):
    """Keeps what it is told, in order."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Keeper)
        self.url, self.alerts = "http://127.0.0.1:%d/" % self.server_port, []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def has(self, name, serial, status="firing"):
        return (name, serial, status) in [told(alert) for alert in self.alerts]

    def close(self):
        self.shutdown()
        self.server_close()


class Keeper(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.alerts += body["alerts"]
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):  # pylint: disable=arguments-differ
        pass


def told(alert):
    """What a notification is about."""
    return alert["labels"]["alertname"], alert["labels"].get("serial"), alert["status"]
