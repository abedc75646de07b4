"""QEMU arguments that describe emulated NVMe drives, one function per kind; concatenate them for vm.VM()."""
import os


def null_disk(name, megabytes=64):
    """A backing store that reads as zeroes and takes any write."""
    return ["-drive", f"driver=null-co,size={megabytes << 20},read-zeroes=on,if=none,id={name}"]


def file_disk(name, folder, megabytes=64):
    """A backing store with data of its own."""
    path = folder / f"{name}.img"
    path.write_bytes(os.urandom(megabytes << 20))
    return ["-drive", f"file={path},if=none,id={name},format=raw,cache=unsafe"]


def controller(name, serial, disk=None, **properties):
    """An NVMe controller; `disk` is its first namespace's backing store, properties are those of QEMU's device."""
    if disk:
        properties["drive"] = disk
    listed = "".join(f",{key}={value}" for key, value in properties.items())
    return ["-device", f"nvme,id={name},serial={serial}{listed}"]


def plain(name, serial, megabytes=64, **properties):
    """A drive with the mandatory log pages alone."""
    disk = f"{name}-disk"
    return null_disk(disk, megabytes) + controller(name, serial, disk, **properties)


def ocp(name, serial, **properties):
    """A drive that has OCP's log page C0h too."""
    return plain(name, serial, ocp="on", **properties)


def many_namespaces(name, serial, count, **properties):
    """A drive with `count` namespaces, of growing sizes."""
    arguments = controller(name, serial, **properties)
    for number in range(1, count + 1):
        disk = f"{name}-disk{number}"
        arguments += null_disk(disk, 32 * number)
        arguments += ["-device", f"nvme-ns,bus={name},nsid={number},drive={disk}"]
    return arguments


def two_paths(name, serial, private=(), **properties):
    """One drive, one shared namespace of 64 MiB, behind the controllers NAMEa and NAMEb of one subsystem; private
    ones of so many MiB for each controller in turn."""
    subsystem, disk = f"{name}-subsystem", f"{name}-disk"
    arguments = ["-device", f"nvme-subsys,id={subsystem},nqn={name}"]
    for suffix in "ab":
        arguments += controller(name + suffix, serial, subsys=subsystem, **properties)
    arguments += null_disk(disk) + ["-device", f"nvme-ns,bus={name}a,nsid=1,drive={disk},shared=on"]
    for number, (suffix, megabytes) in enumerate(zip("ab", private), 2):
        arguments += null_disk(f"{disk}{number}", megabytes)
        arguments += ["-device", f"nvme-ns,bus={name}{suffix},nsid={number},drive={disk}{number},shared=off"]
    return arguments


def zoned(name, serial):
    """A drive with a zoned namespace."""
    disk = f"{name}-disk"
    return [*null_disk(disk), *controller(name, serial),
            "-device", f"nvme-ns,bus={name},drive={disk},zoned=on,zoned.zone_size=1M"]


def endurance_group(name, serial):
    """A drive with an endurance group and flexible data placement."""
    subsystem, disk = f"{name}-subsystem", f"{name}-disk"
    return ["-device", f"nvme-subsys,id={subsystem},nqn={name},fdp=on,fdp.runs=16M,fdp.nrg=1,fdp.nruh=4",
            *controller(name, serial, subsys=subsystem),
            *null_disk(disk), "-device", f"nvme-ns,bus={name},drive={disk},fdp.ruhs=0-3"]


def ports(count):
    """Slots for drives that are added while the machine runs."""
    return [word for n in range(count) for word in ("-device", f"pcie-root-port,id=port{n},chassis={n + 1},slot={n + 1}")]


def add(vm, name, serial, port):
    """Plugs a drive into a slot of ports()."""
    vm.qmp("blockdev-add", {"driver": "null-co", "node-name": f"{name}-disk", "size": 64 << 20, "read-zeroes": True})
    vm.qmp("device_add", {"driver": "nvme", "id": name, "bus": f"port{port}", "serial": serial,
                          "drive": f"{name}-disk", "ocp": True})


def sixteen():
    """16 controllers: 7 OCP, 4 plain, one of which warns, one with 3 namespaces, two of one subsystem, zoned, FDP."""
    arguments = []
    for n in range(6):
        arguments += ocp(f"nvme-o{n}", f"OCP-{n}")
    for n in range(3):
        arguments += plain(f"nvme-p{n}", f"PLAIN-{n}")
    arguments += ocp("nvme-hang", "HANGS")
    arguments += many_namespaces("nvme-many", "MANY", 3)
    arguments += two_paths("nvme-two", "TWO-PATHS", private=(16, 8))
    arguments += zoned("nvme-zoned", "ZONED")
    arguments += endurance_group("nvme-fdp", "FDP")
    return arguments + plain("nvme-warn", "WARNS", smart_critical_warning=1)


SIXTEEN = [*(f"OCP-{n}" for n in range(6)), *(f"PLAIN-{n}" for n in range(3)),
           "HANGS", "MANY", "TWO-PATHS", "ZONED", "FDP", "WARNS"]
