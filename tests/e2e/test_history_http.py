# SPDX-License-Identifier: LGPL-2.1-or-later
"""History and events over HTTP: what was, as curl gets it."""
import concurrent.futures
import contextlib
import csv
import gzip
import io
import json
import socket
import sqlite3
import subprocess
import time
from datetime import datetime, timezone
from urllib.parse import quote

import pytest

from program import wait_until
from web import drive_path

EXACT = 32381395005 * 512000
FAST = ("store.interval=1s", "store.flush=1s")
ODD = "S/N 1%"


def milliseconds(text):
    return round(datetime.fromisoformat(text).timestamp() * 1000)


def ask(web, serial, **keys):
    query = "&".join(f"{key}={quote(str(value), safe='')}" for key, value in keys.items())
    return web.get(drive_path(serial, f"/history?{query}"))


def points(web, serial, **keys):
    answer = ask(web, serial, **keys)
    assert answer.status == 200, answer.body
    assert answer.headers["Content-Type"] == "application/json"
    return answer.json()


@pytest.fixture(scope="module")
def past(shared_host):
    """A host with some seconds of history."""
    host = shared_host
    host.drive("A", smart={"host_written_bytes": EXACT, "temperature_celsius": -8,
                           "endurance_used_ratio": 0.35, "power_cycles": 7},
               **{"change": {"at": "4s", "smart.temperature_celsius": 30, "smart.power_cycles": 9},
                  "change back": {"at": "6s", "smart.power_cycles": 1}})
    host.drive("odd", ODD, smart={"temperature_celsius": 40})
    host.collect(*FAST)
    host.serve(f"paths.state={host.state}")
    host.wait_pages(2)
    wait_until(lambda: any(e["type"] == "counter_reset" for e in events(host.web)), 20)
    # And a row behind it.
    last = points(host.web, "A", page="smart", fields="power_cycles")["time"][-1]
    wait_until(lambda: points(host.web, "A", page="smart", fields="power_cycles")["time"][-1] > last)
    return host


def events(web, path="/api/v1/events"):
    answer = web.get(path)
    return answer.json()["events"] if answer.status == 200 else []


# ---- Values. ----

def test_rows_are_those_that_rest_has_shown(past):
    def same():
        shown = past.web.drive("A")["pages"]["smart"]
        found = points(past.web, "A", page="smart")
        if shown["time"] not in found["time"]:
            return False
        at = found["time"].index(shown["time"])
        assert {name: values[at] for name, values in found["fields"].items()} == shown["fields"]
        return found
    found = wait_until(same)
    assert (found["serial"], found["page"], found["resolution"]) == ("A", "smart", "raw")
    assert found["step"] is None and found["agg"] is None
    assert set(found["fields"]["host_written_bytes"]) == {EXACT}
    assert found["time"] == sorted(found["time"])
    assert all(len(values) == len(found["time"]) for values in found["fields"].values())
    assert len(found["marks"]) == len(found["time"])


def test_what_was_not_flushed_yet_is_there(host):
    host.drive("A")
    host.collect("store.interval=1s", "store.flush=1h")
    host.serve(f"paths.state={host.state}")
    host.wait_pages(1)
    shown = host.web.drive("A")["pages"]["smart"]["time"]
    wait_until(lambda: shown <= points(host.web, "A", page="smart")["time"][-1])


def test_a_page_is_there_as_rows_of_history_db_are(past):
    found = points(past.web, "A", page="smart", fields="temperature_celsius")
    kept = dict(past.history("SELECT time, temperature_celsius FROM smart JOIN drives ON drives.id = drive"
                             " WHERE key = 'A'"))
    shown = dict(zip(map(milliseconds, found["time"]), found["fields"]["temperature_celsius"]))
    assert len(kept) > 3 and shown.items() >= kept.items()


def test_buckets_say_what_they_are_made_of(past):
    found = points(past.web, "A", page="smart", step="1h", agg="max", fields="temperature_celsius")
    assert found["step"] == 3600 and found["agg"] == {"temperature_celsius": "max"}
    assert all(milliseconds(t) % 3600000 == 0 for t in found["time"])
    assert max(x for x in found["fields"]["temperature_celsius"] if x is not None) == 30
    least = points(past.web, "A", page="smart", step="3600", agg="min", fields="temperature_celsius")
    assert min(x for x in least["fields"]["temperature_celsius"] if x is not None) == -8


def test_a_counter_that_goes_back_is_marked(past):
    found = points(past.web, "A", page="smart", step="1d", agg="increase", fields="power_cycles")
    assert "reset" in "".join(mark or "" for mark in found["marks"])
    # 7 to 9, and back to 1: growth is what was seen to grow.
    assert sum(x for x in found["fields"]["power_cycles"] if x is not None) in (2, 3)


def test_fields_default_to_what_the_agg_can_be_had_of(past):
    assert "temperature_celsius" in points(past.web, "A", page="smart", step="1h")["fields"]
    found = points(past.web, "A", page="smart", step="1h", agg="rate")["fields"]
    assert "host_written_bytes" in found and "temperature_celsius" not in found


@pytest.mark.parametrize("form", ["rfc", "offset", "unix", "fraction"])
def test_times_are_taken_in_every_form(past, form):
    times = points(past.web, "A", page="smart", fields="power_cycles")["time"]
    first, last = times[1], times[-2]
    written = {
        "rfc": lambda t: t,
        "offset": lambda t: datetime.fromisoformat(t).astimezone(
            timezone.utc).isoformat(timespec="milliseconds"),
        "unix": lambda t: milliseconds(t) / 1000,
        "fraction": lambda t: f"{milliseconds(t) / 1000:.3f}",
    }[form]
    found = points(past.web, "A", page="smart", fields="power_cycles", start=written(first), end=written(last))
    assert (found["time"][0], found["time"][-1]) == (first, last)


def test_a_plus_that_was_not_escaped_is_a_plus(past):
    answer = past.web.get(drive_path("A", "/history?page=smart&start=2020-01-01T01:00:00+01:00"))
    assert answer.status == 200 and answer.json()["start"] <= "2020-01-01T00:00:00.000Z"


def test_a_serial_may_need_escapes(past):
    assert points(past.web, ODD, page="smart")["serial"] == ODD
    assert any(e["serial"] == ODD for e in events(past.web, drive_path(ODD, "/events")))


def test_head_and_gzip_are_as_everywhere(past):
    path = drive_path("A", "/history?page=smart&end=2020-01-01")
    head, get = past.web.request("HEAD", path), past.web.get(path)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Length"] == get.headers["Content-Length"]
    assert get.json()["time"] == []
    path = drive_path("A", "/history?page=smart")
    packed = past.web.get(path, Accept_Encoding="gzip")
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Accept" in packed.headers["Vary"]
    assert json.loads(gzip.decompress(packed.body))["page"] == "smart"


def test_csv_has_the_same_values(past):
    end = time.time() - 0.1
    path = drive_path("A", f"/history?page=smart&end={end:.3f}")
    answer = past.web.get(path, Accept="text/csv")
    assert answer.headers["Content-Type"].startswith("text/csv")
    found = past.web.json(path)
    rows = list(csv.DictReader(io.StringIO(answer.body.decode(), newline="")))
    assert [row["time"] for row in rows] == found["time"]
    for name, values in found["fields"].items():
        assert [row[name] for row in rows] == ["" if x is None else str(x) for x in values], name
    assert answer.body.count(b"\r\n") == len(rows) + 1


# ---- A drive that is gone. ----

def test_a_drive_that_is_gone_has_its_history(host):
    host.drive("A")
    host.drive("B")
    host.collect(*FAST)
    host.serve(f"paths.state={host.state}")
    host.wait_pages(2)
    wait_until(lambda: points(host.web, "A", page="smart")["time"])
    host.programs[0].stop()
    (host.drives / "A.drive").unlink()
    # As if it had been forgotten: collect knows it no more.
    (host.run / "now.db").unlink()
    assert host.web.get(drive_path("A")).status == 503
    assert points(host.web, "A", page="smart")["time"]
    assert [e["type"] for e in events(host.web, drive_path("A", "/events"))][0] == "attach"
    answer = ask(host.web, "C", page="smart")
    assert answer.status == 404 and '"C"' in answer.problem()["detail"]
    answer = host.web.get(drive_path("C", "/events"))
    assert answer.status == 404 and '"C"' in answer.problem()["detail"]


def test_without_history_it_is_said_so(host):
    host.serve(f"paths.state={host.state}")
    for path in ("/api/v1/events", drive_path("A", "/history?page=smart")):
        answer = host.web.get(path)
        assert answer.status == 503 and "no history yet" in answer.problem()["detail"]


def test_history_that_is_none_is_said_so(host):
    host.state.mkdir()
    (host.state / "history.db").write_bytes(b"no database at all" * 1000)
    host.serve(f"paths.state={host.state}")
    answer = host.web.get("/api/v1/events")
    assert answer.status == 503 and "damaged" in answer.problem()["detail"]


# ---- Mistakes. ----

@pytest.mark.parametrize("query, word", [
    ("", "page is missing"), ("page=smrt", '"smrt"'), ("page=endurance_group", '"endurance_group_1"'),
    ("page=supported_logs", "No history is kept"), ("page=smart&fields=warmth", '"warmth"'),
    ("page=smart&fields=", '""'), ("page=smart&agg=median", "last, min, max, mean"),
    ("page=smart&agg=sum&fields=power_cycles", "increase"), ("page=smart&step=0", "above 0"),
    ("page=smart&step=-1", "above 0"), ("page=smart&step=1w", '"1w"'),
    ("page=smart&start=yesterday", '"yesterday"'), ("page=smart&start=2026-02-30", "2026-11-30T21:00:00Z"),
    ("page=smart&start=1700000001&end=1700000000", "is after end"),
    ("page=smart&start=2999-01-01", "has not come yet"), ("page=smart&start=0&step=1s", "step="),
    ("page=smart&colour=red", "page, fields, start, end, step, agg"),
    ("page=smart&page=ocp_smart", "twice"), ("page=smart&fields=%00", "malformed"),
])
def test_what_cannot_be_meant_is_400(past, query, word):
    answer = past.web.get(drive_path("A", f"/history?{query}"))
    assert answer.status == 400
    assert word in answer.problem()["detail"]


@pytest.mark.parametrize("query, word", [
    ("since=yesterday", '"yesterday"'), ("limit=0", "1 to 10000"), ("limit=10001", "1 to 10000"),
    ("after=x", "id of an event"), ("type=%27--", "type of event"), ("until=1", "since, type, after, limit"),
])
def test_wrong_words_about_events_are_400(past, query, word):
    for path in "/api/v1/events", drive_path("A", "/events"):
        answer = past.web.get(f"{path}?{query}")
        assert answer.status == 400
        assert word in answer.problem()["detail"]


@pytest.mark.parametrize("rest", ["/history?page=smart", "/events"])
@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE"])
def test_history_is_not_written(past, method, rest):
    answer = past.web.request(method, drive_path("A", rest), b"{}" if method == "POST" else None)
    assert answer.status == 405 and answer.headers["Allow"] == "GET, HEAD"


# ---- Events. ----

def test_events_come_newest_last_and_can_be_gone_through(past):
    found = past.web.json("/api/v1/events")
    assert found["more"] is False
    ids = [e["id"] for e in found["events"]]
    assert len(ids) >= 3 and ids == sorted(ids)
    assert set(found["events"][0]) == {"id", "time", "serial", "type", "detail"}
    step_by_step, after = [], 0
    while True:
        page = past.web.json(f"/api/v1/events?limit=1&after={after}")
        step_by_step += page["events"]
        if not page["more"]:
            break
        after = page["events"][-1]["id"]
    assert [e["id"] for e in step_by_step][:len(ids)] == ids
    assert [e["id"] for e in past.web.json("/api/v1/events?limit=2")["events"]] == \
        [e["id"] for e in past.web.json("/api/v1/events")["events"]][-2:]


def test_events_are_chosen_by_drive_type_and_time(past):
    mine = events(past.web, drive_path("A", "/events"))
    assert {e["serial"] for e in mine} == {"A"}
    [reset] = events(past.web, "/api/v1/events?type=counter_reset")
    assert reset["serial"] == "A" and "power_cycles" in reset["detail"]
    since = events(past.web, f"/api/v1/events?since={quote(reset['time'])}")
    assert reset in since and all(e["time"] >= reset["time"] for e in since)
    assert reset not in events(past.web, f"/api/v1/events?since={milliseconds(reset['time']) / 1000 + 0.001:.3f}")


def test_events_as_csv(past):
    answer = past.web.get("/api/v1/events?limit=1&after=0", Accept="text/csv")
    [row] = csv.DictReader(io.StringIO(answer.body.decode(), newline=""))
    [event] = events(past.web, "/api/v1/events?limit=1&after=0")
    assert row == {key: "" if value is None else str(value) for key, value in event.items()}


# ---- Load. ----

@pytest.fixture(scope="module")
def long_past(past):
    """So many events that looking through them takes a while."""
    past.programs[0].stop()
    database = sqlite3.connect(past.state / "history.db")
    with contextlib.closing(database), database:
        database.execute("INSERT INTO events (time, mono, drive, type, detail)"
                         " WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400000)"
                         " SELECT i, i, 1, 'reset', 'again' FROM n")
    return past


SLOW = "/api/v1/events"


def patient(web):
    """The head of the answer to it, however long that takes."""
    with web.connect(timeout=30) as s:
        s.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        received = b""
        while chunk := s.recv(65536):
            received += chunk
    return received.partition(b"\r\n\r\n")[0].decode()


def timed(call):
    begin = time.monotonic()
    return call(), time.monotonic() - begin


def test_scrapes_do_not_wait_for_history(long_past):
    web = long_past.web
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        slow = [pool.submit(patient, web) for _ in range(4)]
        worst = 0
        while not all(job.done() for job in slow):
            worst = max(worst, timed(lambda: web.get("/healthz"))[1])
        assert all(job.result().startswith(("HTTP/1.1 200", "HTTP/1.1 504")) for job in slow)
    assert worst < 1


def test_too_many_are_told_to_come_later(long_past):
    web = long_past.web
    with concurrent.futures.ThreadPoolExecutor(40) as pool:
        answers = list(pool.map(lambda _: patient(web), range(40)))
    refused = [a for a in answers if a.startswith("HTTP/1.1 503")]
    assert refused and all("Retry-After: 5" in a and "application/problem+json" in a for a in refused)
    assert sum(a.startswith("HTTP/1.1 200") for a in answers) >= 2
    assert web.get("/healthz").status == 200


def test_who_hangs_up_ends_the_query(long_past):
    web = long_past.web
    for _ in range(12):
        with web.connect() as s:
            s.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    # None of them is worked for any more: there is room, at once.
    answer, seconds = timed(lambda: web.get("/api/v1/events?limit=1&after=0"))
    assert answer.status == 200 and seconds < 3


def test_many_requests_on_one_connection_are_answered_in_order(past):
    paths = [drive_path("A", "/history?page=smart&fields=power_cycles"), "/healthz",
             "/api/v1/events?limit=1&after=0", "/healthz"]
    request = b"".join(f"GET {p} HTTP/1.1\r\nHost: x\r\n\r\n".encode() for p in paths)
    received = past.web.exchange(request)
    assert received.count(b"HTTP/1.1 200 OK") == 4
    bodies = [received.index(word) for word in (b'"power_cycles"', b'"ok"', b'"events"')]
    assert bodies == sorted(bodies)


def test_a_server_that_ends_does_not_wait_for_queries(long_past):
    serve = next(p for p in long_past.programs if p.name == "nvmewatch-serve")
    with contextlib.closing(socket.create_connection(long_past.web.address)) as s:
        s.sendall(f"GET {SLOW} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        time.sleep(0.05)
        code, seconds = timed(serve.stop)
    assert code == 0 and seconds < 2


# ---- Who may. ----

def test_it_takes_the_token_and_tls_of_everything_else(past):
    token, key, certificate = (past.folder / name for name in ("token", "key.pem", "cert.pem"))
    token.write_text("sesame\n")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x", "-days", "2",
                    "-keyout", key, "-out", certificate], check=True, capture_output=True)
    open_web = past.web
    past.serve(f"paths.state={past.state}", f"serve.read_token_file={token}", f"serve.tls_cert={certificate}",
               f"serve.tls_key={key}")
    host, port = past.web.address
    past.web = open_web

    def curl(path, *arguments):
        done = subprocess.run(["curl", "-sk", "--noproxy", "*", "-w", "\n%{http_code}", *arguments,
                               f"https://{host}:{port}{path}"], capture_output=True, text=True, timeout=30,
                              check=True)
        body, _, status = done.stdout.rpartition("\n")
        return int(status), json.loads(body)
    for path in (drive_path("A", "/history?page=smart"), "/api/v1/events"):
        assert curl(path)[0] == 401
        status, document = curl(path, "-H", "Authorization: Bearer sesame", "--compressed")
        assert status == 200 and (document.get("time") or document.get("events"))
