#!/usr/bin/env python3
"""A long check of msci-eval --server: soak.py MSCI_EVAL SOURCE [REQUESTS] [SEED]

Four clients send requests (10,000 by default) with random texts, verdicts and cancellations, while processes that judge are
killed. Every request has to be answered once, the server's memory has to stay flat, and nothing may be left behind."""
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


def request(draws, number):
    kind = draws.random()
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
        draws, memory, killed = random.Random(SEED), [], 0
        start = time.monotonic()
        while any(thread.is_alive() for thread in threads):
            time.sleep(0.2)
            memory.append(resident_kib(server.pid))
            judging = children_of(server.pid)
            if judging and draws.random() < 0.3:
                try:
                    os.kill(draws.choice(judging), signal.SIGKILL)
                    killed += 1
                except ProcessLookupError:
                    pass  # it has ended
        seconds = time.monotonic() - start
        left = children_of(server.pid)
        server.send_signal(signal.SIGTERM)
        status = server.wait()
        server.stderr.close()
        time.sleep(1)  # workers of killed processes end by themselves
        remains = [each.name for each in files.iterdir()] + ([path.name] if path.exists() else [])
        quarter = max(1, len(memory) // 4)
        early, late = max(memory[:quarter]), max(memory[-quarter:])
        once = all(table == {i: 1 for i in range(REQUESTS // CLIENTS)} for table in tables)
        print(f"{seconds:.0f} s, {killed} kills, answers {counts}\nmemory {early} KiB, then {late} KiB; status {status}; "
              f"processes left {len(left)}, files left {remains}")
        problems = [not once and "a request was not answered exactly once", errors and f"a client failed: {errors}",
                    late > early * 1.2 + 8192 and "memory grew", left and "processes were left", remains and "files were left",
                    status != 0 and "the exit status is not 0", killed == 0 and "nothing was killed"]
        for problem in filter(None, problems):
            print(problem)
        return 1 if any(problems) else 0


sys.exit(main())
