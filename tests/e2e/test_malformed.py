# SPDX-License-Identifier: LGPL-2.1-or-later
"""Requests that are none, or too much: each gets its error or is hung up on, and harms no other."""
import pytest

from web import parse_head

END = b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
GET = b"GET /healthz" + END
POST = b"POST /healthz" + END

# What is sent, and the status it gets; None: hung up on without an answer.
REQUESTS = {
    "a word": (b"GARBAGE\r\n\r\n", None),
    "bytes": (bytes(range(256)) * 4, 400),
    "no version": (b"GET /healthz\r\n\r\n", 400),
    "another version": (b"GET /healthz HTTP/9.9\r\n\r\n", 505),
    "HTTP/2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
    "header without colon": (GET + b"nonsense\r\n\r\n", 400),
    "endless method": (b"G" * 50000 + END + b"\r\n", 414),
    "endless path": (b"GET /" + b"a" * 100000 + END + b"\r\n", 414),
    "long path": (b"GET /" + b"a" * 8000 + END + b"\r\n", 404),
    "blank in the path": (b"GET /heal thz" + END + b"\r\n", 404),
    "NUL in the path": (b"GET /heal\0thz" + END + b"\r\n", 404),
    "path without slash": (b"GET healthz" + END + b"\r\n", 400),
    "asterisk": (b"OPTIONS *" + END + b"\r\n", 400),
    "proxy": (b"CONNECT x:80" + END + b"\r\n", 400),
    "endless header": (GET + b"X: " + b"a" * 100000 + b"\r\n\r\n", 431),
    "endless headers": (GET + b"X: a\r\n" * 5000 + b"\r\n", 431),
    "negative length": (POST + b"Content-Length: -1\r\n\r\n", 400),
    "length of letters": (POST + b"Content-Length: abc\r\n\r\n", 400),
    "length beyond numbers": (POST + b"Content-Length: " + b"9" * 30 + b"\r\n\r\n", 413),
    "a body that never comes": (POST + b"Content-Length: 9999999999\r\n\r\n", 405),
    "a body to wait for": (POST + b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n", 405),
    "broken chunks": (POST + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n", 405),
}
# Odd, but clear enough to be answered.
TOLERATED = {
    "HTTP/1.0": b"GET /healthz HTTP/1.0\r\n\r\n",
    "bare line feeds": b"GET /healthz HTTP/1.1\nHost: x\nConnection: close\n\n",
    "absolute form": b"GET http://elsewhere:1/healthz" + END + b"\r\n",
    "a body with GET": GET + b"Content-Length: 5\r\n\r\nhello",
    "chunks with GET": GET + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
    "upgrade": GET + b"Upgrade: websocket\r\n\r\n",
}
# What a front end may take for one request and a back end for two.
SMUGGLED = {
    "two lengths": b"Content-Length: 0\r\nContent-Length: 36\r\n\r\n",
    "length and chunks": b"Content-Length: 36\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
}


@pytest.fixture(scope="module")
def web(shared_host):
    shared_host.drive("A")
    shared_host.collect("poll.smart=1d")
    shared_host.serve()
    shared_host.wait_pages(1)
    return shared_host.web


@pytest.fixture(autouse=True)
def others_are_served(web):
    """Before, while and after: on a connection of its own, and a new one."""
    with web.connect() as other:
        yield
        other.sendall(GET + b"\r\n")
        assert parse_head(other.recv(4096))[0] == 200
    assert web.value("nvmewatch_drive_temperature_celsius", serial="A") == 30


@pytest.mark.parametrize("name", REQUESTS)
def test_a_malformed_request_gets_its_error(web, name):
    data, status = REQUESTS[name]
    received = web.exchange(data)
    if status is None:
        assert received == b""
    else:
        assert parse_head(received)[0] == status


@pytest.mark.parametrize("name", TOLERATED)
def test_an_odd_request_is_answered(web, name):
    assert parse_head(web.exchange(TOLERATED[name]))[0] == 200


@pytest.mark.parametrize("name", SMUGGLED)
def test_no_request_hides_in_the_body_of_another(web, name):
    hidden = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
    received = web.exchange(b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + SMUGGLED[name] + hidden)
    assert b"nvmewatch_" not in received


def test_requests_in_a_row_are_answered_in_order(web):
    again = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
    paths = [b"/healthz", b"/nothing", b"/api/v1/drives", b"/healthz"] * 25
    received = web.exchange(b"".join(again % path for path in paths) + GET + b"\r\n")
    heads = [part[:3] for part in received.split(b"HTTP/1.1 ")[1:]]
    assert heads == [b"200", b"404", b"200", b"200"] * 25 + [b"200"]
