"""QEMU's command line and its process; vm.py makes a machine of it."""
import ctypes
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = """qemu-system-x86_64 -nodefaults -no-user-config -no-reboot -display none
    -machine q35,smm=off,vmport=off,hpet=off,usb=off,sata=off,graphics=off
    -cpu max,-la57,-smap,-smep -accel tcg,thread=multi,tb-size=512""".split()
# Nearly all of it saves time under emulation.
KERNEL = """console=ttyS0 quiet panic=-1 net.ifnames=0 nokaslr mitigations=off random.trust_cpu=on audit=0 apparmor=0
    selinux=0 tsc=reliable no_timer_check cryptomgr.notests rcupdate.rcu_expedited=1 8250.nr_uarts=1 nowatchdog
    systemd.show_status=0 systemd.unit=console-shell.service""".split()


class VMError(Exception):
    """The machine did not start, ended, or did not answer in time."""


def guest():
    """The folder of the guest's kernel, initrd and root file system; builds them if need be."""
    built = subprocess.run([HERE / "build-guest"], stdout=subprocess.PIPE, text=True, check=False)
    if built.returncode:
        raise VMError("build-guest failed")
    return pathlib.Path(built.stdout.strip())


def command_line(folder, share, memory, cpus, kernel):
    """QEMU with the guest; the console, its sockets and its logs are in `folder`."""
    image = guest()
    return [*MACHINE, "-m", str(memory), "-smp", str(cpus),
            "-kernel", image / "vmlinux", "-initrd", image / "initrd.cpio", "-append", " ".join([*KERNEL, kernel]),
            "-drive", f"file={image}/root.ext4,if=none,id=root,format=raw,snapshot=on,cache=unsafe",
            # High PCI addresses, so that the controllers get the same low ones whatever else there is.
            "-device", "virtio-blk-pci,drive=root,addr=1e",
            "-serial", f"file:{folder}/console.log",
            "-chardev", f"socket,id=shell,path={folder}/shell,server=on,wait=off",
            "-device", "virtio-serial-pci,addr=1d", "-device", "virtconsole,chardev=shell",
            "-qmp", f"unix:{folder}/qmp,server=on,wait=off",
            "-fsdev", f"local,id=host,path={share},security_model=none,multidevs=remap",
            "-device", "virtio-9p-pci,fsdev=host,mount_tag=host,addr=1c"]


def network(host_port, guest_port):
    """A network without a way out, where a port of the host's 127.0.0.1 leads into the guest."""
    forward = f"hostfwd=tcp:127.0.0.1:{host_port}-:{guest_port}"
    return ["-netdev", f"user,id=net0,restrict=on,{forward}",
            "-device", "virtio-net-pci,netdev=net0,romfile=,addr=1b"]


def free_port():
    """A TCP port of 127.0.0.1 that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Process:
    """A running QEMU, never left behind: not on an exception, not on a signal."""

    def __init__(self, arguments, folder):
        self.folder = folder
        _exit_on_sigterm()
        with open(folder / "qemu.log", "wb") as log:
            self._child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                           preexec_fn=_end_with_parent)

    def connect(self, name):
        """A connection to the Unix socket `name`, as soon as QEMU listens there."""
        deadline = time.monotonic() + 20
        while self._child.poll() is None and time.monotonic() < deadline:
            client = socket.socket(socket.AF_UNIX)
            try:
                client.connect(str(self.folder / name))
                return client
            except OSError:
                client.close()
                time.sleep(0.02)
        raise VMError(f"QEMU did not start:\n{self.logs()}")

    def logs(self, lines=20):
        """The last lines of QEMU's own messages and of the guest's console."""
        logs = [self.folder / name for name in ("qemu.log", "console.log")]
        text = [log.read_text(errors="replace").splitlines()[-lines:] for log in logs if log.exists()]
        return "\n".join(sum(text, []))

    def stop(self):
        """Ends it, by its process id alone."""
        if self._child.poll() is None:
            self._child.kill()
            self._child.wait()


def _end_with_parent():
    """PR_SET_PDEATHSIG: QEMU gets a SIGKILL when this process ends, even by one itself."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


def _exit_on_sigterm():
    """By default SIGTERM would leave without running what cleans up."""
    main = threading.current_thread() is threading.main_thread()
    if main and signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
