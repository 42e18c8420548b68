#include "evaluator/modes/cache/result_memo.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "base/files/read_file.h"
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

}  // namespace msci
