#include <filesystem>

#include "lint/output/run_result.h"

namespace msci {

bool SharedFindings::is_new(const Finding& finding) {
  auto place = finding.place;
  if (place.file.empty()) return true;
  place.file = std::filesystem::path(place.file).lexically_normal().string();
  return seen_.emplace(std::move(place), finding.rule, finding.message).second;
}

}  // namespace msci
