"""Plans from the calls of a host: what it binds and dispatches, written down as it happens.

    import msci
    import numpy as np

    with msci.record("smooth", tolerance={"max_abs": 1e-6}) as host:
        u, v = host.buffer("u", data), host.buffer("v", np.zeros_like(data))
        for _ in range(rounds):
            host.dispatch("smooth", grid=[len(data)], threadgroup=[256], bind=[u, v, np.uint32(len(data))])
            u, v = v, u
        host.expect(u, expected)

The folder then has plan.json (docs/reference/plan_file.md), and the arrays as .npy files beside it. A dispatch goes where the host
has its dispatchThreads, so the calls of PyObjC, MLX or a port of a Swift host stay as they are. Needs NumPy.
"""
from __future__ import annotations

import contextlib
import json
import math
import pathlib
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .tasks import metal_type

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Array = npt.NDArray[Any]

MOST_INLINED = 4096
"""Bytes that Metal's setBytes takes."""


@dataclass(frozen=True)
class Buffer:
    """A buffer of a recording, for its dispatches."""

    name: str
    element_bytes: int
    bytes: int


class Recording:
    """What a host does; record() makes one."""

    def __init__(self, folder: str | pathlib.Path, seed: str | None, fields: Mapping[str, Any]) -> None:
        self.folder = pathlib.Path(folder)
        self._seed = seed
        self._fields = dict(fields)
        self._buffers: dict[str, dict[str, Any]] = {}
        self._arrays: dict[str, Array] = {}
        self._launches: list[dict[str, Any]] = []
        self._expect: dict[str, dict[str, str]] = {}

    def buffer(self, name: str, contents: npt.ArrayLike, *, read_only: bool = False) -> Buffer:
        """A buffer with the contents that the array has now. `read_only`: no kernel may change it."""
        import numpy as np

        array = np.array(contents, order="C", ndmin=1)
        if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) or name in self._buffers:
            raise ValueError(f"{name!r} is not the name of a new buffer: up to 64 letters, digits, '_' and '-', and no digit "
                             "at the start")
        self._buffers[name] = {"type": metal_type(array.dtype.name), "file": f"{name}.npy",
                               **({"read_only": True} if read_only else {})}
        self._arrays[name] = array
        return Buffer(name, array.itemsize, array.nbytes)

    def dispatch(self, kernel: str, *, grid: Sequence[int], threadgroup: Sequence[int],
                 bind: Sequence[Buffer | tuple[Buffer, int] | np.generic | Array] | Mapping[int, Any],
                 threadgroup_memory: Mapping[int, int] | None = None) -> None:
        """A dispatch of `grid` threads (as dispatchThreads has them).

        `bind` has what is bound to the indices 0, 1, 2, ..., or a mapping from indices: a buffer, a buffer and an offset
        in bytes, or a scalar or an array of NumPy, whose bytes are bound as setBytes does."""
        places = bind if isinstance(bind, Mapping) else dict(enumerate(bind))
        launch: dict[str, Any] = {"kernel": kernel, "grid": [int(side) for side in grid],
                                  "threadgroup": [int(side) for side in threadgroup],
                                  "bind": {str(index): self._binding(each) for index, each in places.items()}}
        if threadgroup_memory:
            launch["threadgroup_memory"] = {str(index): int(size) for index, size in threadgroup_memory.items()}
        if self._launches and {**self._launches[-1], "times": 1} == {**launch, "times": 1}:
            self._launches[-1]["times"] = self._launches[-1].get("times", 1) + 1
        else:
            self._launches.append(launch)

    def expect(self, buffer: Buffer, contents: npt.ArrayLike) -> None:
        """What the buffer must hold after all dispatches."""
        import numpy as np

        array = np.array(contents, dtype=self._arrays[buffer.name].dtype, order="C", ndmin=1)
        if array.nbytes != buffer.bytes:
            raise ValueError(f"{array.nbytes} bytes are expected of {buffer.name}, and it has {buffer.bytes}")
        file = f"{buffer.name}.expected.npy"
        self._arrays[file.removesuffix(".npy")] = array
        self._expect[buffer.name] = {"file": file}

    def write(self) -> pathlib.Path:
        """Writes the plan; record() does so at the end of its block. Raises ValueError without a dispatch or a result."""
        import numpy as np

        if not self._launches or not self._expect:
            raise ValueError("a recording needs a dispatch(), and an expect() for each result")
        self.folder.mkdir(parents=True, exist_ok=True)
        for name, array in self._arrays.items():
            np.save(self.folder / f"{name}.npy", array)
        plan: dict[str, Any] = {"sizes": [{"label": "recorded"}], "buffers": self._buffers, "launches": self._launches,
                                "expect": self._expect, **self._fields}
        if self._seed is not None:
            (self.folder / "seed.metal").write_text(self._seed)
            plan["seed"] = "seed.metal"
        path = self.folder / "plan.json"
        path.write_text(json.dumps(plan, indent=1) + "\n")
        return path

    def _binding(self, bound: Any) -> Any:
        import numpy as np

        if isinstance(bound, Buffer):
            return self._known(bound).name
        if isinstance(bound, tuple) and len(bound) == 2 and isinstance(bound[0], Buffer):
            return {"buffer": self._known(bound[0]).name, "offset": int(bound[1])}
        if not isinstance(bound, (np.generic, np.ndarray)):
            raise TypeError(f"{bound!r} has no type of Metal; bind a buffer, or NumPy's uint32(...), float32(...) or an array")
        array = np.array(bound, order="C", ndmin=1)
        if array.nbytes > MOST_INLINED:
            raise ValueError(f"{array.nbytes} bytes are more than setBytes takes ({MOST_INLINED}); bind a buffer")
        if array.dtype.fields is not None:  # a struct, as it lies in memory
            array = np.frombuffer(array.tobytes(), "uint8")
        values = array.ravel().tolist()
        if any(isinstance(value, float) and not math.isfinite(value) for value in values):
            raise ValueError(f"{bound!r} is not finite; bind it as a buffer")
        return {"type": metal_type(array.dtype.name), "values": [int(value) if isinstance(value, bool) else value
                                                                 for value in values]}

    def _known(self, buffer: Buffer) -> Buffer:
        if buffer.name not in self._buffers:
            raise ValueError(f"{buffer.name} is a buffer of another recording")
        return buffer


@contextlib.contextmanager
def record(folder: str | pathlib.Path, *, seed: str | None = None, **fields: Any) -> Iterator[Recording]:
    """Records what the block does, and writes it to the folder as a plan; after an exception, it writes nothing.

    `seed` is the text of a correct kernel; `fields` are further fields of a plan: name, title, tolerance, work, constants.
    """
    recording = Recording(folder, seed, fields)
    yield recording
    recording.write()
