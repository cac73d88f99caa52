"""Hostile programs: what each tries is contained, and the one that tries is never a success."""

import os
import platform
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

import pytest

from core.sandbox.outcomes import CheckStatus

ANY = "def check(candidate):\n    candidate()\n"
NEVER = {
    CheckStatus.FAILED,
    CheckStatus.TIMED_OUT,
    CheckStatus.OUT_OF_MEMORY,
    CheckStatus.CRASHED,
}


def test_a_fork_bomb_goes_out(sandbox):
    bomb = """
import os
def f():
    while True:
        try:
            os.fork()
        except OSError:
            pass
"""
    outcome = sandbox.check(bomb, ANY, wall_s=3)
    assert outcome.status in NEVER
    plain = "import os\ndef f():\n    while True:\n        os.fork()\n"
    assert sandbox.check(plain, ANY, wall_s=5).status in NEVER


def test_no_more_processes_run_than_allowed(sandbox):
    solution = """
import os, time
def f():
    n = 0
    try:
        while n < 500:
            if os.fork() == 0:
                time.sleep(60)
            n += 1
    except OSError:
        pass
    return n
"""
    # Without namespaces the kernel counts what the same user runs elsewhere, too.
    assert 0 < sandbox.tell(solution, processes=20) <= (20 if sandbox.namespaces else 60)


def test_endless_output_is_cut_off(sandbox):
    outcome = sandbox.check("def f():\n    while True:\n        print('x' * 1000)\n", ANY)
    assert outcome.status == CheckStatus.TOO_MUCH_OUTPUT
    assert outcome.detail == "it printed more than 4096 KiB"
    in_one_line = "import sys\ndef f():\n    sys.stderr.write('x' * (8 << 20))\n"
    assert sandbox.check(in_one_line, ANY).status == CheckStatus.TOO_MUCH_OUTPUT


def test_a_program_that_prints_a_lot_may_pass(sandbox):
    solution = (
        "def f():\n    for n in range(20_000):\n        print('looking at', n, flush=n % 9 == 0)\n"
    )
    assert sandbox.check(solution, ANY).status == CheckStatus.PASSED


def test_an_endless_loop_ends_by_the_clock_or_by_processor_time(sandbox):
    loop = "def f():\n    while True:\n        pass\n"
    assert sandbox.check(loop, ANY, wall_s=0.5).detail == "it ran for more than 0.5 s"
    spent = sandbox.check(loop, ANY, cpu_s=1, wall_s=60)
    assert spent.status == CheckStatus.TIMED_OUT
    assert spent.detail == "it used more than 1 s of processor time"
    ignoring = "import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\n" + loop
    assert sandbox.check(ignoring, ANY, cpu_s=1, wall_s=60).status in NEVER
    waiting = "import time\ndef f():\n    time.sleep(600)\n"
    assert sandbox.check(waiting, ANY, wall_s=0.5).status == CheckStatus.TIMED_OUT
    at_load = "while True:\n    pass\n"
    assert sandbox.check(at_load, ANY, wall_s=0.5).status == CheckStatus.TIMED_OUT


def test_a_memory_hog_is_stopped(sandbox):
    at_once = "def f():\n    bytearray(1 << 40)\n"
    assert sandbox.check(at_once, ANY).status == CheckStatus.OUT_OF_MEMORY
    held = "import time\ndef f():\n    held = b'x' * (300 << 20)\n    time.sleep(30)\n"
    outcome = sandbox.check(held, ANY, memory_mib=200)
    assert (outcome.status, outcome.detail) == (
        CheckStatus.OUT_OF_MEMORY,
        "it used more than 200 MiB of memory",
    )


def test_where_the_machine_runs_out_of_memory_the_program_is_ended_first(sandbox):
    if not sandbox.namespaces:
        pytest.skip("without namespaces a program sees nothing of this")
    solution = "def f():\n    return open('/proc/self/oom_score_adj').read().strip()\n"
    assert sandbox.tell(solution) == "1000"


def test_memory_counts_for_all_processes_together(sandbox):
    solution = """
import os, time
def f():
    for _ in range(5):
        if os.fork() == 0:
            held = b"x" * (80 << 20)
            time.sleep(60)
    time.sleep(60)
"""
    outcome = sandbox.check(solution, ANY, memory_mib=300)
    assert outcome.status == CheckStatus.OUT_OF_MEMORY


def test_the_environment_and_the_processes_outside_are_hidden(sandbox, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-you")
    solution = f"""
import os
def f():
    found = [str(dict(os.environ))]
    for name in ["{os.getpid()}", str(os.getppid()), "1", *(os.listdir("/proc") if READS else [])]:
        for file in ("environ", "cmdline"):
            try:
                found.append(open(f"/proc/{{name}}/{{file}}", "rb").read().decode("latin-1"))
            except OSError:
                pass
    return [sorted(os.environ), any("sk-not" in one for one in found),
            any("pytest" in one for one in found)]
try:
    READS = bool(os.listdir("/proc"))
except OSError:
    READS = False
"""
    names, key, command = sandbox.tell(solution)
    assert (key, command) == (False, False)
    assert not {"OPENAI_API_KEY", "SELFBOUND_STORE", "USER"} & set(names)
    assert {"HOME", "PATH", "TMPDIR"} <= set(names)


def test_homes_the_store_and_other_folders_cannot_be_read(sandbox):
    store = Path(tempfile.gettempdir(), "selfbound.duckdb")
    store.write_text("secret")
    store.chmod(0o644)
    places = [str(store), str(Path.home()), str(Path(__file__)), "/etc/shadow", "/var", "/home"]
    solution = f"""
import os
def f():
    read = []
    for place in {places!r}:
        try:
            read.append(os.listdir(place) if os.path.isdir(place) else open(place).read(20))
        except OSError:
            read.append(None)
    return read
"""
    told = sandbox.tell(solution)
    # Python itself may lie in a home, and then the folders on the way to it are there, empty.
    ways = {part for prefix in (sys.prefix, sys.base_prefix) for part in Path(prefix).parts}
    assert told[0] is None
    assert set(told[1] or ()) <= ways
    assert told[2:] == [None] * 4
    store.unlink()


def test_nothing_is_written_outside_its_own_folder(sandbox):
    places = ["/", "/usr", "/etc", "/dev", "/var/tmp", sys.prefix, sys.base_prefix]
    places += [str(Path.home()), str(Path(__file__).parent), tempfile.gettempdir(), "/tmp"]
    solution = f"""
import os
def f():
    for place in {places!r}:
        try:
            open(os.path.join(place, "left-by-a-program"), "w").write("x")
        except OSError:
            pass
    for _ in range(20):
        os.chdir("..")
    try:
        open("left-by-a-program", "w")
    except OSError:
        pass
    open(os.path.join(os.environ["HOME"], "mine"), "w").write("x")
    return os.listdir(os.environ["HOME"])
"""
    assert sandbox.tell(solution) == ["mine"]
    assert [place for place in places if Path(place, "left-by-a-program").exists()] == []


def test_the_disk_cannot_be_filled(sandbox):
    one = "def f():\n    open('big', 'wb').write(bytes(100 << 20))\n"
    outcome = sandbox.check(one, ANY, file_mib=10)
    assert outcome.detail.endswith("OSError: [Errno 27] File too large")
    many = """
import time
def f():
    for n in range(100):
        open(str(n), "wb").write(bytes(8 << 20))
        time.sleep(0.02)
"""
    outcome = sandbox.check(many, ANY, file_mib=10, disk_mib=40)
    assert outcome.status == CheckStatus.FAILED
    whole = "No space left on device" if sandbox.namespaces else "it wrote more than 40 MiB"
    assert whole in outcome.detail


def test_a_folder_closed_to_its_owner_is_removed_too(sandbox):
    solution = """
import os
def f():
    os.makedirs("a/b/c")
    open("a/b/c/file", "w").write("x")
    os.chmod("a/b", 0)
    os.chmod("a", 0)
"""
    assert sandbox.check(solution, ANY).status == CheckStatus.PASSED


def test_files_without_a_name_fill_no_disk_either(sandbox):
    nameless = """
import os, time
def f():
    held = []
    for n in range(20):
        held.append(open("one", "wb"))
        os.unlink("one")
        held[-1].write(bytes(4 << 20))
        held[-1].flush()
    time.sleep(5)
"""
    outcome = sandbox.check(nameless, ANY, disk_mib=40)
    assert outcome.status == CheckStatus.FAILED
    whole = "No space left on device" if sandbox.namespaces else "it wrote more than 40 MiB"
    assert whole in outcome.detail


@pytest.mark.parametrize(
    ("most", "endless"),
    [(1500, "os.mkdir('a' * 99); os.chdir('a' * 99)"), (21_000, "open(str(n), 'w').close()")],
    ids=["deep", "many"],
)
def test_neither_deep_nor_many_folders_stay_or_hold_a_run_up(sandbox, most, endless):
    solution = f"""
import os, time
def f():
    for n in range({most}):
        try:
            {endless}
        except OSError:
            break
    time.sleep(1)
"""
    outcome = sandbox.check(solution, ANY, wall_s=10)
    if not sandbox.namespaces:
        assert outcome.detail in {
            "it nested its folders too deeply",
            "it made more than 20,000 files and folders",
        }


def test_no_socket_reaches_a_server(sandbox):
    with socket.socket() as tcp, socket.socket(type=socket.SOCK_DGRAM) as udp:
        tcp.bind(("127.0.0.1", 0))
        tcp.listen()
        tcp.settimeout(0.2)
        udp.bind(("127.0.0.1", 0))
        udp.settimeout(0.2)
        solution = f"""
import socket
def f():
    done = []
    for kind, port in ((socket.SOCK_STREAM, {tcp.getsockname()[1]}),
                       (socket.SOCK_DGRAM, {udp.getsockname()[1]})):
        try:
            with socket.socket(type=kind) as one:
                one.connect(("127.0.0.1", port))
                one.send(b"here I am")
                done.append(True)
        except OSError:
            done.append(False)
    return done
"""
        by_tcp, by_udp = sandbox.tell(solution)
        if sandbox.protections.no_tcp:
            assert by_tcp is False
            with pytest.raises(TimeoutError):
                tcp.accept()
        if sandbox.protections.no_network:
            assert by_udp is False
            with pytest.raises(TimeoutError):
                udp.recv(10)
        else:
            assert "network open" in str(sandbox.protections)


DOORS = """
import ctypes, errno, mmap, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def told(number):
    return number if number >= 0 else errno.errorcode[ctypes.get_errno()]
def opened(call, *arguments):
    try:
        call(*arguments)
        return True
    except OSError as error:
        return errno.errorcode[error.errno]
def f():
    return {
        "System V": [told(libc.shmget(0, 4096, 0o1600)), told(libc.semget(0, 1, 0o1600)),
                     told(libc.msgget(0, 0o1600))],
        "memory": [opened(os.memfd_create, "held"), opened(mmap.mmap, -1, 4096),
                   opened(open, "/dev/zero")],
        "namespaces": [told(libc.unshare(flag)) for flag in (0x10000000, 0x00020000)],
        "other processes": told(libc.ptrace(16, os.getppid(), 0, 0)),
        "sockets": [opened(socket.socket, family, socket.SOCK_STREAM) for family in
                    (socket.AF_VSOCK, 38, socket.AF_INET, socket.AF_UNIX)],
        "pairs": opened(socket.socketpair),
    }
"""


def test_doors_of_the_kernel_stay_shut(sandbox):
    """Through them memory and semaphores would stay, and a machine's own host would be reached."""
    if not sandbox.protections.filters_calls:
        pytest.skip("this kernel filters no system calls")
    no = "EPERM"
    assert sandbox.tell(DOORS) == {
        "System V": [no] * 3,
        "memory": [no, no, "ENOENT" if sandbox.namespaces else "EACCES"],
        "namespaces": [no, no],
        "other processes": no,
        "sockets": [no, no, *([True, True] if sandbox.namespaces else [no, no])],
        "pairs": True,
    }


@pytest.mark.skipif(platform.machine() != "x86_64", reason="the calls are those of x86_64")
def test_no_second_way_to_call_the_kernel_leads_past_the_filter(sandbox):
    if not sandbox.protections.filters_calls:
        pytest.skip("this kernel filters no system calls")
    solution = """
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def f():
    told = []
    for number in (435, 425, 319, 0x40000000 + 39, 39):
        reply = libc.syscall(ctypes.c_long(number), 0, 0)
        told.append(errno.errorcode[ctypes.get_errno()] if reply < 0 else reply > 0)
    return told
"""
    assert sandbox.tell(solution) == ["ENOSYS", "ENOSYS", "EPERM", "ENOSYS", True]


def test_no_name_is_looked_up(sandbox):
    if not sandbox.protections.no_network:
        pytest.skip("without namespaces and filter only TCP is closed, and the outcome says so")
    solution = """
import socket
def f():
    try:
        return socket.getaddrinfo("example.com", 80)
    except OSError:
        return [name for _, name in socket.if_nameindex()]
"""
    if sandbox.namespaces:
        assert sandbox.tell(solution) == ["lo"]
    else:
        assert sandbox.check(solution, ANY).status == CheckStatus.FAILED


def test_a_process_that_means_to_stay_is_ended(sandbox):
    solution = """
import os, signal, time
def f():
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.closerange(0, 100)
            time.sleep(600)
        os._exit(0)
    time.sleep(0.2)
"""
    started = time.monotonic()
    assert sandbox.check(solution, ANY).status == CheckStatus.PASSED
    assert time.monotonic() - started < 60


def test_signals_reach_nobody_outside(sandbox):
    if not sandbox.protections.no_signals:
        pytest.skip("this kernel cannot keep signals in without namespaces")
    met = []
    before = signal.signal(signal.SIGTERM, lambda number, _: met.append(number))
    solution = f"""
import os, signal
def f():
    for process in ({os.getpid()}, {os.getppid()}, os.getppid(), 1, -{os.getpgrp()}):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.kill(process, number)
            except OSError:
                pass
    return True
"""
    try:
        outcome = sandbox.check(solution, ANY)
        assert outcome.status in {CheckStatus.PASSED, *NEVER}
        everybody = "import os\ndef f():\n    os.kill(-1, 9)\n"
        if sandbox.namespaces:
            assert sandbox.check(everybody, ANY).status in {CheckStatus.PASSED, *NEVER}
    finally:
        signal.signal(signal.SIGTERM, before)
    assert met == []


def test_privileges_cannot_be_had_back(sandbox):
    solution = """
import ctypes, os
def f():
    status = dict(line.split(":\\t") for line in open("/proc/self/status").read().splitlines()
                  if line.startswith(("Uid", "CapEff", "CapBnd", "NoNewPrivs")))
    nested = ctypes.CDLL(None).unshare(0x10000000)
    return [status["Uid"].split(), status["CapEff"], status["NoNewPrivs"], nested]
"""
    if not sandbox.namespaces:
        solution = "import os\ndef f():\n    return os.getuid()\n"
        assert sandbox.tell(solution) == (os.geteuid() or 65534)
        return
    assert sandbox.tell(solution) == [["65534"] * 4, "0" * 16, "1", -1]
