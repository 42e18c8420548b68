#include "tests/clock/ranking.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "analysis/profile/predict.h"
#include "base/statistics.h"

namespace msci {
namespace {

constexpr double factors[] = {1.25, 1.5, 2};
constexpr double firm = 1.1;          // ratio at each size of pairs that no clock explains
constexpr double chance = 1.15;       // ratio at one size that chance may have made
constexpr double rounding = 1e-9;     // logarithms of predictions that are equal but for rounding
constexpr double least_apart = 0.01;  // logarithms of predictions that the strict share tells apart
constexpr double noteworthy = 1e-3;   // seconds of a pass from which errors count

// The records of each kernel, in the order of its sizes.
std::map<std::string, std::vector<std::size_t>> by_kernel(
    const std::vector<ProfiledRecord>& records) {
  std::map<std::string, std::vector<std::size_t>> kernels;
  for (std::size_t i = 0; i < records.size(); ++i) kernels[records[i].id].push_back(i);
  for (auto& [id, sizes] : kernels)
    std::sort(sizes.begin(), sizes.end(),
              [&](auto a, auto b) { return records[a].size < records[b].size; });
  return kernels;
}

using Sizes = std::vector<std::size_t>;  // the records of a kernel, by size

// All pairs of kernels of one run that have the same sizes.
template <typename Take>
void for_each_pair(const std::vector<ProfiledRecord>& records, Take take) {
  const auto kernels = by_kernel(records);
  for (auto a = kernels.begin(); a != kernels.end(); ++a)
    for (auto b = std::next(a); b != kernels.end(); ++b)
      if (records[a->second[0]].run == records[b->second[0]].run &&
          a->second.size() == b->second.size())
        take(a->second, b->second);
}

struct Share {
  double concordant = 0;
  unsigned told_apart = 0;  // and in order
  unsigned equal = 0;
  unsigned all = 0;
  void add(double difference) {
    ++all;
    concordant += concordance_of_pair(difference);
    told_apart += difference >= least_apart;
    equal += std::abs(difference) < rounding;
  }
  double concordance() const { return all == 0 ? NAN : concordant / all; }
  double strict() const { return all == 0 ? NAN : static_cast<double>(told_apart) / all; }
};

// The logarithms of the ratios of two kernels' recorded times; empty where their sizes differ.
std::vector<double> recorded_ratios(const ProfiledRecord& a, const ProfiledRecord& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < std::min(a.times.size(), b.times.size()); ++i)
    if (a.times[i].size == b.times[i].size)
      ratios.push_back(std::log(a.times[i].seconds / b.times[i].seconds));
  return ratios;
}

// Of pairs of one run that differ in the same direction at all sizes but one, and there by a
// quarter in the mean: how many differ in that direction at the remaining size, too.
std::map<std::string, Share> repeats(const std::vector<ProfiledRecord>& records) {
  std::map<std::string, Share> shares;
  for_each_pair(records, [&](const Sizes& a, const Sizes& b) {
    const auto ratios = recorded_ratios(records[a[0]], records[b[0]]);
    for (std::size_t last = 0; ratios.size() > 2 && last < ratios.size(); ++last) {
      double sum = 0;
      int direction = 0;
      for (std::size_t i = 0; i < ratios.size(); ++i) {
        if (i == last) continue;
        sum += ratios[i];
        direction += ratios[i] > 0 ? 1 : -1;
      }
      const auto others = static_cast<int>(ratios.size()) - 1;
      if (std::abs(direction) == others && std::abs(sum) >= others * std::log(factors[0]))
        shares[records[a[0]].task].add(direction * ratios[last]);
    }
  });
  return shares;
}

// The share of reproducible pairs that a model puts in order that knows all but chance. Pairs that
// chance made agree at one more size in half of the cases, others always. So chance made
// (1 - kept) / kept of those that agree, and half of these are in the model's order. NaN where
// sizes are so different that what is true of two is not true of the third.
double best_possible(const Share& repeats) {
  const double kept = repeats.concordance();
  return kept > 0.5 ? 1 - (1 - kept) / kept / 2 : NAN;
}

// Shares by factor, then by task.
std::array<std::map<std::string, Share>, 3> shares_of(const std::vector<ReproduciblePair>& pairs,
                                                      const std::vector<double>& predicted) {
  std::array<std::map<std::string, Share>, 3> shares;
  for (const auto& pair : pairs)
    for (std::size_t f = 0; f < 3; ++f)
      if (pair.ratio >= factors[f]) shares[f][pair.task].add(log_ratio(pair, predicted));
  return shares;
}

// Of the pairs that differ by the least factor, and at each size by enough.
std::map<std::string, Share> firm_shares(const std::vector<ReproduciblePair>& pairs,
                                         const std::vector<double>& predicted) {
  std::map<std::string, Share> shares;
  for (const auto& pair : pairs)
    if (pair.ratio >= factors[0] && pair.least_ratio >= firm)
      shares[pair.task].add(log_ratio(pair, predicted));
  return shares;
}

using Value = double (Share::*)() const;

double mean_of(const std::map<std::string, Share>& shares, Value value) {
  double sum = 0;
  for (const auto& [task, share] : shares) sum += (share.*value)();
  return sum / static_cast<double>(shares.size());
}

Share whole(const std::map<std::string, Share>& shares) {
  Share whole;
  for (const auto& [task, share] : shares) {
    whole.concordant += share.concordant;
    whole.told_apart += share.told_apart;
    whole.equal += share.equal;
    whole.all += share.all;
  }
  return whole;
}

std::string order_row(std::string_view name, const std::vector<ReproduciblePair>& pairs,
                      const std::vector<double>& predicted, Value value = &Share::concordance) {
  const auto shares = shares_of(pairs, predicted);
  std::string row = fmt::format("| {} |", name);
  for (const auto& by_task : shares)
    row += fmt::format(" {:.2f} | {:.2f} |", mean_of(by_task, value), (whole(by_task).*value)());
  return row + fmt::format(" {} |\n", whole(shares[0]).equal);
}

// Pairs that a prediction does not put in order, or by less than the strict share tells apart.
struct Missed {
  unsigned wrong = 0;
  unsigned by_chance = 0;  // of these, those that chance may have made
  unsigned equal = 0;
  unsigned nearly_equal_right = 0;
  unsigned nearly_equal_wrong = 0;  // of the wrong ones
  void add(const ReproduciblePair& pair, double difference) {
    if (std::abs(difference) < rounding) {
      ++equal;
      return;
    }
    const bool is_near = std::abs(difference) < least_apart;
    wrong += difference < 0;
    by_chance += difference < 0 && pair.least_ratio < chance;
    nearly_equal_right += is_near && difference > 0;
    nearly_equal_wrong += is_near && difference < 0;
  }
};

// By factor and task, the whole first.
std::string missed_rows(const std::vector<ReproduciblePair>& pairs,
                        const std::vector<double>& predicted) {
  std::string rows;
  for (const auto factor : factors) {
    std::map<std::string, Missed> missed;
    for (const auto& pair : pairs) {
      if (pair.ratio < factor) continue;
      const double difference = log_ratio(pair, predicted);
      missed[""].add(pair, difference);
      missed[pair.task].add(pair, difference);
    }
    for (const auto& [task, counts] : missed)
      if (counts.wrong + counts.equal + counts.nearly_equal_right > 0)
        rows += fmt::format("| ≥ {} | {} | {} | {} | {} | {} | {} |\n", factor,
                            task.empty() ? "all" : task, counts.wrong, counts.by_chance,
                            counts.equal, counts.nearly_equal_right, counts.nearly_equal_wrong);
  }
  return rows;
}

// Cells of a table: the share of a task; and with the number of its pairs.
std::string strict_cell(const std::map<std::string, Share>& shares, const std::string& task) {
  const auto found = shares.find(task);
  return found == shares.end() ? " – |" : fmt::format(" {:.2f} |", found->second.strict());
}

std::string counted_cell(const std::map<std::string, Share>& shares, const std::string& task) {
  const auto found = shares.find(task);
  if (found == shares.end()) return " – |";
  return fmt::format(" {:.2f} ({}) |", found->second.concordance(), found->second.all);
}

using Errors = std::map<std::string, std::vector<double>>;  // of logarithms, by task

// What four fifths of the errors are below, each task with the same weight, without that task.
double quantile_of_tasks(const Errors& errors, const std::string& left_out) {
  constexpr double covered = 0.8;
  std::vector<std::pair<double, double>> weighted;
  double all = 0;
  for (const auto& [task, of_task] : errors) {
    if (task == left_out) continue;
    all += 1;
    for (const auto error : of_task)
      weighted.emplace_back(error, 1.0 / static_cast<double>(of_task.size()));
  }
  std::sort(weighted.begin(), weighted.end());
  double below = 0;
  for (const auto& [error, weight] : weighted)
    if ((below += weight) >= covered * all) return error;
  return weighted.empty() ? 0 : weighted.back().first;
}

std::string coverage_text(const Errors& errors, std::string_view what) {
  auto text = fmt::format("| task | factor from the other tasks | {} |\n|---|---|---|\n", what);
  double sum = 0;
  for (const auto& [task, own] : errors) {
    const double width = quantile_of_tasks(errors, task);
    const auto held = std::count_if(own.begin(), own.end(), [&](double e) { return e <= width; });
    const double share = static_cast<double>(held) / static_cast<double>(own.size());
    sum += share;
    text += fmt::format("| {} | {:.2f} | {:.0f} % |\n", task, std::exp(width), 100 * share);
  }
  return text +
         fmt::format("\ncoverage, mean over tasks: {:.0f} %; factor from all tasks: {:.2f}\n",
                     100 * sum / static_cast<double>(errors.size()),
                     std::exp(quantile_of_tasks(errors, "")));
}

template <typename Measure>
std::vector<double> baseline(const std::vector<ProfiledRecord>& records, Measure measure) {
  std::vector<double> values;
  for (const auto& record : records) {
    double sum = 0;
    for (const auto& launch : record.profile.launches)
      sum +=
          static_cast<double>(launch.weight * launch.groups * launch.simdgroups) * measure(launch);
    values.push_back(std::max(sum, 1e-30));
  }
  return values;
}

}  // namespace

double concordance_of_pair(double difference) {
  if (std::abs(difference) < rounding) return 0.5;
  return difference > 0 ? 1 : 0;
}

std::vector<ReproduciblePair> reproducible_pairs(const std::vector<ProfiledRecord>& records) {
  std::vector<ReproduciblePair> pairs;
  for_each_pair(records, [&](const Sizes& slow, const Sizes& fast) {
    const auto ratios = recorded_ratios(records[slow[0]], records[fast[0]]);
    double sum = 0, least = INFINITY;
    int direction = 0;
    for (const auto ratio : ratios) {
      sum += ratio;
      least = std::min(least, std::abs(ratio));
      direction += ratio > 0 ? 1 : -1;
    }
    const auto sizes = static_cast<int>(ratios.size());
    if (sizes == 0 || std::abs(direction) != sizes) return;
    const double ratio = std::exp(std::abs(sum) / sizes);
    double profiled = 0;
    for (std::size_t i = 0; i < slow.size(); ++i)
      profiled += std::log(records[slow[i]].seconds / records[fast[i]].seconds);
    const double profiled_ratio = std::exp(std::abs(profiled) / static_cast<double>(slow.size()));
    const auto& [slower, faster] = direction > 0 ? std::tie(slow, fast) : std::tie(fast, slow);
    pairs.push_back(
        {records[slow[0]].task, slower, faster, ratio, std::exp(least), profiled_ratio});
  });
  return pairs;
}

double log_ratio(const ReproduciblePair& pair, const std::vector<double>& seconds) {
  double sum = 0;
  for (std::size_t i = 0; i < pair.slow.size(); ++i)
    sum += std::log(seconds[pair.slow[i]] / seconds[pair.fast[i]]);
  return sum / static_cast<double>(pair.slow.size());
}

std::string ranking_table(const std::vector<ProfiledRecord>& records,
                          const std::vector<double>& predicted) {
  const auto pairs = reproducible_pairs(records);
  const auto shares = shares_of(pairs, predicted);
  std::string text =
      "| task | ≥ 1.25 | ≥ 1.5 | ≥ 2 | strict: ≥ 1.25 | ≥ 1.5 | ≥ 2 | ≥ 1.25, each size ≥ 1.1 | "
      "one more size agrees | best possible | median error |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|\n";
  const auto repeated = repeats(records);
  const auto firm = firm_shares(pairs, predicted);
  std::set<std::string> tasks;
  for (const auto& record : records) tasks.insert(record.task);
  std::vector<double> all_errors, all_best;
  for (const auto& task : tasks) {
    std::vector<double> errors;
    for (std::size_t i = 0; i < records.size(); ++i)
      if (records[i].task == task && records[i].seconds > noteworthy)
        errors.push_back(std::abs(predicted[i] / records[i].seconds - 1));
    all_errors.insert(all_errors.end(), errors.begin(), errors.end());
    const auto found = repeated.find(task);
    const double best = found == repeated.end() ? NAN : best_possible(found->second);
    if (shares[0].contains(task) && !std::isnan(best)) all_best.push_back(best);
    text += fmt::format("| {} |", task);
    for (const auto& by_task : shares) text += counted_cell(by_task, task);
    for (const auto& by_task : shares) text += strict_cell(by_task, task);
    text += counted_cell(firm, task) + counted_cell(repeated, task) +
            fmt::format(" {} | {} |\n", std::isnan(best) ? "–" : fmt::format("{:.2f}", best),
                        errors.empty() ? "–" : fmt::format("{:.0f} %", 100 * median(errors)));
  }
  text += fmt::format("\nof pairs that differ by 1.1 at each size: {:.2f}, mean over tasks\n",
                      mean_of(firm, &Share::concordance));
  text += fmt::format(
      "\nbest possible at 1.25: {:.2f}, mean over {} tasks\n",
      std::accumulate(all_best.begin(), all_best.end(), 0.0) / static_cast<double>(all_best.size()),
      all_best.size());
  text += fmt::format("\nmedian error of passes over 1 ms: {:.0f} %\n\n", 100 * median(all_errors));
  text +=
      "| order by | ≥ 1.25: mean over tasks | all | ≥ 1.5 | all | ≥ 2 | all | equal |\n"
      "|---|---|---|---|---|---|---|---|\n";
  text += order_row("prediction", pairs, predicted);
  text += order_row("prediction, strict", pairs, predicted, &Share::strict);
  text += order_row("instructions", pairs, baseline(records, [](const LaunchProfile& launch) {
                      return std::accumulate(launch.work.begin(), launch.work.end(), 0.0);
                    }));
  text +=
      order_row("bytes", pairs,
                baseline(records, [](const LaunchProfile& launch) { return launch.used_bytes; }));
  text +=
      "\n| pairs | task | wrong | of these, one size < 1.15 | equal | within 1 %: right | wrong |\n"
      "|---|---|---|---|---|---|---|\n";
  return text + missed_rows(pairs, predicted);
}

std::string picks_table(const std::vector<ProfiledRecord>& records,
                        const std::vector<double>& predicted) {
  constexpr std::size_t least = 4;  // kernels of a run
  struct Kernel {
    std::string id;
    double recorded = 0;  // the mean of the logarithms
    double predicted = 0;
  };
  std::map<std::string, std::vector<Kernel>> runs;
  for (const auto& [id, sizes] : by_kernel(records)) {
    Kernel kernel{id};
    for (const auto i : sizes) {
      kernel.recorded += std::log(records[i].seconds) / static_cast<double>(sizes.size());
      kernel.predicted += std::log(predicted[i]) / static_cast<double>(sizes.size());
    }
    runs[records[sizes[0]].run].push_back(kernel);
  }
  std::string text =
      "| run | kernels | pick | its time over the best | the median kernel's "
      "|\n|---|---|---|---|---|\n";
  std::vector<double> times;  // of the picks over the best
  for (auto& [run, kernels] : runs) {
    if (kernels.size() < least) continue;
    const auto pick = *std::min_element(
        kernels.begin(), kernels.end(),
        [](const Kernel& a, const Kernel& b) { return a.predicted < b.predicted; });
    std::sort(kernels.begin(), kernels.end(),
              [](const Kernel& a, const Kernel& b) { return a.recorded < b.recorded; });
    const double best = kernels.front().recorded;
    times.push_back(std::exp(pick.recorded - best));
    text += fmt::format("| {} | {} | {} | {:.2f} | {:.2f} |\n", run, kernels.size(), pick.id,
                        times.back(), std::exp(kernels[kernels.size() / 2].recorded - best));
  }
  if (times.empty()) return "";
  return text + fmt::format("\nof {} runs: {:.2f} in the median, {:.2f} at worst\n", times.size(),
                            median(times), *std::max_element(times.begin(), times.end()));
}

std::string coverage_table(const std::vector<ProfiledRecord>& records,
                           const std::vector<double>& predicted) {
  Errors errors;
  for (std::size_t i = 0; i < records.size(); ++i)
    errors[records[i].task].push_back(std::abs(std::log(predicted[i] / records[i].seconds)));
  return coverage_text(errors, "recorded times within");
}

std::string ratio_coverage_table(const std::vector<ProfiledRecord>& records,
                                 const std::vector<double>& predicted) {
  Errors errors;
  for_each_pair(records, [&](const Sizes& a, const Sizes& b) {
    double error = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
      error += std::log(predicted[a[i]] / predicted[b[i]]) -
               std::log(records[a[i]].seconds / records[b[i]].seconds);
    errors[records[a[0]].task].push_back(std::abs(error) / static_cast<double>(a.size()));
  });
  auto text = coverage_text(errors, "recorded ratios within");
  // What a search would promote, and whether it would be right.
  unsigned promoted = 0, right = 0;
  const double width = quantile_of_tasks(errors, "");
  for_each_pair(records, [&](const Sizes& a, const Sizes& b) {
    double foreseen = 0, recorded = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      foreseen += std::log(predicted[a[i]] / predicted[b[i]]) / static_cast<double>(a.size());
      recorded += std::log(records[a[i]].seconds / records[b[i]].seconds);
    }
    if (std::abs(foreseen) <= width) return;
    ++promoted;
    right += (foreseen > 0) == (recorded > 0);
  });
  return text + fmt::format("pairs whose interval leaves out 1: {}, of which {} in that order\n",
                            promoted, right);
}

void write_residuals(const std::vector<ProfiledRecord>& records,
                     const std::vector<double>& predicted, const std::string& path) {
  std::ofstream file(path);
  for (std::size_t i = 0; i < records.size(); ++i)
    file << fmt::format("{} {} {} {} {:.2f}\n", records[i].id, records[i].size,
                        1e3 * records[i].seconds, 1e3 * predicted[i],
                        predicted[i] / records[i].seconds);
}

}  // namespace msci
