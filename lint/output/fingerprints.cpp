#include <fmt/format.h>

#include <cstdint>
#include <filesystem>

#include "base/text.h"
#include "lint/output/formats.h"

namespace msci {
namespace {

// FNV-1a: the same on every machine, and short.
std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const unsigned char c : text) hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

}  // namespace

std::string Fingerprints::of(const FileReport& report, const Finding& finding) {
  const std::filesystem::path file = report.shown(finding.place).file;
  const auto path = valid_utf8(file.lexically_normal().string());
  const auto line =
      trimmed(line_at(report.source_of(finding.place).text, finding.place.range.begin.line));
  const auto key = fmt::format("{}\n{}\n{}\n{}", path, finding.rule, finding.message, line);
  return fmt::format("{:016x}", hash_of(fmt::format("{}\n{}", key, seen_[key]++)));
}

}  // namespace msci
