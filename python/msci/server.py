"""The server of msci-eval as an object, and functions that ask one."""
from __future__ import annotations

import asyncio
import functools
import importlib.metadata
import itertools
import json
import os
import pathlib
import queue
import shutil
import subprocess
import threading
from collections.abc import AsyncIterator, Generator, Iterable
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Literal, Protocol

from .results import Evaluation, LintReport
from .rewards import reward_of
from .tasks import IN_REFERENCE, Task

Verdict = Literal["verify", "strict", "timed", "predicted"]

# Requests of one call that are on their way at once: enough for all processors, and less than the server takes.
MOST_ASKED = 128

# Bytes that a source may take in a request. The server refuses longer sources anyway, and lines of more than 32 MiB.
MOST_OF_A_SOURCE = 24 << 20

# What the message of a kernel that reached the limit on time names.
TIME_LIMIT = "--time-limit"

# Seconds before a request is sent again.
PAUSE = 0.1


class MsciError(Exception):
    """msci could not do its part; this says nothing about a kernel."""


class ServerEnded(MsciError):
    """The server ended before its answer, or could not start. Another server may answer."""


class Inbox(Protocol):
    """Where the reader of a server puts an answer."""

    def put(self, item: dict[str, Any], /) -> None: ...


class Awaited:
    """One answer, for the coroutine that makes this object."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.answer: asyncio.Future[dict[str, Any]] = self._loop.create_future()

    def put(self, item: dict[str, Any], /) -> None:
        try:
            self._loop.call_soon_threadsafe(self._set, item)
        except RuntimeError:
            pass  # the loop is closed, and the coroutine with it

    def _set(self, item: dict[str, Any]) -> None:
        if not self.answer.done():
            self.answer.set_result(item)


@functools.cache
def _installed_by_pip(name: str) -> str | None:
    """The program that came in the same wheel as this package, wherever pip has put it."""
    try:
        files = importlib.metadata.files("msci") or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [str(file.locate()) for file in files if file.name == name]
    return shutil.which(os.path.normpath(found[0])) if found else None


def find_program(name: str) -> str:
    """The path of one of msci's programs: from the folder MSCI_BIN, from the wheel of this package, or from PATH."""
    folder = os.environ.get("MSCI_BIN")
    path = None if folder else _installed_by_pip(name)
    path = path or shutil.which(name, path=folder)
    if path is None:
        raise MsciError(f"{name} not found in {folder or 'PATH'}; set MSCI_BIN to the folder with msci's programs")
    return path


@dataclass(frozen=True)
class Judged:
    """One result of evaluate_many(): the place of the kernel in the input, and its evaluation or the error."""

    index: int
    evaluation: Evaluation | None
    error: str | None
    cached: bool

    @property
    def reward(self) -> float | None:
        """That of reward_of(); None where msci could not judge the kernel."""
        return None if self.evaluation is None else reward_of(self.evaluation)


class Server:
    """A running `msci-eval --server`; a context manager that ends it. Several threads may use it at once.

    `device` and `jobs` are the server's options; `arguments` are further ones, such as `--no-cache`.
    """

    def __init__(self, device: str | None = None, jobs: int | None = None, arguments: Iterable[str] = ()) -> None:
        if os.environ.get(IN_REFERENCE):
            raise MsciError('the file of a task calls msci while its reference runs; put such calls below '
                            '`if __name__ == "__main__":`')
        command = [find_program("msci-eval"), "--server", *arguments]
        if device is not None:
            command += ["--device", device]
        if jobs is not None:
            command += ["--jobs", str(jobs)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._ids = itertools.count()
        self._lock = threading.Lock()
        self._owed: dict[int, Inbox] = {}
        self._unsent: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._ended = False
        self._said: list[bytes] = []
        self._readers = [threading.Thread(target=self._read, daemon=True),
                         threading.Thread(target=self._read_errors, daemon=True)]
        self._writer = threading.Thread(target=self._write, daemon=True)
        for thread in (*self._readers, self._writer):
            thread.start()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close(at_once=kind is not None)

    def close(self, at_once: bool = False) -> None:
        """Ends the server, after the answers that are owed or, `at_once`, without them."""
        if at_once:
            self._process.terminate()
        self._unsent.put(None)
        self._writer.join()
        assert self._process.stdin
        try:
            self._process.stdin.close()
        except BrokenPipeError:
            pass  # it has ended already
        self._process.wait()
        for reader in self._readers:
            reader.join()
        for stream in (self._process.stdout, self._process.stderr):
            if stream:
                stream.close()

    def lint(self, source: str, *, task: str | Task | None = None, name: str = "<source>") -> LintReport:
        """Lints a source, with the kernels that the task requires."""
        request = {"source": source, "name": name, "verdict": "lint"}
        answer = self._wait(request | ({"task": name_of(task)} if task else {}))
        return LintReport.from_json(answer["report"])

    def evaluate(self, source: str, task: str | Task | None = None, *, plan: str | os.PathLike[str] | None = None,
                 verdict: Verdict | None = None, name: str = "<source>", **options: Any) -> Evaluation:
        """Judges a kernel on a task, or on a plan file. `options` are fields of a request (docs/guide/judging.md).

        The verdict is strict by default, but verify for a plan, which may lack what the strict one needs. A kernel that
        is right is measured in turns with a `rival`: the text of another kernel, or "seed"."""
        answer = self._wait(request_of(source, task, plan, verdict, {"name": name, **options}))
        return Evaluation.from_json(answer["evaluation"])

    async def evaluate_async(self, source: str, task: str | Task | None = None, *,
                             plan: str | os.PathLike[str] | None = None, verdict: Verdict | None = None,
                             name: str = "<source>", attempts: int = 1, **options: Any) -> Evaluation:
        """The same for asyncio. Cancelling it cancels the request.

        A kernel that msci could not judge is judged again, up to `attempts` times in all. A kernel that is wrong is not,
        and neither is one that reached the limit on time, which would take as long again."""
        answer = await self.answer_async(request_of(source, task, plan, verdict, {"name": name, **options}), attempts)
        if "evaluation" not in answer:
            raise MsciError(answer["error"])
        return Evaluation.from_json(answer["evaluation"])

    async def answer_async(self, request: dict[str, Any], attempts: int = 1) -> dict[str, Any]:
        """The answer to a request (docs/guide/judging.md), the last of `attempts` where msci itself fails."""
        for left in reversed(range(attempts)):
            inbox = Awaited()
            number = self._ask(request, inbox)
            try:
                answer = await inbox.answer
            except asyncio.CancelledError:
                self._cancel(number)
                raise
            if "ended" in answer:
                raise ServerEnded(answer["ended"])
            error = answer.get("evaluation", answer).get("error")
            if not left or error is None or TIME_LIMIT in error:
                return answer
            await asyncio.sleep(PAUSE)
        raise ValueError("attempts must be 1 or more")

    def evaluate_many(self, kernels: Iterable[tuple[str, str | Task]], *, verdict: Verdict | None = None,
                      **options: Any) -> Generator[Judged, None, None]:
        """Judges (source, task) pairs; yields results as they are ready. Leaving the loop cancels the rest."""
        answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        places: dict[int, int] = {}
        waiting = enumerate(kernels)
        try:
            while True:
                for index, (source, task) in itertools.islice(waiting, MOST_ASKED - len(places)):
                    places[self._ask(request_of(source, task, None, verdict, options), answers)] = index
                if not places:
                    return
                answer = answers.get()
                if "ended" in answer:
                    raise ServerEnded(answer["ended"])
                yield judged_of(places.pop(answer["id"]), answer)
        finally:
            for number in places:
                self._cancel(number)

    async def evaluate_many_async(self, kernels: Iterable[tuple[str, str | Task]], *,
                                  verdict: Verdict | None = None, **options: Any) -> AsyncIterator[Judged]:
        """The same for asyncio."""
        results = self.evaluate_many(kernels, verdict=verdict, **options)

        def following() -> Judged | None:
            return next(results, None)

        try:
            while (result := await asyncio.to_thread(following)) is not None:
                yield result
        finally:
            results.close()

    def _ask(self, request: dict[str, Any], inbox: Inbox) -> int:
        number = next(self._ids)
        unfit = _why_unfit(request["source"])
        if unfit and request["verdict"] == "lint":
            inbox.put({"id": number, "error": unfit})
            return number
        if unfit:
            request = {**request, "source": "\0"}  # as little a kernel, which the server refuses as such
        with self._lock:
            if self._ended:
                raise ServerEnded(self._last_words())
            self._owed[number] = inbox
        self._send({"id": number, **request})
        return number

    def _wait(self, request: dict[str, Any]) -> dict[str, Any]:
        answers: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._ask(request, answers)
        answer = answers.get()
        if "ended" in answer:
            raise ServerEnded(answer["ended"])
        if "error" in answer:
            raise MsciError(answer["error"])
        return answer

    def _cancel(self, number: int) -> None:
        with self._lock:
            self._owed.pop(number, None)
        self._send({"cancel": number})

    def _send(self, message: dict[str, Any]) -> None:
        self._unsent.put(json.dumps(message).encode() + b"\n")

    def _write(self) -> None:
        """Sends what waits. The server reads no further while it has enough to do, so a thread of its own waits for it."""
        assert self._process.stdin
        try:
            for line in iter(self._unsent.get, None):
                self._process.stdin.write(line)
                self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the server has ended, which _read() tells those who wait for answers

    def _read(self) -> None:
        assert self._process.stdout
        for line in self._process.stdout:
            self._take(json.loads(line))
        self._process.wait()
        self._readers[1].join()
        with self._lock:
            self._ended = True
            left = list(self._owed.values())
            self._owed.clear()
        for inbox in left:
            inbox.put({"ended": self._last_words()})

    def _take(self, answer: dict[str, Any]) -> None:
        with self._lock:
            inbox = self._owed.pop(answer["id"], None)
        if inbox is not None:
            inbox.put(answer)

    def _read_errors(self) -> None:
        assert self._process.stderr
        for line in self._process.stderr:
            self._said = [*self._said, line][-20:]

    def _last_words(self) -> str:
        said = b"".join(self._said).decode(errors="replace").strip()
        return "msci-eval --server ended" + (f": {said}" if said else "")


def _why_unfit(source: str) -> str | None:
    """Why no request can carry a source; None if one can."""
    if not isinstance(source, str):
        raise TypeError(f"a source is a str, not {type(source).__name__}; decode bytes first")
    try:
        source.encode()
    except UnicodeEncodeError as problem:  # JSON would carry it, but the server reads UTF-8 alone
        return f"the source is not Unicode text: {problem}"
    return "the source is too long for a request" if len(json.dumps(source)) > MOST_OF_A_SOURCE else None


def name_of(task: str | Task) -> str:
    return str(task.path()) if isinstance(task, Task) else task


def request_of(source: str, task: str | Task | None, plan: str | os.PathLike[str] | None, verdict: Verdict | None,
             options: dict[str, Any]) -> dict[str, Any]:
    is_plan = plan is not None or isinstance(task, Task)
    request: dict[str, Any] = {"source": source, "verdict": verdict or ("verify" if is_plan else "strict"), **options}
    if task is not None:
        request["task"] = name_of(task)
    if plan is not None:
        request["plan"] = str(pathlib.Path(plan))
    return request


def judged_of(index: int, answer: dict[str, Any]) -> Judged:
    evaluation = answer.get("evaluation")
    return Judged(index, Evaluation.from_json(evaluation) if evaluation is not None else None,
                  answer.get("error"), answer.get("cached", False))


def lint(source: str, *, task: str | Task | None = None) -> LintReport:
    """Lints one source. For many, use one Server."""
    with Server("cpu") as server:
        return server.lint(source, task=task)


def evaluate(source: str, task: str | Task | None = None, *, plan: str | os.PathLike[str] | None = None,
             verdict: Verdict | None = None, device: str | None = None, **options: Any) -> Evaluation:
    """Judges one kernel. For many, use one Server."""
    with Server(device) as server:
        return server.evaluate(source, task, plan=plan, verdict=verdict, **options)


def reward(source: str, task: str | Task, *, verdict: Verdict | None = None, device: str | None = None,
           **options: Any) -> float:
    """The reward of one kernel, as reward_of() has it; for its speed, give a `rival`, such as "seed".

    Raises MsciError if msci could not judge the kernel."""
    evaluation = evaluate(source, task, verdict=verdict, device=device, **options)
    value = reward_of(evaluation)
    if value is None:
        raise MsciError(evaluation.error or "the kernel could not be judged")
    return value
