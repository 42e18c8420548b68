#include "evaluator/modes/cache/result_memo.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "analysis/solver/z3.h"
#include "base/files/cache.h"
#include "base/files/install_paths.h"
#include "base/files/read_file.h"
#include "base/json.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/open_devices.h"
#include "lint/host/embedded/composed_sources.h"

namespace msci {
namespace {

std::string json_lines(const std::vector<EvaluationResult>& results) {
  std::string lines;
  for (const auto& result : results) lines += to_json(result) + "\n";
  return lines;
}

// Returns nothing if a line cannot be read as a result, because an older build wrote it.
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

bool may_share(const EvaluatorOptions& options) {
  const bool is_timed = !options.verdict.verify_only && !options.counts_work();
  return !options.cache.is_off && !is_timed && !options.candidates.is_program &&
         !options.candidates.files.empty() && options.timing.rival.empty() &&
         options.verdict.save_images.empty() && options.timing.verify_result.empty() &&
         options.timing.perf_result.empty() && !options.compile.reads_files();
}

using Messages = std::vector<std::string*>;

void add_failures(std::vector<SizeResult>& sizes, Messages& messages) {
  for (auto& size : sizes)
    if (auto* failure = std::get_if<Failure>(&size.answer)) messages.push_back(&failure->message);
}

// Those that may name the source.
Messages messages_of(EvaluationResult& result) {
  Messages messages;
  auto* outcome = std::get_if<Outcome>(&result.result);
  if (!outcome) messages.push_back(&std::get<Error>(result.result).message);
  if (auto* rejected = outcome ? std::get_if<Rejected>(outcome) : nullptr)
    messages.push_back(&rejected->reason);
  if (auto* wrong = outcome ? std::get_if<Wrong>(outcome) : nullptr) {
    messages.push_back(&wrong->reason);
    add_failures(wrong->sizes, messages);
  }
  auto* scored = outcome ? std::get_if<Scored>(outcome) : nullptr;
  if (auto* held_out = scored && scored->held_out ? &*scored->held_out : nullptr)
    if (auto* failure = std::get_if<Failure>(&held_out->answer))
      messages.push_back(&failure->message);
  if (auto& strict = result.strict) {
    add_failures(strict->sizes, messages);
    for (auto& fault : strict->faults) messages.push_back(&fault);
    if (strict->not_checked) messages.push_back(&*strict->not_checked);
  }
  for (auto& diagnostic : result.diagnostics) messages.push_back(&diagnostic.message);
  return messages;
}

namespace fs = std::filesystem;

// The user's cache. Errors: it has no place.
Result<fs::path> cache_folder() {
  if (auto folder = user_cache_folder()) return *std::move(folder);
  return Error{"results are not kept: set XDG_CACHE_HOME or HOME"};
}

// One folder for each kind of result.
std::vector<fs::path> kinds_in(const fs::path& folder) {
  std::vector<fs::path> kinds;
  std::error_code none;  // a cache that was never used has no folder
  for (const auto& each : fs::directory_iterator(folder, none))
    if (each.is_directory(none)) kinds.push_back(each.path());
  std::ranges::sort(kinds);
  return kinds;
}

}  // namespace

ResultMemo::ResultMemo(std::optional<ResultKey> key, std::uintmax_t most_bytes,
                       std::vector<CandidateOrigin> origins)
    : key_(std::move(key)) {
  if (key_) cache_.emplace(user_cache_folder(), most_bytes);
  for (auto& origin : origins) add(std::move(origin));
}

void ResultMemo::add(CandidateOrigin origin) {
  Entry entry{.file = origin.file};
  const auto source = key_ ? metal_in(read_source(origin.file)) : Result<Source>(Error{});
  if (source) {
    entry.file = source->name;
    entry.digest = key_->digest_of(source->text);
    const auto [first, is_new] = first_of_.try_emplace(entry.digest, entries_.size());
    if (!is_new)
      entry.same_as = first->second;
    else if (const auto kept = cache_->find(entry.digest))
      entry.results = results_of(*kept);
    kept_before_ += (is_new ? entry : entries_[first->second]).results.has_value();
    origin = {.source = Source{source_id(entry.digest), source->text}};
    names_.try_emplace(origin.source->name, entry.file);
  }
  if (!entry.same_as && !entry.results) {
    judged_.push_back(entries_.size());
    open_.push_back(std::move(origin));
  }
  entries_.push_back(std::move(entry));
}

const std::string& ResultMemo::name_of(const Candidate& candidate) const {
  const auto found = names_.find(candidate.name);
  return found == names_.end() ? candidate.name : found->second;
}

void ResultMemo::take(const std::vector<TaskResult>& judged) {
  auto& entry = entries_[judged_[taken_++]];
  entry.results.emplace();
  for (const auto& each : judged) entry.results->push_back(each.result);
  // A limit or a device of ours says nothing about the kernel.
  if (!entry.digest.empty() && std::ranges::all_of(*entry.results, &EvaluationResult::is_checked))
    cache_->store(entry.digest, json_lines(*entry.results));
}

std::optional<std::vector<EvaluationResult>> ResultMemo::next() {
  if (passed_on_ == entries_.size()) return std::nullopt;
  const auto& entry = entries_[passed_on_];
  auto results = entries_[entry.same_as.value_or(passed_on_)].results;
  if (!results) return std::nullopt;
  ++passed_on_;
  if (!entry.digest.empty())
    for (auto& result : *results) result = named(std::move(result), entry.file);
  return results;
}

std::optional<ResultKey> key_of_result(const EvaluatorOptions& options,
                                       std::span<const Task* const> tasks,
                                       const std::vector<const Device*>& devices) {
  // Certificates and the findings of proofs depend on it.
  const auto z3 = prover::Z3::version();
  ResultKey key{.program = program_identity(),
                .settings = {to_line(key_of(options)), z3 ? "Z3 " + *z3 : ""}};
  for (const auto* device : devices) {
    // Two back ends may reach one device, and run other code on it.
    const auto& info = device->info();
    key.devices.push_back(
        to_line(OrderedJson{info.backend, info.platform, info.name, info.driver}));
  }
  for (const auto* task : tasks) {
    const auto version = task_version(*task);
    if (!version) return std::nullopt;
    // Plans in two folders may have one name.
    key.tasks[std::string(task->plan_file.empty() ? task->name : task->plan_file)] = *version;
  }
  return key;
}

std::optional<ResultKey> key_of_batch(const EvaluatorOptions& options, const BatchOptions& batch,
                                      std::span<const EvaluationContext> contexts) {
  if (!may_share(options)) return std::nullopt;
  std::vector<const Device*> devices;
  for (const auto& context : contexts) devices.push_back(&context.device);
  // It reaches the strict verdicts of the others.
  if (const auto* processor = batch.evaluation.processor) devices.push_back(processor);
  return key_of_result(options, batch.tasks, devices);
}

std::string source_id(const std::string& digest) {
  return fmt::format("source-{}.metal", digest.substr(0, 32));
}

EvaluationResult named(EvaluationResult result, const std::string& file) {
  const auto id = std::exchange(result.file, file);
  for (auto* message : messages_of(result))
    for (auto at = message->find(id); at != message->npos; at = message->find(id, at + file.size()))
      message->replace(at, id.size(), file);
  return result;
}

int print_cache(bool json) {
  const auto folder = cache_folder();
  if (!folder) return report_error(folder.error());
  const Cache cache(*folder);
  OrderedJson all = {{"folder", folder->string()}, {"kinds", OrderedJson::array()}};
  if (!json) fmt::print("{}\n", folder->string());
  for (const auto& kind : kinds_in(*folder)) {
    const auto name = kind.filename().string();
    const auto [entries, bytes] = cache.usage(name);
    all["kinds"].push_back({{"name", name}, {"entries", entries}, {"bytes", bytes}});
    if (!json)
      fmt::print("  {:12} {:8} entries {:10.1f} MiB\n", name, entries,
                 static_cast<double>(bytes) / (1 << 20));
  }
  if (json) fmt::print("{}\n", to_line(all));
  return all_right;
}

int clear_cache() {
  const auto folder = cache_folder();
  if (!folder) return report_error(folder.error());
  const Cache cache(*folder);
  Cache::Usage removed;
  for (const auto& kind : kinds_in(*folder)) {
    const auto use = cache.usage(kind.filename().string());
    std::error_code problem;
    fs::remove_all(kind, problem);
    if (problem)
      return report_error({fmt::format("cannot remove {}: {}", kind.string(), problem.message())});
    removed.entries += use.entries;
    removed.bytes += use.bytes;
  }
  fmt::print("removed {} entries, {:.1f} MiB, from {}\n", removed.entries,
             static_cast<double>(removed.bytes) / (1 << 20), folder->string());
  return all_right;
}

}  // namespace msci
