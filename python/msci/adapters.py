"""Adapters for the loops that people run: verifiers, TRL, verl, OpenEvolve and Ray.

Each takes the parameters of msci.Judge, or a `judge`. No framework is imported before its adapter is called. None of them
gives a reward for a kernel that msci could not judge. docs/reference/python.md has an example of each.
"""
from __future__ import annotations

import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Literal

from .answers import extract, prompt, task_names
from .judge import Judge, Judging
from .results import Evaluation
from .rewards import speedup
from .server import MOST_ASKED, Judged, MsciError, name_of
from .tasks import Task


def text_of(completion: Any) -> str:
    """The text of an answer: a string, or messages, of which the last one counts. A message's text may be in parts."""
    if isinstance(completion, str):
        return completion
    if not completion:
        return ""
    last = completion[-1]
    content = last.get("content") if isinstance(last, Mapping) else getattr(last, "content", None)
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(part.get("text") or "" for part in content if isinstance(part, Mapping))


def source_of(completion: Any) -> str:
    """The source in an answer; the empty one, which earns 0, if it has none."""
    return extract(text_of(completion)) or ""


def feedback(evaluation: Evaluation) -> str:
    """What a model should know of an evaluation, in lines: what failed, what lint found, where results are wrong, and,
    if the judge has looked for it (`diagnosis=True`), why."""
    lines = [evaluation.fail_reason] if evaluation.fail_reason else []
    lines += [f"line {each.line}:{each.column}: {each.severity}: {each.message} [{each.id}]"
              for each in evaluation.diagnostics]
    lines += [f"size {size.label}: {size.first_difference}" for size in evaluation.sizes if size.first_difference]
    diagnosis = evaluation.json.get("diagnosis")
    if diagnosis and diagnosis["cause"]:
        lines.append(f"cause: {diagnosis['cause']} (line {' or '.join(map(str, diagnosis['lines'])) or 'unknown'})")
    gain = speedup(evaluation)
    if gain:
        lines.append(f"{gain.estimate:.3g} times as fast as the baseline (99 % interval {gain.low:.3g} to {gain.high:.3g})")
    return "\n".join(lines)


def _reward(judged: Judged) -> float:
    if judged.reward is None:
        raise MsciError(_why(judged))
    return judged.reward


def _why(judged: Judged) -> str:
    reason = judged.error or (judged.evaluation and judged.evaluation.error)
    return f"msci could not judge the kernel, which says nothing about it: {reason}"


def rows(tasks: Iterable[str] | None = None) -> list[dict[str, Any]]:
    """Rows of a dataset for TRL: a `prompt` of messages and the `task`; by default, of all tasks of the benchmark."""
    return [{"prompt": [{"role": "user", "content": prompt(task)}], "task": task}
            for task in (task_names() if tasks is None else tasks)]


# verifiers (0.1.9 or later)


def load_environment(tasks: Iterable[str] | None = None, *, judge: Judging | None = None, **parameters: Any) -> Any:
    """An environment of verifiers: a SingleTurnEnv with a row for each task, and a rubric with the reward of msci.

    If msci could not judge a kernel, the state of the rollout has a vf.InfraError as its `error`, by which trainers
    discard the rollout."""
    import verifiers as vf
    from datasets import Dataset

    judging = judge or Judge(**parameters)

    async def msci_reward(completion: Any, info: Mapping[str, Any], state: Any) -> float:
        judged = await judging.judge_async(source_of(completion), info["task"])
        if judged.reward is None:
            state["error"] = vf.InfraError(_why(judged))
            raise state["error"]  # the rubric would take any number for a reward
        state["msci_correct"] = bool(judged.evaluation and judged.evaluation.correct)
        return judged.reward

    async def msci_correct(state: Any) -> float:
        return float(state.get("msci_correct", False))

    rubric = vf.Rubric(funcs=[msci_reward])
    rubric.add_metric(msci_correct)
    dataset = [{"prompt": row["prompt"], "info": {"task": row["task"]}} for row in rows(tasks)]
    return vf.SingleTurnEnv(dataset=Dataset.from_list(dataset), rubric=rubric)


# TRL


def trl_reward(*, judge: Judging | None = None, unjudged: Literal["skip", "raise"] = "skip",
               **parameters: Any) -> Callable[..., list[float | None]]:
    """A reward function for GRPOTrainer and RLOOTrainer, whose dataset has a column `task`, as rows() has.

    A kernel that msci could not judge gets None, which TRL ignores beside other reward functions. If it is the only
    one, released versions of TRL warn and take the sum of no rewards, 0: with "raise", it raises MsciError instead."""
    judging = judge or Judge(**parameters)

    def msci_reward(completions: Sequence[Any], task: Sequence[str] | None = None, **_: Any) -> list[float | None]:
        if task is None:
            raise ValueError('the dataset needs a column "task" with the name of a task in each row; see '
                             "msci.adapters.rows()")
        results = judging.judge_many(zip(map(source_of, completions), task))
        return [_reward(each) if unjudged == "raise" else each.reward for each in results]

    return msci_reward


# verl


def _verl_result(judged: Judged) -> dict[str, float]:
    """verl wants the same fields of each sample."""
    return {"score": _reward(judged), "acc": float(bool(judged.evaluation and judged.evaluation.correct))}


def verl_reward(*, judge: Judging | None = None, **parameters: Any) -> Callable[..., dict[str, float]]:
    """A `compute_score` for verl; the `ground_truth` of a row is the name of its task.

    verl has no reward that it ignores, so a kernel that msci could not judge raises MsciError."""
    judging = judge or Judge(**parameters)

    def compute_score(data_source: str, solution_str: str, ground_truth: str, extra_info: Any = None,
                      **_: Any) -> dict[str, float]:
        return _verl_result(judging.judge(source_of(solution_str), ground_truth))

    return compute_score


def verl_batch_reward(*, judge: Judging | None = None, **parameters: Any) -> Callable[..., list[dict[str, float]]]:
    """The same for verl's reward manager `batch`, which passes lists: they are judged side by side."""
    judging = judge or Judge(**parameters)

    def compute_score(data_sources: Sequence[str], solution_strs: Sequence[str], ground_truths: Sequence[str],
                      extra_infos: Any = None, **_: Any) -> list[dict[str, float]]:
        return [_verl_result(each) for each in judging.judge_many(zip(map(source_of, solution_strs), ground_truths))]

    return compute_score


# OpenEvolve


def openevolve_evaluator(task: str | Task, *, judge: Judging | None = None, **parameters: Any) -> Callable[[str], Any]:
    """The `evaluate` of an evaluator file of OpenEvolve, for programs in Metal.

    `combined_score` is the reward; the artifact `feedback` says what failed and where. If msci could not judge the
    program, it raises MsciError: OpenEvolve evaluates it again, up to its `max_retries`."""
    from openevolve.evaluation_result import EvaluationResult

    judging = judge or Judge(**parameters)

    def evaluate(program_path: str) -> Any:
        with open(program_path, encoding="utf-8", errors="surrogateescape") as file:
            judged = judging.judge(file.read(), task)
        reward, evaluation = _reward(judged), judged.evaluation
        assert evaluation
        gain = speedup(evaluation)
        metrics = {"combined_score": reward, "compiles": float(bool(evaluation.compile_ok)),
                   "correct": float(bool(evaluation.correct)), "speedup": gain.low if gain else 0.0}
        text = feedback(evaluation)
        return EvaluationResult(metrics=metrics, artifacts={"feedback": text} if text else {})

    return evaluate


# Ray


class _RayJudge:
    """An actor: a judge in a process of Ray, which answers many kernels side by side."""

    def __init__(self, parameters: dict[str, Any]) -> None:
        self._judge = Judge(**parameters)

    async def judge(self, source: str, task: str, index: int) -> Judged:
        return await self._judge.judge_async(source, task, index)


class RayPool(Judging):
    """Servers on the nodes of a Ray cluster, each in an actor; where an adapter takes a `judge`, it takes this, too.

    Every node needs msci and its programs. `num_cpus` is what Ray reserves for each server, which is its `jobs` if that
    is not given. Kernels go to the server with the fewest. Those of an actor that dies go to others, and Ray starts the
    actor again."""

    def __init__(self, servers: int, *, num_cpus: int = 1, attempts: int = 3, **parameters: Any) -> None:
        import ray
        from ray.exceptions import RayActorError

        self._died = RayActorError
        self._attempts = attempts
        actor = ray.remote(num_cpus=num_cpus, max_restarts=-1)(_RayJudge)
        self._actors = [actor.remote({"jobs": num_cpus, "attempts": attempts, **parameters}) for _ in range(servers)]
        self.most_asked = MOST_ASKED * servers
        self._waiting = [0] * servers  # how many kernels each has
        self._lock = threading.Lock()

    async def judge_async(self, source: str, task: str | Task, index: int = 0) -> Judged:
        """As Judging has it."""
        problem = ""
        for _ in range(self._attempts):
            with self._lock:
                chosen = self._waiting.index(min(self._waiting))
                self._waiting[chosen] += 1
            try:
                answer: Awaitable[Judged] = self._actors[chosen].judge.remote(source, name_of(task), index)
                return await answer
            except self._died as error:
                problem = str(error)
            finally:
                with self._lock:
                    self._waiting[chosen] -= 1
        return Judged(index, None, f"the server's actor died: {problem}", False)
