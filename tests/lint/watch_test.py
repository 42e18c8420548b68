#!/usr/bin/env python3
"""msci-lint --watch: lints again after a change: watch_test.py MSCI_LINT"""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time


def start(work, folder):
    return subprocess.Popen([sys.argv[1], "--no-config", "--watch", "--select", "metal", folder], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            env={**os.environ, "XDG_CACHE_HOME": str(work) + "/cache"})


with tempfile.TemporaryDirectory() as work:
    folder = pathlib.Path(work) / "src"
    folder.mkdir()
    header, source = folder / "n.h", folder / "a.metal"
    header.write_text("#define N 1\n")
    source.write_text('#include "n.h"\nkernel void f(device int* x) { x[N] = 0; }\n')
    watch = start(work, folder)

    def result():
        """What the next run says at its end."""
        while not (line := watch.stdout.readline()).startswith(("1 file", "2 files", "3 files")):
            assert line, watch.stderr.read()
        assert "waiting" in watch.stderr.readline()
        return line.strip()

    assert result() == "1 file: nothing found"
    header.write_text("#define N missing\n")
    assert result().startswith("1 file: 1 error")
    replacement = folder / "new"
    replacement.write_text("#define N 2\n")
    replacement.rename(header)  # as editors write
    assert result() == "1 file: nothing found"
    with open(folder / "b.metal", "w") as slowly:  # a new file is read once it is closed
        time.sleep(0.3)
        slowly.write("kernel void g(device int* x) { x[0] = 0; }\n")
    assert result() == "2 files: nothing found"
    (folder / "c.metal").symlink_to(folder / "b.metal")
    assert result() == "3 files: nothing found"
    watch.send_signal(signal.SIGINT)
    assert watch.wait(600) == 0
    assert watch.stdout.read() == "" and watch.stderr.read() == ""

    # As soon as it says so, Ctrl-C ends it, however early that is.
    for _ in range(30):
        watch = start(work, folder)
        assert "waiting" in watch.stderr.readline()
        watch.send_signal(signal.SIGINT)
        assert watch.wait(600) == 0, watch.returncode
        watch.communicate()
