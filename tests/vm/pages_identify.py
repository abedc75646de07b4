"""Identify Controller: nvme-cli's names and ours, see compare.py."""
from compare import At, Page, Row
from conversions import (celsius_unless_zero, guid, limit, max_power, nonzero, part, power, stripped, times_nonzero,
                         unsigned)

# The specification's mnemonics, which both use; a plain number each.
SAME = """vid ssvid rab cmic mdts cntlid oaes ctratt rrls mec oacs acl aerl frmw lpa elpe npss avscc apsta
    rpmbs dsto hctma sanicap hmmaxd nsetidmax anacap anagrpmax nanagrpid sqes cqes maxcmd nn oncs fuses fna vwc awun
    awupf icsvscc nwpc acwu ocfs sgls maxdna maxcna ioccsz iorcsz icdoff fcatt msdbd ofcs""".split()


def power_state(number):
    """The rows of a power state descriptor."""
    cli, name, label = f"psds.{number}.", "power_state_{}_" + str(number), f'{{state="{number}"}}'
    return [
        Row((cli + "max_power", cli + "flags"), name.format("max_watts"),
            "drive_power_state_max_watts" + label, max_power),
        Row(cli + "flags", name.format("non_operational"),
            "drive_power_state_non_operational" + label, lambda flags: flags >> 1 & 1),
        Row(cli + "entry_lat", name.format("entry_seconds"), None, part(10**6)),
        Row(cli + "exit_lat", name.format("exit_seconds"), None, part(10**6)),
        Row(cli + "read_tput", name.format("rrt")),
        Row(cli + "read_lat", name.format("rrl")),
        Row(cli + "write_tput", name.format("rwt")),
        Row(cli + "write_lat", name.format("rwl")),
        Row((cli + "idle_power", cli + "idle_scale"), name.format("idle_watts"), None, power),
        Row((cli + "active_power", cli + "active_scale"), name.format("active_watts"), None, power),
        Row(cli + "active_power_work", name.format("active_workload"), None, nonzero),
    ]


IDENTIFY = Page("identify", "nvme id-ctrl {device} -o json", "nvme id-ctrl {device} -b", [
    *(Row(name, name, None, unsigned) for name in SAME),
    *(Row(name, name, None, stripped) for name in ("sn", "mn", "fr", "subnqn")),
    *(Row(name, name, None, nonzero) for name in ("ver", "cntrltype", "nvmsr", "fwug", "endgidmax", "domainid",
                                                     "mnan")),
    Row("vwci", "vwci", None, lambda value: value & 0x7f if value & 0x80 else None),
    Row("ieee", "ieee", None, lambda oui: f"{oui:06x}" if oui else None),
    Row("fguid", "fguid", None, guid),
    *(Row(name, f"{name}_seconds", None, part(10**6)) for name in ("rtd3r", "rtd3e")),
    *(Row(name, f"{name}_seconds", None, part(10)) for name in ("crdt1", "crdt2", "crdt3", "mtfa", "kas")),
    Row("edstt", "edstt_seconds", None, times_nonzero(60)),
    Row("anatt", "anatt_seconds"),
    Row("wctemp", "wctemp_celsius", 'drive_temperature_limit_celsius{limit="warning"}', limit),
    Row("cctemp", "cctemp_celsius", 'drive_temperature_limit_celsius{limit="critical"}', limit),
    *(Row(name, f"{name}_celsius", None, celsius_unless_zero) for name in ("mntmt", "mxtmt")),
    *(Row(name, f"{name}_bytes", None, times_nonzero(4096)) for name in ("hmpre", "hmmin", "hmminds")),
    Row("pels", "pels_bytes", None, times_nonzero(65536)),
    Row("tnvmcap", "tnvmcap_bytes", None, nonzero),
    *(Row(name, f"{name}_bytes") for name in ("unvmcap", "megcap")),
    Row(At(384, 1), "tmpthha", None, nonzero),
    Row(At(386, 2), "cqt_raw"),
    Row(At(392, 2), "ipmsr", None, nonzero),
    Row(At(394, 2), "msmt"),
    Row(At(1806, 1), "dctype"),
    *(row for number in range(32) for row in power_state(number)),
], optional=r"psds\.\d+\..*|subnqn")
