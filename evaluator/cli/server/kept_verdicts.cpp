#include "evaluator/cli/server/kept_verdicts.h"

#include <algorithm>
#include <sstream>

#include "base/files/install_paths.h"
#include "base/json.h"
#include "base/sha256.h"
#include "evaluator/cli/open_devices.h"
#include "evaluator/server/own_name.h"

namespace msci {
namespace {

bool may_share(const EvaluatorOptions& options) {
  const bool is_timed = !options.verdict.verify_only && !options.counts_work();
  return !options.cache.is_off && !is_timed && !options.candidates.is_program &&
         !options.candidates.files.empty() && options.timing.rival.empty() &&
         options.verdict.save_images.empty() && options.timing.verify_result.empty() &&
         options.timing.perf_result.empty() && !options.compile.reads_files();
}

// What verdicts depend on beside the text; nothing if that is unknown.
std::optional<std::string> version_of(const EvaluatorOptions& options,
                                      const std::vector<const Task*>& tasks,
                                      const std::vector<EvaluationContext>& contexts) {
  OrderedJson parts = OrderedJson::array({"batch", program_identity(), key_of(options)});
  for (const auto& context : contexts) {
    parts.push_back(context.device.info().name);
    parts.push_back(context.device.info().driver);
  }
  for (const auto* task : tasks) {
    const auto version = task_version(*task);
    if (!version) return std::nullopt;
    parts.push_back({task->name, *version});
  }
  return to_line(parts);
}

std::string lines_of(const std::vector<EvaluationResult>& results) {
  std::string lines;
  for (const auto& result : results) lines += to_json(result) + "\n";
  return lines;
}

// Nothing if a line is no result: an older build wrote it.
std::optional<std::vector<EvaluationResult>> results_of(const std::string& lines) {
  std::vector<EvaluationResult> results;
  std::istringstream stream(lines);
  for (std::string line; std::getline(stream, line);) {
    auto result = evaluation_from_json(line);
    if (!result) return std::nullopt;
    results.push_back(*std::move(result));
  }
  return results;
}

}  // namespace

KeptVerdicts::KeptVerdicts(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                           const std::vector<EvaluationContext>& contexts) {
  if (!may_share(options)) return;
  const auto version = version_of(options, tasks, contexts);
  if (!version) return;
  version_ = *version;
  cache_.emplace(user_cache_folder(), std::size_t{options.cache.verdict_limit} << 20);
}

std::string KeptVerdicts::digest_of(const std::string& text) const {
  return sha256_of(version_ + "\n" + text);
}

std::optional<std::vector<EvaluationResult>> KeptVerdicts::find(const std::string& digest) {
  const auto kept = cache_ ? cache_->find(digest) : std::nullopt;
  return kept ? results_of(*kept) : std::nullopt;
}

void KeptVerdicts::store(const std::string& digest, const std::vector<EvaluationResult>& results) {
  // A limit or a device of ours says nothing about the kernel.
  if (cache_ && std::ranges::all_of(results, &EvaluationResult::is_checked))
    cache_->store(digest, lines_of(results));
}

std::vector<EvaluationResult> renamed(const std::vector<EvaluationResult>& results,
                                      const std::string& digest, const std::string& name) {
  auto named = results_of(with_name(lines_of(results), own_name_of(digest), name));
  return named ? *std::move(named) : results;
}

}  // namespace msci
