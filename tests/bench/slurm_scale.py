"""What the Slurm path of msci-eval costs by itself, on simulated nodes with a judge that does nothing.

    python3 tests/bench/slurm_scale.py build/bin [--kernels 10000] [--nodes 100] [--lost 5] [--late 0.5] [--judge 0]

Each node is a process that runs its job's script. Of the nodes, --lost are killed in the middle of their first job and
leave a part of their results. --late is how many seconds later the shared folder shows what a node has written, and
--judge how many seconds the judge takes for a kernel. The judge repeats one result that msci-eval has printed, under
each kernel's name. The batch must return one result for each kernel; the program says what it cost.
"""
import argparse
import json
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile
import threading
import time

ME = pathlib.Path(__file__).resolve()


def judge(folder, files):
    """What a node runs instead of msci-eval."""
    settings = json.loads((folder / "settings.json").read_text())
    result = json.loads((folder / "result.json").read_text())
    for file in files:
        time.sleep(settings["judge"])
        print(json.dumps(result | {"file": file}), flush=True)


def node(folder, script, number, dies):
    """Runs one job of an array beside the shared folder, and shows there what it wrote, later."""
    settings = json.loads((folder / "settings.json").read_text())
    shared = folder / "batch"
    with tempfile.TemporaryDirectory(dir=folder) as own:
        job = next(line for line in script.read_text().splitlines() if line.startswith(f"{number}) "))
        part = pathlib.Path(shlex.split(job)[4])
        words = shlex.split(part.read_text().splitlines()[0])
        files = [word for word in words if word.endswith(".metal")]
        output = pathlib.Path(own) / part.with_suffix(".jsonl").name
        stub = shlex.join([sys.executable, str(ME), "--as-judge", str(folder), *files])
        rest = part.read_text().split("\n", 1)[1].replace(str(shared), own)
        stand_in = pathlib.Path(own) / part.name
        stand_in.write_text(f"{stub} >{shlex.quote(str(output))}\n{rest}")
        text = script.read_text().replace(str(part), str(stand_in)).replace(str(script.parent), own)
        local = pathlib.Path(own) / "run.sh"
        local.write_text(text)
        environment = os.environ | {"SLURM_ARRAY_TASK_ID": str(number)}
        running = subprocess.Popen(["/bin/sh", local], env=environment, start_new_session=True)
        dies = dies and len(files) > 10
        if dies:
            while running.poll() is None and not (output.exists() and output.stat().st_size > 10000):
                time.sleep(0.01)
            if running.poll() is None:
                os.killpg(running.pid, 9)
                (folder / f"killed.{number}").touch()
        running.wait()
        (folder / "alive" / str(number)).unlink()
        time.sleep(settings["late"])
        if output.exists():
            (shared / output.name).write_bytes(output.read_bytes())
        for ended in sorted(pathlib.Path(own).glob(f"{number}.*")):
            if not dies and script.parent.exists():
                (script.parent / ended.name).write_bytes(ended.read_bytes())


def sbatch(folder, words):
    """Starts a process for each job of the array, as many at once as there are nodes."""
    settings = json.loads((folder / "settings.json").read_text())
    array = next(word for word in words if word.startswith("--array=")).split("=")[1]
    numbers = [int(number) for number in array.split(",")]
    first = not (folder / "submitted").exists()
    (folder / "submitted").touch()
    for number in numbers:
        (folder / "alive" / str(number)).touch()
    print("1", flush=True)
    if os.fork():
        return
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for stream in range(3):
        os.dup2(null, stream)
    free = threading.Semaphore(settings["nodes"])

    def run(number):
        with free:
            node(folder, pathlib.Path(words[-1]), number, first and number < settings["lost"])

    threads = [threading.Thread(target=run, args=(number,)) for number in numbers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def follow(process):
    """The seconds of the processor that the process took without those of its children."""
    taken = 0
    while process.poll() is None:
        try:
            taken = max(taken, processor_seconds(process))
        except (OSError, IndexError):
            pass
        time.sleep(0.02)
    return taken


def stand_ins(folder):
    """sbatch and its companions, for the path of programs."""
    programs = folder / "bin"
    programs.mkdir()
    texts = {"sbatch": f"exec {sys.executable} {ME} --as-sbatch {folder} \"$@\"",
             "squeue": f"ls {folder}/alive", "scancel": "exit 0"}
    for name, text in texts.items():
        (programs / name).write_text(f"#!/bin/sh\n{text}\n")
        (programs / name).chmod(0o755)
    (folder / "alive").mkdir()
    return programs


def measure(options, folder):
    source = (ME.parents[2] / "tasks/lbm/lbm.metal").read_text()
    (folder / "kernels").mkdir()
    files = []
    for i in range(options.kernels):
        files.append(f"kernels/{i}.metal")
        (folder / files[-1]).write_text(source + f"// {i}\n")
    arguments = [options.bin.resolve() / "msci-eval", "--task", "lbm", "--device", "cpu", "--verify-only", "--json"]
    one = subprocess.run([*arguments, "--no-cache", files[0]], cwd=folder, capture_output=True, text=True, check=True)
    (folder / "result.json").write_text(one.stdout)
    (folder / "settings.json").write_text(json.dumps(
        {"nodes": options.nodes, "lost": options.lost, "late": options.late, "judge": options.judge}))
    environment = os.environ | {"PATH": f"{stand_ins(folder)}:{os.environ['PATH']}"}
    batch = [*arguments, *files, "--slurm", "batch", "--nodes", str(options.nodes), "--poll", "0.5"]
    for what in ["judged", "printed again"]:
        start = time.perf_counter()
        with open(folder / "out.jsonl", "wb") as out:
            process = subprocess.Popen(batch, cwd=folder, env=environment, stdout=out)
            taken = follow(process)
        seconds = time.perf_counter() - start
        lines = [json.loads(line) for line in (folder / "out.jsonl").open()]
        if process.returncode != 0 or [line["file"] for line in lines] != files:
            sys.exit(f"not every kernel has one result, in their order: status {process.returncode}, {len(lines)}")
        print(f"{what}: {seconds:.1f} s; msci-eval itself {taken:.2f} s of the processor, "
              f"{1e3 * taken / len(files):.3f} ms a kernel")
    stored = sum(each.stat().st_size for each in (folder / "batch").rglob("*") if each.is_file())
    killed = len(list(folder.glob("killed.*")))
    print(f"{options.kernels} kernels, {options.nodes} nodes, {killed} lost, files {options.late} s late: "
          f"{stored / len(files):.0f} bytes a kernel in the folder")


def main():
    if len(sys.argv) > 2 and sys.argv[1] == "--as-judge":
        return judge(pathlib.Path(sys.argv[2]), sys.argv[3:])
    if len(sys.argv) > 2 and sys.argv[1] == "--as-sbatch":
        return sbatch(pathlib.Path(sys.argv[2]), sys.argv[3:])
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, default=10000)
    parser.add_argument("--nodes", type=int, default=100)
    parser.add_argument("--lost", type=int, default=5)
    parser.add_argument("--late", type=float, default=0.5)
    parser.add_argument("--judge", type=float, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        measure(options, pathlib.Path(folder))
    return None


main()
