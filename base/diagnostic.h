// What is said about a source: plain values, shared by the compiler's diagnostics and the rules'
// findings.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace msci {

enum class Severity { error, warning, note };

// "error", "warning", "note".
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

// A second place that explains the first.
struct Note {
  Place place;
  std::string message;
  bool operator==(const Note&) const = default;
};

// One replacement of text; an empty place inserts.
struct Edit {
  Place place;
  std::string replacement;
  bool operator==(const Edit&) const = default;
};

// A message of the Metal front end itself, in Metal's words.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string id;  // Clang's stable diagnostic group or name; rules are derived from it
  Place place;
  std::string message;
  std::vector<Note> notes;
  std::vector<Edit> edits;
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace msci
