#include "lint/output/formats.h"

#include <algorithm>
#include <cassert>

namespace msci {

std::string formatted(const Linting& linting, std::string_view format,
                      const FormatContext& context) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const OutputFormat& each) { return each.name == format; });
  assert(found != formats.end() && "the command line accepts known formats only");
  return found->write(linting, context);
}

}  // namespace msci
