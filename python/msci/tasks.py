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

`smooth` is then a Task. Its plan (docs/plan_file.md) calls the function, in a process of its own, for the expected
results. That process reads the file that defines it, so calls of msci stand below `if __name__ == "__main__":`. Needs
NumPy.
"""
from __future__ import annotations

import importlib.util
import inspect
import json
import os
import pathlib
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Reference = Callable[..., Mapping[str, npt.ArrayLike]]

Number = int | str
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


def launch(kernel: str, *, grid: Sequence[Number], threadgroup: Sequence[Number], bind: Sequence[str],
           **more: Any) -> dict[str, Any]:
    """A launch of a kernel whose buffers have the indices 0, 1, 2, ...; `more` are fields of docs/plan_file.md."""
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
        source = inspect.getsourcefile(self.reference)
        if source is None or not pathlib.Path(source).is_file():
            raise ValueError(f"{self.name} must be defined in a file, which the reference command reads")
        # The parameters of a size reach the function by their names.
        names = sorted({name for size in self._all_sizes() for name in size if name != "label"})
        command = [sys.executable, str(pathlib.Path(__file__).resolve()), str(pathlib.Path(source).resolve()), self.name,
                   "{folder}", str(folder.resolve() / "plan.json"), *(f"{name}={{{name}}}" for name in names)]
        path = folder / "plan.json"
        path.write_text(json.dumps({**self._plan, "reference": command}, indent=1))
        # The reference is cached by the files of the plan's folder, so the function's text is one of them.
        (folder / "reference.txt").write_text(pathlib.Path(source).read_text())
        return path

    def path(self) -> pathlib.Path:
        """A plan file that lives as long as this object."""
        if self._folder is None:
            self._folder = tempfile.TemporaryDirectory(prefix="msci-task-")
            self.write(self._folder.name)
        return pathlib.Path(self._folder.name) / "plan.json"

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

    sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1]), str(pathlib.Path(source).parent)]
    spec = importlib.util.spec_from_file_location("msci_reference", source)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["msci_reference"] = module
    os.environ[IN_REFERENCE] = "1"
    spec.loader.exec_module(module)
    described = json.loads(plan.read_text())
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
