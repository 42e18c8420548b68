"""Tasks written in Python: arrays of NumPy as inputs, a function as the reference.

    import msci
    import numpy as np

    @msci.task(
        sizes=[{"label": "1000", "n": 1000}],
        buffers={"x": msci.Uniform("float32", "n", -1, 1), "weights": np.ones(4, "float32"), "y": msci.Empty("float32", "n"),
                 "n": msci.Value("uint32", "n")},
        launches=[msci.launch("filter", grid=["n"], threadgroup=[256], bind=["x", "weights", "y", "n"])],
        results=["y"], tolerance={"max_abs": 1e-5})
    def smooth(x, weights):
        return {"y": np.convolve(x, weights)[:len(x)]}

    if __name__ == "__main__":
        msci.evaluate(source, smooth)

`smooth` is then a Task. Its plan (docs/reference/plan_file.md) calls the function, in a process of its own, for the expected
results. That process reads the file that defines it, so calls of msci stand below `if __name__ == "__main__":`. The
results are cached until the task, this file or a module that it has imported changes. Data that the function reads by
itself is not noticed: pass it as an array. Needs NumPy.
"""
from __future__ import annotations

import hashlib
import importlib.util
import inspect
import json
import os
import pathlib
import re
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Reference = Callable[..., Mapping[str, npt.ArrayLike]]

Number = Union[int, str]
"""An integer, or a formula of the parameters of a size: "nx*ny + 1"."""

METAL_TYPES = {"float32": "float", "float16": "half", "bool": "bool", "int8": "char", "uint8": "uchar", "int16": "short",
               "uint16": "ushort", "int32": "int", "uint32": "uint", "int64": "long", "uint64": "ulong"}


def metal_type(dtype: str) -> str:
    """The scalar of Metal for a type of NumPy. Raises ValueError for a type that Metal lacks, such as float64."""
    if dtype not in METAL_TYPES:
        raise ValueError(f"Metal has no scalar type for NumPy's {dtype}; use one of {', '.join(METAL_TYPES)}")
    return METAL_TYPES[dtype]


@dataclass(frozen=True)
class Uniform:
    """Random numbers from `low` to below `high`; the strict verdict draws others each time."""

    dtype: str
    count: Number
    low: float
    high: float
    seed: int = 1

    def field(self) -> dict[str, Any]:
        return {"type": metal_type(self.dtype), "count": self.count,
                "fill": {"uniform": [self.low, self.high], "seed": self.seed}, "read_only": True}


@dataclass(frozen=True)
class Empty:
    """Room for results. A kernel may rely on zeros in it only with `zeros`."""

    dtype: str
    count: Number
    zeros: bool = False

    def field(self) -> dict[str, Any]:
        fill = {"fill": {"constant": 0}} if self.zeros else {}
        return {"type": metal_type(self.dtype), "count": self.count, **fill}


@dataclass(frozen=True)
class Value:
    """A number that a host would bind with setBytes."""

    dtype: str
    value: Number | float

    def field(self) -> dict[str, Any]:
        return {"type": metal_type(self.dtype), "values": [self.value], "read_only": True}


def _cache_folder() -> pathlib.Path:
    """Where msci's programs keep results."""
    home = os.environ.get("XDG_CACHE_HOME")
    return (pathlib.Path(home) if home else pathlib.Path.home() / ".cache") / "msci"


def _own_modules() -> list[pathlib.Path]:
    """The files of the imported modules that do not belong to Python or to its packages."""
    installed = {pathlib.Path(path).resolve() for path in sysconfig.get_paths().values()}
    files = (getattr(module, "__file__", None) for module in list(sys.modules.values()))
    paths = {pathlib.Path(file).resolve() for file in files if file}
    return [path for path in paths if path.is_file() and not installed.intersection(path.parents)]


def launch(kernel: str, *, grid: Sequence[Number], threadgroup: Sequence[Number], bind: Sequence[str],
           **more: Any) -> dict[str, Any]:
    """A launch of a kernel whose buffers have the indices 0, 1, 2, ...; `more` are fields of docs/reference/plan_file.md."""
    return {"kernel": kernel, "grid": list(grid), "threadgroup": list(threadgroup),
            "bind": {str(index): name for index, name in enumerate(bind)}, **more}


class Task:
    """A task written in Python. Where a Server takes a task, it takes this object, too."""

    def __init__(self, function: Reference, plan: dict[str, Any], arrays: dict[str, Array],
                 seed: str | None = None) -> None:
        self.name = function.__name__
        self.reference = function
        self._plan = plan
        self._arrays = arrays
        self._seed = seed
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def write(self, folder: str | pathlib.Path) -> pathlib.Path:
        """Writes the plan and the arrays to a folder, and returns the path of the plan. It needs the function's file."""
        import numpy as np

        folder = pathlib.Path(folder)
        folder.mkdir(parents=True, exist_ok=True)
        for name, array in self._arrays.items():
            np.save(folder / f"{name}.npy", array)
        if self._seed is not None:
            (folder / "seed.metal").write_text(self._seed)
        path = folder / "plan.json"
        path.write_text(self._text())
        # The reference is cached by the files of the plan's folder, so the function's text is one of them.
        (folder / "reference.txt").write_bytes(self._source().read_bytes())
        return path

    def path(self) -> pathlib.Path:
        """A plan file of this task in msci's cache: the same for equal tasks, so that their references run once.

        Without a writable cache, it lives as long as this object."""
        if self._folder is not None:
            return pathlib.Path(self._folder.name) / "plan.json"
        plan = _cache_folder() / "python_tasks" / f"{self.name}-{self._digest()}" / "plan.json"
        try:
            if not plan.exists():
                self._write_at_once(plan.parent)
        except OSError:
            self._folder = tempfile.TemporaryDirectory(prefix="msci-task-")
            return self.write(self._folder.name)
        return plan

    def _write_at_once(self, folder: pathlib.Path) -> None:
        """Writes a folder that is complete as soon as it has its name: others may write it at the same time."""
        folder.parent.mkdir(parents=True, exist_ok=True)
        unfinished = pathlib.Path(tempfile.mkdtemp(prefix=".", dir=folder.parent))
        try:
            self.write(unfinished)
            try:
                unfinished.rename(folder)
            except OSError:
                if not (folder / "plan.json").exists():
                    raise
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)

    def _source(self) -> pathlib.Path:
        source = inspect.getsourcefile(self.reference)
        if source is None or not pathlib.Path(source).is_file():
            raise ValueError(f"{self.name} must be defined in a file, which the reference command reads")
        return pathlib.Path(source).resolve()

    def _text(self) -> str:
        """The plan. Its reference command runs in the plan's folder."""
        # The parameters of a size reach the function by their names.
        names = sorted({name for size in self._all_sizes() for name in size if name != "label"})
        command = [sys.executable, str(pathlib.Path(__file__).resolve()), str(self._source()), self.name, "{folder}",
                   "plan.json", *(f"{name}={{{name}}}" for name in names)]
        return json.dumps({**self._plan, "reference": command}, indent=1)

    def _digest(self) -> str:
        """Of all that the expected results depend on."""
        digest = hashlib.sha256()
        digest.update(json.dumps([self._text(), self._seed, sys.version]).encode())
        for name, array in self._arrays.items():
            digest.update(json.dumps([name, array.dtype.str, array.shape]).encode())
            digest.update(array.tobytes())
        for path in sorted({self._source(), *_own_modules()}):
            digest.update(json.dumps(str(path)).encode() + path.read_bytes())
        return digest.hexdigest()[:32]

    def _all_sizes(self) -> list[dict[str, Any]]:
        sizes = [*self._plan["sizes"], *self._plan.get("stress", {}).get("sizes", [])]
        return sizes + [self._plan[key] for key in ("held_out", "small") if key in self._plan]


def task(*, sizes: Sequence[Mapping[str, Any]], buffers: Mapping[str, Uniform | Empty | Value | Array],
         launches: Sequence[Mapping[str, Any]], results: Sequence[str], seed: str | None = None,
         **fields: Any) -> Callable[[Reference], Task]:
    """Makes a Task of a function that computes the results.

    The function has a parameter for each buffer or parameter of a size that it needs, and returns arrays by the names
    of the results. `buffers` has arrays of NumPy, which are the same at all sizes, and Uniform, Empty and Value.
    `seed` is the text of a seed kernel. `fields` are further fields of a plan: title, held_out, small, tolerance, work,
    stress, repeat, swap, constants.
    """
    def decorate(function: Reference) -> Task:
        import numpy as np

        arrays = {name: np.ascontiguousarray(each) for name, each in buffers.items()
                  if not isinstance(each, (Uniform, Empty, Value))}
        plain = {name: each.field() for name, each in buffers.items() if isinstance(each, (Uniform, Empty, Value))}
        files = {name: {"type": metal_type(array.dtype.name), "file": f"{name}.npy", "read_only": True}
                 for name, array in arrays.items()}
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", function.__name__):
            raise ValueError(f"{function.__name__} is not the name of a task: it must be of ASCII letters, digits and '_'")
        plan: dict[str, Any] = {"name": function.__name__, "sizes": [dict(each) for each in sizes],
                                "buffers": {name: {**plain, **files}[name] for name in buffers},
                                "launches": [dict(each) for each in launches],
                                "expect": {name: {} for name in results}, **fields}
        if seed is not None:
            plan["seed"] = "seed.metal"
        return Task(function, plan, arrays, seed)

    return decorate


# Set while the file of a task is read for its reference.
IN_REFERENCE = "MSCI_IN_REFERENCE"


def _compute(source: str, function: str, folder: pathlib.Path, plan: pathlib.Path, parameters: dict[str, int]) -> None:
    """The reference command of a plan: reads NAME.bin, calls the function, writes NAME.out."""
    import numpy as np

    described = json.loads(plan.read_text())
    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(source).parent)]
    spec = importlib.util.spec_from_file_location("msci_reference", source)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["msci_reference"] = module
    os.environ[IN_REFERENCE] = "1"
    spec.loader.exec_module(module)
    types = {name: next(kind for kind, metal in METAL_TYPES.items() if metal == buffer["type"])
             for name, buffer in described["buffers"].items()}
    reference = getattr(module, function).reference
    wanted = inspect.signature(reference).parameters
    given: dict[str, Any] = {name: np.fromfile(folder / f"{name}.bin", types[name]) for name in wanted if name in types}
    given |= {name: value for name, value in parameters.items() if name in wanted and name not in given}
    results = reference(**given)
    for name in described["expect"]:
        np.ascontiguousarray(results[name], dtype=types[name]).tofile(folder / f"{name}.out")


if __name__ == "__main__":
    _compute(sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4]),
             {name: int(value) for name, _, value in (each.partition("=") for each in sys.argv[5:])})
