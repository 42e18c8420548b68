#!/usr/bin/env python3
"""A long check of msci-eval --server: soak.py MSCI_EVAL SOURCE [REQUESTS] [SEED]

Four clients send requests (10,000 by default) with random texts, verdicts and cancellations, while processes that judge, and
their workers, are killed. Every request has to be answered once, the server's memory has to stay flat, and nothing may be left
behind: no process, no open file of the server, no file."""
import ctypes
import json
import os
import pathlib
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

EVAL, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
REQUESTS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
SEED = int(sys.argv[4]) if len(sys.argv) > 4 else random.randrange(1 << 32)
CLIENTS = 4
KERNEL = (SOURCE / "tasks/morton/morton.metal").read_text()


def resident_kib(pid):
    text = pathlib.Path(f"/proc/{pid}/status").read_text()
    return int(next(line for line in text.splitlines() if line.startswith("VmRSS")).split()[1])


def stat_of(folder):
    try:
        fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        return int(fields[1]), fields[0]
    except OSError:
        return 0, ""


def children_of(pid):
    return [int(each.name) for each in pathlib.Path("/proc").glob("[0-9]*") if stat_of(each)[0] == pid]


def below(pid):
    """The processes below a process, the nearest first."""
    found = children_of(pid)
    for each in found:
        found += children_of(each)
    return found


def request(draws, number):
    kind = draws.random()
    if kind < 0.003:
        return {"id": number, "source": f"{KERNEL}// {draws.randrange(10**9)}\n", "task": "morton", "verdict": "strict"}
    if kind < 0.02:
        return {"id": number, "source": f"{KERNEL}// {draws.randrange(10**9)}\n", "task": "morton"}
    if kind < 0.4:  # seen before, or on its way
        return {"id": number, "source": f"{KERNEL}// {draws.randrange(3)}\n", "task": "morton"}
    if kind < 0.45:
        return {"id": number, "source": "", "task": draws.choice(["morton", "nothing"])}
    return {"id": number, "source": f"kernel void f() {{}} // {draws.randrange(400)}\n", "verdict": "lint"}


def client(path, seed, answers, errors):
    draws = random.Random(seed)
    connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    connection.connect(str(path))
    back = connection.makefile("rb")
    room = threading.Semaphore(200)

    def read():
        for line in back:
            answer = json.loads(line)
            answers[answer["id"]] = answers.get(answer["id"], 0) + 1
            kinds.append(next(key for key in ("evaluation", "report", "error", "cancelled") if key in answer))
            room.release()

    kinds = []
    reader = threading.Thread(target=read)
    reader.start()
    try:
        for number in range(REQUESTS // CLIENTS):
            room.acquire()
            connection.sendall(json.dumps(request(draws, number)).encode() + b"\n")
            if draws.random() < 0.1:
                connection.sendall(json.dumps({"cancel": max(0, number - draws.randrange(20))}).encode() + b"\n")
        connection.shutdown(socket.SHUT_WR)
    except OSError as error:
        errors.append(error)
    reader.join()
    connection.close()
    counts.append({kind: kinds.count(kind) for kind in sorted(set(kinds))})


counts = []


def main():
    print(f"{REQUESTS} requests, seed {SEED}", flush=True)
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1)  # what the server leaves behind becomes a child of this process
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        files = root / "tmp"
        files.mkdir()
        path = root / "judge.socket"
        server = subprocess.Popen([EVAL, "--server", "--device", "cpu", "--socket", path], stderr=subprocess.PIPE,
                                  env={**os.environ, "XDG_CACHE_HOME": str(root / "cache"), "TMPDIR": str(files)})
        while b"listening" not in server.stderr.readline():
            assert server.poll() is None
        errors, tables = [], [{} for _ in range(CLIENTS)]
        threads = [threading.Thread(target=client, args=(path, SEED + i, tables[i], errors)) for i in range(CLIENTS)]
        for thread in threads:
            thread.start()
        draws, memory, killed = random.Random(SEED), [], {"judging": 0, "worker": 0}
        open_files = lambda: len(list(pathlib.Path(f"/proc/{server.pid}/fd").iterdir()))
        open_before = open_files()
        start = time.monotonic()
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
            memory.append(resident_kib(server.pid))
            judging = children_of(server.pid)
            victims = judging if draws.random() < 0.5 else [each for pid in judging for each in below(pid)]
            if victims and draws.random() < 0.3:
                try:
                    os.kill(draws.choice(victims), signal.SIGKILL)
                    killed["judging" if victims is judging else "worker"] += 1
                except ProcessLookupError:
                    pass  # it has ended
        seconds = time.monotonic() - start
        time.sleep(1)  # the last connections close
        left, open_after = below(server.pid), open_files()
        server.send_signal(signal.SIGTERM)
        status = server.wait()
        server.stderr.close()
        time.sleep(1)  # workers of killed processes end by themselves
        left += [pid for pid in below(os.getpid()) if stat_of(pathlib.Path(f"/proc/{pid}"))[1] != "Z"]
        remains = [each.name for each in files.iterdir()] + ([path.name] if path.exists() else [])
        quarter = max(1, len(memory) // 4)
        early, late = max(memory[:quarter]), max(memory[-quarter:])
        once = all(table == {i: 1 for i in range(REQUESTS // CLIENTS)} for table in tables)
        print(f"{seconds:.0f} s, kills {killed}, answers {counts}\nmemory {memory[0]} KiB at the start, at most {early} KiB in the "
              f"first quarter and {late} KiB in the last, {memory[-1]} KiB at the end; open files {open_before}, then {open_after}; "
              f"status {status}; processes left {left}, files left {remains}")
        problems = [not once and "a request was not answered exactly once", errors and f"a client failed: {errors}",
                    late > early * 1.2 + 8192 and "memory grew", left and "processes were left", remains and "files were left",
                    open_after > open_before and "files stayed open", status != 0 and "the exit status is not 0",
                    not all(killed.values()) and "nothing was killed"]
        for problem in filter(None, problems):
            print(problem)
        return 1 if any(problems) else 0


sys.exit(main())
