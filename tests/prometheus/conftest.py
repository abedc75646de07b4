# SPDX-License-Identifier: LGPL-2.1-or-later
"""The shipped fleet of simulated drives, collected once, and served as core and as full."""
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

sys.dont_write_bytecode = True  # a checkout stays as it was
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "e2e"))

from fleet import SHIPPED  # noqa: E402
from harness import Host  # noqa: E402
from program import BUILD  # noqa: E402


def pytest_sessionstart():
    if not (BUILD / "nvmewatch-collect").exists():
        pytest.exit(f"no programs in {BUILD}: build them, or set NVMEWATCH_BUILD", 2)


@pytest.fixture(scope="session")
def fleet():
    host = Host(Path(tempfile.mkdtemp(prefix="nvmewatch-prometheus-")))
    try:
        files = sorted(SHIPPED.glob("*.drive"))
        for file in files:
            host.drive_file(file.stem, file.read_text())
        host.collect("poll.power=1s", "poll.slow=1s", "store.interval=1s", "store.flush=1s")
        host.full = host.serve("serve.metrics=full").web
        host.core = host.serve("serve.metrics=core").web
        host.wait_pages(len(files), 60)
        yield host
    finally:
        faults = host.close()
        shutil.rmtree(host.folder)
    assert not faults, "\n".join(faults)
