# SPDX-License-Identifier: LGPL-2.1-or-later
"""An HTTP client that hides nothing: status, headers and bytes as they came."""
import http.client
import json
import socket
from dataclasses import dataclass
from urllib.parse import quote

from prometheus_client.parser import text_string_to_metric_families

TIMEOUT = 10


@dataclass
class Answer:
    status: int
    headers: http.client.HTTPMessage
    body: bytes

    def json(self):
        return json.loads(self.body)

    def problem(self):
        """The problem document of an error, after RFC 9457."""
        assert self.headers["Content-Type"] == "application/problem+json", self.body
        document = self.json()
        assert document["status"] == self.status
        assert document["type"] == "about:blank" and document["title"] and document["detail"]
        return document


def drive_path(serial, rest=""):
    return f"/api/v1/drives/{quote(serial, safe='')}{rest}"


def parse_head(data):
    """Status and body of a raw answer."""
    head, _, body = data.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1."), data[:200]
    return int(head.split()[1]), body


class Client:
    def __init__(self, address):
        self.address = address

    def connect(self, source="127.0.0.1", timeout=TIMEOUT):
        """A plain connection; all of 127/8 is this host, so there can be several clients."""
        return socket.create_connection(self.address, timeout, (source, 0))

    def request(self, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection(*self.address, timeout=TIMEOUT)
        try:
            connection.request(method, path, body, headers or {})
            response = connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        finally:
            connection.close()

    def get(self, path, **headers):
        named = {key.replace("_", "-"): value for key, value in headers.items()}
        return self.request("GET", path, headers=named)

    def json(self, path):
        answer = self.get(path)
        assert answer.status == 200, (path, answer.status, answer.body[:500])
        assert answer.headers["Content-Type"] == "application/json"
        return answer.json()

    def drive(self, serial):
        return self.json(drive_path(serial))

    def fields(self, serial, page):
        """The values of a page, None where it is not live."""
        document = self.drive(serial)["pages"].get(page)
        return document["fields"] if document and document["fresh"] else None

    def text(self):
        answer = self.get("/metrics")
        assert answer.status == 200
        return answer.body.decode()

    def samples(self, name, **labels):
        """[(labels, value)] of a metric, those with the given labels."""
        return [(s.labels, s.value) for f in text_string_to_metric_families(self.text())
                for s in f.samples
                if s.name == name and labels.items() <= s.labels.items()]

    def value(self, name, **labels):
        """The one value, or None where the series is absent."""
        found = self.samples(name, **labels)
        assert len(found) <= 1, found
        return found[0][1] if found else None

    def exchange(self, data, source="127.0.0.1"):
        """Sends bytes, and takes all that comes until the server closes or is silent for 3 s."""
        with self.connect(source, 3) as s:
            received = b""
            try:
                s.sendall(data)
                while chunk := s.recv(65536):
                    received += chunk
            except (TimeoutError, ConnectionError):
                pass  # the server may have hung up over what was left unread
            return received
