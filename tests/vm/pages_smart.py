"""Log page 02h: nvme-cli's names and ours, see compare.py."""
from compare import At, Page, Row
from conversions import (bit, celsius, nonzero, ratio, ratio_to_one, times, times_nonzero, unsigned, watts)

WARNINGS = ["spare", "temperature", "reliability", "read_only", "backup_failed", "pmr", "personality"]

# Of drives that do not count throttling by host thermal management (HCTMA)
SMART = Page("smart", "nvme smart-log {device} -o json", "nvme get-log {device} -i 2 -l 512 -b", [
    Row("critical_warning", "critical_warning_raw", "drive_critical_warning_raw"),
    *(Row("critical_warning", f"critical_warning_{name}", f'drive_critical_warning{{bit="{name}"}}', bit(number))
      for number, name in enumerate(WARNINGS)),
    Row("temperature", "temperature_celsius", "drive_temperature_celsius", celsius),
    Row("avail_spare", "available_spare_ratio", "drive_available_spare_ratio", ratio_to_one),
    Row("spare_thresh", "available_spare_threshold_ratio", "drive_available_spare_threshold_ratio", ratio_to_one),
    Row("percent_used", "endurance_used_ratio", "drive_endurance_used_ratio", ratio),
    Row("endurance_grp_critical_warning_summary", "endurance_group_warning_raw", "drive_endurance_group_warning_raw"),
    Row("data_units_read", "host_read_bytes", "drive_host_read_bytes_total", times_nonzero(512000)),
    Row("data_units_written", "host_written_bytes", "drive_host_written_bytes_total", times_nonzero(512000)),
    Row("host_read_commands", "host_read_commands", "drive_host_read_commands_total"),
    Row("host_write_commands", "host_write_commands", "drive_host_write_commands_total"),
    Row("controller_busy_time", "controller_busy_seconds", "drive_controller_busy_seconds_total", times(60)),
    Row("power_cycles", "power_cycles", "drive_power_cycles_total"),
    Row("power_on_hours", "power_on_seconds", "drive_power_on_seconds_total", times(3600)),
    Row("unsafe_shutdowns", "unsafe_shutdowns", "drive_unsafe_shutdowns_total"),
    Row("media_errors", "media_errors", "drive_media_errors_total"),
    Row("num_err_log_entries", "error_log_entries", "drive_error_log_entries_total"),
    Row("warning_temp_time", "temperature_over_warning_seconds",
        'drive_temperature_over_seconds_total{limit="warning"}', lambda minutes: unsigned(minutes) * 60),
    Row("critical_comp_time", "temperature_over_critical_seconds",
        'drive_temperature_over_seconds_total{limit="critical"}', lambda minutes: unsigned(minutes) * 60),
    *(Row(f"temperature_sensor_{n}", f"sensor_temperature_celsius_{n}",
          f'drive_sensor_temperature_celsius{{sensor="{n}"}}', celsius) for n in range(1, 9)),
    *(Row(f"thm_temp{n}_trans_count", f"thermal_transitions_{n}",
          f'drive_thermal_transitions_total{{level="{n}"}}', nonzero) for n in (1, 2)),
    *(Row(f"thm_temp{n}_total_time", f"thermal_throttle_seconds_{n}",
          f'drive_thermal_throttle_seconds_total{{level="{n}"}}', nonzero) for n in (1, 2)),
    Row(At(232, 8), "energy_joules", "drive_energy_joules_total", times_nonzero(3600)),
    Row(At(240, 4), "power_watts", "drive_power_watts", watts),
], optional=r"temperature_sensor_\d")


def smart(hctma):
    """The page of a drive whose Identify says so of host thermal management: with it, 0 is a count."""
    counted = ("thermal_transitions_", "thermal_throttle_seconds_")
    return SMART if not hctma & 1 else SMART._replace(rows=[
        row._replace(convert=unsigned) if row.field.startswith(counted) else row for row in SMART.rows])
