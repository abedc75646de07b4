"""Compares what nvmewatch serves of a page with what nvme-cli prints, by a table of rows. A page without rows is
compared byte by byte.

A row names nvme-cli's key or keys, our JSON field, our metric (without the prefix `nvmewatch_`) and how to turn
the one into the other. None stands for "not reported": the field is null and has no series.
"""
import json
import re
from typing import Callable, NamedTuple, Optional, Union

PREFIX = "nvmewatch_"
TEXTS = ("sn", "mn", "fr", "subnqn", "eui64", "nguid")  # of nvme-cli's, even where a drive puts digits there


class At(NamedTuple):
    """Bytes of the page, for what nvme-cli does not print."""
    offset: int
    size: int
    since: int = 0  # version of the page, by `version_at`

    def of(self, raw, version_at):
        """The little-endian number there, None where the page is older or ends before it."""
        if self.offset + self.size > len(raw):
            return None
        version = int.from_bytes(raw[version_at:version_at + 2], "little") if self.since else 0
        return int.from_bytes(raw[self.offset:self.offset + self.size], "little") if version >= self.since else None


class Row(NamedTuple):
    """One value under all its names."""
    key: Union[str, tuple, At]
    field: str
    metric: Optional[str] = None
    convert: Callable = lambda value: value


class Page(NamedTuple):
    """Everything about a page."""
    name: str
    json: Optional[str]  # nvme-cli's command that prints it as JSON
    binary: Optional[str]  # and as bytes
    rows: list
    not_compared: dict = {}  # nvme-cli's key -> why
    optional: str = "$^"  # pattern of keys that nvme-cli prints only for some drives
    version_at: int = 0
    parse: Callable = json.loads  # of what `json` prints
    bytes_of: Callable = lambda values, raw: raw  # the page, from what was parsed and what `binary` prints
    uuid: Optional[str] = None  # whose page it is; its index takes the place of {uuid} in the commands
    why: Optional[str] = None  # no rows: the reason

    def reading(self, printed, raw):
        """Of what its commands have printed, None where it has none."""
        values = self.parse(printed) if self.json else {}
        return Reading(flatten(values), self.bytes_of(values, raw))


class Reading(NamedTuple):
    """nvme-cli's view of a page."""
    values: dict  # flat
    raw: bytes


def flatten(value, prefix=""):
    """{"a": {"b": 1}, "c": [2]} -> {"a.b": 1, "c.0": 2}; numbers in strings become numbers."""
    if isinstance(value, (dict, list)):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        return {k: v for key, inner in items for k, v in flatten(inner, f"{prefix}.{key}".lstrip(".")).items()}
    # nvme-cli prints numbers that may not fit a double as text
    if isinstance(value, str) and value.isdecimal() and prefix not in TEXTS:
        value = int(value)
    return {prefix: value}


def cli_keys(row):
    """nvme-cli's keys that a row uses."""
    return tuple(key for key in keys(row) if not isinstance(key, At))


def keys(row):
    """All that a row is made of."""
    return (row.key,) if isinstance(row.key, (At, str)) else row.key


def expected(page, row, reading):
    """Our value by nvme-cli; integers that 64 bits do not hold are absent."""
    arguments = [key.of(reading.raw, page.version_at) if isinstance(key, At) else reading.values.get(key)
                 for key in keys(row)]
    value = None if None in arguments else row.convert(*arguments)
    return None if isinstance(value, int) and value >= 2**63 else value


def agrees(ours, before, after):
    """Whether our value lies between those read before and after it; it may appear or vanish with them."""
    if ours is None:
        return before is None or after is None
    known = [value for value in (before, after) if value is not None]
    if not known or any(isinstance(value, str) != isinstance(ours, str) for value in known):
        return False
    low, high = min(known), max(known)
    return (low <= ours or before is None) and ours <= high


def unknown_keys(page, reading):
    """What nvme-cli prints and the table does not know."""
    known = {key for row in page.rows for key in cli_keys(row)} | set(page.not_compared)
    missing = {key for key in known - set(reading.values) if not re.fullmatch(page.optional, key)}
    return [f"nvme-cli prints {key}, which no row maps" for key in sorted(set(reading.values) - known)] + \
           [f"nvme-cli does not print {key}" for key in sorted(missing)]


def compare(page, serial, before, after, fields, series):
    """All differences, as lines of text, and a summary.

    `fields` is our JSON object, `series` maps (name, frozenset of label pairs) to numbers.
    """
    wrong = unknown_keys(page, after)
    wrong += [f"{field} is in no row" for field in sorted(set(fields) - {row.field for row in page.rows})]
    in_metrics = set()
    for row in page.rows:
        low, high = expected(page, row, before), expected(page, row, after)
        ours = {"REST": fields.get(row.field)}
        if row.metric:
            ours["metrics"] = series.get(identity(row.metric, serial))
            in_metrics |= {row.metric} if ours["metrics"] is not None else set()
        wrong += [f"{row.field} in {where}: {value!r}, nvme-cli says {low!r} before and {high!r} after"
                  for where, value in ours.items() if not agrees(value, low, high)]
    present = [row for row in page.rows if fields.get(row.field) is not None]
    moved = [row for row in present if fields[row.field] != 0]
    return wrong, (f"{page.name} of {serial}: {len(page.rows)} fields compared in REST, {len(present)} present, "
                   f"{len(moved)} not 0; {sum(1 for row in page.rows if row.metric)} compared in /metrics, "
                   f"{len(in_metrics)} present; {len(set(after.values) - set(page.not_compared))} of "
                   f"{len(after.values)} keys of nvme-cli")


def identity(metric, serial):
    """`name{label="x"}` of a row -> the key of its series."""
    name, _, labels = metric.partition("{")
    own = [("serial", serial)] if serial else []
    return PREFIX + name, frozenset([*own, *re.findall(r'(\w+)="([^"]*)"', labels)])
