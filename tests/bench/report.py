# SPDX-License-Identifier: LGPL-2.1-or-later
"""How the benchmarks print: `name value unit`, ratios with both sides; tables of what grows."""


def line(name, value, unit):
    print(f"{name} {value:.4g} {unit}", flush=True)


def ratio(name, ours, theirs, unit, peer, aim=None):
    """Prints ours, the peer's and ours/theirs; `aim` is what the ratio should not exceed."""
    line(name, ours, unit)
    line(f"{name}_{peer}", theirs, unit)
    line(f"{name}_ratio_to_{peer}", ours / theirs, "ratio" + (f" (aim <= {aim})" if aim else ""))


def table(head, rows):
    """Prints columns under their names."""
    cells = [head] + [[f"{value:.4g}" for value in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print("  ".join(text.rjust(width) for text, width in zip(row, widths)), flush=True)
