"""See lint_speed.sh."""
import itertools
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

LINT, ROUNDS, FOLDER = sys.argv[1], int(sys.argv[2]), pathlib.Path(sys.argv[3])
BATCH = 280


def timed(work):
    start = time.perf_counter()
    work()
    return 1000 * (time.perf_counter() - start)


def run(*command):
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


class Server:
    def __init__(self):
        self.process = subprocess.Popen([LINT, "--server"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, file):
        self.process.stdin.write(json.dumps({"file": str(file)}).encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        if "report" not in json.loads(self.process.stdout.readline()):
            sys.exit("the server refuses a source")

    def one(self, file):
        self.ask(file)
        self.answer()

    def many(self, files):
        for file in files:
            self.ask(file)
        for _ in files:
            self.answer()


def peak_megabytes(*command):
    """Of the largest process of a command, as this system counts it for processes that have ended."""
    pid = os.fork()
    if pid == 0:
        run(*command)
        print(f"{resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB  {command[0].split('/')[-1]}")
        sys.stdout.flush()
        os._exit(0)
    os.waitpid(pid, 0)


def main():
    kernels = sorted(FOLDER.rglob("*.metal"))
    if not kernels:
        sys.exit(f"{FOLDER}: no .metal file")
    shown = kernels if len(kernels) <= 24 else kernels[:: len(kernels) // 24]
    server = Server()
    with tempfile.TemporaryDirectory() as folder:
        empty = pathlib.Path(folder) / "empty.cpp"
        empty.touch()
        batch = []
        for number, kernel in zip(range(BATCH), itertools.cycle(kernels)):
            batch.append(pathlib.Path(folder) / f"{number}_{kernel.name}")
            batch[-1].write_bytes(kernel.read_bytes())
        clang, cold, warm = [], {kernel: [] for kernel in shown}, {kernel: [] for kernel in shown}
        batches, served = [], []
        for kernel in shown:  # files into memory, headers into the server
            run(LINT, kernel)
            server.one(kernel)
        for _ in range(ROUNDS):
            for kernel in shown:
                clang.append(timed(lambda: run("clang-22", "-fsyntax-only", empty)))
                cold[kernel].append(timed(lambda: run(LINT, kernel)))
                warm[kernel].append(timed(lambda: server.one(kernel)))
        for _ in range(3):
            batches.append(timed(lambda: run(LINT, *batch)))
            served.append(timed(lambda: server.many(batch)))
        print(f"{'':24} {'cold':>7} {'server':>7}   ms, medians of {ROUNDS}")
        for kernel in shown:
            print(f"{kernel.stem[:24]:24} {statistics.median(cold[kernel]):7.1f} {statistics.median(warm[kernel]):7.1f}")
        middle = [statistics.median(sum(times.values(), [])) for times in (cold, warm)]
        print(f"{'all':24} {middle[0]:7.1f} {middle[1]:7.1f}")
        print(f"{'clang-22, an empty file':24} {statistics.median(clang):7.1f}")
        print(f"{BATCH} files at once: {min(batches) / 1000:.2f} s; asked of a server: {min(served) / 1000:.2f} s;"
              f" on {os.cpu_count()} processors")
        print("most memory of one process:")
        sys.stdout.flush()
        peak_megabytes("clang-22", "-fsyntax-only", str(empty))
        peak_megabytes(LINT, str(kernels[-1]))
    with open(f"/proc/{server.process.pid}/status") as status:
        peak = next(line for line in status if line.startswith("VmHWM"))
    print(f"{int(peak.split()[1]) / 1024:.0f} MB  msci-lint --server")
    server.process.stdin.close()
    server.process.wait()


main()
