# SPDX-License-Identifier: LGPL-2.1-or-later
"""SIGHUP: a good configuration is taken, a bad one is reported and changes nothing."""
import signal

import pytest

from program import wait_until


@pytest.fixture
def running(host):
    """Configured by a file alone, so that a reload may change all of it."""
    host.config = host.folder / "nvmewatch.conf"
    host.config.write_text(f"[collect]\nsource = sim:{host.drives}\n"
                           f"[paths]\nrun = {host.run}\nstate = {host.state}\n"
                           "[poll]\nsmart = 1d\n")
    host.drive("A")
    host.collector = host.start("nvmewatch-collect", "--config", str(host.config))
    host.serve()
    host.wait_pages(1)
    return host


def reload(host, text):
    with host.config.open("a") as config:
        config.write(text)
    host.collector.send(signal.SIGHUP)


def last_read(host):
    return host.web.drive("A")["pages"]["smart"]["time"]


def test_a_good_configuration_is_taken(running):
    before = last_read(running)
    reload(running, "smart = 1s\n")
    wait_until(lambda: last_read(running) > before)
    assert "configuration reloaded" in running.collector.log()


@pytest.mark.parametrize("text, words", [
    ("smart = 1s\nocp = soon\n", ["nvmewatch.conf:9: poll.ocp = soon: must be"]),
    ("smart = 1s\n[paths]\nrun = /run/elsewhere\n", ["paths.run", "restart"]),
    ("smart = 1s\n[collect]\nsource = linux\n", ["collect.source", "restart"]),
    ("smart = 1s\n[collect]\nsauce = linux\n", ["nvmewatch.conf:10: unknown key collect.sauce"]),
])
def test_a_bad_one_is_reported_and_none_of_it_is_taken(running, text, words):
    before = last_read(running)
    reload(running, text)
    said = wait_until(lambda: "stays in force" in running.collector.log() and
                      running.collector.log())
    assert all(word in said for word in words), said
    # It would be read every second from now on, had the first line been taken.
    before_age = running.web.json("/readyz")["age_seconds"]
    wait_until(lambda: running.web.json("/readyz")["age_seconds"] > before_age + 1.2)
    assert last_read(running) == before
    assert running.web.value("nvmewatch_drive_temperature_celsius", serial="A") == 30


def test_a_file_that_has_gone_is_reported(running):
    running.config.unlink()
    running.collector.send(signal.SIGHUP)
    wait_until(lambda: "cannot be opened: No such file" in running.collector.log())
    assert running.web.get("/readyz").status == 200


def test_many_reloads_are_harmless(running):
    for _ in range(50):
        reload(running, "")
    wait_until(lambda: "configuration reloaded" in running.collector.log())
    assert running.collector.stop() == 0
