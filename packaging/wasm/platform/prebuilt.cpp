// The serialised headers lie beside the module, since a run needs those of one version: the host
// names their folder.
#include "compiler/frontend/preamble/prebuilt.h"

#include <fmt/format.h>

#include <cstdlib>
#include <limits>
#include <map>

#include "base/files/read_file.h"

namespace msci {

std::string_view prebuilt_headers(LanguageVersion version) {
  static std::map<unsigned, std::string> known;
  const auto [found, is_new] = known.try_emplace(version.number);
  if (const char* folder = std::getenv("MSCI_HEADERS"); is_new && folder)
    if (auto text = read_text(fmt::format("{}/{}.ast", folder, version.number),
                              std::numeric_limits<std::int32_t>::max()))
      found->second = *std::move(text);
  return found->second;
}

}  // namespace msci
