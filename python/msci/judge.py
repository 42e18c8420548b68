"""Rewards for loops that train or search: a server that is started again if it ends, and a baseline for each task.

    import msci
    with msci.Judge(device="cpu") as judge:
        print(judge.judge(source, "heat2d").reward)
"""
from __future__ import annotations

import asyncio
import functools
import os
import threading
from collections.abc import Coroutine, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, TypeVar

from .answers import describe
from .server import MOST_ASKED, Judged, MsciError, Server, ServerEnded, Verdict, judged_of, name_of, request_of
from .tasks import Task

Result = TypeVar("Result")


def run(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """Runs a coroutine to its end, in a thread of its own: the caller may run in an event loop."""
    with ThreadPoolExecutor(1) as executor:
        return executor.submit(asyncio.run, coroutine).result()


class Judging:
    """Judges kernels, one or many, from any thread; a subclass says how."""

    most_asked = MOST_ASKED
    """Kernels of judge_many() that are on their way at once."""

    async def judge_async(self, source: str, task: str | Task, index: int = 0) -> Judged:
        """Judges a kernel. If msci could not judge it, the reward is None, and `error` or
        `evaluation.error` says why.

        Raises MsciError if nothing can be judged: no program, no device, no such task."""
        raise NotImplementedError

    def judge(self, source: str, task: str | Task) -> Judged:
        """The same, without asyncio."""
        return run(self.judge_async(source, task))

    def judge_many(self, kernels: Iterable[tuple[str, str | Task]]) -> list[Judged]:
        """The same for (source, task) pairs; the results are in their order."""
        async def one(gate: asyncio.Semaphore, source: str, task: str | Task, index: int) -> Judged:
            async with gate:
                return await self.judge_async(source, task, index)

        async def all_of_them() -> list[Judged]:
            gate = asyncio.Semaphore(self.most_asked)
            return await asyncio.gather(*(one(gate, source, task, index)
                                          for index, (source, task) in enumerate(kernels)))

        return run(all_of_them())


class Judge(Judging):
    """Judges kernels with a server that starts at the first one, and again if it ends.

    `device`, `jobs` and `arguments` are those of Server; `verdict` and `options` those of Server.evaluate(). A kernel that
    is right is measured in turns with the baseline of its task: the task's seed, or the text in `baselines`, by the names
    of tasks. With `speed=False`, it is not measured. What msci could not judge is judged up to `attempts` times.
    """

    def __init__(self, *, device: str | None = None, jobs: int | None = None, arguments: Iterable[str] = (),
                 verdict: Verdict | None = None, speed: bool = True, baselines: Mapping[str, str] | None = None,
                 attempts: int = 3, **options: Any) -> None:
        if attempts < 1:
            raise ValueError("attempts must be 1 or more")
        self._start = functools.partial(Server, device, jobs, tuple(arguments))
        self._verdict = verdict
        self._speed = speed
        self._baselines = dict(baselines or {})
        self._attempts = attempts
        self._options = options
        self._lock = threading.Lock()
        self._server: Server | None = None
        self._process = 0  # that started the server: threads and pipes do not survive a fork
        self._rivals: dict[str, dict[str, str]] = {}
        self._rivals_lock = threading.Lock()
        self._alone = threading.Lock()

    def __enter__(self) -> Judge:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Ends the server. The next kernel starts another."""
        with self._lock:
            server, self._server = self._server, None
        if server is not None and self._process == os.getpid():
            server.close(at_once=True)

    async def judge_async(self, source: str, task: str | Task, index: int = 0) -> Judged:
        """As Judging has it."""
        name = name_of(task)
        rival = self._rivals[name] if name in self._rivals else await asyncio.to_thread(self._find_rival, name)
        request = request_of(source, task, None, self._verdict, {**rival, **self._options})
        return judged_of(index, await self._answer(request))

    async def _answer(self, request: dict[str, Any]) -> dict[str, Any]:
        for _ in range(max(1, self._attempts - 1)):
            server = await asyncio.to_thread(self._running)
            try:
                return await server.answer_async(request, self._attempts)
            except ServerEnded as ended:
                problem = str(ended)
                await asyncio.to_thread(self._drop, server)
        return await asyncio.to_thread(self._answer_alone, request) if self._attempts > 1 else {"error": problem}

    def _answer_alone(self, request: dict[str, Any]) -> dict[str, Any]:
        """The answer of a server of its own: another kernel may be what ends the shared one."""
        with self._alone:
            server = self._started()
            try:
                return run(server.answer_async(request))
            except ServerEnded as ended:
                return {"error": str(ended)}
            finally:
                server.close(at_once=True)

    def _started(self) -> Server:
        """A new server that has proved that it can answer."""
        server = self._start()
        try:
            server.lint("kernel void f() {}")
        except MsciError:
            server.close(at_once=True)
            raise
        return server

    def _running(self) -> Server:
        with self._lock:
            if self._server is None or self._process != os.getpid():
                self._server, self._process = self._started(), os.getpid()
            return self._server

    def _drop(self, server: Server) -> None:
        with self._lock:
            if self._server is not server:
                return  # another has done so
            self._server = None
        server.close(at_once=True)

    def _find_rival(self, name: str) -> dict[str, str]:
        with self._rivals_lock:
            if name not in self._rivals:
                self._rivals[name] = self._rival_of(name)
            return self._rivals[name]

    def _rival_of(self, name: str) -> dict[str, str]:
        """The field of a request that names the baseline of a task. Raises MsciError if it is not right."""
        described = describe(name)
        if not self._speed:
            return {}
        baseline = self._baselines.get(name)
        if baseline is None:
            return {"rival": "seed"} if described["seed"] else {}
        judged = judged_of(0, run(self._answer(request_of(baseline, name, None, "verify", {}))))
        if judged.evaluation is None or not judged.evaluation.correct:
            reason = judged.error or (judged.evaluation and (judged.evaluation.error or judged.evaluation.fail_reason))
            raise MsciError(f"the baseline of {name} must be a kernel that is right: {reason}")
        return {"rival": baseline}
