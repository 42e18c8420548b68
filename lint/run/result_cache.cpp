#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "base/files/install_paths.h"
#include "base/json.h"
#include "base/sha256.h"
#include "lint/run/lint_files.h"
#include "lint/run/serialise.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Of an included file; GuardedFiles reads no larger one.
constexpr std::uintmax_t most_hashed = std::uintmax_t{16} << 20;

std::string state_text(const FileLookup& file) {
  const auto& path = file.path;
  std::error_code error;
  const auto canonical = fs::canonical(path.empty() ? "." : path, error);
  if (error) return "absent";
  const auto status = fs::status(canonical, error);
  if (fs::is_directory(status)) return fmt::format("folder {}", canonical.string());
  if (!fs::is_regular_file(status)) return fmt::format("other {}", canonical.string());
  if (fs::file_size(canonical, error) > most_hashed || error)
    return fmt::format("large {}", canonical.string());
  if (!file.was_read) return fmt::format("unread {}", canonical.string());
  std::ifstream stream(canonical, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (!stream) return fmt::format("unreadable {}", canonical.string());
  return fmt::format("{} {}", sha256_of(text), canonical.string());
}

// By a limit on time or memory, which may not be met the next time.
bool has_stopped_proof(const FileReport& report) {
  return report.proofs && std::ranges::any_of(report.proofs->unproved, [](const auto& each) {
           return each.reason == proof_stopped;
         });
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

}  // namespace

ResultCache::~ResultCache() {
  if (has_stored_) cache_.trim(folder, most_bytes);
}

std::string ResultCache::name_of(const LintJob& job) {
  static const auto program = program_identity();  // results depend on all of its code
  const auto& [compile, versions, contract, select, ignore, overrides, find_resources] =
      job.request;
  if (contract.host != host_.first)
    host_ = {contract.host, contract.host ? sha256_of(serialise(*contract.host)) : ""};
  Json numbers = Json::array();
  for (const auto& each : versions) numbers.push_back(each.number);
  Json macros = Json::array();
  for (const auto& each : compile.macros) macros.push_back({each.text, each.undefines});
  Json changes = Json::array();
  for (const auto& each : overrides)
    changes.push_back({each.rules, each.severity ? static_cast<int>(*each.severity) : -1});
  Json kernels = Json::array();
  for (const auto& each : contract.kernels) {
    kernels.push_back(each.name);
    for (const auto& [index, type, name, meaning, kind] : each.arguments)
      kernels.push_back({index, type, name, meaning, kind});
  }
  Json targets = Json::array();
  for (const auto& each : contract.targets.gpus)
    targets.push_back({each.name, static_cast<int>(each.family)});
  for (const auto& each : contract.targets.systems)
    targets.push_back({each.name, each.newest.number});
  std::error_code none;
  const Json key{program,
                 tools_,
                 find_resources != nullptr,
                 fs::current_path(none).string(),
                 compile.version.number,
                 numbers,
                 compile.fast_math,
                 compile.include_folders,
                 compile.system_folders,
                 macros,
                 compile.prelude,
                 compile.includes,
                 compile.readable_folders,
                 select,
                 ignore,
                 changes,
                 kernels,
                 contract.from,
                 targets,
                 host_.second,
                 job.source.name,
                 job.source.text};
  const auto bytes = Json::to_msgpack(key);
  return fmt::format("{}/{}", folder,
                     sha256_of({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
}

const std::string& ResultCache::state_of(const FileLookup& file) {
  const auto [known, is_new] = states_.try_emplace(file);
  if (is_new) known->second = state_text(file);
  return known->second;
}

std::optional<LintResult> ResultCache::load(const LintJob& job) {
  if (job.fix || !job.host.empty()) return std::nullopt;
  const auto name = name_of(job);
  const auto contents = cache_.load(name);
  if (!contents) return std::nullopt;
  auto entry =
      deserialise_kept({reinterpret_cast<const char*>(contents->data()), contents->size()});
  if (!entry) return std::nullopt;
  for (const auto& [file, state] : entry->files)
    if (state_of(file) != state) return std::nullopt;
  cache_.touch(name);
  auto& report = entry->result.report;
  report.source = job.source;
  report.contract = job.request.contract;
  return std::move(entry->result);
}

void ResultCache::store(const LintJob& job, const LintResult& result) {
  if (job.fix || !job.host.empty() || result.report.error || result.fixed) return;
  if (has_stopped_proof(result.report)) return;
  KeptResult entry{.result = result};
  entry.result.report.source = {};  // the job has both
  entry.result.report.contract = {};
  for (const auto& file : result.report.lookups) {
    const auto& path = file.path;
    std::error_code none;
    // The compiler may have read what it was before.
    if (fs::last_write_time(path, none) >= start_ && !none && fs::is_regular_file(path, none))
      return;
    entry.files.push_back({file, state_of(file)});
  }
  cache_.store(name_of(job), bytes_of(serialise(entry)));
  has_stored_ = true;
}

Cache::Usage ResultCache::usage() const { return cache_.usage(folder); }

void ResultCache::clear() { cache_.trim(folder, 0); }

}  // namespace msci
