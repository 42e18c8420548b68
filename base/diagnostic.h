// What is said about a source: plain values, shared by the compiler's diagnostics and the rules'
// findings.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace msci {

enum class Severity { error, warning, note };

// A second place that explains the first.
struct Note {
  Range range;
  std::string message;
  bool operator==(const Note&) const = default;
};

// One replacement of text; an empty range inserts.
struct Edit {
  Range range;
  std::string replacement;
  bool operator==(const Edit&) const = default;
};

// A message of the Metal front end itself, in Metal's words.
struct Diagnostic {
  Severity severity = Severity::error;
  std::string id;  // Clang's stable diagnostic group or name; rules are derived from it
  Range range;
  std::string message;
  std::vector<Note> notes;
  std::vector<Edit> edits;
  bool operator==(const Diagnostic&) const = default;
};

}  // namespace msci
