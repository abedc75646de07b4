# SPDX-License-Identifier: LGPL-2.1-or-later
"""The control socket as include/nvmewatch/control.h has it, packed by hand."""
import errno
import socket
import struct

VERSION = 1
PAUSE, FORGET, READ = 1, 2, 3
REQUEST = struct.Struct("=II128s32sQ")
ANSWER = struct.Struct("=Ii")


def tell(host, verb, drive, seconds=0, page=""):
    """What the collector answers: "ok", or the name of an errno."""
    request = REQUEST.pack(VERSION, verb, drive.encode(), page.encode(), seconds)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as s:
        s.settimeout(5)
        s.connect(str(host.run / "control"))
        s.send(request)
        version, error = ANSWER.unpack(s.recv(64))
    assert version == VERSION
    return errno.errorcode[-error] if error else "ok"
