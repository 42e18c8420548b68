// Inlay hints: what the compiler adds to a source, for an editor to show in it.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

struct InlayHint {
  Location place;
  std::string text;         // ": device float*", "[[buffer(1)]]"
  bool is_type = false;     // of a variable that is declared with `auto`
  std::string insertion;    // what makes the hint part of the source; empty if nothing does
  std::string explanation;  // for a person
};

// By place: the types of variables declared with `auto`, with their address spaces, and the indices
// that Metal assigns to buffers and threadgroup memory of kernels without an attribute.
std::vector<InlayHint> inlay_hints(const Unit& unit, const Range& range);

}  // namespace msci
