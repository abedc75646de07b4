# SPDX-License-Identifier: LGPL-2.1-or-later
"""Fleets of simulated drives that more than one file of tests wants."""
import re
from pathlib import Path

SHIPPED = Path(__file__).resolve().parents[2] / "etc" / "sim"

# Serials that break what quotes, splits or joins without care: PRM-02, IDN-04, IDN-08.
NASTY = {
    "slash": "a/b//c",
    "blanks": "two  blanks x",
    "quote": 'say "hi"',
    "backslash": "back\\slash\\",
    "utf8": "Größe-µ-日",
    "percent": "50%2F+&=?#",
    "braces": '{x="y"} 1',
    "comma": "a,b;c:d'e",
}
NEWLINE = "line\nbreak"


def write_shipped(host, count):
    """The shipped fleet, over and over under new serials, until there are so many drives."""
    files = sorted(SHIPPED.glob("*.drive"))
    for n in range(count):
        source = files[n % len(files)]
        text = re.sub(r"(?m)^serial = (.*)$", rf"serial = \1-{n}", source.read_text(), count=1)
        host.drive_file(f"{n:03}-{source.stem}", text)


def write_nasty(host, **sections):
    """Drives of every nasty serial; the list of those."""
    for name, serial in NASTY.items():
        host.drive(name, serial, **sections)
    # No line of a file can hold a line's end; the bytes of Identify can.
    padded = NEWLINE.encode().ljust(20)
    host.drive("newline", "", **{**sections, "raw": {"identify.4": padded.hex(" ")}})
    return [*NASTY.values(), NEWLINE]
