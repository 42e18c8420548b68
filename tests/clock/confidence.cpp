#include "tests/clock/confidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analysis/profile/fitted_range.h"
#include "tests/clock/ranking.h"

namespace msci {
namespace {

constexpr double least_ratio = 1.25;
constexpr double coverages[] = {1, 0.75, 0.5};

std::string_view feature_name(std::size_t feature) {
  return feature < bound_count ? to_string(static_cast<Bound>(feature))
                               : to_string(static_cast<WorkKind>(feature - bound_count));
}

struct Told {
  std::string task;
  double difference = 0;  // of the logarithms of the predictions; above 0: in order
};

// The surest first.
std::vector<Told> told_pairs(const std::vector<ProfiledRecord>& records,
                             const std::vector<double>& predicted) {
  std::vector<Told> told;
  for (const auto& pair : reproducible_pairs(records))
    if (pair.ratio >= least_ratio) told.push_back({pair.task, log_ratio(pair, predicted)});
  std::stable_sort(told.begin(), told.end(), [](const Told& a, const Told& b) {
    return std::abs(a.difference) > std::abs(b.difference);
  });
  return told;
}

struct Accuracy {
  double all = 0;
  double mean = 0;  // over tasks
};

Accuracy accuracy_of(std::vector<Told>::const_iterator begin,
                     std::vector<Told>::const_iterator end) {
  std::map<std::string, std::pair<double, unsigned>> by_task;  // concordant, all
  Accuracy accuracy;
  for (auto each = begin; each != end; ++each) {
    const double concordant = concordance_of_pair(each->difference);
    by_task[each->task].first += concordant;
    ++by_task[each->task].second;
    accuracy.all += concordant;
  }
  accuracy.all /= static_cast<double>(end - begin);
  for (const auto& [task, counts] : by_task) accuracy.mean += counts.first / counts.second;
  accuracy.mean /= static_cast<double>(by_task.size());
  return accuracy;
}

}  // namespace

std::string confidence_table(const std::vector<ProfiledRecord>& records,
                             const std::vector<double>& predicted) {
  const auto told = told_pairs(records, predicted);
  std::string text =
      "| pairs, the surest first | predicted ratio at least | concordance | mean over tasks |\n"
      "|---|---|---|---|\n";
  for (const auto coverage : coverages) {
    const auto count =
        static_cast<std::ptrdiff_t>(std::lround(coverage * static_cast<double>(told.size())));
    if (count == 0) continue;
    const auto accuracy = accuracy_of(told.begin(), told.begin() + count);
    text += fmt::format("| {:.0f} % ({}) | {:.2f} | {:.2f} | {:.2f} |\n", 100 * coverage, count,
                        std::exp(std::abs((told.begin() + count - 1)->difference)), accuracy.all,
                        accuracy.mean);
  }
  return text;
}

std::string ranges_table(const std::vector<ProfiledRecord>& records) {
  Features most = {};
  for (const auto& record : records) {
    const auto features =
        features_of(record.profile, predict(record.profile, **find_chip(default_chip)));
    for (std::size_t i = 0; i < feature_count; ++i) most[i] = std::max(most[i], features[i]);
  }
  std::string text = "| feature | largest share in a recorded pass |\n|---|---|\n";
  for (std::size_t i = 0; i < feature_count; ++i)
    text += fmt::format("| {} | {:.2f} |\n", feature_name(i), most[i]);
  return text;
}

}  // namespace msci
