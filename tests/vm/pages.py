# SPDX-License-Identifier: LGPL-2.1-or-later
"""Every page of the programs, and who can say what it should be: nvme-cli field by field, nvme-cli byte by byte, or
neither. `page_of` finds them by the names that the API has."""
import re

from compare import Page
from pages_features import (APST, ASYNC_EVENT_CONFIGURATION, POWER_MANAGEMENT, THERMAL_MANAGEMENT, feature,
                            temperature_threshold)
from pages_identify import IDENTIFY
from pages_logs import FIRMWARE_SLOTS, SANITIZE, SELF_TEST, endurance_group, error_information
from pages_namespace import NAMESPACES, namespace
from pages_ocp import OCP_SMART
from pages_smart import SMART, smart

OCP = "c194d55be0944794a21d29998f56be6f"
SOLIDIGM = "9619586ec11b43adaaaa654187f6bbb2"
NO_DECODER = "nvme-cli has no decoder of it"
WRONG_DECODER = "nvme-cli names its columns wrongly"
NOT_JUDGED = "nvme-cli's decoder is not known to be right"


def log(name, lid, length, uuid=None, lsi=0, why=NO_DECODER):
    """A log page as bytes."""
    options = (f" -S {lsi}" if lsi else "") + (" -U {uuid}" if uuid else "")
    return Page(name, None, f"nvme get-log {{device}} -i {lid:#x} -l {length}{options} -b", [], uuid=uuid, why=why)


UUID_LIST = Page("uuid_list", None, "nvme admin-passthru {device} -o 6 --cdw10=0x17 -l 4096 -r -b 2>/dev/null", [],
                 why=NOT_JUDGED)

ONE = [
    SMART, OCP_SMART._replace(uuid=OCP, binary="nvme get-log {device} -i 0xc0 -l 512 -U {uuid} -b"), IDENTIFY,
    NAMESPACES, FIRMWARE_SLOTS, SELF_TEST, SANITIZE, POWER_MANAGEMENT, ASYNC_EVENT_CONFIGURATION, APST,
    THERMAL_MANAGEMENT, UUID_LIST,
    log("supported_logs", 0x00, 1024, why="nvme-cli 2.3 aborts when it prints the list as JSON"),
    log("power_measurement", 0x25, 576),
    log("ocp_error_recovery", 0xc1, 512, OCP),
    log("ocp_firmware_activation_history", 0xc2, 4096, OCP),
    log("ocp_latency_monitor", 0xc3, 512, OCP, why=WRONG_DECODER),
    log("ocp_device_capabilities", 0xc4, 4096, OCP),
    log("ocp_unsupported_requirements", 0xc5, 4096, OCP),
    log("ocp_hardware_components", 0xc6, 4096, OCP),
    log("ocp_tcg_configuration", 0xc7, 512, OCP),
    log("ocp_telemetry_strings", 0xc9, 384, OCP),
    feature("ocp_plp_failure_mode", 0xc2, uuid=OCP, why=NO_DECODER),
    feature("ocp_ieee1667_silo", 0xc4, uuid=OCP, why=NO_DECODER),
    feature("ocp_plp_health_check", 0xc6, uuid=OCP, why=NO_DECODER),
    feature("ocp_power_state", 0xc7, uuid=OCP, why=NO_DECODER),
    feature("ocp_async_event_configuration", 0xc9, uuid=OCP, why=NO_DECODER),
    log("intel_smart", 0xca, 512, SOLIDIGM, why=NOT_JUDGED),
    log("intel_temperature", 0xc5, 104, why=NOT_JUDGED),
    log("solidigm_temperature", 0xd5, 104, SOLIDIGM),
    *(log(f"memblaze_smart_{version}", 0xca, 512, why=NOT_JUDGED) for version in ("old", "v0", "v2", "v3")),
    log("memblaze_latency", 0xd0, 648, why=NOT_JUDGED),
    log("wdc_smart", 0xca, 120, why=NOT_JUDGED),
    log("wdc_vu_smart", 0xd0, 104, why=NOT_JUDGED),
    *(log(f"wdc_nand_statistics_{version}", 0xfb, 512, why=NOT_JUDGED) for version in ("v2", "v3")),
    log("hyperscale_boot_smart", 0xc0, 512),
    log("wdc_eol", 0xc0, 512, why=NOT_JUDGED),
    log("micron_health", 0xd0, 152, why=NOT_JUDGED),
    log("micron_smart", 0xe1, 256, why=NOT_JUDGED),
]
BY_NAME = {page.name: page for page in ONE}
SEVERAL = {
    "endurance_group": endurance_group,
    "rotational_media": lambda group: log(f"rotational_media_{group}", 0x16, 512, lsi=group),
    "over_temperature_threshold": temperature_threshold("over"),
    "under_temperature_threshold": temperature_threshold("under"),
}
# What nvme-cli cannot say anything about, and which test does
ELSEWHERE = {
    "block": "the kernel's figures: test_host.py",
    "pcie_link": "the kernel's figures: test_host.py",
    "pcie_aer": "the kernel's figures: test_host.py",
    "controller": "the kernel's figures: test_host.py",
    "thermal": "made of other pages: check_thermal.c",
    "error_counts": "made of other pages: test_events.py",
    "rating": "made of the catalogue: check_catalogue.c",
    "wear": "made of other pages: check_wear.c",
    "peers": "made of other drives' pages: check_peers.c",
    "persistent_events": "read when asked for only: check_persistent_events.c",
}
INSTANCE = re.compile(r"(.+)_(\d+)")


def base_of(name):
    """The page of which a drive may have several, or itself."""
    found = INSTANCE.fullmatch(name)
    return found[1] if found and found[1] in {*SEVERAL, *ELSEWHERE, "namespace"} else name


def page_of(name, identify, blocks):
    """The page of that name of a drive of which nvme-cli says so in Identify and that has block devices by NSID;
    None: nvme-cli says nothing of it; KeyError: no table has it."""
    base = base_of(name)
    number = int(name[len(base) + 1:] or 0)
    if base in ELSEWHERE:
        return None
    if base == "error_information":
        return error_information(identify["elpe"] + 1)
    if base == "smart":
        return smart(identify["hctma"])
    if base == "namespace":
        return namespace(number, blocks.get(number))
    return SEVERAL[base](number) if base in SEVERAL else BY_NAME[base]


def known():
    """The names of all pages, without numbers."""
    return {*BY_NAME, *SEVERAL, *ELSEWHERE, "error_information", "namespace"}
