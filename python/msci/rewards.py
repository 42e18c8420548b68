"""Numbers for reinforcement learning."""
from __future__ import annotations

import math

from .results import Evaluation


def speedup(evaluation: Evaluation, baseline: Evaluation) -> float | None:
    """How many times as fast a kernel is as another, over the sizes of their task (a geometric mean).

    `baseline` is usually the evaluation of the task's seed, on the same device and with the same verdict. None unless
    both were timed, or both predicted, at the same sizes. Each was timed by itself, so the noise of both is in it:
    `msci-eval --vs` measures in turns.
    """
    for key in ("gpu_seconds", "predicted_seconds"):
        ours, theirs = _seconds(evaluation, key), _seconds(baseline, key)
        if ours and ours.keys() == theirs.keys():
            return math.exp(sum(math.log(theirs[label] / ours[label]) for label in ours) / len(ours))
    return None


def reward_of(evaluation: Evaluation, baseline: Evaluation | None = None) -> float | None:
    """The reward of a kernel, from 0 to 1; None if msci could not judge it, which says nothing about the kernel.

    0     it does not compile, or lint refuses it
    0.1   it is translated, and no size is right
    0.1 to 0.3   by the share of the sizes that are right
    0.3   all sizes are right, and the strict verdict refuses it
    0.5   it is right, and nothing was timed or predicted
    0.5 to 1     it is right, and its speed is known

    With a `baseline`, usually the evaluation of the task's seed, the last line is 0.5 + 0.5 * s / (1 + s) for a
    speedup() of s: 0.75 as fast as the baseline, 0.83 at twice its speed, 0.91 at five times. It never saturates, so a
    faster kernel always earns more, and the device's ceiling has no part in it. ValueError if the baseline has no times
    to compare with.

    Without one, it is 0.5 + 0.5 * score, with the score at most 1: the share of the device's ceiling. A kernel that is
    at the ceiling cannot earn more.

    The steps are in the order of merit, so that no faster kernel that is wrong earns as much as a slow one that is
    right.
    """
    if evaluation.error is not None or evaluation.correct is None:
        return None
    if not evaluation.compile_ok:
        return 0.0
    if not evaluation.correct:
        right = sum(size.correct for size in evaluation.sizes)
        return 0.1 + 0.2 * right / max(1, len(evaluation.sizes))
    if evaluation.strict_passed is False:
        return 0.3
    score = evaluation.score if evaluation.score is not None else evaluation.predicted_score
    if score is None or baseline is None:
        return 0.5 + 0.5 * min(1.0, score or 0.0)
    ratio = speedup(evaluation, baseline)
    if ratio is None:
        raise ValueError("the baseline has no times at the same sizes; evaluate it with the same verdict")
    return 0.5 + 0.5 * ratio / (1 + ratio)


def _seconds(evaluation: Evaluation, key: str) -> dict[str, float]:
    """The times of all sizes by their labels; empty if one has none."""
    sizes = evaluation.json.get("sizes") or ()
    times = {size["label"]: size.get(key) for size in sizes}
    return times if all(times.values()) else {}
