"""Descriptions of drives: the published ones (tests/data/drives, bytes by the offsets in tests/drive_keys.h) and the
simulated ones (etc/sim). What a sample does not say is left to the simulated drive's defaults.
"""
import json
import pathlib
import re
import sys
from typing import NamedTuple, Optional

TESTS = pathlib.Path(__file__).resolve().parents[1]
DRIVES = TESTS / "data" / "drives"
SIMULATED = TESTS.parent / "etc" / "sim"
TABLE = re.compile(r"sample_key (\w+)_keys\[\] = \{(.*?)\n\};", re.S)
KEY = re.compile(r'\{ "(\w+)", (\d+), (\d+), ')
TEXTS = {"serial_made_up": (4, 20), "model": (24, 40), "firmware": (64, 8)}


def key_tables():
    """{"smart": {"composite_k": (1, 2)}}: offset and length of every key, length 0 where it is put specially."""
    source = (TESTS / "drive_keys.h").read_text()
    return {page: {name: (int(offset), int(length)) for name, offset, length in KEY.findall(rows)}
            for page, rows in TABLE.findall(source)}


KEYS = key_tables()


class Patch(dict):
    """Bytes of a page by offset, only those that the sample says."""

    def put(self, offset, data):
        """Bytes from an offset on."""
        self.update({offset + n: byte for n, byte in enumerate(data)})

    def number(self, offset, size, value):
        """A little-endian number; all ones of 64 bits are written -1."""
        self.put(offset, (value & (1 << 8 * size) - 1).to_bytes(size, "little"))

    def numbers(self, page, values):
        """Whatever is a number and has a place in the page."""
        for name, value in values.items():
            offset, size = KEYS[page][name]
            if isinstance(value, int) and size:
                self.number(offset, size, value)

    def runs(self):
        """(offset, bytes) of neighbours."""
        run = None
        for offset in sorted(self):
            if run and offset == run[0] + len(run[1]):
                run[1].append(self[offset])
            else:
                if run:
                    yield run
                run = offset, bytearray([self[offset]])
        if run:
            yield run


def smart_patch(values):
    """Log page 02h."""
    patch = Patch()
    # What a drive refuses it counts, so this number has to stay free to move.
    patch.numbers("smart", {key: value for key, value in values.items() if key != "error_log_entries"})
    for n, kelvin in enumerate(values["sensor_k"]):
        patch.number(200 + 2 * n, 2, kelvin or 0)
    return patch


def ocp_patch(values):
    """OCP's log page C0h; its GUID is printed from the last byte to the first."""
    patch = Patch()
    patch.numbers("ocp", values)
    patch.put(496, bytes.fromhex(values["log_page_guid"][2:])[::-1])
    return patch


def state_patch(patch, state):
    """A power state descriptor."""
    base, scale = 2048 + 32 * state["ps"], state.get("active_scale") or 0
    active = (state.get("active_power_uw") or 0) // (100 if scale == 1 else 10000)
    patch.number(base, 2, state["mp_raw"])
    patch.put(base + 3, [state["mxps"] | (0 if state["operational"] else 2)])
    patch.number(base + 4, 4, state["entry_us"])
    patch.number(base + 8, 4, state["exit_us"])
    patch.put(base + 12, [state[key] for key in ("rrt", "rrl", "rwt", "rwl")])
    patch.number(base + 20, 2, active if scale else 0)
    patch.put(base + 22, [scale << 6])


def identify_patch(sample):
    """Identify Controller, with the texts as they are padded."""
    patch, values = Patch(), sample.get("identify_ctrl") or {}
    patch.numbers("identify", values)
    for key, (offset, size) in TEXTS.items():
        text = sample[key] or ""
        if text and len(text) <= size:  # one sample has a remark in the place of its model
            patch.put(offset, text.encode().ljust(size))
    if "ieee_oui" in values:
        patch.number(73, 3, int(values["ieee_oui"], 16))
    if "ieee" in values:
        patch.number(73, 3, values["ieee"])
    if "mdts_pages" in values:
        patch.number(77, 1, values["mdts_pages"].bit_length() - 1)
    for state in sample.get("power_states") or []:
        state_patch(patch, state)
    return patch


class Described(NamedTuple):
    """A drive, as its file describes it."""
    name: str
    serial: str
    model: str
    pages: list  # names of those it has
    text: str
    patches: dict  # page's name -> what a sample says of its bytes
    capacity: Optional[int]  # as nvmewatch should show it
    errors: int  # in its log


def namespaces_size(sample):
    """Bytes in its namespaces, as far as the sample lists them."""
    return sum(space["nsze_blocks"] * space["lba_bytes"] for space in sample.get("namespaces") or [])


def published(path):
    """A drive of tests/data/drives."""
    sample = json.loads(path.read_text())
    identify, size = sample.get("identify_ctrl") or {}, namespaces_size(sample)
    errors = (sample.get("smart_02") or {}).get("error_log_entries", 0)
    patches = {"identify": identify_patch(sample)}
    for page, key, encode in (("smart", "smart_02", smart_patch), ("ocp_smart", "ocp_c0", ocp_patch)):
        if sample.get(key):
            patches[page] = encode(sample[key])
    serial = sample["serial_made_up"].strip()
    text = ["[identity]", f"serial = {serial}", *([f"capacity = {size}"] if size else []),
            "[smart]", f"error_log_entries = {errors}", "[raw]",
            *(f"{page}.{offset} = {bytes(data).hex(' ')}"
              for page, patch in patches.items() for offset, data in patch.runs()), ""]
    model = sample["model"].strip() if len(sample["model"]) <= 40 else "Simulated NVMe drive"
    return Described(path.stem, serial, model, sorted({"identify", "smart", *patches}), "\n".join(text), patches,
                     identify.get("tnvmcap_bytes") or identify.get("tnvmcap") or size or None, errors)


def simulated(path):
    """A drive of etc/sim that stands still."""
    text = re.sub(r"(?ms)^\[behaviour\].*?(?=^\[|\Z)", "", path.read_text())

    def value(key, otherwise):
        found = re.search(rf"(?m)^{key} = (.*)$", text)
        return found[1] if found else otherwise
    return Described(path.stem, value("serial", None), value("model", None),
                     sorted({"identify", "smart", *re.findall(r"(?m)^\[(\w+_smart)\]", text)}), text, {},
                     int(value("capacity", 0)) or None, int(value("error_log_entries", 0)))


def all_published():
    """All drives of tests/data/drives."""
    return [published(path) for path in sorted(DRIVES.glob("*.json"))]


def all_simulated():
    """All drives of etc/sim."""
    return [simulated(path) for path in sorted(SIMULATED.glob("*.drive"))]


def all_unshipped():
    """A drive for each of the vendors' pages that no drive of etc/sim has: its bytes are random, as the second decoder
    of tests/e2e is tried with them."""
    if str(TESTS / "e2e") not in sys.path:
        sys.path.append(str(TESTS / "e2e"))
    import reference_bytes  # pylint: disable=import-outside-toplevel
    import reference_names  # pylint: disable=import-outside-toplevel
    sizes = {name: page["size"] for name, page in reference_names.program_pages().items()}
    shipped = "".join(path.read_text() for path in SIMULATED.glob("*.drive"))
    drives = {}
    for page in reference_names.load_pages():
        if page.tables and page.drive.get("identity") and f"[{page.shown()}]" not in shipped:
            sections = drives.setdefault(repr(page.drive), {**page.drive, "raw": dict(page.drive.get("raw", {}))})
            data = reference_bytes.sample(page, {}, sizes[page.name], 2)
            sections.setdefault(page.shown(), {})
            sections["raw"].update({f"{page.shown()}.{at}": data[at:at + 64].hex(" ")
                                    for at in range(0, len(data), 64)})
    return [unshipped(f"unshipped-{number}", sections) for number, sections in enumerate(drives.values())]


def unshipped(name, sections):
    """A drive made of sections; its model is the vendor's."""
    serial = name.upper()
    identity = {"serial": serial, "capacity": "1000204886016", **sections["identity"]}
    text = "".join(f"[{section}]\n" + "".join(f"{key} = {value}\n" for key, value in keys.items())
                   for section, keys in {**sections, "identity": identity}.items())
    pages = sorted({"identify", "smart", *set(sections) - {"identity", "raw", "uuid_list"}})
    return Described(name, serial, identity["model"], pages, text, {}, int(identity["capacity"]), 0)
