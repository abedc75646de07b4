"""Everything about many drives at one moment: nvme-cli's view and nvmewatch's, a few commands in the guest for all."""
import json
from urllib.parse import quote

from compare import Reading, flatten
from daemons import ADDRESS


def by_nvme_cli(vm, wanted, devices):
    """{(serial, page's name): Reading} for pairs of a serial and a Page; devices are nvmeN by serial."""
    folder = vm.share / "cli"
    folder.mkdir(exist_ok=True)
    files = [(f"{devices[serial]}.{page.name}", serial, page) for serial, page in wanted]
    vm.output("".join(f"{command.format(device='/dev/' + devices[serial])} >/host/cli/{name}.{kind} || exit 1\n"
                      for name, serial, page in files for command, kind in ((page.json, "json"), (page.binary, "raw"))),
              300)
    return {(serial, page.name): Reading(flatten(json.loads((folder / f"{name}.json").read_text())),
                                         (folder / f"{name}.raw").read_bytes())
            for name, serial, page in files}


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
