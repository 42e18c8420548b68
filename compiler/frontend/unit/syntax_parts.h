// The parts of a source that a smaller source may lack.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/process/isolated_process.h"
#include "base/result.h"
#include "base/source.h"
#include "compiler/frontend/compile_options.h"

namespace msci {

// Bytes of the text from `begin` to before `end`, and what may stand there instead: nothing, the
// body of a loop, one side of an expression.
struct SyntaxPart {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string replacement = {};

  std::size_t saved() const { return end - begin - replacement.size(); }
  bool overlaps(const SyntaxPart& other) const { return begin < other.end && other.begin < end; }
  bool operator==(const SyntaxPart&) const = default;
};

// Declarations, statements, rows of them, parameters, branches, loops, operands and comments of the
// user's text, the longest first; of a source that does not compile, also lines. Works in an
// isolated process. Errors: it exceeds a limit or crashes.
Result<std::vector<SyntaxPart>> syntax_parts(const Source& source, const CompileOptions& options,
                                             const Limits& limits);

// The text with parts replaced, which do not overlap.
std::string without(const std::string& text, std::vector<SyntaxPart> parts);

}  // namespace msci
