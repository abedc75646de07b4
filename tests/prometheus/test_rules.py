# SPDX-License-Identifier: LGPL-2.1-or-later
"""promtool's own opinion of the rules, and of what they do."""
import subprocess

import pytest

from documents import PROMETHEUS, RULE_FILES, TEST_FILES


def promtool(*arguments):
    done = subprocess.run(["promtool", *arguments], capture_output=True, text=True, timeout=300,
                          check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def names(files):
    return {"argvalues": files, "ids": [file.name for file in files]}


@pytest.mark.parametrize("file", **names(RULE_FILES))
def test_rules_are_valid(file):
    assert "SUCCESS" in promtool("check", "rules", str(file))


@pytest.mark.parametrize("file", **names(TEST_FILES))
def test_rules_do_what_they_say(file):
    assert "SUCCESS" in promtool("test", "rules", str(file))


def test_the_scrape_example_is_valid(tmp_path):
    example = (PROMETHEUS / "scrape.yml").read_text()
    promtool("check", "config", str(PROMETHEUS / "scrape.yml"))
    # With everything that is commented out, too.
    for file in RULE_FILES:
        (tmp_path / file.name).write_text(file.read_text())
    for name in ("ca.pem", "client.pem", "client.key", "token"):
        (tmp_path / name).touch()
    config = tmp_path / "prometheus.yml"
    lines = example.replace("/etc/prometheus/nvmewatch/", f"{tmp_path}/").splitlines()
    config.write_text("\n".join(line.replace("#", "", 1) if line.lstrip().startswith("#") and
                                line.lstrip()[1:2] != " " else line for line in lines) + "\n")
    assert "authorization:" in config.read_text()
    promtool("check", "config", "--syntax-only", str(config))
