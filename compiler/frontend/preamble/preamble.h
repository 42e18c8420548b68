// What of the Metal headers a source begins with: sources that agree in it can share the work of
// reading them.
#pragma once

#include <string_view>
#include <vector>

#include "compiler/frontend/compile_options.h"
#include "compiler/frontend/unit.h"

namespace msci {

struct Preamble {
  LanguageVersion version;
  bool fast_math = true;
  std::vector<std::string_view> includes;  // Metal headers, before anything that could change them
  bool operator==(const Preamble&) const = default;
  bool operator<(const Preamble& other) const;
};

// Of a source of this text. Reading its includes first and then the whole text comes to the same as
// reading the text alone: every header keeps itself from being read twice.
Preamble preamble_of(std::string_view metal, const CompileOptions& options);
Preamble preamble_of(std::string_view metal, LanguageVersion version = {});

}  // namespace msci
