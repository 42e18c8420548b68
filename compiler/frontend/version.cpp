#include "compiler/frontend/version.h"

#include <fmt/format.h>

#include <array>

namespace msci {
namespace {

constexpr std::array known_versions{
#define MSCI_OLD_VERSION(number) number##u,
#define MSCI_VERSION(number) number##u,
#include "compiler/frontend/versions.def"
#undef MSCI_VERSION
#undef MSCI_OLD_VERSION
};

}  // namespace

std::string spelling_of(const LanguageVersion& version) {
  return fmt::format("metal{}.{}", version.number / 100, version.number / 10 % 10);
}

std::vector<LanguageVersion> language_versions() {
  std::vector<LanguageVersion> versions;
  for (const auto number : known_versions) versions.push_back({number});
  return versions;
}

Result<LanguageVersion> language_version(std::string_view standard) {
  auto spelling = standard;
  for (std::string_view prefix : {"macos-", "ios-"})
    if (spelling.starts_with(prefix)) spelling.remove_prefix(prefix.size());
  for (unsigned number : known_versions)
    if (spelling == spelling_of({number})) return LanguageVersion{number};
  std::string known;
  for (unsigned number : known_versions)
    known += fmt::format("{}{}", known.empty() ? "" : ", ", spelling_of({number}));
  return Error{fmt::format("unknown language version '{}'; known are {}", standard, known)};
}

}  // namespace msci
