"""Failed tests show what the daemons had to say."""
import pytest


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    daemons = getattr(item, "funcargs", {}).get("guest")
    if call.when == "call" and report.failed and daemons:
        report.sections.append(("daemons", daemons.logs()))
