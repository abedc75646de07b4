# SPDX-License-Identifier: LGPL-2.1-or-later
"""nvmewatch, the command line: the same answers from the server and from the files, the control
socket, and mistakes in words."""
import re
import contextlib
import json
import os
import pty
import socket
import struct
import subprocess
import threading

import pytest

from fleet import write_nasty
from harness import options
from program import BUILD, SANITIZERS, wait_until

NOWHERE = "127.0.0.1:1"  # refuses every connection
REQUEST = struct.Struct("=II128s32sQ")
ANSWER = struct.Struct("=Ii")
PAUSE, FORGET = 1, 2


def run(*arguments, code=0, **environment):
    """What it printed; what it said is empty unless a code or a note is expected."""
    done = subprocess.run([BUILD / "nvmewatch", *arguments], capture_output=True, text=True,
                          timeout=60, env={**os.environ, **environment}, check=False)
    assert not any(word in done.stderr for word in SANITIZERS), done.stderr
    assert done.returncode == code, (arguments, done.stdout, done.stderr)
    done.rows = [line.split("  ") for line in done.stdout.splitlines()]
    return done


class Cli:
    """The program on a host: with its server, or with a server that does not answer."""

    def __init__(self, host):
        self.host, self.paths = host, options(f"paths.run={host.run}")

    def asks(self, *arguments, **more):
        port = self.host.web.address[1]
        done = run(*self.paths, "-o", f"serve.listen=127.0.0.1:{port}", *arguments, **more)
        assert "reading" not in done.stderr, done.stderr
        return done

    def reads(self, *arguments, **more):
        return run(*self.paths, "-o", f"serve.listen={NOWHERE}", *arguments, **more)


@pytest.fixture(scope="module")
def fleet(shared_host):
    """Drives that do not change, all pages read."""
    host = shared_host
    host.drive("a2", "SN100", identity={"model": "Model A", "firmware": "F1", "device": "nvme32",
                                        "capacity": "3.84T"},
               smart={"temperature_celsius": 41, "endurance_used_ratio": 0.05,
                      "host_written_bytes": 31200000000000, "power_cycles": 7})
    host.drive("a10", "SN2", identity={"device": "nvme100"}, raw={"smart.0": "10"})
    write_nasty(host)
    host.collect("poll.smart=1h", "poll.ocp=1h")
    host.serve()
    drives = len(list(host.drives.glob("*.drive")))
    host.wait_pages(drives)
    # Nothing is in flight: two looks at the file are the same.
    wait_until(lambda: len(json.loads(run("list", "--json", *options(f"paths.run={host.run}"),
                                          "-o", f"serve.listen={NOWHERE}").stdout)["drives"])
               == drives)
    return Cli(host)


# ---- Looking. ----

def test_the_list_has_every_drive_by_device(fleet):
    lines = fleet.asks("list").stdout.splitlines()
    assert lines[0].split() == ["DEVICE", "SERIAL", "MODEL", "FIRMWARE", "CAPACITY", "TEMP", "USED",
                                "WRITTEN", "HEALTH"]
    devices = [line.split()[0] for line in lines[1:]]
    assert devices == sorted(devices, key=lambda name: int(name.removeprefix("nvme")))
    row = next(line for line in lines if "SN100" in line)
    assert row.split() == ["nvme32", "SN100", "Model", "A", "F1", "3.84", "TB", "41", "C", "5%",
                           "31.2", "TB", "ok"]
    assert next(line for line in lines if "SN2" in line).endswith("critical")
    assert len({line.index("HEALTH") for line in lines if "HEALTH" in line}) == 1
    assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("words", [
    ("list",), ("show", "SN100"), ("show", "nvme32"), ("show", "SN1", "smart"), ("fields",),
])
def test_json_is_that_of_the_interface_with_and_without_a_server(fleet, words):
    path = {("list",): "/api/v1/drives", ("fields",): "/api/v1/fields",
            ("show", "SN1", "smart"): "/api/v1/drives/SN100/pages/smart"}
    interface = fleet.host.web.get(path.get(words, "/api/v1/drives/SN100")).body.decode()
    assert fleet.asks(*words, "--json").stdout == interface
    offline = fleet.reads(*words, "--json")
    assert offline.stdout == interface
    assert "Connection refused" in offline.stderr and offline.stderr.count("\n") == 1
    port = fleet.host.web.address[1]
    assert run(*words, "--json", "--url", f"http://127.0.0.1:{port}/").stdout == interface


def test_text_is_the_same_without_a_server(fleet):
    assert fleet.asks("list").stdout == fleet.reads("list").stdout
    assert fleet.asks("fields").stdout == fleet.reads("fields").stdout
    note = fleet.reads("list").stderr
    assert f"http://{NOWHERE}" in note and f"{fleet.host.run}/now.db" in note
    assert "own table" in fleet.reads("fields").stderr


def test_every_drive_can_be_shown(fleet):
    for drive in fleet.host.web.json("/api/v1/drives")["drives"]:
        for name in drive["serial"], drive["device"]:
            shown = fleet.asks("show", "--json", "--", name)
            assert json.loads(shown.stdout)["serial"] == drive["serial"]
        text = fleet.asks("show", "--", drive["serial"]).stdout
        assert text.isprintable() or all(c.isprintable() or c == "\n" for c in text)


def test_a_drive_is_shown_with_its_pages(fleet):
    text = fleet.asks("show", "nvme32").stdout
    assert "Capacity      3.84 TB (3840000000000 bytes)\n" in text
    assert "smart: SMART / Health Information" in text and " UTC, " in text
    assert "  host_written_bytes                 31200000000000  31.2 TB\n" in text
    assert "sensor_temperature_celsius_1" not in text
    assert "sensor_temperature_celsius_1       -\n" in fleet.asks("show", "nvme32", "--all").stdout
    page = fleet.asks("show", "nvme32", "smart").stdout
    # A second may have passed, and a poll.
    page, text = (re.sub(r"  read .* ago", "  read", shown) for shown in (page, text))
    assert page.startswith("smart: ") and page in text + "\n" and "Capacity" not in page
    assert "critical\n" in fleet.asks("show", "SN2").stdout
    assert "volatile memory backup has failed" in fleet.asks("show", "SN2").stdout


@pytest.mark.parametrize("words, said", [
    (("show", "SN"), "any of 2 drives: SN100 (nvme32), SN2 (nvme100)"),
    (("show", "NONE"), 'no drive is called "NONE"'),
    (("show", "SN2", "nonsense"), 'No page is called "nonsense"'),
    (("show", "SN2", "ocp_smart"), "does not have the page"),
    (("fields", "nonsense"), 'No page is called "nonsense"'),
])
def test_what_is_not_there_is_said_the_same_way(fleet, words, said):
    for way in fleet.asks, fleet.reads:
        done = way(*words, code=1)
        assert said in done.stderr and not done.stdout


def test_fields_can_be_those_of_a_page(fleet):
    pages = json.loads(fleet.asks("fields", "smart", "--json").stdout)["pages"]
    assert [page["name"] for page in pages] == ["smart"]
    rows = fleet.asks("fields", "smart").stdout.splitlines()
    assert all(row.startswith(("PAGE", "smart ")) for row in rows)
    assert any('nvmewatch_drive_temperature_over_seconds_total{limit="warning"}' in r for r in rows)


def test_metrics_are_those_of_the_server(fleet):
    samples = [line for line in fleet.asks("metrics").stdout.splitlines() if "power_cycles" in line]
    assert 'nvmewatch_drive_power_cycles_total{serial="SN100"} 7' in samples
    assert "Connection refused" in fleet.reads("metrics", code=1).stderr


def test_colours_are_for_terminals(fleet):
    def on_terminal(**environment):
        ours, theirs = pty.openpty()
        command = [BUILD / "nvmewatch", "list", *fleet.paths, "-o", f"serve.listen={NOWHERE}"]
        subprocess.run(command, stdout=theirs, stderr=subprocess.DEVNULL, timeout=60, check=True,
                       env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment})
        os.close(theirs)
        text = b""
        with contextlib.suppress(OSError):  # the end, for a terminal
            while chunk := os.read(ours, 65536):
                text += chunk
        os.close(ours)
        return text
    assert b"\x1b[31mcritical\x1b[0m" in on_terminal()
    assert b"\x1b" not in on_terminal(NO_COLOR="1") + on_terminal(TERM="dumb")
    assert "\x1b" not in fleet.asks("list", TERM="xterm").stdout


# ---- Where the data comes from. ----

def test_another_hosts_server_is_not_replaced_by_this_hosts_files(fleet):
    done = run("list", "--url", f"http://{NOWHERE}", code=1)
    assert "Connection refused" in done.stderr and not done.stdout


def test_a_silent_server_costs_seconds(fleet):
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"127.0.0.1:{silent.getsockname()[1]}"
        done = run("list", *fleet.paths, "-o", f"serve.listen={url}")
    assert "no answer in time" in done.stderr and "SN100" in done.stdout


def test_no_proxy_stands_before_this_host(fleet):
    assert "SN100" in fleet.asks("list", http_proxy=f"http://{NOWHERE}").stdout


def test_a_token_and_a_certificate_are_taken_from_the_configuration(host):
    token, key, certificate = (host.folder / name for name in ("token", "key.pem", "cert.pem"))
    token.write_text("sesame\n")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=x",
                    "-days", "2", "-keyout", key, "-out", certificate], check=True,
                   capture_output=True)
    secured = [f"serve.tls_cert={certificate}", f"serve.tls_key={key}"]
    tokened = f"serve.read_token_file={token}"
    host.drive("A")
    host.collect()
    cli = Cli(host)
    wait_until(lambda: cli.reads("list").stdout.count("\n") == 2)
    host.serve(*secured, tokened)
    assert "A" in cli.asks("list", *options(*secured, tokened)).stdout
    assert "collector_up 1\n" in cli.asks("metrics", *options(*secured, tokened)).stdout
    # Without them it is the files, which take no token.
    port = host.web.address[1]
    listen = f"serve.listen=127.0.0.1:{port}"
    for known, why in ([*secured], "wants a token"), ([tokened], "does not answer"):
        done = run("list", *cli.paths, *options(listen, *known))
        assert why in done.stderr and done.stdout.count("\n") == 2
    assert "certificate" in run("list", "--url", f"https://127.0.0.1:{port}", code=1).stderr


def test_a_stopped_collector_is_no_live_data(host):
    host.drive("A", smart={"temperature_celsius": 41})
    collector = host.collect()
    host.serve()
    host.wait_pages(1)
    collector.stop()
    cli = Cli(host)
    wait_until(lambda: "the collector is not running" in cli.asks("show", "A").stdout, 20)
    for way in cli.asks, cli.reads:
        listed = way("list").stdout
        assert "41 C" not in listed and listed.endswith("unknown\n")
        shown = way("show", "A").stdout
        assert "the collector is not running" in shown and "no longer live" in shown
    (host.run / "now.db").write_bytes(b"no database" * 100)
    assert "broken" in cli.reads("list", code=1).stderr
    (host.run / "now.db").unlink()
    assert "does nvmewatch-collect run?" in cli.reads("list", code=1).stderr
    assert "not published anything yet" in cli.asks("list", code=1).stderr


def test_what_is_no_nvmewatch_is_said_so(fleet, tmp_path):
    def once(answer):
        listener = socket.create_server(("127.0.0.1", 0))

        def serve():
            with listener, listener.accept()[0] as client:
                client.recv(65536)
                client.sendall(answer)
        thread = threading.Thread(target=serve)
        thread.start()
        done = run("list", "--url", f"http://127.0.0.1:{listener.getsockname()[1]}", code=1)
        thread.join()
        return done.stderr
    assert "answers 404: is that" in once(b"HTTP/1.0 404 No\r\n\r\n<html>")
    assert "answers 302" in once(b"HTTP/1.0 302 No\r\nLocation: http://127.0.0.1:1/\r\n\r\n")
    assert "answers no JSON" in once(b"HTTP/1.0 200 OK\r\n\r\n<html>")
    assert "does not answer" in once(b"garbage")
    assert "Forbidden thing." in once(b'HTTP/1.0 403 No\r\n\r\n{"detail":"Forbidden thing."}')


# ---- The control socket. ----

class Peer:
    """A collector's end of the socket that answers every request the same way."""

    def __init__(self, folder, answer):
        self.answer, self.requests = answer, []
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.bind(str(folder / "control"))
        self.socket.listen()
        self.thread = threading.Thread(target=self.serve)
        self.thread.start()

    def serve(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.socket.accept()
                with client:
                    self.requests.append(client.recv(4096))
                    if self.answer:
                        client.send(self.answer)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join()


@contextlib.contextmanager
def peer(fleet, answer):
    with contextlib.closing(Peer(fleet.host.run, answer)) as p:
        try:
            yield p
        finally:
            (fleet.host.run / "control").unlink()


def decode(request):
    version, verb, drive, page, seconds = REQUEST.unpack(request)
    assert version == 1 and page == bytes(32)
    assert drive.rstrip(b"\0").count(b"\0") == 0
    return verb, drive.rstrip(b"\0").decode(), seconds


@pytest.fixture
def bare(host):
    """A host whose collector has been and gone, socket and all."""
    host.drive("A", "SN100", identity={"device": "nvme3"})
    collector = host.collect()
    wait_until(lambda: (host.run / "now.db").exists())
    cli = Cli(host)
    wait_until(lambda: "SN100" in cli.reads("list").stdout)
    collector.stop()
    with contextlib.suppress(FileNotFoundError):
        (host.run / "control").unlink()
    return cli


def test_pause_and_forget_reach_the_collector(bare):
    with peer(bare, ANSWER.pack(1, 0)) as p:
        assert bare.reads("pause", "nvme3", "2h").stdout == "SN100 (nvme3) is paused for 2h\n"
        assert bare.reads("pause", "SN1", "30m").stderr == ""
        assert bare.reads("pause", "SN100", "30d").stdout
        assert bare.reads("pause", "SN100", "0s").stdout == "SN100 (nvme3) goes on\n"
        assert bare.reads("pause", "SN100", "resume").stdout == "SN100 (nvme3) goes on\n"
        assert bare.reads("forget", "nvme3").stdout == "SN100 (nvme3) is forgotten\n"
        sent = [decode(request) for request in p.requests]
    assert sent == [(PAUSE, "SN100", 7200), (PAUSE, "SN100", 1800), (PAUSE, "SN100", 30 * 86400),
                    (PAUSE, "SN100", 0), (PAUSE, "SN100", 0), (FORGET, "SN100", 0)]


def test_a_running_collector_does_it(host):
    host.drive("A", "SN100", identity={"device": "nvme3"})
    host.collect()
    cli = Cli(host)
    wait_until(lambda: cli.reads("list").stdout.count("\n") == 2)
    assert cli.reads("pause", "nvme3", "1h").stdout == "SN100 (nvme3) is paused for 1h\n"
    assert cli.reads("pause", "nvme3", "resume").stdout == "SN100 (nvme3) goes on\n"
    assert "only one that is gone" in cli.reads("forget", "nvme3", code=1).stderr


def test_the_event_log_is_read_for_who_asks(host):
    host.drive("A", "SN100", identity={"device": "nvme3"}, identify={"lpa": "0x10"})
    host.drive("B", "SN200", identity={"device": "nvme4"})
    host.collect()
    cli = Cli(host)
    wait_until(lambda: "SN200" in cli.reads("list").stdout)
    assert "power_on_or_reset" not in cli.reads("show", "nvme3").stdout
    asked = cli.reads("read", "nvme3", "persistent_events").stdout
    assert asked == "SN100 (nvme3) is asked for it\n"
    wait_until(lambda: "power_on_or_reset" in cli.reads("show", "nvme3").stdout)
    assert "firmware SIM1" in cli.reads("show", "nvme3", "persistent_events").stdout
    wait_until(lambda: "no such page" in
               cli.reads("read", "nvme4", "persistent_events", code=1).stderr)
    assert "by schedule" in cli.reads("read", "nvme3", "smart", code=2).stderr
    assert "No page" in cli.reads("read", "nvme3", "smert", code=2).stderr


@pytest.mark.parametrize("answer, said", [
    (ANSWER.pack(1, -19), "another driver has it"),
    (ANSWER.pack(1, -95), "no such page"),
    (ANSWER.pack(1, -2), "knows no such drive"),
    (ANSWER.pack(1, -16), "only one that is gone can be forgotten"),
    (ANSWER.pack(1, -1), "run this as root"),
    (ANSWER.pack(1, -22), "no sound request"),
    (ANSWER.pack(2, 0), "another version"),
    (ANSWER.pack(1, 5), "another version"),
    (ANSWER.pack(1, 0) + b"more", "another version"),
    (b"x", "another version"),
    (b"", "hung up"),
])
def test_refusals_come_in_words(bare, answer, said):
    with peer(bare, answer):
        done = bare.reads("forget", "nvme3", code=1)
    assert said in done.stderr and "SN100" in done.stderr and not done.stdout


def test_without_a_collector_nothing_is_told(bare):
    assert "nvmewatch-collect is not running" in bare.reads("pause", "nvme3", "2h", code=1).stderr
    left_over = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    left_over.bind(str(bare.host.run / "control"))
    left_over.close()
    assert "nvmewatch-collect is not running" in bare.reads("forget", "nvme3", code=1).stderr
    assert 'no drive is called "nvme4"' in bare.reads("forget", "nvme4", code=1).stderr


@pytest.mark.parametrize("duration", ["2", "2x", "-2h", "31d", "2h30m", "", "1.5h", "stop"])
def test_a_duration_is_one(bare, duration):
    done = bare.reads("pause", "nvme3", "--", duration, code=2)
    assert "30m, 2h or 1d" in done.stderr


# ---- The command line. ----

def test_the_configuration_is_checked_as_the_daemons_read_it(tmp_path):
    config = tmp_path / "nvmewatch.conf"
    config.write_text("[poll]\nsmart = 15s\n")
    assert run("check-config", "--config", str(config)).stdout == "OK\n"
    config.write_text("[poll]\n\nsmrt = 15s\n")
    done = run("check-config", "--config", str(config), code=1)
    assert done.stderr.startswith(f"nvmewatch: {config}:3: ") and "poll.smrt" in done.stderr
    assert not done.stdout
    assert "poll.smart" in run("check-config", "-o", "poll.smart=x", code=1).stderr
    config.write_text(f"[paths]\ndrives = {tmp_path}/drives.d\n")
    assert run("check-config", "--config", str(config)).stdout == "OK\n"
    (tmp_path / "drives.d").mkdir()
    (tmp_path / "drives.d" / "a.conf").write_text("[x]\nmodel = X\ncapacity_bytes = much\n")
    (tmp_path / "drives.d" / "b.conf").write_text("\n[x]\nmodel = X\nsource = S\n")
    done = run("check-config", "--config", str(config), code=1)
    assert "drives.d/a.conf:3: capacity_bytes = much: must be" in done.stderr
    assert "drives.d/b.conf:3: [x] lacks family" in done.stderr and not done.stdout
    config.write_text("[poll]\n\nsmrt = 15s\n")
    # The others need it too, unless they are told where to ask.
    assert f"{config}:3: " in run("list", "--config", str(config), code=1).stderr
    assert str(config) not in run("list", "--config", str(config), "--url", f"http://{NOWHERE}",
                                  code=1).stderr


@pytest.mark.parametrize("words, said", [
    ((), "--help"), (("lst",), 'unknown verb "lst"'), (("list", "--jsn"), '"--jsn"'),
    (("list", "x"), "usage: nvmewatch list"), (("pause", "x"), "usage: nvmewatch pause DRIVE"),
    (("metrics", "--json"), "takes no --json"), (("list", "--url", "h:1"), "http://HOST:PORT"),
    (("forget", "x", "--url", "http://h"), "takes no --url"), (("list", "-o"), "-o needs a value"),
])
def test_mistakes_are_told_from_failures(words, said):
    done = run(*words, code=2)
    assert said in done.stderr and done.stderr.count("\n") == 1 and not done.stdout


def test_help_and_version():
    text = run("--help").stdout
    for verb in "list", "show", "fields", "metrics", "check-config", "pause", "forget", "read":
        assert f"\n  {verb} " in text
        assert run(verb, "--help").stdout.startswith(f"Usage: nvmewatch [OPTION ...] {verb}")
    assert run("--version").stdout.startswith("nvmewatch ")


def test_a_full_disk_is_a_failure(fleet):
    with open("/dev/full", "wb") as full:
        done = subprocess.run([BUILD / "nvmewatch", "list", *fleet.paths, "-o",
                               f"serve.listen={NOWHERE}"], stdout=full, stderr=subprocess.PIPE,
                              timeout=60, check=False)
    assert done.returncode == 1 and b"cannot write: No space left" in done.stderr
