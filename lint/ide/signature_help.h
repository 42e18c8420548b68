// Signature help: the functions that a call may mean, and the parameter that is being written.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/preamble/precompiled_preamble.h"

namespace msci {

struct Signature {
  std::string label;  // "float3 clamp(float3 x, float3 minval, float3 maxval)"
  std::vector<std::pair<std::size_t, std::size_t>> parameters;  // their bytes in the label
  std::string_view meaning;                                     // of a Metal function; may be empty
  bool operator==(const Signature&) const = default;
};

struct SignatureHelp {
  std::vector<Signature> signatures;  // the likeliest first, each once
  unsigned active_parameter = 0;      // which argument stands at the place, from 0
};

// Of the innermost call whose arguments the place lies in; no signatures outside of calls. The
// source may be unfinished anywhere.
SignatureHelp signatures_at(PrecompiledPreamble start, const Source& source,
                            const CompileOptions& options, Location place);

}  // namespace msci
