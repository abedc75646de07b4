# SPDX-License-Identifier: LGPL-2.1-or-later
"""HTTPS, client certificates and tokens, seen with curl; and what SIGHUP changes of them."""
import contextlib
import json
import os
import shutil
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import pytest

from program import wait_until

READ, ADMIN = "a-token-for-readers", "a-token-for-admins"


def openssl(*arguments):
    subprocess.run(["openssl", *map(str, arguments)], check=True, capture_output=True)


class Authority:
    """A certificate authority in a folder, and what it has signed."""

    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.certificate, self.key = folder / f"{name}.pem", folder / f"{name}.key"
        openssl("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", self.key, "-out", self.certificate, "-subj", f"/CN={name}", "-days", 2)

    def sign(self, name, serial, purpose):
        """NAME.pem and NAME.key."""
        base = self.folder / name
        extensions = base.with_suffix(".ext")
        extensions.write_text(f"subjectAltName=IP:127.0.0.1\nextendedKeyUsage={purpose}\n")
        openssl("req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
                "-keyout", base.with_suffix(".key"), "-out", base.with_suffix(".csr"),
                "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", base.with_suffix(".csr"), "-CA", self.certificate,
                "-CAkey", self.key, "-set_serial", serial, "-days", 2, "-extfile", extensions,
                "-out", base.with_suffix(".pem"))
        return base


@pytest.fixture(scope="module")
def pki():
    folder = Path(tempfile.mkdtemp(prefix="nvmewatch-pki-"))
    ca, other = Authority(folder, "ca"), Authority(folder, "other")
    ca.sign("server", 10, "serverAuth")
    ca.sign("next", 11, "serverAuth")
    ca.sign("client", 12, "clientAuth")
    other.sign("stranger", 13, "clientAuth")
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def files(host, pki):
    """Copies in the host's folder, which a test may replace."""
    folder = host.folder / "tls"
    shutil.copytree(pki, folder)
    for name, token in {"read": READ, "admin": ADMIN}.items():
        (folder / name).write_text(token + "\n")
        (folder / name).chmod(0o600)
    return folder


class Reply:
    def __init__(self, head, body):
        lines = head.decode().splitlines()
        self.status, self.body = int(lines[0].split()[1]), body
        self.headers = {key.lower(): value for key, _, value in
                        (line.partition(": ") for line in lines[1:])}


def curl(server, path, *arguments, scheme="https", ca=None):
    """The reply, or None where there is none."""
    host, port = server.web.address
    trust = ["--cacert", ca] if ca else ["--insecure"]
    # With its own --noproxy: the environment may name one.
    done = subprocess.run(["curl", "-sSi", "--noproxy", "*", "--max-time", "10", *map(str, trust),
                           *map(str, arguments), f"{scheme}://{host}:{port}{path}"],
                          capture_output=True, check=False)
    head, _, body = done.stdout.partition(b"\r\n\r\n")
    return Reply(head, body) if head and done.returncode == 0 else None


def bearer(token):
    return ["-H", f"Authorization: Bearer {token}"]


def shows(base):
    return ["--cert", f"{base}.pem", "--key", f"{base}.key"]


def tls_settings(files):
    return [f"serve.tls_cert={files}/server.pem", f"serve.tls_key={files}/server.key"]


# ---- TLS ----

@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_https(host, files, version):
    server = host.serve(*tls_settings(files))
    reply = curl(server, "/metrics", f"--tlsv{version}", "--tls-max", version,
                 ca=files / "ca.pem")
    assert reply.status == 200 and b"nvmewatch_collector_up 0" in reply.body
    assert curl(server, "/metrics", scheme="http") is None
    assert curl(server, "/metrics", ca=files / "other.pem") is None


@pytest.mark.parametrize("version", ["1.2", "1.3"])
def test_client_certificates(host, files, version):
    server = host.serve(*tls_settings(files), f"serve.client_ca={files}/ca.pem")
    only = ["--tlsv" + version, "--tls-max", version]
    assert curl(server, "/metrics", *only, *shows(files / "client")).status == 200
    for path in "/metrics", "/healthz", "/nowhere":
        assert curl(server, path, *only) is None
        assert curl(server, path, *only, *shows(files / "stranger")) is None
        assert curl(server, path, *only, *shows(files / "server")) is None, "not for clients"
    assert curl(server, "/healthz", *only, *shows(files / "client")).status == 200


@pytest.mark.parametrize("settings, words", [
    ({"tls_cert": "server.pem"}, "serve.tls_cert is set, but serve.tls_key is not"),
    ({"tls_key": "server.key"}, "serve.tls_key is set, but serve.tls_cert is not"),
    ({"client_ca": "ca.pem"}, "serve.client_ca is set, but serve.tls_cert"),
    ({"tls_cert": "gone", "tls_key": "server.key"}, "gone No such file or directory"),
    ({"tls_cert": "server.key", "tls_key": "server.key"}, "serve.tls_cert: "),
    ({"tls_cert": "server.pem", "tls_key": "server.pem"}, "serve.tls_key: "),
    ({"tls_cert": "server.pem", "tls_key": "client.key"}, "do not match"),
    ({"tls_cert": "server.pem", "tls_key": "server.key", "client_ca": "server.key"},
     "serve.client_ca: "),
    ({"read_token_file": "gone"}, "serve.read_token_file: "),
    ({"admin_token_file": "empty"}, "does not hold one word"),
])
def test_what_is_wrong_stops_the_start(host, files, settings, words):
    (files / "empty").write_text("\n")
    said = host.refuses("nvmewatch-serve", "-o", f"paths.run={host.run}", *(
        word for key, name in settings.items() for word in ("-o", f"serve.{key}={files}/{name}")),
        code=os.EX_CONFIG if "is set, but" in words else 1)
    assert words in said


def test_what_others_can_read_is_warned_of(host, files):
    (files / "server.key").chmod(0o644)
    server = host.serve(*tls_settings(files), f"serve.read_token_file={files}/read")
    assert curl(server, "/healthz").status == 200
    warnings = [line for line in server.log().splitlines() if "can be read by others" in line]
    assert len(warnings) == 1 and f"serve.tls_key: {files}/server.key" in warnings[0]


# ---- Tokens ----

def test_tokens(host, files):
    server = host.serve(f"serve.read_token_file={files}/read",
                        f"serve.admin_token_file={files}/admin")
    web = server.web
    assert web.get("/healthz").status == 200
    for path in "/metrics", "/readyz", "/api/v1/drives", "/nowhere":
        for headers in {}, {"Authorization": "Bearer wrong"}, {"Authorization": f"Bearer {ADMIN}"}:
            answer = web.request("GET", path, headers=headers)
            assert answer.status == 401 and answer.problem()["title"] == "Unauthorized"
            assert answer.headers["WWW-Authenticate"].startswith('Bearer realm="nvmewatch"')
            assert ("invalid_token" in answer.headers["WWW-Authenticate"]) == bool(headers)
    read = {"Authorization": f"Bearer {READ}"}
    assert web.request("GET", "/metrics", headers=read).status == 200
    assert web.request("HEAD", "/metrics", headers=read).status == 200
    assert web.request("GET", "/nowhere", headers=read).status == 404
    assert web.request("POST", "/metrics", headers=read).status == 401
    assert web.request("POST", "/metrics",
                       headers={"Authorization": f"bearer  {ADMIN}"}).status == 405
    assert "a-token" not in server.log() and "wrong" not in server.log()


# ---- SIGHUP ----

@pytest.fixture
def running(host, files):
    """Configured by a file alone, so that a reload may change all of it."""
    host.files, host.config = files, host.folder / "nvmewatch.conf"
    write(host, tls_cert=files / "server.pem", tls_key=files / "server.key",
          read_token_file=files / "read")
    host.server = host.serve(arguments=("--config", str(host.config)))
    assert curl(host.server, "/metrics", *bearer(READ)).status == 200
    return host


def write(host, **keys):
    host.config.write_text("[serve]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items()))


def reload(host, words="configuration reloaded"):
    before = host.server.log().count(words)
    host.server.send(signal.SIGHUP)
    wait_until(lambda: host.server.log().count(words) > before)


def serial_number(host):
    address = "%s:%d" % host.server.web.address
    shown = subprocess.run(["openssl", "s_client", "-connect", address], input=b"",
                           capture_output=True, check=False).stdout
    out = subprocess.run(["openssl", "x509", "-noout", "-serial"], input=shown, check=True,
                         capture_output=True).stdout
    return int(out.decode().strip().removeprefix("serial="), 16)


def test_a_renewed_certificate_is_taken(running):
    assert serial_number(running) == 10
    for kind in "pem", "key":
        (running.files / f"next.{kind}").rename(running.files / f"server.{kind}")
    assert serial_number(running) == 10
    reload(running)
    assert serial_number(running) == 11


def test_a_bad_certificate_or_token_leaves_all_as_it_was(running):
    (running.files / "server.pem").write_text("nonsense")
    (running.files / "read").write_text("another-token")
    reload(running, "stays in force")
    assert f"serve.tls_cert: {running.files}/server.pem: No certificate" in running.server.log()
    assert serial_number(running) == 10
    assert curl(running.server, "/metrics", *bearer(READ)).status == 200
    assert curl(running.server, "/metrics", *bearer("another-token")).status == 401


def test_tokens_metrics_and_labels_are_taken(running):
    (running.files / "read").write_text("another-token")
    write(running, tls_cert=running.files / "server.pem", tls_key=running.files / "server.key",
          read_token_file=running.files / "read", metrics="full", labels="serial device",
          client_ca=running.files / "ca.pem")
    running.drive("A")
    running.collect()
    reload(running)
    who = shows(running.files / "client")
    assert curl(running.server, "/metrics", *bearer("another-token")) is None
    assert curl(running.server, "/metrics", *bearer(READ), *who).status == 401
    wait_until(lambda: b'_temperature_celsius{serial="A",device="' in
               curl(running.server, "/metrics", *bearer("another-token"), *who).body)
    assert "another-token" not in running.server.log()


@pytest.mark.parametrize("keys", [
    {"listen": "127.0.0.1:1"}, {"tls_cert": "", "tls_key": ""}, {"metrics": "some"},
])
def test_what_needs_a_restart_is_said(running, keys):
    kept = {"tls_cert": running.files / "server.pem", "tls_key": running.files / "server.key"}
    write(running, **{**kept, **keys})
    reload(running, "stays in force")
    words = "must be" if "metrics" in keys else "with a restart only"
    assert words in running.server.log()
    # The token too, which the new file does not have.
    assert curl(running.server, "/metrics").status == 401


def test_reloads_drop_no_connection(running):
    """One connection through all of them, and new ones at any time."""
    address = "https://%s:%d/healthz" % running.server.web.address
    through = subprocess.Popen(
        ["curl", "-sSk", "--noproxy", "*", "--limit-rate", "200", "--retry", "0",
         *[address] * 120], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    failed, stop = [], threading.Event()

    def scrape():
        while not stop.is_set():
            reply = curl(running.server, "/metrics", *bearer(READ))
            if not reply or reply.status != 200:
                failed.append(reply)
    thread = threading.Thread(target=scrape)
    thread.start()
    end = time.monotonic() + 3
    while time.monotonic() < end:
        running.server.send(signal.SIGHUP)
        time.sleep(0.02)
    stop.set()
    thread.join()
    out, err = through.communicate(timeout=30)
    assert not failed and through.returncode == 0, err
    assert out.count(b'"ok"') == 120 and not err


def open_files(pid):
    """What the process's descriptors lead to; some close while one looks."""
    names = []
    for fd in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):
            names.append(str(fd.readlink()))
    return names


def test_a_slow_client_holds_no_file_open(host):
    """HTT-06: what it was going to read is in memory, whatever becomes of the database."""
    host.drive("A")
    host.collect()
    server = host.serve()
    wait_until(lambda: json.loads(server.web.get("/api/v1/drives").body)["drives"])
    slow = [server.web.connect() for _ in range(10)]
    for s in slow:
        s.sendall(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 200)
    wait_until(lambda: server.web.get("/readyz").status == 200)
    names = open_files(server.pid)
    assert names and not [name for name in names if ".db" in name], names
    for s in slow:
        s.close()
