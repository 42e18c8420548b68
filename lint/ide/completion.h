// Completion: what can be written at a place in a source.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {

enum class CompletionKind {
  attribute,
  enumerator,
  field,
  function,
  header,
  keyword,
  macro,
  method,
  name_space,
  type,
  variable,
};

struct Completion {
  std::string name;  // the text to insert: "threadgroup_barrier", "mem_flags::mem_device"
  CompletionKind kind = CompletionKind::keyword;
  std::string detail;        // its type or signature; may be empty
  std::string_view meaning;  // of Metal's names; may be empty
};

// The names that can be written at the place, the likeliest first, each once. A completion replaces
// the whole word at the place, whatever it is. Nothing in comments, strings and numbers. The source
// may be unfinished anywhere.
std::vector<Completion> completions_at(PrecompiledPreamble start, const Source& source,
                                       const CompileOptions& options, Location place);

}  // namespace msci
