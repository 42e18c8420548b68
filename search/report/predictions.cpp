#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "base/statistics.h"
#include "search/report/summary.h"

namespace msci {
namespace {

// The places of values in their order; equal ones share the mean of their places.
std::vector<double> ranks_of(const std::vector<double>& values) {
  std::vector<double> ranks;
  for (const auto value : values) {
    const auto below =
        std::count_if(values.begin(), values.end(), [&](double v) { return v < value; });
    const auto equal = std::count(values.begin(), values.end(), value);
    ranks.push_back(static_cast<double>(below) + static_cast<double>(equal - 1) / 2);
  }
  return ranks;
}

std::optional<double> correlation(const std::vector<double>& a, const std::vector<double>& b) {
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const auto value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  const double mean_a = mean(a), mean_b = mean(b);
  double both = 0, square_a = 0, square_b = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    both += (a[i] - mean_a) * (b[i] - mean_b);
    square_a += (a[i] - mean_a) * (a[i] - mean_a);
    square_b += (b[i] - mean_b) * (b[i] - mean_b);
  }
  if (square_a <= 0 || square_b <= 0) return std::nullopt;
  return both / std::sqrt(square_a * square_b);
}

struct Times {
  std::vector<double> predicted;
  std::vector<double> measured;
};

// A kernel's geometric means over the sizes; none unless all have both times.
std::optional<std::pair<double, double>> times_of(const ResultRecord& record) {
  std::vector<double> predicted, measured;
  for (const auto& size : record.sizes()) {
    if (!size.correct() || !size.predicted || !size.timing) return std::nullopt;
    predicted.push_back(size.predicted->seconds);
    measured.push_back(size.timing->seconds);
  }
  if (predicted.empty()) return std::nullopt;
  return std::pair{geometric_mean(predicted), geometric_mean(measured)};
}

}  // namespace

std::vector<PredictionCheck> check_predictions(const std::vector<const ResultRecord*>& records) {
  std::map<std::tuple<std::string, std::string, std::string>, Times> groups;
  for (const auto* record : records)
    if (const auto times = times_of(*record)) {
      auto& group = groups[{record->task, record->chip, record->device}];
      group.predicted.push_back(times->first);
      group.measured.push_back(times->second);
    }
  std::vector<PredictionCheck> checks;
  for (const auto& [key, times] : groups) {
    PredictionCheck check{std::get<0>(key), std::get<1>(key), std::get<2>(key),
                          times.predicted.size()};
    std::vector<double> ratios;
    for (std::size_t i = 0; i < times.predicted.size(); ++i)
      ratios.push_back(times.predicted[i] / times.measured[i]);
    check.ratio = median(ratios);
    constexpr std::size_t least = 3;
    if (check.kernels >= least)
      check.rank_correlation = correlation(ranks_of(times.predicted), ranks_of(times.measured));
    checks.push_back(std::move(check));
  }
  return checks;
}

Table prediction_table(const std::vector<const ResultRecord*>& records) {
  Table table{.title = "Predicted times",
              .note =
                  "What a pass would take on the chip, as a model predicts from a profile, with "
                  "its 80 % interval; beside it the time on the device.",
              .columns = {"kernel", "task", "chip", "size", "bound by", "predicted ms", "from",
                          "to", "of the chip's ceiling", "measured ms"},
              .text_columns = 5,
              .is_long = true};
  for (const auto* record : records)
    for (const auto& size : record->sizes()) {
      if (!size.predicted || !size.correct()) continue;
      const auto& predicted = *size.predicted;
      table.rows.push_back(
          {{record->name, record->task, record->chip, size.label,
            std::string(to_string(predicted.bound_by)), milliseconds_text(predicted.seconds),
            milliseconds_text(predicted.low), milliseconds_text(predicted.high),
            fmt::format("{:.1f} %", 100 * predicted.fraction),
            size.timing ? milliseconds_text(size.timing->seconds) : no_value},
           predicted.extrapolated()});
    }
  return table;
}

Table check_table(const std::vector<PredictionCheck>& checks) {
  Table table{
      .title = "Predicted against measured times",
      .note =
          "The rank correlation of kernels (Spearman's) and the median ratio, by the "
          "geometric mean over the sizes. The device is not the chip, unless it is one: "
          "a low correlation then shows how little its times say about the chip.",
      .columns = {"task", "chip", "device", "kernels", "rank correlation", "predicted / measured"},
      .text_columns = 3};
  for (const auto& check : checks)
    table.rows.push_back(
        {{check.task, check.chip, check.device, std::to_string(check.kernels),
          check.rank_correlation ? fmt::format("{:.2f}", *check.rank_correlation) : no_value,
          fmt::format("{:.2f}", check.ratio)}});
  return table;
}

}  // namespace msci
