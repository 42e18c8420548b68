#include "analysis/coverage/certificate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace msci {
namespace {

using Status = CertifiedOutcome::Status;

auto place_of(const CertifiedOutcome& outcome) {
  return std::tie(outcome.file, outcome.line, outcome.column, outcome.condition, outcome.status,
                  outcome.of_data, outcome.of_threads, outcome.of_value, outcome.constants);
}

}  // namespace

std::string_view to_string(Status status) {
  switch (status) {
    case Status::seen:
      return "seen";
    case Status::impossible:
      return "impossible";
    case Status::never:
      break;
  }
  return "never";
}

std::size_t Certificate::count(Status status) const {
  std::size_t count = 0;
  for (const auto& outcome : outcomes)
    if (outcome.status == status) count += outcome.copies;
  return count;
}

std::vector<CertifiedOutcome> joined(std::vector<CertifiedOutcome> outcomes) {
  std::ranges::stable_sort(outcomes, {}, place_of);
  std::vector<CertifiedOutcome> all;
  for (auto& outcome : outcomes)
    if (!all.empty() && place_of(all.back()) == place_of(outcome))
      ++all.back().copies;
    else
      all.push_back(std::move(outcome));
  return all;
}

std::string place_text(const CertifiedOutcome& outcome) {
  if (outcome.line == 0) return fmt::format("in {}, when {}", outcome.kernel, outcome.condition);
  return fmt::format("line {}{}, when {}", outcome.line,
                     outcome.file.empty() ? "" : " of " + outcome.file, outcome.condition);
}

bool has_own_number(const CertifiedOutcome& outcome) {
  constexpr double tiny = 1e-5;
  return std::ranges::any_of(outcome.constants, [](double constant) {
    return std::abs(constant) > tiny && std::abs(constant) != 1;
  });
}

bool is_decisive(const CertifiedOutcome& outcome) {
  const bool is_of_launch = !outcome.of_data && !outcome.of_threads;
  return outcome.status == Status::never &&
         (outcome.of_value || has_own_number(outcome) || is_of_launch);
}

std::optional<std::string> never_executed(const Certificate& certificate) {
  const CertifiedOutcome* first = nullptr;
  std::size_t more = 0;
  for (const auto& outcome : certificate.outcomes) {
    if (!is_decisive(outcome)) continue;
    if (!first)
      first = &outcome;
    else
      ++more;
  }
  if (!first) return std::nullopt;
  return place_text(*first) + (more == 0 ? "" : fmt::format(", and {} more", more));
}

bool OutcomeRecords::is_degenerate(const std::vector<std::uint32_t>& size) const {
  for (std::size_t i = 0; i < size.size() && i < sizes_.parameters.size(); ++i)
    if (size[i] == 1 && sizes_.parameters[i].most > 1 && !sizes_.parameters[i].counts_steps)
      return true;
  return false;
}

void OutcomeRecords::add(const Plan& plan, const Translation& translation,
                         const std::vector<LaunchCounts>& counts,
                         const std::vector<std::uint32_t>& size, const JudgedRun& run) {
  facts_.add(plan, translation, size);
  for (const auto& of_launch : counts) {
    if (of_launch.launch >= plan.launches.size()) continue;
    const auto* kernel = translation.find(plan.launches[of_launch.launch].kernel);
    if (!kernel) continue;
    auto record = std::ranges::find(kernels_, kernel->symbol, &KernelRecord::symbol);
    if (record == kernels_.end())
      record = kernels_.insert(record, KernelRecord{kernel->symbol, {}});
    if (record->seen.size() < of_launch.blocks.size()) record->seen.resize(of_launch.blocks.size());
    for (std::size_t i = 0; i < of_launch.blocks.size(); ++i)
      if (of_launch.blocks[i].lanes > 0) add(size, run, record->seen[i]);
  }
}

void OutcomeRecords::add(const std::vector<std::uint32_t>& size, const JudgedRun& run,
                         KernelRecord::Seen& seen) const {
  const bool is_first = seen == KernelRecord::Seen();
  if (is_first || run.work < seen.least_work) {
    seen.least_run = run.number;
    seen.least_work = run.work;
  }
  seen.is_checked = seen.is_checked || run.is_checked;
  if (seen.last_run != run.number) seen.elements += elements_of(sizes_, size);
  seen.last_run = run.number;
  seen.largest_volume = std::max(seen.largest_volume, volume_of(sizes_, size));
  auto& runs = is_degenerate(size) ? seen.degenerate_runs : seen.runs;
  const bool is_new = runs.empty() || runs.back() != run.number;
  if (is_new && runs.size() < KernelRecord::enough_runs) runs.push_back(run.number);
}

}  // namespace msci
