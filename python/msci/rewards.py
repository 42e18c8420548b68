"""A number for reinforcement learning."""
from __future__ import annotations

from .results import Evaluation


def reward_of(evaluation: Evaluation) -> float | None:
    """The reward of a kernel, from 0 to 1; None if msci could not judge it, which says nothing about the kernel.

    0     it does not compile, or lint refuses it
    0.1   it is translated, and no size is right
    0.1 to 0.3   by the share of the sizes that are right
    0.3   all sizes are right, and the strict verdict refuses it
    0.5   it is right, and nothing was timed or predicted
    0.5 to 1     it is right: 0.5 + 0.5 * score, with the score at most 1; a predicted score where nothing was timed

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
    return 0.5 + 0.5 * min(1.0, score or 0.0)
