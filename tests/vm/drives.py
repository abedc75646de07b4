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


def two_paths(name, serial, **properties):
    """One drive, one shared namespace, behind the controllers NAMEa and NAMEb of one subsystem."""
    subsystem, disk = f"{name}-subsystem", f"{name}-disk"
    arguments = ["-device", f"nvme-subsys,id={subsystem},nqn={name}"]
    for suffix in "ab":
        arguments += controller(name + suffix, serial, subsys=subsystem, **properties)
    return arguments + null_disk(disk) + ["-device", f"nvme-ns,bus={name}a,nsid=1,drive={disk},shared=on"]
