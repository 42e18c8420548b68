"""msci from Python: lint and judge Metal compute kernels.

    import msci
    print(msci.evaluate(open("kernel.metal").read(), "nbody").correct)

    with msci.Server() as server:
        for result in server.evaluate_many((text, "lbm") for text in candidates):
            print(result.index, result.reward)

The programs msci-lint and msci-eval do the work. The wheel of a release holds them; otherwise they are in PATH, or
`MSCI_BIN` names their folder.
"""
from .answers import describe, extract, prompt
from .judge import Judge
from .record import Recording, record
from .results import Diagnostic, Edit, Evaluation, Fix, LintReport, Note, SizeResult
from .rewards import Speedup, reward_of, speedup
from .server import Judged, MsciError, Server, ServerEnded, Verdict, evaluate, lint, reward
from .tasks import Empty, Task, Uniform, Value, launch, task

__all__ = ["Diagnostic", "Edit", "Empty", "Evaluation", "Fix", "Judge", "Judged", "LintReport", "MsciError", "Note",
           "Recording", "Server", "ServerEnded", "SizeResult", "Speedup", "Task", "Uniform", "Value", "Verdict", "describe",
           "evaluate", "extract", "launch", "lint", "prompt", "record", "reward", "reward_of", "speedup", "task"]
