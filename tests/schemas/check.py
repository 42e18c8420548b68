#!/usr/bin/env python3
"""Validates what the tools write against their schemas, those of docs/schemas and those that msci-eval prints:
check.py BIN SOURCE

Each kind of output is made by the tool itself: of kernels that are right, wrong, refused and missing.
Then each schema has to refuse the same outputs with a field taken away, one added, and one of another
type. Needs python3-jsonschema; says so and exits with 77 where it is absent. Tools that this build does
not have are passed over and named.
"""
import copy
import functools
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("SKIP: Python's jsonschema is not installed (apt-get install python3-jsonschema)")
    sys.exit(77)

BIN, SOURCE = map(pathlib.Path, sys.argv[1:3])


PRINTED = ("evaluation", "check", "gate", "numerics", "judge_request")  # by msci-eval --schema


def schema(name):
    text = (run("msci-eval", "--schema", name) if name in PRINTED
            else (SOURCE / "docs/schemas" / f"{name}.schema.json").read_text())
    document = json.loads(text)
    Draft202012Validator.check_schema(document)
    return Draft202012Validator(document)


def run(tool, *arguments):
    """What the tool prints, one JSON value a line; whatever its verdict."""
    done = subprocess.run([BIN / tool, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode not in (0, 1, 2) or (done.returncode == 2 and not done.stderr):
        sys.exit(f"{tool} {arguments}: exit status {done.returncode}\n{done.stderr}")
    return done.stdout


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


@functools.cache
def evaluations():
    programs = SOURCE / "tests/engine/device/programs"
    return lines(
        run("msci-eval", "--program", programs / "heat2d.cl", "--task", "heat2d", "--json", "--held-out", "--protocol", "metal-sci")
        + run("msci-eval", "--program", programs / "nbody.cl", programs / "missing", "--task", "heat2d", "--json", "--verify-only")
        + run("msci-eval", "--program", programs / "saxpy.cl", "--task", "nbody,heat2d", "--json", "--verify-only"))


def proofs(folder):
    kernel = SOURCE / "tests/engine/device/programs/nbody.cl"
    written = {}
    for name, task in [("right", "nbody"), ("refused", "heat2d")]:
        path = folder / f"{name}.json"
        run("msci-eval", "--program", kernel, "--task", task, "--verify-only", "--verify-result", path)
        written[name] = json.loads(path.read_text())
    return list(written.values())


def performance(folder):
    """Needs the seed, and so a build that reads Metal."""
    path = folder / "perf.json"
    run("msci-eval", "--program", SOURCE / "tests/engine/device/programs/heat2d.cl", "--task", "heat2d", "--skip-gate",
        "--protocol", "metal-sci", "--perf-result", path)
    return [json.loads(path.read_text())] if path.exists() else []


def reports(folder):
    results = SOURCE / "tests/search/report/results"
    one = folder / "one.jsonl"
    one.write_text("\n".join(json.dumps(each) for each in evaluations()))
    return [json.loads(run("msci-report", results, "--json", "-", "--pass-at", "2")),
            json.loads(run("msci-report", one, "--json", "-"))]


def lintings(_):
    kernels = [*sorted((SOURCE / "tests/compiler/frontend/refuse").glob("*.metal")),
               *sorted((SOURCE / "corpus/good").glob("*.metal"))[:8]]
    host = sorted((SOURCE / "tests/lint/host/hosts").glob("cheat_*"))
    with_host = "".join(run("msci-lint", "--json", "--host", each, SOURCE / "tests/lint/host/kernels.metal")
                        for each in host[:3])
    reports = [each["report"] for each in answered(None) if "report" in each]
    return lines(run("msci-lint", "--json", *kernels) + with_host) + reports


def requests():
    return [{"file": str(next((SOURCE / "corpus/good").glob("*.metal"))), "id": 1},
            {"source": "kernel void f() {}", "id": "two", "name": "two.metal", "task": "saxpy", "kernel": ["f"],
             "host": [str(next((SOURCE / "tests/lint/host/hosts").glob("cheat_*")))], "select": ["metal", "hazard"],
             "ignore": ["hazard.missing_guard"], "severity": {"slow": "off"}, "std": "metal3.2", "config": False},
            {"source": "struct"}]


def asked(_):
    """The requests that the server takes: it has to agree that they are right."""
    answers = served(requests())
    for answer in answers:
        if "error" in answer:
            sys.exit(f"the server refuses a request of the schema: {answer}")
    return requests()


def answered(_):
    return served([*requests(), {"file": "nowhere.metal", "id": 3}, {}, {"id": [], "source": "x"}])


def served(all_requests):
    text = "".join(json.dumps(each) + "\n" for each in all_requests)
    done = subprocess.run([BIN / "msci-lint", "--server"], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"msci-lint --server: exit status {done.returncode}\n{done.stderr}")
    return lines(done.stdout)


def judge_requests():
    kernel = str(SOURCE / "docs/plan_example/smooth.metal")
    plan = str(SOURCE / "docs/plan_example/plan.json")
    seed = (SOURCE / "tasks/nbody/nbody.metal").read_text()
    wrong = seed.replace("mass[j] *", "2.0f * mass[j] *")
    assert wrong != seed
    return [{"file": kernel, "plan": plan, "id": 1},
            {"source": seed, "name": "s.metal", "task": "nbody", "id": "lint", "verdict": "lint"},
            {"source": "struct", "task": "saxpy", "verdict": "strict", "nonce": "1f", "fuzz_sizes": 1, "id": "refused",
             "no_certificate": True, "held_out": True, "stop_at_wrong": True, "cache": False},
            {"file": kernel, "task": plan, "verdict": "timed", "protocol": "metal-sci", "id": 3},
            {"file": kernel, "task": plan, "verdict": "predicted", "chip": "m2", "id": 4},
            {"file": kernel, "task": plan, "verdict": "check", "id": 5},
            {"file": kernel, "task": plan, "verdict": "profile", "id": 6},
            {"file": kernel, "verdict": "opencl", "id": 7},
            {"file": kernel, "verdict": "code", "id": 8},
            {"source": "struct", "verdict": "code", "id": 9},
            {"source": wrong, "task": "nbody", "verdict": "difference", "id": 10},
            {"source": "struct", "task": "saxpy", "verdict": "difference", "id": 11},
            {"source": seed, "task": "nbody", "verdict": "compared", "rival": seed, "id": 12},
            {"file": kernel, "verdict": "draft", "id": 13},
            {"source": seed, "task": "nbody", "verdict": "strict", "rival": "seed", "id": 14},
            {"source": "", "task": "nbody", "id": 15},
            {"cancel": "nothing"}]


def judged(all_requests):
    text = "".join(json.dumps(each) + "\n" for each in all_requests)
    done = subprocess.run([BIN / "msci-eval", "--server", "--device", "cpu"], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"msci-eval --server: exit status {done.returncode}\n{done.stderr}")
    return lines(done.stdout)


def judge_asked(_):
    """The requests that the server takes: it has to agree that they are right."""
    for answer in judged(judge_requests()):
        if "error" in answer:
            sys.exit(f"the server refuses a request of the schema: {answer}")
    return judge_requests()


def judge_answered(_):
    """Also of a verdict that is kept, of errors, and of requests that are cancelled while they wait."""
    first = judge_requests()[0]
    many = [{**first, "id": f"w{number}", "cache": False} for number in range(20)]
    return judged([*judge_requests(), {"source": "x", "id": 5}, {"id": [], "source": "x"}, *many,
                   *({"cancel": each["id"]} for each in many), {**first, "id": "again"}])


def checks(folder):
    """Of a right kernel, of one that writes beside its place, with and without a suppression, and of one that is refused."""
    seed = (SOURCE / "tasks/saxpy/saxpy.metal").read_text()
    kernels = {"right.metal": seed, "beside.metal": seed.replace("y[i]", "y[i + 1]"), "refused.metal": "kernel void saxpy("}
    assert kernels["beside.metal"] != seed
    kernels["allowed.metal"] = "// msci: allow-file(hazard.out_of_bounds) to be listed\n" + kernels["beside.metal"]
    for name, text in kernels.items():
        (folder / name).write_text(text)
    return lines(run("msci-eval", "--check", "--task", "saxpy", "--json", *(folder / name for name in kernels)))


def gates(folder):
    """Of the seed, of another program, which is measured against the seed, and of one for another task."""
    seed = (SOURCE / "tasks/nbody/nbody.metal").read_text()
    sources = {"seed": seed, "other": seed.replace("rsqrt(r2 * r2 * r2)", "rsqrt(r2) / r2"),
               "stranger": (SOURCE / "tasks/heat2d/heat2d.metal").read_text()}
    documents = []
    for name, source in sources.items():
        kernel = folder / f"{name}.metal"
        kernel.write_text(source)
        documents += lines(run("msci-eval", kernel, "--task", "nbody", "--device", "cpu", "--gate", "--json"))
    assert [each["speedup"] is not None for each in documents] == [False, True, False], documents
    return documents


def numerics(_):
    """Of a seed that is right, of a kernel that splits, and of one that its task refuses."""
    example = SOURCE / "docs/numerics_example"
    return lines(run("msci-eval", "--task", "saxpy", "--numerics", "--json")
                 + run("msci-eval", example / "softmax.metal", "--plan", example / "plan.json", "--numerics", "--json")
                 + run("msci-eval", example / "softmax.metal", "--task", "saxpy", "--numerics", "--json"))


def emitted(folder):
    """Of kernels of which some lack the value of a function constant, of kernels that all lack one, and of a refused source."""
    head = "#include <metal_stdlib>\nusing namespace metal;\nconstant bool wide [[function_constant(0)]];\n"
    lacking = "".join(f"kernel void {name}(device float* x [[buffer(0)]]) {{ x[0] = wide ? 1 : {at + 2}; }}\n"
                      for at, name in enumerate(("one", "two")))
    kernels = {"some.metal": head + lacking + "kernel void plain(device float* x [[buffer(0)]]) { x[0] = 1; }\n",
               "all.metal": head + lacking, "refused.metal": "kernel void f("}
    for name, text in kernels.items():
        (folder / name).write_text(text)
    documents = [each for name in kernels for each in lines(run("msci-eval", folder / name, "--emit", "opencl", "--json"))]
    assert [[each["kernels"], len(each["refused"])] for each in documents] == [[["plain"], 2], [[], 2], [[], 0]], documents
    assert [each["text"] is not None for each in documents] == [True, False, False], documents
    return documents


def devices(_):
    return lines(run("msci-eval", "--list-devices", "--json"))


def tasks(_):
    return [json.loads(run("msci-tasks", "describe", name, "--json"))
            for name in ("nbody", "lbm")]


@functools.cache
def search(*options):
    """The files of one short search whose judge answers from memory, each a text by its name."""
    with tempfile.TemporaryDirectory() as folder:
        run_search(pathlib.Path(folder), options)
        return {file.name: file.read_text() for file in (pathlib.Path(folder) / "run").iterdir()}


PREDICTED = ("--score", "predicted:m1-pro")


TUNED = ("--tune",)


def run_search(folder, options):
    kernel = folder / "tuned.metal"
    kernel.write_text("#define A 1  // msci: tune A 1 2 word\nkernel void f() {}\n")
    source = ("--tune", kernel) if options == TUNED else ("--generator", f"sh '{SOURCE / 'docs/demo/nbody.sh'}'", *options)
    size = lambda share: json.dumps([{
        "label": "s", "correct": True, "predicted_seconds": 1e-3, "predicted_interval": [5e-4, 2e-3],
        "predicted_fraction": share, "extrapolated": False}])
    judge = folder / "judge.sh"
    judge.write_text(f"""seed='{size(0.1)}'\nbetter='{size(0.9)}'\n""" + """case "$*" in
*--gate*) echo '{"task": "nbody", "device": "d", "size": "s", "verdict": "generalises", "same_program": false, "speedup": null, "predicted": null,
"seed": {"correct": true, "gpu_seconds": 1, "fraction_of_ceiling": 0.1, "fail_reason": null},
"incumbent": {"correct": true, "gpu_seconds": 1, "fraction_of_ceiling": 0.1, "fail_reason": null}}' | tr '\\n' ' ' ;;
*candidate*) echo '{"compile_ok": true, "correct": true, "score": 0.6, "program": "aa", "sizes": '"$better"'}' ;;
*) echo '{"task": "nbody", "device": "d", "compile_ok": true, "correct": true, "score": 0.5, "sizes": '"$seed"'}' ;;
esac
""")
    run("msci-search", "--task", "nbody", "--iterations", "2", "--out", folder / "run", "--judge", f"sh '{judge}'",
        "--strategy", "strict", *source)


def from_search(file):
    return lambda _: [json.loads(search(*options)[file]) for options in ((), PREDICTED)]


def spoiled(document):
    """The same, wrong in one place each: its first field gone, a field too many, a list for a name."""
    if isinstance(document, list):
        return [[each, *document[1:]] for each in spoiled(document[0])]
    first = next(iter(document))
    without, more, other = (copy.deepcopy(document) for _ in range(3))
    del without[first]
    more["surplus"] = 1
    other[first] = {"of": "another type"}
    return [without, more, other]


def main():
    failures = 0
    kinds = [("evaluation", "msci-eval", lambda _: evaluations()), ("verify_result", "msci-eval", proofs),
             ("perf_result", "msci-eval", performance), ("report", "msci-report", reports),
             ("lint", "msci-lint", lintings), ("check", "msci-eval", checks), ("gate", "msci-eval", gates),
             ("numerics", "msci-eval", numerics),
             ("emit", "msci-eval", emitted), ("device", "msci-eval", devices),
             ("task", "msci-tasks", tasks), ("search", "msci-search", from_search("search.json")),
             ("history", "msci-search", from_search("history.json")),
             ("summary", "msci-search", from_search("summary.json")),
             *((name, "msci-search", lambda _, name=name: [json.loads(search(*TUNED)[f"{name}.json"])])
               for name in ("tuning", "tuning_cache")),
             ("generator", "msci-search", from_search("01_generator.json")),
             ("gate", "msci-search", from_search("gate.json")),
             ("judge_request", "msci-eval", judge_asked), ("judge_answer", "msci-eval", judge_answered),
             ("server_request", "msci-lint", asked), ("server_answer", "msci-lint", answered)]
    for name, tool, make in kinds:
        validator = schema(name)
        if not (BIN / tool).exists():
            print(f"{name}: passed over, this build has no {tool}")
            continue
        with tempfile.TemporaryDirectory() as folder:
            documents = make(pathlib.Path(folder))
        for document in documents:
            for error in validator.iter_errors(document):
                failures += 1
                print(f"{name}: {error.json_path}: {error.message[:300]}")
            for wrong in spoiled(document):
                if validator.is_valid(wrong):
                    failures += 1
                    print(f"{name}: a spoiled document passes: {json.dumps(wrong)[:300]}")
        print(f"{name}: {len(documents)} documents")
    return 1 if failures else 0


sys.exit(main())
