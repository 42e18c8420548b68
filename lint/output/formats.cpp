#include "lint/output/formats.h"

#include <algorithm>
#include <cassert>

namespace msci {

const OutputFormat& format_of(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const OutputFormat& each) { return each.name == name; });
  assert(found != formats.end() && "the command line accepts known formats only");
  return *found;
}

}  // namespace msci
