# SPDX-License-Identifier: LGPL-2.1-or-later
"""A few values out of raw pages, by the specifications' offsets: a second opinion that shares
nothing with the field table."""


def number(page, at, size):
    return int.from_bytes(page[at:at + size], "little")


def text(page, at, size):
    return page[at:at + size].decode().strip()


def smart(page):
    """NVMe Base 2.0, figure 207."""
    sensors = [number(page, 200 + 2 * n, 2) for n in range(8)]
    return {
        "critical_warning_raw": page[0],
        "critical_warning_backup_failed": page[0] >> 4 & 1,
        "temperature_celsius": number(page, 1, 2) - 273,
        "available_spare_ratio": page[3] / 100,
        "available_spare_threshold_ratio": page[4] / 100,
        "endurance_used_ratio": page[5] / 100,
        "host_read_bytes": number(page, 32, 16) * 512000,
        "host_written_bytes": number(page, 48, 16) * 512000,
        "host_read_commands": number(page, 64, 16),
        "host_write_commands": number(page, 80, 16),
        "controller_busy_seconds": number(page, 96, 16) * 60,
        "power_cycles": number(page, 112, 16),
        "power_on_seconds": number(page, 128, 16) * 3600,
        "unsafe_shutdowns": number(page, 144, 16),
        "media_errors": number(page, 160, 16),
        "error_log_entries": number(page, 176, 16),
        **{f"sensor_temperature_celsius_{n + 1}": kelvin - 273 if kelvin else None
           for n, kelvin in enumerate(sensors)},
    }


def identify(page):
    """NVMe Base 2.0, figure 275."""
    return {
        "vid": number(page, 0, 2), "sn": text(page, 4, 20), "mn": text(page, 24, 40),
        "fr": text(page, 64, 8), "ieee": page[73:76][::-1].hex(), "ver": number(page, 80, 4),
        "tnvmcap_bytes": number(page, 280, 16), "wctemp_celsius": number(page, 266, 2) - 273,
        "nn": number(page, 516, 4),
    }


def ocp_smart(page):
    """OCP Datacenter NVMe SSD 2.0, 4.8.3."""
    return {
        "physical_media_written_bytes": number(page, 0, 16),
        "bad_user_nand_blocks": number(page, 32, 6),
        "bad_user_nand_blocks_normalized_ratio": number(page, 38, 2) / 100,
        "soft_ecc_errors": number(page, 64, 8), "refreshes": number(page, 81, 7),
        "user_erase_cycles_max": number(page, 88, 4), "free_blocks_ratio": page[120] / 100,
        "capacitor_health_ratio": number(page, 128, 2) / 100,
        "log_page_version": number(page, 494, 2),
        # DEC-08: compared and shown as 16 bytes, in the order of the specification.
        "log_page_guid": page[496:512][::-1].hex(),
    }


PAGES = {"identify": (4096, identify), "smart": (512, smart), "ocp_smart": (512, ocp_smart)}
