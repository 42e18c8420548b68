// Links from `#include` to the files that it names.
#pragma once

#include <string>
#include <vector>

#include "compiler/frontend/unit.h"

namespace msci {

struct IncludeLink {
  Range range;       // of the name, with its quotes
  std::string path;  // of the file
};

// Of the source, in order; Metal's own headers are not files and have none.
std::vector<IncludeLink> include_links(const Unit& unit);

}  // namespace msci
