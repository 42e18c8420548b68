// Diagnostics in the JSON of results: one flat object each.
#pragma once

#include <string_view>

#include "base/diagnostic.h"
#include "evaluator/result/described.h"

namespace msci {

constexpr std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "note";
}

template <typename Fields, Described<Range> Value>
void describe_place(Fields& field, Value& range) {
  field.required("line", range.begin.line, "counts from 1");
  field.required("column", range.begin.column, "counts bytes from 1");
  field("end_line", range.end.line, "of the end of the range");
  field("end_column", range.end.column, "behind the last byte");
}

template <typename Fields, Described<Diagnostic> Value>
void describe(Fields& field, Value& diagnostic) {
  field.choice("severity", diagnostic.severity, Severity::note, "error, warning or note");
  field("id", diagnostic.id, "the rule");
  describe_place(field, diagnostic.range);
  field("message", diagnostic.message, "one sentence");
}

template <typename Fields, Described<Note> Value>
void describe(Fields& field, Value& note) {
  describe_place(field, note.range);
  field("message", note.message, "one sentence");
}

}  // namespace msci
