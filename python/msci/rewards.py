"""Numbers for reinforcement learning."""
from __future__ import annotations

from dataclasses import dataclass

from .results import Evaluation


@dataclass(frozen=True)
class Speedup:
    """How many times as fast a kernel is as its rival, measured in turns, with the ends of a 99 % interval."""

    low: float
    estimate: float
    high: float


def speedup(evaluation: Evaluation) -> Speedup | None:
    """How many times as fast a kernel is as the `rival` of its evaluation; exactly 1 if both are one program.

    None without a rival, if the kernel is not right, and after too few rounds for an interval.
    """
    versus = evaluation.json.get("versus")
    if not versus or versus["ratio"] is None or versus["low"] is None or versus["high"] is None:
        return None
    return Speedup(versus["low"], versus["ratio"], versus["high"])


def reward_of(evaluation: Evaluation) -> float | None:
    """The reward of a kernel, from 0 to 1; None if msci could not judge it, which says nothing about the kernel.

    0     it is no kernel of the task: empty, binary, it does not compile, lint refuses it, a kernel of the task is
          missing, or a kernel stores nothing
    0.1   it compiles, and no size is right
    0.1 to 0.3   by the share of the sizes that are right
    0.3   all sizes are right, and the strict verdict refuses it
    0.5   it is right, and was not measured in turns with a rival
    0.5 to 1     it is right, and was

    The last line is 0.5 + 0.5 * s / (1 + s), where s is the lower end of the interval of speedup(): what the kernel
    gains beyond doubt. With the task's seed as the rival, the seed's own program earns 0.75, a kernel of twice its speed
    0.83, and one of five times 0.91. It never saturates.

    The steps are in the order of merit, so that no faster kernel that is wrong earns as much as a slow one that is
    right.
    """
    reward: float | None = evaluation.json["reward"]
    return reward
