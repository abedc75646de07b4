# SPDX-License-Identifier: LGPL-2.1-or-later
"""All pages of all drives of a guest against nvme-cli: what to ask, what differs, and what was compared."""
import collections
from typing import NamedTuple

import snapshot
from compare import compare
from pages import ELSEWHERE, base_of, page_of
from pages_identify import IDENTIFY


class Seen(NamedTuple):
    """What there was to see of the drives."""
    read: dict  # serial -> the names of its pages
    before: dict  # nvme-cli's readings by (serial, page), of before nvmewatch's
    after: dict
    ours: dict  # (JSON, bytes) by (serial, page)
    series: dict


class Question(NamedTuple):
    """What nvme-cli is asked."""
    pages: dict  # (serial, page's name) -> Page
    devices: dict  # nvmeN by serial
    indices: dict  # of UUIDs by serial

    def ask(self, vm):
        """The readings by (serial, page's name)."""
        return snapshot.by_nvme_cli(vm, self.wanted(), self.devices, self.indices)

    def wanted(self):
        """Pairs of a serial and a Page."""
        return [(serial, page) for (serial, _), page in self.pages.items()]


def question(vm, read, devices):
    """About every page of every drive that nvme-cli can say something of. `read` is Seen's."""
    identify = snapshot.by_nvme_cli(vm, [(serial, IDENTIFY) for serial in read], devices)
    blocks = snapshot.block_devices(vm, read)
    pages = {(serial, name): page_of(name, identify[serial, "identify"].values, blocks[serial])
             for serial, names in read.items() for name in sorted(names)}
    lists = [serial for serial, names in read.items() if "uuid_list" in names]
    return Question({key: page for key, page in pages.items() if page}, devices,
                    snapshot.uuid_indices(vm, lists, devices))


def differences(page, serial, seen, same=lambda ours, theirs: ours == theirs):
    """Of one page of one drive, as lines of text; `same` compares bytes."""
    key = serial, page.name
    (document, raw), before, after = seen.ours[key], seen.before[key], seen.after[key]
    wrong = compare(page, serial, before, after, document["fields"], seen.series)[0] if page.rows else []
    if not any(same(raw, reading.raw) for reading in (before, after)):
        wrong.append("other bytes than nvme-cli's")
    if not raw:
        wrong.append("no bytes")
    return [f"{serial}: {page.name}: {line}" for line in wrong]


def report(asked, seen):
    """What was compared and what was not, a line for each page."""
    count = collections.defaultdict(collections.Counter)
    why = {base_of(page.name): page.why for page in asked.pages.values()}
    for (serial, name), page in asked.pages.items():
        fields = seen.ours[serial, name][0]["fields"]
        count[base_of(name)].update(pages=1, fields=len(fields) if page.rows else 0,
                                    present=sum(value is not None for value in fields.values()) if page.rows else 0,
                                    bytes=len(seen.ours[serial, name][1]))
    for names in seen.read.values():
        for name in names:
            if base_of(name) in ELSEWHERE:
                count[base_of(name)].update(pages=1)
    return [line(name, count[name], ELSEWHERE.get(name), why.get(name)) for name in sorted(count)]


def line(name, count, elsewhere, why):
    """Of the report."""
    if elsewhere:
        return f"{name}: {count['pages']} not compared, {elsewhere}"
    fields = f"no field, {why}" if why else f"{count['fields']} fields, {count['present']} present"
    return f"{name}: {count['pages']} compared, {count['bytes']} bytes, {fields}"


def left_out(asked, seen):
    """Pages that were read and that nobody is asked about."""
    return [f"{serial}: {name}" for serial, names in seen.read.items() for name in names
            if (serial, name) not in asked.pages and base_of(name) not in ELSEWHERE]
