# SPDX-License-Identifier: LGPL-2.1-or-later
"""Errors are problem documents (RFC 9457) that say what is wrong with the request."""
import pytest

from web import drive_path

PATHS = ("/metrics", "/healthz", "/readyz", "/api/v1/drives", "/api/v1/fields", drive_path("A"),
         drive_path("A", "/pages/smart"))


@pytest.fixture(scope="module")
def web(shared_host):
    shared_host.drive("A")
    shared_host.collect("poll.smart=1d")
    shared_host.serve()
    shared_host.wait_pages(1)
    return shared_host.web


@pytest.mark.parametrize("path, word", [
    ("/", "Nothing"), ("/api/v1", "Nothing"), ("/api/v1/drives/", "Nothing"),
    ("/api/v1/drives/A/", "Nothing"), ("/api/v2/drives", "Nothing"), ("//metrics", "Nothing"),
    ("/api/v1/drives/%2E%2E/fields", "Nothing"), ("/metrics/", "Nothing"),
    ("/api/v1/drives/B", '"B"'), ("/api/v1/drives/A%00", "malformed"),
    ("/api/v1/drives/%22%3Cscript%3E", "script"), ("/api/v1/drives/A/pages/none", '"none"'),
    ("/api/v1/drives/B/pages/smart", '"B"'), ("/api/v1/drives/A/pages/ocp_smart", "ocp_smart"),
])
def test_what_is_not_there_is_404(web, path, word):
    answer = web.get(path)
    assert answer.status == (400 if "%00" in path else 404)
    assert word in answer.problem()["detail"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path, word", [
    ("/api/v1/drives?x=1", '"x"'), ("/api/v1/drives?raw=1", '"raw"'), ("/healthz?a", '"a"'),
    (drive_path("A", "/pages/smart?raw=maybe"), '"maybe"'),
    (drive_path("A", "/pages/smart?raw=1&Raw=1"), '"Raw"'),
    ("/api/v1/drives/%zz", "malformed"), ("/api/v1/drives/%4", "malformed"),
    ("/metrics?family=%", "malformed"), ("/" + "a/" * 40, "malformed"),
    ("/api/v1/drives?" + "&".join(f"k{n}=1" for n in range(40)), "malformed"),
])
def test_what_cannot_be_meant_is_400(web, path, word):
    answer = web.get(path)
    assert answer.status == 400
    assert word in answer.problem()["detail"]


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "BREW"])
@pytest.mark.parametrize("path", PATHS)
def test_what_would_write_is_405(web, method, path):
    answer = web.request(method, path, b"{}" if method == "POST" else None)
    assert answer.status == 405
    assert answer.headers["Allow"] == "GET, HEAD"
    assert method in answer.problem()["detail"]


@pytest.mark.parametrize("path", PATHS)
def test_head_is_get_without_the_body(web, path):
    head, get = web.request("HEAD", path), web.get(path)
    assert (head.status, head.body) == (200, b"")
    assert head.headers["Content-Type"] == get.headers["Content-Type"]
    if path != "/readyz":  # its age has as many digits as it takes
        assert head.headers["Content-Length"] == get.headers["Content-Length"]


@pytest.mark.parametrize("accept", ["", "nonsense", "text/html", ",,;;q=,", "*/*;q=0", "a" * 4000,
                                    "application/xml, image/*"])
def test_what_a_client_accepts_is_no_reason_to_refuse(web, accept):
    """RFC 9110, 12.5.1 lets a server disregard it; a monitoring tool had rather have the data."""
    for path in PATHS:
        assert web.get(path, Accept=accept, Accept_Encoding=accept).status == 200


@pytest.mark.parametrize("spelling", ["/api/v1/drives/%41", "/api/v1/%64rives/A"])
def test_a_path_may_be_escaped_needlessly(web, spelling):
    assert web.get(spelling).json()["serial"] == "A"


def test_raw_takes_every_spelling_of_no(web):
    assert web.json(drive_path("A", "/pages/smart?raw=0"))["fields"]
