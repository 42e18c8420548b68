#include "evaluator/result/diagnosis.h"

#include <algorithm>

#include "evaluator/result/json_fields.h"
#include "evaluator/result/size_result.h"

namespace msci {
namespace {

// The first finding that names a line, or else the first.
const Diagnostic& telling(const std::vector<Diagnostic>& findings) {
  const auto known =
      std::ranges::find_if(findings, [](const auto& each) { return each.place.is_known(); });
  return known == findings.end() ? findings.front() : *known;
}

const FirstDifference* shown_difference(const Diagnosis& diagnosis) {
  const auto& difference = diagnosis.difference;
  return difference && difference->size != held_out_label ? &*difference : nullptr;
}

}  // namespace

std::vector<unsigned> Diagnosis::lines() const {
  if (!findings.empty()) {
    const auto& place = telling(findings).place;
    return place.is_known() ? std::vector{place.range.begin.line} : std::vector<unsigned>();
  }
  const auto* shown = shown_difference(*this);
  return shown ? shown->lines : std::vector<unsigned>();
}

std::string Diagnosis::cause() const {
  if (!findings.empty()) return telling(findings).message;
  const auto* shown = shown_difference(*this);
  return shown ? shown->cause : "";
}

void describe(Fields& field, FirstDifference& difference) {
  field.required("size", difference.size, "its label");
  field.required("where", difference.where,
                 "the first launch that computes other values, and such an element");
  field("lines", difference.lines, "of the source, one of which is at fault; empty if unknown");
  field.text("cause", difference.cause, "why that element differs; null if it is unknown");
}

void describe(Fields& field, Diagnosis& diagnosis) {
  field.derived("lines", diagnosis.lines(),
                "of the source, one of which is at fault; empty if unknown. These and cause tell "
                "nothing of the held-out size, and no values of inputs");
  const auto cause = diagnosis.cause();
  field.derived("cause", cause.empty() ? std::nullopt : std::optional(cause),
                "one sentence; null if it is unknown");
  field("device", diagnosis.device, "on which these runs were made: the processor");
  field("not_checked", diagnosis.not_checked,
        "why a run with checked accesses could not be made; null if none is missing");
  field("sizes", diagnosis.sizes,
        "of runs with checked accesses; empty if the strict verdict has made them");
  field.elements("findings", diagnosis.findings, describe_finding,
                 "of the last of these runs, the first of each kind");
  field("other_findings", diagnosis.other_findings, "how many more it has");
  field("difference", diagnosis.difference,
        "where the kernel begins to differ from the task's own; null if it was not compared, or no "
        "difference was found");
}

}  // namespace msci
