# SPDX-License-Identifier: LGPL-2.1-or-later
"""Namespaces: nvme-cli's names and ours, see compare.py."""
import json

from compare import Page, Row
from conversions import nonzero, ratio, where

PLAIN = "nsfeat nlbaf flbas mc dpc dps nmic dlfeat nsattr".split()
UNUSED = "nawun nawupf nacwu nabsn nabo nabspf rescap mssrl mcl msrc nulbaf".split()


def identifiers(text):
    """The list as one text."""
    return {"nsids": " ".join(str(item["nsid"]) for item in json.loads(text)["nsid_list"])}


NAMESPACES = Page("namespaces", "nvme list-ns {device} -o json",
                  "nvme admin-passthru {device} -o 6 --cdw10=2 -l 4096 -r -b 2>/dev/null",
                  [Row("nsids", "nsids", None, lambda text: str(text) or None)], parse=identifiers)


def with_format(text):
    """Of the formats the one in use alone."""
    values = json.loads(text)
    formats, flbas = values.pop("lbafs"), values["flbas"]
    used = formats[flbas & 0xf | flbas >> 1 & 0x30]
    return {**values, "format": {"ms": used["ms"], "ds": used["ds"]}}


def in_bytes(blocks, shift):
    return blocks << shift


def namespace(number, block):
    """Identify Namespace of one, which series call by the name of its block device, if it has one."""
    label = f'{{namespace="{block or number}"}}'
    return Page(f"namespace_{number}", f"nvme id-ns {{device}} -n {number} -o json",
                f"nvme id-ns {{device}} -n {number} -b", [
        Row("format.ds", "block_bytes", None, lambda shift: 1 << shift if shift else None),
        Row("format.ms", "metadata_bytes"),
        Row(("nsze", "format.ds"), "size_bytes", "namespace_size_bytes" + label, lambda *n: in_bytes(*n) or None),
        Row(("ncap", "format.ds"), "capacity_bytes", None, lambda *n: in_bytes(*n) or None),
        Row(("nuse", "format.ds"), "used_bytes", "namespace_used_bytes" + label, in_bytes),
        *(Row(name, name) for name in PLAIN),
        Row("fpi", "format_remaining_ratio", None, lambda fpi: ratio(fpi & 0x7f) if fpi & 0x80 else None),
        Row("noiob", "noiob_blocks", None, nonzero),
        Row("nvmcap", "nvmcap_bytes", None, nonzero),
        *(Row((name, "nsfeat"), f"{name}_blocks", None, where(lambda nsfeat: nsfeat & 0x10, lambda n: n + 1))
          for name in ("npwg", "npwa", "npdg", "npda", "nows")),
        *(Row(name, name, None, nonzero) for name in ("anagrpid", "nvmsetid", "endgid")),
        *(Row(name, name, None, lambda text: text if text.strip("0") else None) for name in ("nguid", "eui64")),
    ], not_compared={name: "not shown" for name in UNUSED}, optional="npwg|npwa|npdg|npda|nows", parse=with_format)
