# SPDX-License-Identifier: LGPL-2.1-or-later
"""What can stop a program at its start, and what it says then."""
import os
import socket
from contextlib import closing

import pytest

from fleet import write_shipped
from harness import options
from program import wait_until
from web import Client, parse_head

# A drive file, the line that is wrong (0: the whole), and the words that help.
DRIVE_FILES = {
    "section": ("[identity]\nserial = A\n[smrt]\nx = 1\n", 4, ["[smrt]", "smart", "fault"]),
    "field": ("[identity]\nserial = A\n[smart]\ntemperature = 40\n", 4,
              ["temperature", "temperature_celsius"]),
    "value": ("[identity]\nserial = A\n[smart]\ntemperature_celsius = 1000\n", 4,
              ["temperature_celsius", "1000", "from -73 to 127"]),
    "word": ("[identity]\nserial = A\n[smart]\npower_cycles = many\n", 4,
             ["power_cycles", "many", "whole number"]),
    "absent": ("[identity]\nserial = A\n[smart]\npower_cycles = absent\n", 4, ["cannot be absent"]),
    "no serial": ("[identity]\nmodel = A\n", 0, ["lacks serial"]),
    "long serial": ("[identity]\nserial = 123456789012345678901\n", 2, ["serial", "20 bytes"]),
    "raw page": ("[identity]\nserial = A\n[raw]\nsmrt.0 = 00\n", 4, ["smrt.0", "smart"]),
    "raw offset": ("[identity]\nserial = A\n[raw]\nsmart.512 = 00\n", 4, ["smart.512", "0 to 511"]),
    "raw bytes": ("[identity]\nserial = A\n[raw]\nsmart.0 = 0x00\n", 4, ["smart.0", "09 01"]),
    "fault": ("[identity]\nserial = A\n[fault]\nwhat = hangs\n", 4, ["hangs", "hang, crash"]),
    "fault status": ("[identity]\nserial = A\n[fault]\nwhat = status 0x4000\n", 4, ["0x4000", "0x109"]),
    "behaviour": ("[identity]\nserial = A\n[behaviour]\nworkload = busy\n", 4,
                  ["busy", "idle, steady, diurnal, bursty"]),
}


@pytest.mark.parametrize("mistake", DRIVE_FILES)
def test_a_wrong_drive_file_is_named(host, mistake):
    text, line, words = DRIVE_FILES[mistake]
    host.drive("fine")
    host.drive_file("wrong", text)
    said = host.refuses("nvmewatch-collect", *options(
        f"collect.source=sim:{host.drives}", f"paths.run={host.run}", f"paths.state={host.state}"))
    place = f"{host.drives}/wrong.drive:" + (f"{line}:" if line else "")
    assert place in said and said.count("\n") == 1, said
    assert all(word in said for word in words), said


@pytest.mark.parametrize("key", ["state", "run"])
def test_a_folder_that_cannot_be_made_is_named(host, key):
    said = host.refuses("nvmewatch-collect", *options(
        f"collect.source=sim:{host.drives}", f"paths.run={host.run}", f"paths.state={host.state}",
        f"paths.{key}=/proc/nvmewatch"))
    assert "/proc/nvmewatch" in said and "paths." in said, said


def test_a_missing_folder_of_drives_is_named(host):
    host.drives.rmdir()
    said = host.refuses("nvmewatch-collect", *options(
        f"collect.source=sim:{host.drives}", f"paths.run={host.run}", f"paths.state={host.state}"))
    assert str(host.drives) in said and "collect.source" in said


def test_a_run_folder_without_write_access_is_refused(host):
    """Even root cannot make a file there, and without locks no drive is read."""
    host.drive("A")
    said = host.refuses("nvmewatch-collect", "-o", f"collect.source=sim:{host.drives}",
                        "-o", f"paths.state={host.state}", "-o", "paths.run=/proc/sys")
    assert "/proc/sys" in said and "paths.run" in said


@pytest.mark.parametrize("source", ["linux", "sim"])
def test_PRV_02_a_missing_capability_is_said_once(host, source):
    """Of the kernel's drives alone: simulated ones need none."""
    without = ["setpriv", "--bounding-set=-sys_admin"] if os.geteuid() == 0 else []
    host.drive("A")
    program = host.start("nvmewatch-collect", *options(
        "collect.source=" + (source if source == "linux" else f"sim:{host.drives}"),
        "collect.exclude=*", f"paths.run={host.run}", f"paths.state={host.state}"), wrapper=without)
    wait_until(lambda: "are watched" in program.log())
    lines = [line for line in program.log().splitlines() if "CAP_SYS_ADMIN is missing" in line]
    assert len(lines) == (source == "linux"), program.log()
    assert all("as root" in line for line in lines)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give privileges away")
def test_PRV_06_one_capability_gives_the_same_series_as_all(host):
    """Whatever else root may do: no series comes or goes with it."""
    write_shipped(host, 18)
    names = []
    for wrapper in ((), ("setpriv", "--bounding-set=-all,+sys_admin")):
        collector = host.start("nvmewatch-collect", *options(
            f"collect.source=sim:{host.drives}", f"paths.run={host.run}",
            f"paths.state={host.state}"), wrapper=wrapper)
        if not host.web:
            host.serve("serve.metrics=full")
        host.wait_pages(18)
        names.append({line.rpartition(" ")[0] for line in host.web.text().splitlines()
                      if line.startswith(("nvmewatch_drive", "nvmewatch_ocp", "nvmewatch_collect_supp"))})
        collector.stop()
        (host.run / "now.db").unlink() # what is seen next is the next one's
    assert len(names[0]) > 500
    assert names[0] == names[1]


def test_two_collectors_do_not_share_a_run_folder(host):
    host.drive("A")
    host.collect()
    wait_until(lambda: (host.run / "now.db").exists())
    said = host.refuses("nvmewatch-collect", "-o", f"collect.source=sim:{host.drives}",
                        "-o", f"paths.state={host.state}", "-o", f"paths.run={host.run}")
    assert "another nvmewatch-collect" in said and str(host.run) in said


def test_an_address_in_use_is_named(host):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = "127.0.0.1:%d" % taken.getsockname()[1]
        said = host.refuses("nvmewatch-serve", "-o", f"serve.listen={address}")
    assert address in said and "another program listens there" in said


@pytest.mark.parametrize("host_part", ["localhost", "256.0.0.1", "::1", "[127.0.0.1", "*"])
def test_an_address_that_is_none_is_refused(host, host_part):
    said = host.refuses("nvmewatch-serve", "-o", f"serve.listen={host_part}:9917",
                        code=os.EX_CONFIG)
    assert "serve.listen" in said and "[IPv6]:PORT" in said


@pytest.mark.parametrize("address", ["127.0.0.1:1", "127.0.0.1:9917"])  # the latter is the default
def test_both_kinds_of_address_are_one_too_many(host, address):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        program = host.start("nvmewatch-serve", "-o", f"serve.listen={address}", listener=listener)
        program.ended_by_test = True
        assert program.process.wait(5) == os.EX_CONFIG
    assert "serve.listen is set, but the service manager passes sockets" in program.log()


@pytest.mark.parametrize("family, address", [(socket.AF_INET, "127.0.0.1"),
                                             (socket.AF_INET6, "::1")])
def test_serve_listens_where_it_is_told(host, family, address):
    try:
        with closing(socket.create_server((address, 0), family=family)) as free:
            port = free.getsockname()[1]
    except OSError:
        pytest.skip(f"no {address} here")
    where = f"[{address}]:{port}" if ":" in address else f"{address}:{port}"
    host.start("nvmewatch-serve", *options(f"paths.run={host.run}", f"serve.listen={where}"))
    wait_until(lambda: Client((address, port)).get("/healthz").status == 200)


def test_serve_takes_any_stream_socket_of_the_service_manager(host):
    path = str(host.folder / "socket")
    with closing(socket.create_server(path, family=socket.AF_UNIX)) as listener:
        host.start("nvmewatch-serve", *options(f"paths.run={host.run}"), listener=listener)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
        client.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert parse_head(client.recv(4096))[0] == 200
