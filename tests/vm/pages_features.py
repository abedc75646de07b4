# SPDX-License-Identifier: LGPL-2.1-or-later
"""Features: what nvme-cli prints of dword 0, and our names, see compare.py."""
import re

from compare import Page, Row
from conversions import bits, limit, nonzero, where

VALUE = re.compile(r"get-feature:0x[0-9a-f]+ \(.*\), Current value:(?:0x)?([0-9a-f]{8})$", re.M)
ENTRY = re.compile(r"Entry\[ *(\d+)\].*?\(ITPT\): (\d+) ms.*?\(ITPS\): (\d+)", re.S)


def dword(text):
    """Dword 0 of the completion."""
    return {"value": int(VALUE.search(text)[1], 16)}


def feature(name, fid, rows=(), select=0, uuid=None, why=None):
    """A feature without data."""
    options = (f" -c {select:#x}" if select else "") + (" -U {uuid}" if uuid else "")
    return Page(name, f"nvme get-feature {{device}} -f {fid:#x}{options}", None, list(rows), parse=dword,
                bytes_of=lambda values, raw: values["value"].to_bytes(4, "little"), uuid=uuid, why=why)


POWER_MANAGEMENT = feature("power_management", 0x02, [
    Row("value", "power_state", "drive_power_state", bits(0, 5)),
    Row("value", "workload_hint", None, bits(5, 3)),
])

ASYNC_EVENT_CONFIGURATION = feature("async_event_configuration", 0x0b, [
    Row("value", "smart_events", None, bits(0, 8)),
    Row("value", "notices", None, bits(8, 24)),
])

THERMAL_MANAGEMENT = feature("thermal_management", 0x10, [
    Row("value", f"{name}_celsius", f'drive_temperature_limit_celsius{{limit="{name}"}}',
        lambda value, lowest=lowest: limit(bits(lowest, 16)(value)))
    for name, lowest in (("tmt1", 16), ("tmt2", 0))
])


def temperature_threshold(side):
    """Over or under, of a sensor."""
    def page(sensor):
        name = f"{side}_temperature_threshold"
        return feature(f"{name}_{sensor}", 0x04, [
            Row("value", f"{name}_celsius", f'drive_{name}_celsius{{sensor="{sensor}"}}',
                lambda value: limit(value & 0xffff)),
            Row("value", f"{side}_temperature_hysteresis_celsius", None, bits(22, 3)),
        ], select=sensor << 16 | (side == "under") << 20)
    return page


def transitions(text):
    """Dword 0, and the table that nvme-cli spells out."""
    table = {number: {"itpt": int(time), "itps": int(state)} for number, time, state in ENTRY.findall(text)}
    return {**dword(text), **table}


APST = Page("apst", "nvme get-feature {device} -f 0xc -H", "nvme get-feature {device} -f 0xc -b", [
    Row("value", "apst_enabled", "drive_apst_enabled", bits(0, 1)),
    *(Row(f"{n}.itpt", f"apst_idle_seconds_{n}", None, lambda ms: ms / 1000 if nonzero(ms) else None)
      for n in range(32)),
    *(Row((f"{n}.itps", f"{n}.itpt"), f"apst_target_state_{n}", None, where(bool)) for n in range(32)),
], parse=transitions, bytes_of=lambda values, raw: values["value"].to_bytes(4, "little") + raw)
