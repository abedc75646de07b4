# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fixtures: hosts under test. Whatever happens, what was started is ended, and what the programs
left on stderr is shown with a failure."""
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

sys.dont_write_bytecode = True  # a checkout stays as it was

from harness import Host  # noqa: E402
from program import BUILD  # noqa: E402


def pytest_report_header():
    return f"programs of {BUILD}"


def pytest_sessionstart():
    if not (BUILD / "nvmewatch-collect").exists():
        pytest.exit(f"no programs in {BUILD}: build them, or set NVMEWATCH_BUILD", 2)


def new_host():
    # Short names: a path of pytest's own would fill half of every message.
    host = Host(Path(tempfile.mkdtemp(prefix="nvmewatch-e2e-")))
    yield host
    faults = host.close()
    shutil.rmtree(host.folder)
    assert not faults, "\n".join(faults)


@pytest.fixture
def host(request):
    """A host without drives, on which nothing runs."""
    yield from new_host()


@pytest.fixture(scope="module")
def shared_host():
    """One for all tests of a file, which only look at it."""
    yield from new_host()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    if not report.failed or call.when != "call":
        return
    for value in getattr(item, "funcargs", {}).values():
        for program in value.programs if isinstance(value, Host) else []:
            report.sections.append((program.log_path.name, program.log()[-4000:]))
