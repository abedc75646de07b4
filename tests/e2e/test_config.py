# SPDX-License-Identifier: LGPL-2.1-or-later
"""A mistake in the configuration stops the start and says where it is and what would be right."""
import os

import pytest

PROGRAMS = ("nvmewatch-collect", "nvmewatch-serve")
# The file, the line that is named, and the words that must be there: key, value, what is allowed.
MISTAKES = {
    "unknown section": ("[pol]\nsmart = 15s\n", 2, ["[pol]", "poll", "store", "serve"]),
    "unknown key": ("[poll]\n\nsmrt = 15s\n", 3, ["poll.smrt", "smart, ocp, power, slow, timeout"]),
    "key without section": ("smart = 15s\n", 1, ["smart", "[section]"]),
    "no equals sign": ("[poll]\nsmart 15s\n", 2, ["smart 15s", "key = value"]),
    "open section": ("[poll\nsmart = 15s\n", 1, ["[name]"]),
    "no unit": ("[poll]\nsmart = 15\n", 2, ["poll.smart", "15", "15s, 5m, 1h"]),
    "unknown unit": ("[poll]\nsmart = 15x\n", 2, ["poll.smart", "15x", "15s, 5m, 1h"]),
    "fraction": ("[poll]\nsmart = 1.5s\n", 2, ["poll.smart", "1.5s", "from 1s to 1d"]),
    "too short": ("[poll]\nocp = 0s\n", 2, ["poll.ocp", "0s", "from 1s to 1d"]),
    "too long": ("[poll]\ntimeout = 2d\n", 2, ["poll.timeout", "2d", "from 1s to 1d"]),
    "negative": ("[store]\nflush = -1s\n", 2, ["store.flush", "-1s", "from 1s to 1d"]),
    "overflow": ("[store]\ninterval = 99999999999999999999d\n", 2, ["store.interval"]),
    "empty": ("[poll]\nsmart =\n", 2, ["poll.smart", "15s, 5m, 1h"]),
    "source": ("[collect]\nsource = lnux\n", 2, ["collect.source", "lnux", '"linux"', "sim:DIR"]),
    "no folder": ("[collect]\nsource = sim:\n", 2, ["collect.source", "sim:DIR"]),
    "yes or no": ("[collect]\nfabrics = maybe\n", 2, ["collect.fabrics", "maybe", "yes or no"]),
    "relative path": ("[paths]\nrun = run\n", 2, ["paths.run", "absolute path"]),
    "no port": ("[serve]\nlisten = 127.0.0.1\n", 2, ["serve.listen", "ADDRESS:PORT"]),
    "high port": ("[serve]\nlisten = 127.0.0.1:65536\n", 2, ["serve.listen", "0 to 65535"]),
    "metrics": ("[serve]\nmetrics = all\n", 2, ["serve.metrics", "all", '"core"', '"full"']),
    "labels": ("[serve]\nlabels = serial, vendor\n", 2, ["serve.labels", "vendor", "firmware"]),
    "labels, no serial": ("[serve]\nlabels = model\n", 2, ["serve.labels", '"serial"']),
    "labels, twice": ("[serve]\nlabels = serial serial\n", 2, ["serve.labels", "once"]),
}


def refuses(host, program, *arguments):
    """With the status that keeps systemd from trying again."""
    return host.refuses(program, *arguments, code=os.EX_CONFIG)


@pytest.fixture
def config(host):
    return host.folder / "nvmewatch.conf"


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named(host, config, program, mistake):
    text, line, words = MISTAKES[mistake]
    config.write_text(text)
    said = refuses(host, program, "--config", str(config))
    assert said.startswith(f"{program}: {config}:{line}: ") and said.count("\n") == 1
    assert all(word in said for word in words), said


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("option, words", [
    ("poll.smart", ["poll.smart", "section.key=value"]), ("smart=1s", ["section.key=value"]),
    ("poll.smart=x", ["-o", "poll.smart", "1s to 1d"]), ("poll.x=1s", ["-o", "poll.x", "ocp"]),
])
def test_a_mistake_in_an_option_is_named(host, program, option, words):
    said = refuses(host, program, "-o", option)
    assert all(word in said for word in words), said


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_missing_file_and_stray_arguments_are_errors(host, config, program):
    assert f"{config}: cannot be opened: No such file" in refuses(
        host, program, "--config", str(config))
    assert "--help" in refuses(host, program, "start")
    assert "--nonsense" in refuses(host, program, "--nonsense")


def test_drop_ins_come_after_the_file_in_the_order_of_their_names(host, config):
    config.write_text("[poll]\nsmart = 15s\n")
    folder = config.with_name("nvmewatch.conf.d")
    folder.mkdir()
    (folder / "20-b.conf").write_text("[poll]\nsmart = b\n")
    (folder / "10-a.conf").write_text("# nothing\n")
    (folder / "30-c.conf").write_text("[poll]\nsmart = c\n")
    (folder / "00-no.conf.bak").write_text("[poll]\nsmart = bak\n")
    assert f"{folder}/20-b.conf:2: poll.smart = b" in refuses(
        host, "nvmewatch-serve", "--config", str(config))


def full(host, *arguments):
    """Whether serve exposes everything, which shows whose serve.metrics won."""
    web = host.serve(arguments=arguments).web
    return bool(web.samples("nvmewatch_drive_power_state_max_watts"))


def test_what_is_read_later_wins(host, config):
    host.drive("A", identify={"power_state_max_watts_0": 25})
    host.collect()
    host.serve()
    host.wait_pages(1)
    folder = config.with_name("nvmewatch.conf.d")
    folder.mkdir()
    given = ("--config", str(config))
    config.write_text("")  # legal
    assert not full(host, *given)
    config.write_text("[serve]\nmetrics = full\n")
    assert full(host, *given)
    (folder / "10.conf").write_text("[serve]\nmetrics = core\n")
    assert not full(host, *given)
    (folder / "20.conf").write_text("[serve]\nmetrics = full\n[serve]\nmetrics = full\n")
    assert full(host, *given)
    # Options after files, wherever they stand, and the last of them.
    assert not full(host, "-o", "serve.metrics=core", *given)
    assert full(host, "-o", "serve.metrics=core", *given, "-o", "serve.metrics=full")
