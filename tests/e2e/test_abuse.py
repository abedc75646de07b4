# SPDX-License-Identifier: LGPL-2.1-or-later
"""Clients that take what they can: many at once, slow ones, and such that never read."""
import contextlib
import os
import resource
import socket
import time

import pytest

from fleet import write_shipped
from program import wait_until
from web import parse_head

REQUEST = b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n"
DEADLINE = 30  # client.h: from coming in to the last byte of the answer
PER_PEER = 128


@pytest.fixture(scope="module")
def running(shared_host):
    write_shipped(shared_host, 18)
    shared_host.collect()
    shared_host.server = shared_host.serve()
    shared_host.wait_pages(18)
    return shared_host


def descriptors(program):
    return len(os.listdir(f"/proc/{program.pid}/fd"))


def established(s):
    return s.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1) == b"\1"


def cpu_seconds(program):
    with open(f"/proc/{program.pid}/stat") as stat:
        fields = stat.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# HTT-02. What each sends, and no more; "trickle" goes on a byte at a time.
SLOW = {
    "silent": b"", "half a line": b"GET /met", "half a request": REQUEST[:-2],
    "trickle": REQUEST[:-2], "never reads": REQUEST * 50,
}


@pytest.fixture(scope="module")
def slow(running):
    """They begin with the first test of this file, and are looked at by the last one."""
    with contextlib.ExitStack() as stack:
        # The last request's connection may be closing still.
        running.baseline = min(descriptors(running.server) for _ in range(20)
                               if not time.sleep(0.02))
        running.slow = {}
        for kind, sent in SLOW.items():
            s = stack.enter_context(running.web.connect("127.0.0.3"))
            if kind == "never reads":
                s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            s.sendall(sent)
            running.slow[kind] = s
        running.slow_since = time.monotonic()
        yield running


def scrape(web, source):
    """The status that a scrape from another address of this host gets."""
    with web.connect(source) as s:
        s.sendall(REQUEST.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        received = b""
        while chunk := s.recv(65536):
            received += chunk
    status, body = parse_head(received)
    return status, b"nvmewatch_collector_up 1" in body


def open_connections(web, stack, number, source):
    """How many of them were let in; the others were told so at once."""
    connections = [stack.enter_context(web.connect(source)) for _ in range(number)]
    for s in connections:
        with contextlib.suppress(ConnectionError):  # refused before it could ask
            s.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
    statuses = [parse_head(s.recv(4096))[0] for s in connections]
    assert set(statuses) <= {200, 503}
    return statuses.count(200)


def test_one_address_cannot_keep_others_out(slow):
    """HTT-01, HTT-04: 500 connections from one place, a scrape from another."""
    with contextlib.ExitStack() as stack:
        assert open_connections(slow.web, stack, 500, "127.0.0.1") == PER_PEER
        assert scrape(slow.web, "127.0.0.2") == (200, True)
        # Those inside are served on.
    wait_until(lambda: scrape(slow.web, "127.0.0.1") == (200, True))


def test_a_full_house_says_so_at_once_and_empties(slow):
    with contextlib.ExitStack() as stack:
        let_in = sum(open_connections(slow.web, stack, 140, f"127.0.1.{n}") for n in range(5))
        assert 4 * PER_PEER - len(slow.slow) <= let_in <= 4 * PER_PEER
        with slow.web.connect("127.0.0.2") as s:
            status, body = parse_head(s.recv(4096))
        assert status == 503 and b"Too many connections" in body
    wait_until(lambda: scrape(slow.web, "127.0.0.2") == (200, True))


def test_few_descriptors_are_no_reason_to_spin(slow):
    """HTT-01: with the limit of 256 that it may find itself under."""
    with contextlib.ExitStack() as stack:
        server = slow.serve()
        web, slow.web = server.web, slow.server.web
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (40, 40))
        wait_until(lambda: web.get("/healthz").status == 200)
        connections = [stack.enter_context(web.connect(f"127.0.2.{n}")) for n in range(60)]
        before, since = cpu_seconds(server), time.monotonic()
        wait_until(lambda: time.monotonic() > since + 2)
        assert cpu_seconds(server) - before < 0.3
        for s in connections:
            s.close()
    wait_until(lambda: web.get("/healthz").status == 200)


def test_aborted_connections_leave_nothing(slow):
    before = descriptors(slow.server)
    for n in range(300):
        s = slow.web.connect(f"127.0.3.{n % 4}")
        s.sendall(REQUEST[:n % len(REQUEST)] if n % 2 else REQUEST)
        # RST instead of FIN.
        s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        s.close()
    wait_until(lambda: descriptors(slow.server) <= before)
    assert scrape(slow.web, "127.0.0.2") == (200, True)


def test_slow_clients_are_cut_off_at_their_deadline(slow):
    """HTT-02: also one that sends a byte now and then, which an idle time-out lets through."""
    assert time.monotonic() - slow.slow_since < DEADLINE, "the other tests took too long for this"
    wait_until(lambda: time.monotonic() > slow.slow_since + DEADLINE - 4, DEADLINE)
    assert [kind for kind, s in slow.slow.items() if not established(s)] == [], "cut off early"
    assert scrape(slow.web, "127.0.0.2") == (200, True)

    def gone():
        with contextlib.suppress(OSError):
            slow.slow["trickle"].sendall(b"X")
        return descriptors(slow.server) <= slow.baseline
    wait_until(gone, 4 + 4)
    assert scrape(slow.web, "127.0.0.2") == (200, True)
