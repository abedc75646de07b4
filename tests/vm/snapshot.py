"""Everything about many drives at one moment: nvme-cli's view and nvmewatch's, a few commands in the guest for all."""
import json
from urllib.parse import quote

from daemons import ADDRESS
from pages import UUID_LIST


def by_nvme_cli(vm, wanted, devices, indices=None):
    """{(serial, page's name): Reading} for pairs of a serial and a Page; devices are nvmeN by serial, indices those of
    UUIDs by serial."""
    folder = vm.share / "cli"
    folder.mkdir(exist_ok=True)
    script = []
    for serial, page in wanted:
        uuid = (indices or {}).get(serial, {}).get(page.uuid, 0)
        for command, kind in ((page.json, "json"), (page.binary, "raw")):
            if command:
                line = command.format(device=f"/dev/{devices[serial]}", uuid=uuid)
                script.append(f"{line} >/host/cli/{devices[serial]}.{page.name}.{kind} || exit 1\n")
    (folder / "script").write_text("set -o pipefail\n" + "".join(script))
    vm.output("bash /host/cli/script", 300)

    def printed(serial, page, kind):
        path = folder / f"{devices[serial]}.{page.name}.{kind}"
        return path.read_bytes() if (page.json if kind == "json" else page.binary) else b""
    return {(serial, page.name): page.reading(printed(serial, page, "json").decode(), printed(serial, page, "raw"))
            for serial, page in wanted}


def uuid_indices(vm, wanted, devices):
    """{serial: {UUID: its index}} of the drives that keep a list of them; wanted are their serials."""
    readings = by_nvme_cli(vm, [(serial, UUID_LIST) for serial in wanted], devices)
    return {serial: {reading.raw[32 * n + 16:32 * n + 32].hex(): n for n in range(127, 0, -1)}
            for (serial, _), reading in readings.items()}


def fetch(vm, paths):
    """The answers to GET requests, in order, by one program; all must succeed."""
    folder = vm.share / "rest"
    folder.mkdir(exist_ok=True)
    (folder / "requests").write_text("".join(f'url = "http://{ADDRESS}{path}"\noutput = "/host/rest/{number}"\n'
                                             for number, path in enumerate(paths)))
    vm.output("curl -sS --fail -K /host/rest/requests", 120)
    return [(folder / str(number)).read_bytes() for number in range(len(paths))]


def pages_read(vm, serials):
    """{serial: the names of the pages that nvmewatch has of it}."""
    answers = fetch(vm, [f"/api/v1/drives/{quote(serial, safe='')}" for serial in serials])
    return {serial: set(json.loads(answer)["pages"]) for serial, answer in zip(serials, answers)}


def by_nvmewatch(vm, wanted):
    """{(serial, page's name): (JSON, bytes)} for the same pairs."""
    paths = [f"/api/v1/drives/{quote(serial, safe='')}/pages/{page.name}{rest}"
             for serial, page in wanted for rest in ("", "?raw=1")]
    answers = fetch(vm, paths)
    return {(serial, page.name): (json.loads(answers[2 * number]), answers[2 * number + 1])
            for number, (serial, page) in enumerate(wanted)}


def block_devices(vm, read):
    """{serial: {NSID: name}} as nvmewatch has them, which test_host.py judges; read are pages' names by serial."""
    wanted = [(serial, name) for serial, names in read.items() for name in names if name.startswith("block_")]
    answers = fetch(vm, [f"/api/v1/drives/{quote(serial, safe='')}/pages/{name}" for serial, name in wanted])
    found = {serial: {} for serial in read}
    for (serial, name), answer in zip(wanted, answers):
        found[serial][int(name.removeprefix("block_"))] = json.loads(answer)["fields"]["name"]
    return found
