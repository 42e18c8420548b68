#include "lint/host/words/host_language.h"

#include <array>
#include <utility>

namespace msci::host {

std::optional<HostLanguage> language_of(std::string_view file) {
  using enum HostLanguage;
  constexpr std::array<std::pair<std::string_view, HostLanguage>, 15> extensions = {
      {{".m", c_family},
       {".mm", c_family},
       {".c", c_family},
       {".cc", c_family},
       {".cpp", c_family},
       {".cxx", c_family},
       {".h", c_family},
       {".hh", c_family},
       {".hpp", c_family},
       {".hxx", c_family},
       {".inc", c_family},
       {".inl", c_family},
       {".py", python},
       {".rs", rust},
       {".swift", swift}}};
  const auto dot = file.rfind('.');
  if (dot == file.npos) return std::nullopt;
  for (const auto& [extension, language] : extensions)
    if (file.substr(dot) == extension) return language;
  return std::nullopt;
}

}  // namespace msci::host
