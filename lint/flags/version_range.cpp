#include <fmt/format.h>

#include <algorithm>

#include "lint/flags/compile_settings.h"

namespace msci {
namespace {

// Within a range or a list, "3.0" is metal3.0.
Result<LanguageVersion> one_version(std::string_view text) {
  const bool is_number = !text.empty() && text.front() >= '0' && text.front() <= '9';
  return language_version(is_number ? fmt::format("metal{}", text) : std::string(text));
}

Result<std::vector<LanguageVersion>> between(std::string_view range, std::size_t dots) {
  auto versions = language_versions();
  auto first = versions.front(), last = versions.back();
  for (const bool is_first : {true, false}) {
    const auto text = is_first ? range.substr(0, dots) : range.substr(dots + 2);
    if (text.empty()) continue;
    const auto version = one_version(text);
    if (!version) return version.error();
    (is_first ? first : last) = *version;
  }
  if (first.number > last.number)
    return Error{fmt::format("the range of versions '{}' is empty: {} is newer than {}", range,
                             spelling_of(first), spelling_of(last))};
  std::erase_if(versions, [&](const LanguageVersion& each) {
    return each.number < first.number || last.number < each.number;
  });
  return versions;
}

Result<std::vector<LanguageVersion>> versions_in(std::string_view word) {
  if (word == "all") return language_versions();
  if (const auto dots = word.find(".."); dots != std::string_view::npos) return between(word, dots);
  const auto version = one_version(word);
  if (!version) return version.error();
  return std::vector{*version};
}

}  // namespace

Result<std::vector<LanguageVersion>> language_version_range(std::string_view text) {
  std::vector<LanguageVersion> all;
  while (true) {
    const auto comma = text.find(',');
    const auto some = versions_in(text.substr(0, comma));
    if (!some) return some.error();
    all.insert(all.end(), some->begin(), some->end());
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  std::ranges::sort(all, {}, &LanguageVersion::number);
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace msci
