# SPDX-License-Identifier: LGPL-2.1-or-later
"""What drives are rated for, and how that stands to what is written to them."""
import signal

import pytest

from program import wait_until

DAY = 86400
P5430 = {"model": "SOLIDIGM SBFPF2BV153T", "capacity": "15362991415296"}


def drives(host):
    """Each is written at a known rate for all its life."""
    host.drive("p5430", identity=P5430, smart={
        "host_written_bytes": round(0.7 * 15.36e12 * 100), "power_on_seconds": 100 * DAY})
    host.drive("rocket", identity={"model": "Sabrent Rocket 4.0 1TB", "capacity": "1000204886016"}, smart={
        "host_written_bytes": 400 * 10**12, "power_on_seconds": 200 * DAY})
    host.drive("amplifies", identity={"model": "ACME OCP", "capacity": "10" + "0" * 12}, smart={
        "host_written_bytes": 10**15, "power_on_seconds": 100 * DAY},
        ocp_smart={"physical_media_written_bytes": 28 * 10**14, "endurance_estimate_bytes": 10**16})
    host.drive("unknown", identity={"model": "ACME 9000", "capacity": "1000204886016"}, smart={
        "host_written_bytes": 10**14, "power_on_seconds": 100 * DAY})
    host.drive("new", identity={"model": "D6920DT0768M00", "capacity": "7681501126656"}, smart={
        "host_written_bytes": 10**12, "power_on_seconds": 3600})


@pytest.fixture(scope="module")
def worn(shared_host):
    drives(shared_host)
    shared_host.collect()
    shared_host.serve("serve.metrics=full")
    shared_host.wait_pages(5)
    return shared_host.web


def writes(web, serial, window="life"):
    return web.value("nvmewatch_wear_drive_writes_per_day", serial=serial, window=window)


def rated(web, serial):
    return web.value("nvmewatch_wear_rated_drive_writes_per_day", serial=serial)


def test_a_rating_says_where_it_is_from(worn):
    assert worn.drive("p5430")["rating"] == {
        "family": "Solidigm D5-P5430", "rated_drive_writes_per_day": 0.58,
        "rated_written_bytes": 16258560000000000, "basis": "random", "warranty_years": 5,
        "entry": "d5-p5430-15t36-u2", "pattern": "*SBFPF2B[UV]153T*", "file": "solidigm.conf",
        "origin": "shipped", "source": "Solidigm D5-P5430, product brief"}
    rating = worn.drive("rocket")["rating"]
    assert rating["rated_written_bytes"] == 1800 * 10**12
    assert rating["rated_drive_writes_per_day"] == pytest.approx(1800 / 365 / 5, abs=1e-6)


def test_writes_over_the_life_stand_beside_the_rating(worn):
    assert writes(worn, "p5430") == pytest.approx(0.7, rel=0.001)
    assert rated(worn, "p5430") == 0.58
    assert worn.fields("p5430", "wear")["rated_fraction_life_ratio"] == pytest.approx(0.7 / 0.58, rel=0.001)
    assert writes(worn, "rocket") == pytest.approx(2, rel=0.001)
    assert rated(worn, "rocket") == pytest.approx(0.986301, abs=1e-6)


def test_a_drive_that_is_not_in_the_catalogue_has_no_rating(worn):
    assert worn.drive("unknown")["rating"] is None
    assert "rating" not in worn.drive("unknown")["pages"]
    assert rated(worn, "unknown") is None
    assert writes(worn, "unknown") == pytest.approx(1, rel=0.001) # of what it reports
    assert worn.fields("unknown", "wear")["rated_fraction_life_ratio"] is None


def test_write_amplification_is_shown_as_soon_as_both_counters_are(worn):
    """Of drives that tell what is written to their media."""
    wait_until(lambda: worn.value("nvmewatch_wear_write_amplification_ratio", serial="amplifies",
                                  window="life"))
    assert worn.value("nvmewatch_wear_write_amplification_ratio", serial="amplifies",
                      window="life") == pytest.approx(2.8, rel=0.001)
    assert not worn.samples("nvmewatch_wear_write_amplification_ratio", serial="p5430")


def test_what_is_not_known_yet_is_absent(worn):
    """A first start: no window has half of its time, no counter a day."""
    for serial in ("p5430", "rocket", "unknown", "new"):
        assert not worn.samples("nvmewatch_wear_exhaustion_timestamp_seconds", serial=serial)
        for window in ("1h", "24h", "7d", "30d"):
            assert writes(worn, serial, window) is None
    assert writes(worn, "new") is None
    assert rated(worn, "new") == 1
    wait_until(lambda: 0 < (worn.fields("p5430", "wear")["covered_1h_seconds"] or 0) < 60)


SITE = """[mine]
family = Mine
source = what we agreed on
model = {model}
capacity_bytes = 15.36T
warranty_years = 3
drive_writes_per_day = 0.4
"""


def test_the_site_has_the_last_word_and_a_wrong_file_costs_itself(host):
    site = host.folder / "drives.d"
    site.mkdir()
    (site / "a.conf").write_text(SITE.format(model="SOLIDIGM*"))
    (site / "b.conf").write_text("[x]\nfamily = X\nmodel = *\nrated = 5\n")
    host.drive("p5430", identity=P5430)
    collect = host.collect(f"paths.drives={site}")
    host.serve()
    host.wait_pages(1)
    rating = host.web.drive("p5430")["rating"]
    assert (rating["entry"], rating["origin"], rating["file"]) == ("mine", "site", "a.conf")
    assert rated(host.web, "p5430") == 0.4
    assert "b.conf:4: unknown key rated of [x]; there are family, source, model, " in collect.log()

    (site / "a.conf").write_text(SITE.format(model="OTHER*"))
    collect.send(signal.SIGHUP)
    wait_until(lambda: rated(host.web, "p5430") == 0.58)
    (site / "b.conf").unlink()
    (site / "a.conf").write_text(SITE.format(model="SOLIDIGM*").replace("drive_writes", "#drive_writes"))
    collect.send(signal.SIGHUP)
    # An entry without a rating is an entry: what the maker says is not believed here.
    wait_until(lambda: rated(host.web, "p5430") is None)
    assert host.web.drive("p5430")["rating"]["family"] == "Mine"


def test_a_drive_that_leaves_the_catalogue_has_no_rating_any_more(host):
    site = host.folder / "drives.d"
    site.mkdir()
    (site / "a.conf").write_text(SITE.format(model="ACME*"))
    host.drive("acme", identity={"model": "ACME 9000", "capacity": P5430["capacity"]})
    collect = host.collect(f"paths.drives={site}")
    host.serve()
    wait_until(lambda: rated(host.web, "acme") == 0.4)
    (site / "a.conf").unlink()
    collect.send(signal.SIGHUP)
    wait_until(lambda: host.web.drive("acme")["rating"] is None)
    assert rated(host.web, "acme") is None


def test_history_has_wear(host):
    host.drive("p5430", identity=P5430, smart={
        "host_written_bytes": 10**15, "power_on_seconds": 100 * DAY})
    host.collect("store.interval=1s", "store.flush=1s")

    def kept():
        return host.history("SELECT drive_writes_per_day_life FROM wear")
    wait_until(lambda: (host.state / "history.db").exists() and kept(), 20)
    assert kept()[0][0] == pytest.approx(10**15 / 15.36e12 / 100, rel=0.001)
