# SPDX-License-Identifier: LGPL-2.1-or-later
"""All that nvmewatch sends to a drive, as opcode, nsid and dwords 10 to 15: what src/device/command.c lets through,
written out by hand."""

GET_LOG, IDENTIFY_COMMAND, GET_FEATURES = 0x02, 0x06, 0x0a
ALL = 0xffffffff  # namespaces
INDICES = range(3)  # in the UUID lists that there are here


def log(lid, length, uuids=(0,), lsi=0, lsp=0):
    """Get Log Page, of so many bytes, with the event retained."""
    return {(GET_LOG, ALL, (length // 4 - 1) << 16 | 0x8000 | lsp << 8 | lid, lsi << 16, 0, 0, uuid, 0)
            for uuid in uuids}


def identify(cns, nsid=0):
    """Identify."""
    return {(IDENTIFY_COMMAND, nsid, cns, 0, 0, 0, 0, 0)}


def feature(fid, select=0, uuids=(0,)):
    """Get Features, of the current value."""
    return {(GET_FEATURES, 0, fid, select, 0, 0, uuid, 0) for uuid in uuids}


NVME = set().union(
    *(identify(0x00, nsid) for nsid in range(1, 129)), identify(0x01), identify(0x02), identify(0x17),
    log(0x00, 1024), *(log(0x01, 64 * entries) for entries in range(1, 65)), log(0x02, 512), log(0x03, 512),
    log(0x06, 564), *(log(lid, 512, lsi=group) for lid in (0x09, 0x16) for group in range(1, 17)),
    log(0x25, 576), log(0x81, 512),
    log(0x0d, 4096, lsp=1), log(0x0d, 512, lsp=2),  # establish the context and read, release it
    feature(0x02), *(feature(0x04, sensor << 16 | under << 20) for sensor in range(9) for under in (0, 1)),
    feature(0x0b), feature(0x0c), feature(0x10))
OCP = set().union(
    *(log(lid, 512, INDICES) for lid in (0xc0, 0xc1, 0xc3, 0xc7)),
    *(log(lid, 4096, INDICES) for lid in (0xc2, 0xc4, 0xc5, 0xc6)), log(0xc9, 384, INDICES),
    *(feature(fid, uuids=INDICES) for fid in (0xc2, 0xc4, 0xc6, 0xc7, 0xc9)))
VENDORS = set().union(
    log(0xc5, 104), log(0xca, 512, INDICES), log(0xd5, 104, INDICES),  # Intel, Solidigm, Memblaze
    log(0xd0, 648), log(0xca, 120), log(0xd0, 104), log(0xfb, 512), log(0xd0, 152), log(0xe1, 256))
ALLOWED = NVME | OCP | VENDORS
READS = {command[0] for command in ALLOWED}
