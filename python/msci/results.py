"""What msci's programs print, as dataclasses.

Each has the fields that most callers need, under the names of the JSON schemas, and `json`: the whole object.
A test compares the fields with the schemas.
"""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Mapping


@dataclass(frozen=True)
class Note:
    """A further place that explains a finding."""

    line: int
    column: int
    end_line: int
    end_column: int
    message: str


@dataclass(frozen=True)
class Edit:
    """A replacement of a range of the source."""

    line: int
    column: int
    end_line: int
    end_column: int
    replacement: str


@dataclass(frozen=True)
class Fix:
    """Edits that remove a finding; `safe` ones do not change what the kernel computes."""

    safe: bool
    edits: tuple[Edit, ...]


@dataclass(frozen=True)
class Diagnostic:
    """A finding of lint. Lines and columns count from 1; columns count bytes, and the end lies behind the last one.

    Only lint() knows `notes` and `fixes`."""

    severity: str
    id: str
    line: int
    column: int
    message: str
    end_line: int
    end_column: int
    notes: tuple[Note, ...] = ()
    fixes: tuple[Fix, ...] = ()

    @staticmethod
    def from_json(json: Mapping[str, Any]) -> Diagnostic:
        def place(each: Mapping[str, Any]) -> tuple[int, int, int, int]:
            return each["line"], each["column"], each["end_line"], each["end_column"]

        def fix(each: Mapping[str, Any]) -> Fix:
            return Fix(each["safe"], tuple(Edit(*place(edit), edit["replacement"]) for edit in each["edits"]))

        return Diagnostic(json["severity"], json["rule"] if "rule" in json else json["id"], json["line"], json["column"],
                          json["message"], json["end_line"], json["end_column"],
                          tuple(Note(*place(each), each["message"]) for each in json.get("notes", ())),
                          tuple(fix(each) for each in json.get("fixes", ())))


@dataclass(frozen=True)
class SizeResult:
    """One size of a task."""

    label: str
    correct: bool
    error_value: float | None
    error_kind: str
    tolerance: float | None
    gpu_seconds: float | None
    fraction_of_ceiling: float | None
    first_difference: str | None = None  # "y[3] is 7, not 8", of a wrong result

    @staticmethod
    def from_json(json: Mapping[str, Any]) -> SizeResult:
        return SizeResult(json["label"], json["correct"], json["error_value"], json["error_kind"], json["tolerance"],
                          json.get("gpu_seconds"), json.get("fraction_of_ceiling"), json.get("first_difference"))


@dataclass(frozen=True)
class Evaluation:
    """What msci-eval says about a kernel. `compile_ok` and `correct` are None if it could not be judged."""

    compile_ok: bool | None
    correct: bool | None
    score: float | None
    fail_reason: str | None
    sizes: tuple[SizeResult, ...]
    strict_passed: bool | None
    predicted_score: float | None
    diagnostics: tuple[Diagnostic, ...]
    error: str | None
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def from_json(json: Mapping[str, Any]) -> Evaluation:
        strict = json["strict"]
        return Evaluation(json["compile_ok"], json["correct"], json["score"], json["fail_reason"],
                          tuple(SizeResult.from_json(each) for each in json["sizes"] or ()),
                          strict["passed"] if strict else None, json["predicted_score"],
                          tuple(Diagnostic.from_json(each) for each in json["diagnostics"]), json["error"], json)


@dataclass(frozen=True)
class LintReport:
    """What msci-lint says about a source. `valid` is None if nothing was found before an `error` of msci."""

    valid: bool | None
    diagnostics: tuple[Diagnostic, ...]
    suggestion: str | None
    error: str | None
    json: Mapping[str, Any] = field(repr=False, compare=False)

    @staticmethod
    def from_json(json: Mapping[str, Any]) -> LintReport:
        return LintReport(json["valid"], tuple(Diagnostic.from_json(each) for each in json["diagnostics"]),
                          json["suggestion"], json["error"], json)
