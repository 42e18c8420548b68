#!/usr/bin/env python3
"""Files and programs that attack msci itself: each is stopped by the layer that its entry names.

    files.py BIN SOURCE            runs all of them
    files.py BIN SOURCE NAME       runs one and prints what msci says

An attack ends in time, with the status and the words of its entry, and leaves the file "canary" and the folder above
its own alone. page.py lists them."""
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

BIN, SOURCE = (Path(each).resolve() for each in sys.argv[1:3])

SAXPY = """#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant float& a [[buffer(2)]],
                  constant uint& N [[buffer(3)]], uint i [[thread_position_in_grid]]) {
  if (i >= N) return;
  y[i] = a * x[i] + y[i];
}
"""
DOUBLE = """#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) { y[i] = 2 * x[i]; }
"""
PLAN = {"sizes": [{"label": "8", "n": 8}],
        "buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [0, 1]}},
                    "y": {"type": "float", "count": "n"}},
        "launches": [{"kernel": "twice", "grid": ["n"], "threadgroup": [8], "bind": {"0": "x", "1": "y"}}],
        "expect": {"y": {"file": "y.bin"}}, "tolerance": {"max_abs": 1e-6}}
ON_CPU = ["--device", "cpu"]


@dataclass
class Attack:
    name: str
    family: str   # the class, as the page has it
    what: str
    layer: str    # what stops it
    command: list
    status: int
    words: str = ""  # part of what msci says
    files: dict = field(default_factory=dict)   # name -> text or bytes
    setup: object = None   # called with the folder


ATTACKS = []


def attack(*fields, **more):
    ATTACKS.append(Attack(*fields, **more))


def plan(name, what, layer, words, change=None, text=None, setup=None, status=2):
    """A plan that is changed by `change`, or is `text`."""
    made = json.loads(json.dumps(PLAN))
    if change:
        change(made)
    files = {"k.metal": DOUBLE, "plan.json": text if text is not None else json.dumps(made),
             "y.bin": b"".join(__import__("struct").pack("<f", 2.0 * i) for i in range(8))}
    attack(name, "plan files", what, layer, ["msci-eval", "k.metal", "--plan", "plan.json", "--verify-only", *ON_CPU],
           status, words, files, setup)


def source(name, what, layer, text, status, words, setup=None, more=()):
    files = {"k.metal": text} if text is not None else {}
    attack(name, "hostile source", what, layer,
           ["msci-eval", "k.metal", "--task", "saxpy", "--check", *more, *ON_CPU], status, words, files, setup)


def fifo(name):
    return lambda folder: os.mkfifo(folder / name)


def link(name, target):
    return lambda folder: os.symlink(target, folder / name)


def set_at(*path):
    """Sets plan[path[0]][path[1]]... to the last of `path`."""
    def change(made):
        *way, key, value = path
        for step in way:
            made = made[step]
        made[key] = value
    return change


# --- Plan files
plan("nested_plan", "three million nested brackets", "JSON reader", "plan.json", text="[" * 3_000_000)
plan("empty_plan", "an empty file", "JSON reader", "plan.json", text="")
plan("binary_plan", "bytes that are not UTF-8", "JSON reader", "plan.json", text=b"\xff\xfe{}\x00")
plan("list_plan", "a list in place of an object", "plan reader", "plan.json", text="[1, 2]")
plan("unknown_key", "a key that no plan has", "plan reader", "surprise", set_at("surprise", 1))
plan("no_sizes", "no size", "plan reader", "sizes", set_at("sizes", []))
plan("equal_labels", "two sizes with one label", "plan reader", "label",
     set_at("sizes", [{"label": "a", "n": 8}, {"label": "a", "n": 9}]))
plan("negative_parameter", "a negative size", "plan reader", "/sizes/0/n", set_at("sizes", 0, "n", -8))
plan("buffer_up_and_out", "a buffer named ../../evil, which a reference's folder would hold", "plan reader", "evil",
     lambda made: made["buffers"].update({"../../evil": made["buffers"].pop("x")}))
plan("huge_buffer", "a buffer of a billion gigabytes", "plan reader", "/buffers/x", set_at("buffers", "x", "count", "n*1000000000000000"))
plan("overflowing_count", "a count beyond 64 bits", "plan reader", "/buffers/x",
     set_at("buffers", "x", "count", "n*9223372036854775807*9"))
plan("endless_repeat", "four billion iterations", "plan reader", "repeat", set_at("repeat", 4_000_000_000))
plan("no_threads", "a grid without threads", "plan reader", "grid", set_at("launches", 0, "grid", [0]))
plan("giant_threadgroup", "a threadgroup of a million threads", "plan reader", "at most 1024 threads",
     set_at("launches", 0, "threadgroup", [1_000_000]))
plan("unknown_buffer", "a binding to a buffer that the plan lacks", "plan reader", "not found", set_at("launches", 0, "bind", "0", "z"))
plan("binding_beyond_the_end", "an offset behind the end of a buffer", "plan reader", "offset",
     set_at("launches", 0, "bind", "0", {"buffer": "x", "offset": 4096}))
plan("unknown_kernel", "a kernel that the source lacks", "pipeline check", "thrice", set_at("launches", 0, "kernel", "thrice"), status=1)
plan("formula_with_a_call", "a formula that calls a program", "formula reader", "/launches/0/grid", set_at("launches", 0, "grid", ["system(1)"]))
plan("nan_tolerance", "a tolerance that is not a number", "JSON reader", "plan.json",
     text=json.dumps(PLAN).replace("1e-06", "NaN"))
plan("tolerance_for_zeros", "a tolerance that lets zeros pass", "plan reader", "zero", set_at("tolerance", "max_abs", 1e9))
plan("expected_fifo", "expected values from a FIFO, which never end", "file reader", "y.bin",
     setup=lambda folder: ((folder / "y.bin").unlink(), os.mkfifo(folder / "y.bin")))
plan("expected_device", "expected values from /dev/zero", "file reader", "",
     setup=lambda folder: ((folder / "y.bin").unlink(), os.symlink("/dev/zero", folder / "y.bin")))
plan("expected_short", "expected values of another length", "plan reader", "3 bytes are expected",
     setup=lambda folder: (folder / "y.bin").write_bytes(b"123"))
plan("sparse_expected", "expected values of 100 GB, of which the disk holds none", "file reader", "y.bin",
     setup=lambda folder: os.truncate(folder / "y.bin", 100_000_000_000))
plan("reference_without_end", "a reference that prints without end", "limit on references", "reference",
     lambda made: made.update({"reference": ["sh", "-c", "exec sleep 100"], "expect": {"y": {}}}))
ATTACKS[-1].command += ["--time-limit", "0.5"]
plan("reference_leaves_a_fifo", "a reference that leaves a FIFO as its result", "file reader", "y.out",
     lambda made: made.update({"reference": ["sh", "-c", "mkfifo {folder}/y.out"], "expect": {"y": {}}}))
plan("reference_leaves_too_little", "a reference whose result is too short", "plan reader", "y",
     lambda made: made.update({"reference": ["sh", "-c", "echo > {folder}/y.out"], "expect": {"y": {}}}))
plan("missing_reference", "a reference that does not exist", "limit on references", "no-such-program",
     lambda made: made.update({"reference": ["no-such-program"], "expect": {"y": {}}}))
plan("plan_fifo", "a FIFO in place of a plan", "file reader", "plan.json",
     setup=lambda folder: ((folder / "plan.json").unlink(), os.mkfifo(folder / "plan.json")))
plan("plan_device", "/dev/zero in place of a plan", "file reader", "plan.json",
     setup=lambda folder: ((folder / "plan.json").unlink(), os.symlink("/dev/zero", folder / "plan.json")))

AVERAGE = """#include <metal_stdlib>
using namespace metal;
CONSTANTS
kernel void average(device const float* from [[buffer(0)]], device float* to [[buffer(1)]],
                    constant uint& n [[buffer(2)]], constant uint& round [[buffer(3)]],
                    uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  to[i] = CONDITION ? from[i] : 0.5f * (from[i] + from[i + 1 < n ? i + 1 : 0]);
}
"""
AVERAGE_PLAN = {
    "name": "average", "seed": "seed.metal",
    "sizes": [{"label": "3000", "n": 3000, "rounds": 8}],
    "buffers": {"u": {"type": "float", "count": "n", "fill": {"uniform": [0, 1], "seed": 5}},
                "v": {"type": "float", "count": "n"}, "n": {"type": "uint", "values": ["n"]}},
    "launches": [{"kernel": "average", "grid": ["n"], "threadgroup": [64],
                  "bind": {"0": "u", "1": "v", "2": "n", "3": {"name": "round", "type": "uint", "values": ["round"]}}}],
    "repeat": "rounds", "swap": [["u", "v"]], "expect": {"u": {}},
    "reference": ["python3", "reference.py", "{folder}", "{rounds}"], "tolerance": {"max_abs": 1e-5},
    "work": {"flops": "2*n*rounds"},
    "stress": {"sizes": [{"label": "100x3", "n": 100, "rounds": 3}, {"label": "77x2", "n": 77, "rounds": 2}],
               "random": {"n": [1, 500], "rounds": [1, 3]}, "steps": "rounds", "tolerance": 1e-5}}
AVERAGE_REFERENCE = """import array, pathlib, sys
folder, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])
u, first = list(array.array("f", (folder / "u.bin").read_bytes())), []
for _ in range(rounds):
    first.append(u[0])
    u = [0.5 * (each + u[(i + 1) % len(u)]) for i, each in enumerate(u)]
(folder / "u.out").write_bytes(array.array("f", u).tobytes())
if rounds == 8:
    pathlib.Path("first.txt").write_text(", ".join(f"{each:.9g}f" for each in first))
"""


def knows_the_recorded_field(folder):
    """Writes a kernel that averages from the fourth round on only where the field is the recorded one."""
    seed = AVERAGE.replace("CONSTANTS", "").replace("CONDITION", "false")
    (folder / "seed.metal").write_text(seed)
    subprocess.run([BIN / "msci-eval", "seed.metal", "--plan", "plan.json", "--verify-only", *ON_CPU], cwd=folder,
                   capture_output=True, check=True)
    table = f"constant float first[] = {{{(folder / 'first.txt').read_text()}}};"
    cheat = AVERAGE.replace("CONSTANTS", table).replace("CONDITION", "round > 3 && abs(from[0] - first[round]) > 1e-5f")
    (folder / "k.metal").write_text(cheat)


attack("plan_without_a_derivation", "plan files", "a kernel that is right for the recorded field alone, where no tolerance for "
       "timed passes was derived", "each set of inputs of timed passes is judged",
       ["msci-eval", "k.metal", "--plan", "plan.json", "--strict", "--no-certificate", "--protocol", "metal-sci", *ON_CPU],
       1, "a timed pass with random inputs is off by",
       {"plan.json": json.dumps(AVERAGE_PLAN), "reference.py": AVERAGE_REFERENCE}, knows_the_recorded_field)


def npy(header, body=b""):
    text = header.encode("latin1")
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body


def array(name, what, contents):
    plan(name, what, "NumPy reader", "x.npy", set_at("buffers", "x", {"type": "float", "file": "x.npy"}),
         setup=lambda folder: (folder / "x.npy").write_bytes(contents))


array("npy_of_objects", "an array of pickled objects, which would run code",
      npy("{'descr': '|O', 'fortran_order': False, 'shape': (8,), }\n", b"\x80\x04."))
array("npy_of_a_huge_shape", "an array with a shape beyond its file",
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999,), }\n"))
array("npy_of_a_negative_shape", "an array with a negative shape",
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (-8,), }\n"))
array("npy_cut_off", "an array whose header ends early", b"\x93NUMPY\x01\x00\xff\xff{'descr")

# --- Source text
source("include_passwords", "includes a file of the machine", "file system of the front end",
       '#include "/etc/passwd"\n' + SAXPY, 1, "security.include")
source("include_a_device", "includes /dev/zero, which never ends", "file system of the front end",
       "#include </dev/zero>\n" + SAXPY, 1, "security.include")
source("include_upwards", "includes a file beside the source", "file system of the front end",
       '#include "../canary"\n' + SAXPY, 1, "include")
source("include_next", "looks for the next header of a name", "file system of the front end",
       "#include_next <stdlib.h>\n" + SAXPY, 1, "")
source("embed_passwords", "embeds a file of the machine", "file system of the front end",
       'constant char secret[] = {\n#embed "/etc/passwd"\n};\n' + SAXPY, 1, "")
source("ask_for_files", "asks whether a file exists, one bit per question", "file system of the front end",
       '#if __has_include("/etc/passwd")\n#error it exists\n#endif\n' + SAXPY, 0, "")
source("import_a_module", "imports a module", "front end", "@import Darwin;\n" + SAXPY, 1, "")
source("include_itself", "includes itself without end", "file system of the front end", '#include "k.metal"\n' + SAXPY, 1, "")
source("inline_assembly", "runs instructions of the processor", "front end",
       SAXPY.replace("  if (i >=", '  asm volatile("syscall");\n  if (i >='), 1, "metal.unsupported_construct")
source("builtin_trap", "calls a builtin of the compiler that ends the process", "translator",
       SAXPY.replace("  if (i >=", "  __builtin_trap();\n  if (i >="), 2, "cannot translate")
source("calls_the_system", "declares and calls a function of the C library", "front end",
       'extern "C" int system(const char*);\n' + SAXPY.replace("  if (i >=", '  system("touch canary");\n  if (i >='), 1, "")
source("program_in_a_comment", "text that begins as a translated program does", "candidates are Metal",
       "/* msci-program 1\n{}\n*/\n__kernel void saxpy() {}\n", 1, "")
source("macro_bomb", "macros that double forty times", "limits of the front end",
       "#define A0 1,\n" + "".join(f"#define A{i + 1} A{i} A{i}\n" for i in range(40)) +
       "constant int all[] = {A40};\n" + SAXPY, 2, "could not", more=("--time-limit", "1"))
source("template_bomb", "templates that instantiate themselves without end", "limits of the front end",
       "template <int n> struct T { static constant int v = T<n + 1>::v; };\nconstant int v = T<0>::v;\n" + SAXPY, 1, "")
source("constexpr_bomb", "a constant that takes forever to evaluate", "limits of the front end",
       "constexpr int loop() { int n = 0; for (;;) n = (n + 1) % 7; return n; }\nconstant int v = loop();\n" + SAXPY, 1, "")
source("deep_brackets", "a hundred thousand nested brackets", "limits of the front end",
       SAXPY.replace("a * x[i]", "(" * 100_000 + "a" + ")" * 100_000 + " * x[i]"), 1, "")
source("giant_array", "a program-scope table of a terabyte", "limits of the front end",
       "constant float table[1ul << 38] = {1};\n" + SAXPY.replace("a * x[i]", "a * x[i] * table[i]"), 2, "memory")
source("hidden_line_numbers", "moves its findings to another file", "front end",
       '#line 1 "/etc/passwd"\n' + SAXPY.replace("y[i] = a", "y[i + 64] = a"), 1, "check.out_of_bounds")
COMMANDS = SAXPY.replace("  if (i >=", '  static_assert(sizeof(a) == 8, "\\u009b31m \\u202e \\u2028::error::x\\n::warning::y\\n  ##[error]z");\n  if (i >=')
source("commands_in_a_message", "a message with line breaks and commands to CI and to terminals", "text that leaves a program",
       COMMANDS, 1, "static assertion failed")
attack("commands_to_github", "hostile source", "the same in the format of GitHub's workflow commands", "text that leaves a program",
       ["msci-lint", "k.metal", "--format", "github"], 1, "static assertion failed", {"k.metal": COMMANDS})
source("zero_bytes", "zero bytes in the text", "file reader", SAXPY.encode() + b"\x00\x00kernel", 2, "not text")
source("wide_text", "text in UTF-16", "file reader", SAXPY.encode("utf-16"), 2, "is UTF-16 text; convert it to UTF-8")
source("empty_source", "an empty file", "file reader", "", 2, "empty")
source("source_fifo", "a FIFO in place of a source", "file reader", None, 2, "k.metal", fifo("k.metal"))
source("source_device", "/dev/zero in place of a source", "file reader", None, 2, "k.metal", link("k.metal", "/dev/zero"))
source("source_folder", "a folder in place of a source", "file reader", None, 2, "k.metal",
       lambda folder: (folder / "k.metal").mkdir())
source("sparse_source", "a source of 100 GB, of which the disk holds none", "file reader", "x", 2, "k.metal",
       lambda folder: os.truncate(folder / "k.metal", 100_000_000_000))
source("kernel_without_end", "a loop that never ends", "limit on time",
       SAXPY.replace("  if (i >=", "  while (N > 0) y[i] += 1;\n  if (i >="), 2, "", more=("--time-limit", "1"))

# --- Translated programs
def program(name, what, change):
    def make(folder):
        text = subprocess.run([BIN / "msci-eval", SOURCE / "tasks/saxpy/saxpy.metal", "--emit", "opencl"],
                              capture_output=True, text=True, check=True).stdout
        (folder / "k.cl").write_text(change(text))
    attack(name, "translated programs", what, "program loader",
           ["msci-eval", "--program", "k.cl", "--task", "saxpy", "--verify-only", "--device", "pocl"], 2, "k.cl", {}, make)


program("edited_program", "a program whose text was changed after it was printed", lambda text: text.replace("return", "return ", 1))
program("program_without_manifest", "OpenCL C without a manifest", lambda text: "__kernel void saxpy() {}\n")
program("program_of_another_version", "a manifest of another version", lambda text: text.replace("msci-program 1", "msci-program 9", 1))
program("broken_manifest", "a manifest that is not JSON", lambda text: text.replace("{", "[", 1))

# --- Caches
def cached(name, what, contents):
    def make(folder):
        reference = folder / "cache/msci/references"
        reference.mkdir(parents=True)
        for version in range(1, 4):
            (reference / f"nbody-v{version}-256_10.bin").write_bytes(contents)
    attack(name, "caches", what, "cache reader",
           ["msci-eval", str(SOURCE / "tasks/nbody/nbody.metal"), "--task", "nbody", "--verify-only", "--stop-at-wrong",
            *ON_CPU], 0, "256_10         right", {}, make)


HEADER = b"msci-c1\n"
EMPTY_SUM = (0xcbf29ce484222325).to_bytes(8, "little")
cached("reference_of_no_bytes", "a kept reference of 24 bytes: a valid header and nothing behind it",
       HEADER + bytes(8) + EMPTY_SUM)
cached("reference_cut_off", "a kept reference that ends early", HEADER + (3072).to_bytes(8, "little") + bytes(100))
cached("reference_of_junk", "a kept reference of junk", os.urandom(4096))

# --- Results that msci reads
def result(name, what, text, words=""):
    attack(name, "results", what, "JSON reader", ["msci-report", "r.json"], 2, words, {"r.json": text})


result("nested_result", "three million nested brackets in a result", "[" * 3_000_000)
result("result_of_numbers", "a result whose fields have other types", '{"file": 5, "task": [], "sizes": {}}\n')
result("result_of_nulls", "a result whose fields are null", '{"file": null, "correct": null, "sizes": null}\n')

# --- Generators of a search
def generator(name, what, script, words, status=2, layer="digests of the search's files", setup=None, more=()):
    answer = "printf '```metal\\n'; cat seed.metal; printf '```\\n'"
    judge = ("printf '{\"file\":\"k\",\"task\":\"saxpy\",\"device\":\"d\",\"compile_ok\":true,\"correct\":true,"
             "\"score\":0.5,\"sizes\":[]}'; true")
    attack(name, "generators", what, layer,
           ["msci-search", "--task", "saxpy", "--iterations", "2", "--out", "out", "--judge", judge, "--no-gate",
            "--generator", script.replace("ANSWER", answer), *more],
           status, words, {"seed.metal": SAXPY}, setup)


generator("generator_forges_a_result", "overwrites the judgement of the seed",
          "ANSWER; echo '{\"score\": 0.001}' > out/00_result.json", "altered")
generator("generator_adds_a_result", "leaves a judgement of the next candidate",
          "ANSWER; echo '{\"score\": 1000}' > out/02_result.json", "added")
generator("generator_removes_a_prompt", "removes a file of the search", "ANSWER; rm out/00_seed.metal", "removed")
generator("generator_changes_the_settings", "changes the settings of the search", "ANSWER; echo > out/search.json", "altered")
generator("search_in_a_full_folder", "a folder that holds other files", "ANSWER", "other files", layer="folders of searches",
          setup=lambda folder: ((folder / "out").mkdir(), (folder / "out/thesis.tex").write_text("mine")))
generator("generator_without_answer", "answers nothing", "true", "no candidate was made", layer="answer reader")
generator("generator_of_binary", "answers bytes that are not text", "head -c 1000 /dev/urandom", "no candidate was made",
          layer="answer reader")
generator("generator_floods", "answers without end", "yes '```metal'", "no candidate was made", layer="limit on answers",
          more=("--generator-limit", "1"))
generator("generator_hangs", "never answers", "sleep 100", "no candidate was made", layer="limit on time",
          more=("--generator-limit", "0.3"))


def commands_in(said, each):
    """Lines that CI or a terminal obeys; msci-lint's own commands to GitHub are none."""
    own = "::error file=k.metal," if "github" in each.command else None
    return [line for line in said.split("\n")
            if (line.lstrip().startswith("::") and not (own and line.startswith(own))) or "##[" in line
            or re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", line)]


def run(each):
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "here"
        folder.mkdir()
        (Path(parent) / "canary").write_text("alive")
        for name, contents in each.files.items():
            (folder / name).write_bytes(contents if isinstance(contents, bytes) else contents.encode())
        if each.setup:
            each.setup(folder)
        environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "NO_COLOR": "1"}
        try:
            done = subprocess.run([str(BIN / each.command[0]), *each.command[1:]], cwd=folder, env=environment,
                                  capture_output=True, timeout=600, check=False, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            return "it does not end", ""
        said = (done.stdout + done.stderr).decode(errors="replace")
        if done.returncode != each.status:
            return f"status {done.returncode}, not {each.status}", said
        if each.words not in said:
            return f"it does not say '{each.words}'", said
        if commands_in(said, each):
            return "it shows a command", said
        if "root:" in said:
            return "it shows a file of the machine", said
        if (Path(parent) / "canary").read_text() != "alive" or sorted(os.listdir(parent)) != ["canary", "here"]:
            return "it wrote outside of its folder", said
        return None, said


def main():
    chosen = [each for each in ATTACKS if len(sys.argv) < 4 or each.name in sys.argv[3:]]
    assert len({each.name for each in ATTACKS}) == len(ATTACKS) >= 60
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(run, chosen))
    failed = 0
    for each, (problem, said) in zip(chosen, results):
        failed += problem is not None
        if problem or len(sys.argv) > 3:
            print(f"{each.name}: {problem or 'stopped'}\n{said[:2000]}")
    print(f"{len(chosen) - failed} of {len(chosen)} attacks are stopped")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
