# SPDX-License-Identifier: LGPL-2.1-or-later
"""The second decoder itself: values reckoned by hand out of bytes put by hand."""
from pathlib import Path

from reference import decode
from reference_table import load

CASES = Path(__file__).resolve().parents[1] / "data" / "cases"
OCP_GUID = bytes.fromhex("c5af1028eabff2a49c4f6f7cc914d5af")


def page(size, **bytes_at):
    """Zeros, with `at_OFFSET="hexadecimal"` on top."""
    data = bytearray(size)
    for at, text in bytes_at.items():
        put = bytes.fromhex(text)
        data[int(at[3:]):int(at[3:]) + len(put)] = put
    return bytes(data)


def of(name, data, *keys, id_=None):
    values = decode(load(name), data, id_)
    return [values[key] for key in keys]


def dump(name):
    lines = (CASES / name).read_text().splitlines()
    return bytes.fromhex("".join(line[4:] for line in lines))


def test_LOG_10_a_published_ocp_page_reads_as_its_report_says():
    data = dump("LOG-10.hex")
    assert of("ocp-c0", data, "Physical Media Units Written", "Bad User NAND Blocks raw",
              "Bad User NAND Blocks normalized", "Maximum User Data Erase Count", "% Free Blocks",
              "Capacitor Health", "Total NUSE", "PLP Start Count", "Endurance Estimate") == \
        [0x046d51b99000, 0, 1.0, 4, 0.33, 1.48, 0xdf9e9400, 53, 28858058 * 10**9]
    # Only the first 299 bytes were published: no version, and no field that came with one.
    assert of("ocp-c0", data, "PCIe Link Retraining Count", "Log Page GUID",
              "Log Page Version") == [None, None, None]


def test_a_smart_page_as_published_with_nvme_cli_issue_2759():
    data = page(512, at_1="3801", at_3="640a01", at_32="3abc2808", at_48="c4fc4c03",
                at_64="2a46ac1c", at_80="d9e58b2f", at_96="d704")
    assert of("smart-02h", data, "CW", "CTEMP", "AVSP", "AVSPT", "PUSED", "DUR", "DUW", "HRC",
              "HWC", "CBT") == [0, 39, 1.0, 0.1, 0.01, 70086325248000, 28353071104000,
                                481052202, 797697497, 74340]
    assert of("smart-02h", data, "TSEN[1]", "TSEN[8]", "OLEC", "IPM") == [None] * 4


def test_numbers_of_128_bits_stay_exact():
    assert of("smart-02h", page(512, at_64="ff" * 16, at_32="00" * 15 + "80"), "HRC", "DUR") == \
        [2**128 - 1, 2**127 * 512000]


def test_bits_are_taken_out_of_their_bytes():
    assert of("smart-02h", page(512, at_0="14"), "CW", "CW reliability degraded",
              "CW all media read-only", "CW volatile memory backup failed") == [0x14, 1, 0, 1]
    assert of("sanitize-81h", page(512, at_0="0080", at_2="1b01"), "SPROG", "SSTAT status",
              "SSTAT passes", "SSTAT erased") == [0.5, 3, 3, 1]
    # 4005h: the phase bit, and Invalid Field with DNR.
    assert of("error-information-01h", page(64, at_0="01", at_12="0580"), "STS[0]") == [2]
    assert of("wdc-ca", page(120, at_32="6400070000000000"), "bad blocks normalized",
              "bad blocks raw") == [1.0, 7]


def test_a_scale_is_chosen_by_other_bits():
    watts = {scale: of("smart-02h", page(512, at_240=f"e803{scale:02x}00"), "IPM")[0]
             for scale in range(4)}
    assert watts == {0: None, 1: 0.1, 2: 10.0, 3: None}
    state = page(4096, at_263="01", at_2048="e80300" + "00", at_2080="e80300" + "01",
                 at_2064="640000" + "00", at_2096="640080", at_2112="ff")
    assert of("identify-controller", state, "MP[0]", "MP[1]", "MP[2]", "IDLP[0]", "IDLP[1]") == \
        [10.0, 0.1, None, None, 1.0]
    size = "40" + "00" * 15
    assert of("ocp-c6", page(64, at_0="01", at_32=size), "Log Size") == [256]
    assert of("ocp-c6", page(64, at_0="02", at_32=size), "Log Size") == [64]


def test_a_small_endurance_estimate_counts_gigabytes():
    for raw, right in (10**12 - 1, (10**12 - 1) * 10**9), (10**12, 10**12), (0, None):
        data = page(512, at_176=raw.to_bytes(16, "little").hex())
        assert of("ocp-c0", data, "Endurance Estimate") == [right]


def test_what_is_not_reported_is_none():
    assert of("sanitize-81h", page(512, at_0="ffff", at_8="ffffffff"), "SPROG", "ETO", "ETBE",
              "SSI") == [None, None, 0, None]
    system = "Bad System NAND Blocks raw", "Bad System NAND Blocks normalized"
    assert of("ocp-c0", page(512, at_40="ff" * 8), *system) == [None, None]
    assert of("ocp-c0", page(512, at_40="ff" * 6), *system) == [2**48 - 1, 0.0]
    assert of("ocp-c0", page(512, at_46="ffff"), *system) == [0, 655.35]
    assert of("self-test-06h", page(564, at_4="0f"), "DSTS result[0]", "DSTS code[0]",
              "DSTS result[1]") == [None, None, 0]


def test_a_value_depends_on_what_says_that_it_is_there():
    assert of("identify-controller", page(4096, at_254="85"), "VWCI") == [5]
    assert of("identify-controller", page(4096, at_254="05"), "VWCI") == [None]
    entry = page(4096, at_0="01", at_31="02", at_64="02", at_95="02", at_127="01", at_128="00")
    assert of("error-information-01h", entry, "OPC[0]", "OPC[1]", "ECNT[2]", "NSID[2]",
              "ECNT[64]") == [None, 2, None, None, None]
    failed = page(564, at_4="17", at_5="03", at_6="01", at_16="02", at_32="18", at_33="03")
    assert of("self-test-06h", failed, "DSTS code[0]", "SEGN[0]", "NSID[0]", "FLBA[0]", "SEGN[1]",
              "NSID[1]") == [1, 3, 2, None, None, None]
    entries = page(4096, at_4="02", at_12="07", at_76="08", at_140="09")
    assert of("ocp-c2", entries, *(f"Firmware Activation Count[{n}]" for n in range(3))) == \
        [7, 8, None]


def test_a_field_is_there_from_the_version_on_that_brought_it():
    keys = "PLP Start Count", "PCIe Link Retraining Count", "Media Dies Offline", "Form Factor"
    data = {"at_160": "01", "at_192": "02", "at_220": "03", "at_223": "04"}
    for version, right in {0: [1, None, None, None], 2: [1, None, None, None],
                           3: [1, 2, None, None], 5: [1, 2, 3, None], 6: [1, 2, 3, 4],
                           999: [1, 2, 3, 4]}.items():
        stamped = page(512, at_494=version.to_bytes(2, "little").hex(), **data)
        assert of("ocp-c0", stamped, *keys) == right


def test_texts_are_trimmed_and_end_at_a_nul():
    for put, right in ((b" A1 ", "A1"), (b"\0\0A1", "A1"), (b"A1\0junk", "A1"), (b"", None),
                       (b"    \0", None), (b"\xffA\xc3 ", "?A?"), ("Größe".encode(), "Größe")):
        data = page(4096, at_4=put.ljust(20, b"\0").hex())
        assert of("identify-controller", data, "SN") == [right]


def test_guids_are_in_the_order_of_the_specification():
    data = page(512, at_496=OCP_GUID.hex())
    assert of("ocp-c0", data, "Log Page GUID") == ["afd514c97c6f4f9ca4f2bfea2810afc5"]
    assert of("identify-controller", page(4096, at_73="a0d0e4"), "IEEE") == ["e4d0a0"]
    uuid = "c194d55be0944794a21d29998f56be6f"
    assert of("uuid-list", page(4096, at_80=uuid), "UUID[1]", "UUID[2]") == [None, uuid]


def test_the_latency_monitor_runs_backwards():
    data = page(512, at_6="05", at_96="e803", at_112="d007", at_192="0500", at_214="0700",
                at_32="00000000010000000200000003", at_440="00", at_494="04", at_436="02")
    assert of("ocp-c3", data, "Active Threshold A", "Active Latency Stamp trim[3]",
              "Active Latency Stamp read[3]", "Active Measured Latency trim[3]",
              "Active Measured Latency read[0]", "Active Bucket Counter trim[0]",
              "Active Bucket Counter read[0]", "Latency Monitor Debug Telemetry Log Size") == \
        [0.03, 1.0, 2.0, 0.005, 0.007, 1, 3, 8]
    assert of("ocp-c3", page(512, at_168="ff" * 8), "Active Latency Stamp trim[0]") == [None]


def test_items_are_found_by_their_id():
    data = page(512, at_24="f5000000" + "00" + "020000000000",
                at_60="ad000062" + "00" + "010002000300", at_500="05")
    assert of("intel-ca", data, "host bytes written", "wear leveling count normalized",
              "wear leveling count min", "wear leveling count max", "wear leveling count average",
              "NAND bytes written", "reallocated sector count") == \
        [2 * 2**25, 0.98, 1, 2, 3, None, None]
    old = page(512, at_0="000000" + "0000" + "03", at_41="2c01", at_72="ec0000" + "5f",
               at_96="f60000", at_101="01")
    assert of("memblaze-ca-old", old, "total write", "temperature max",
              "power loss protection normalized", "host write") == [3 * 10**9, 27, 0.95, None]


def test_features_are_rows_of_one_id():
    assert decode(load("ocp-features"), bytes.fromhex("0f000000"), 0xC6) == \
        {"PLP Health Check Interval": 900}
    assert decode(load("features"), bytes.fromhex("00005d01"), 0x10) == {"TMT1": 76, "TMT2": None}
