// A file inside a program of this folder.
#pragma once

#include <string_view>

namespace msci {

struct EmbeddedText {
  std::string_view name;  // "nbody.cl"
  std::string_view text;
};

}  // namespace msci
