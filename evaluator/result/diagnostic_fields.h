// Diagnostics in the JSON of results: one flat object each.
#pragma once

#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "evaluator/result/described.h"

namespace msci {

template <typename Fields, Described<Place> Value>
void describe_place(Fields& field, Value& place) {
  auto file = place.file.empty() ? std::nullopt : std::optional(place.file);
  field.if_present("file", file, "the included file that it lies in; absent for the source itself");
  if constexpr (Fields::reads) place.file = file.value_or("");
  auto& range = place.range;
  field.required("line", range.begin.line, "counts from 1");
  field.required("column", range.begin.column, "counts bytes from 1");
  field("end_line", range.end.line, "of the end of the range");
  field("end_column", range.end.column, "behind the last byte");
}

template <typename Fields, Described<Diagnostic> Value>
void describe(Fields& field, Value& diagnostic) {
  field.choice("severity", diagnostic.severity, Severity::note, "error, warning or note");
  field("id", diagnostic.id, "the rule");
  describe_place(field, diagnostic.place);
  field("message", diagnostic.message, "one sentence");
}

template <typename Fields, Described<Note> Value>
void describe(Fields& field, Value& note) {
  describe_place(field, note.place);
  field("message", note.message, "one sentence");
}

}  // namespace msci
