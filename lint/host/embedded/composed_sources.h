// Metal sources that Python puts together: bodies of mlx.core.fast.metal_kernel, and f-strings of
// torch.mps.compile_shader whose values are constants.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/source.h"

namespace msci {

// A part of a composed text that stands in the host, too.
struct CopiedPart {
  std::size_t at = 0;    // in the composed text, in bytes
  std::size_t from = 0;  // in the host
  std::size_t length = 0;
};

struct ComposedText {
  std::string text;
  std::vector<CopiedPart> copied;  // by `at`

  // The place in the host of a byte of the text; `otherwise` for one that stands nowhere there.
  std::size_t place_of(std::size_t at, std::size_t otherwise) const;
  bool is_copied(std::size_t at) const;
};

// One source.
struct ComposedSource {
  std::string kernel;                 // of mlx: the name that plans use; empty for other sources
  std::size_t call = 0;               // where the host makes it
  std::vector<std::size_t> literals;  // where the bodies of the literals begin that it is made of
  bool knows_template = true;         // false: the body may name arguments of an unknown template
  // What Metal's compiler may get: several where the file does not say the types of arrays. Empty
  // if `unknown` says why there is none.
  std::vector<ComposedText> texts;
  std::string unknown;
};

// Those of a file in Python, in order.
std::vector<ComposedSource> composed_sources(std::string_view text);
// Whether there may be any. Takes time in proportion to the text.
bool may_compose_sources(std::string_view text);
// What Metal's compiler gets of a file: the kernel that one in Python makes, else its text. Errors:
// the file makes several kernels; that of `file`.
Result<Source> metal_in(Result<Source> file);

}  // namespace msci
