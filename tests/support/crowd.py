"""A server that may open few files, and what it costs while it waits."""
import os
import subprocess
import time

FILES, CLIENTS = 24, 40
IDLE_SECONDS = 3


def with_few_files(command):
    """The command, which may then open FILES files."""
    return ["sh", "-c", f'ulimit -n {FILES} && exec "$@"', "sh", *command]


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as stat:
        fields = stat.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def seconds_while_idle(pid):
    """Of processor time, in IDLE_SECONDS."""
    before = processor_seconds(pid)
    time.sleep(IDLE_SECONDS)
    return processor_seconds(pid) - before


def seconds_of_starts(count):
    """What the machine takes for programs that do nothing: much where it has other work."""
    start = time.monotonic()
    for _ in range(count):
        subprocess.run(["true"], check=True)
    return time.monotonic() - start


def check_idle_and_end(test, server, expected=0):
    """It uses no processor time, and ends within a second of SIGTERM, or what is a second on a busy machine. The work of
    the machine may begin or end meanwhile, so it is measured before and after."""
    test.assertLess(seconds_while_idle(server.pid), 0.2)
    before = seconds_of_starts(100)
    start = time.monotonic()
    server.terminate()
    status = server.wait(timeout=600)
    took = time.monotonic() - start
    test.assertLess(took, max(1, before, seconds_of_starts(100)))
    test.assertEqual(status, expected)
