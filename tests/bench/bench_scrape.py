# SPDX-License-Identifier: LGPL-2.1-or-later
"""What a scrape of 64 drives costs, against nginx with the same bytes in a file."""

import http.client
import os
import time

from processes import children, cpu_seconds, daemons, fetch, folder, free_port, running, wait_for
from report import line, ratio

SCRAPES = 400
CONFIG = """daemon off; user root; master_process on; worker_processes 1; pid {where}/nginx.pid;
error_log /dev/null; events {{}}
http {{ access_log off; sendfile on; gzip_static on; keepalive_requests 100000;
  client_body_temp_path {where}/t1; proxy_temp_path {where}/t2; fastcgi_temp_path {where}/t3;
  uwsgi_temp_path {where}/t4; scgi_temp_path {where}/t5;
  server {{ listen 127.0.0.1:{port}; root {where}/www; default_type text/plain; }} }}
"""


def scrape(port, pids, accept, pause=0.0):
    """CPU microseconds of one scrape over a connection that is kept, as Prometheus does."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    before, n = cpu_seconds(pids), SCRAPES if not pause else 20
    for _ in range(n):
        connection.request("GET", "/metrics", headers={"Accept-Encoding": accept})
        connection.getresponse().read()
        time.sleep(pause)
    connection.close()
    return (cpu_seconds(pids) - before) / n * 1e6


def with_nginx(where, body, packed, measure):
    os.makedirs(f"{where}/www")
    port = free_port()
    for name, data in (("metrics", body), ("metrics.gz", packed)):
        with open(f"{where}/www/{name}", "wb") as f:
            f.write(data)
    with open(f"{where}/nginx.conf", "w") as f:
        f.write(CONFIG.format(where=where, port=port))
    with running("nginx", "-c", f"{where}/nginx.conf", "-p", where) as nginx:
        wait_for(lambda: fetch(port) == body)
        measure(port, children(nginx.pid))


def main():
    with folder() as where, daemons(where, 64) as (_, serve, port):
        body, packed = fetch(port), fetch(port, **{"Accept-Encoding": "gzip"})
        line("scrape_bytes", len(body), "bytes")
        line("scrape_bytes_gzip", len(packed), "bytes")

        def measure(peer, workers):
            for kind in ("identity", "gzip"):
                name = f"scrape_cpu_{kind}"
                ratio(name, scrape(port, [serve.pid], kind), scrape(peer, workers, kind), "us",
                      "nginx", 1.3)
            # Values change about four times a second at 64 drives: every scrape renders anew.
            line("scrape_cpu_rendered_anew", scrape(port, [serve.pid], "gzip", 1.2), "us")

        with_nginx(where, body, packed, measure)


main()
