#include "tests/clock/calibrate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace msci {
namespace {

// Of each part, and of what is left.
constexpr std::size_t error_count = bound_count + 1;
using Errors = std::array<double, error_count>;

// An error, and what it may come from.
struct Sample {
  std::string task;
  double error = 0;  // of a logarithm
  std::array<double, error_count> squares = {};
  double weight = 0;  // tasks count alike
};

void weigh(std::vector<Sample>& samples) {
  std::map<std::string, double> counts;
  for (const auto& sample : samples) ++counts[sample.task];
  for (auto& sample : samples)
    sample.weight = 1 / counts[sample.task] / static_cast<double>(counts.size());
}

double usual_error(const Sample& sample, const Errors& errors) {
  double sum = 0;
  for (std::size_t i = 0; i < error_count; ++i) sum += sample.squares[i] * errors[i] * errors[i];
  return std::sqrt(sum);
}

// The likelihood of Laplace's distribution, whose tails are heavy, and a weak prior: parts that no
// recorded kernel shows are as uncertain as it says.
class Misfit {
 public:
  explicit Misfit(const std::vector<Sample>& samples) : samples_(samples) {}
  double of(const Errors& errors) const {
    double loss = 0;
    for (const auto& sample : samples_) {
      const double usual = usual_error(sample, errors);
      loss += sample.weight * (std::log(usual) + std::sqrt(2.0) * std::abs(sample.error) / usual);
    }
    for (const auto error : errors) {
      const double moved = std::log(error / prior);
      loss += prior_weight * moved * moved;
    }
    return loss;
  }

  static constexpr double prior = 0.5;

 private:
  static constexpr double prior_weight = 0.003;
  const std::vector<Sample>& samples_;
};

Errors fitted_errors(const std::vector<Sample>& samples) {
  const Misfit loss(samples);
  Errors best;
  best.fill(Misfit::prior);
  double least = loss.of(best);
  for (double step = 2; step > 1.05;) {
    bool improved = false;
    for (auto& error : best)
      for (const double factor : {step, 1 / step}) {
        const double before = error;
        error *= factor;
        const double now = loss.of(best);
        if (now < least) {
          least = now;
          improved = true;
          break;
        }
        error = before;
      }
    if (!improved) step = std::sqrt(step);
  }
  return best;
}

// What four fifths of the errors are below, each task with the same weight.
double width_of(std::vector<std::pair<double, double>> weighted) {
  constexpr double covered = 0.8;
  if (weighted.empty()) return 1;
  std::ranges::sort(weighted);
  double below = 0;
  for (const auto& [error, weight] : weighted)
    if ((below += weight) >= covered) return error;
  return weighted.back().first;
}

double time_width_of(const std::vector<Sample>& samples, const Errors& errors) {
  std::vector<std::pair<double, double>> weighted;
  for (const auto& sample : samples)
    weighted.emplace_back(std::abs(sample.error) / usual_error(sample, errors), sample.weight);
  return width_of(std::move(weighted));
}

// What is told of a pair, and what was recorded.
struct Told {
  std::string task;
  LogRatio predicted;
  double recorded = 0;
  bool is_right() const { return (predicted.estimated > 0) == (recorded > 0); }
};

// By how much a recorded ratio lies outside of both predicted ones.
double ratio_width_of(const std::vector<Told>& told) {
  std::map<std::string, double> counts;
  for (const auto& each : told) ++counts[each.task];
  std::vector<std::pair<double, double>> weighted;
  for (const auto& each : told) {
    const auto [low, high] = std::minmax(each.predicted.estimated, each.predicted.in_registers);
    weighted.emplace_back(std::max({0.0, low - each.recorded, each.recorded - high}),
                          1 / counts[each.task] / static_cast<double>(counts.size()));
  }
  return width_of(std::move(weighted));
}

// The share of a task's claims that are wrong, 0 without any; the mean over the tasks.
double wrong_share(const std::vector<Told>& told, double width) {
  std::map<std::string, std::pair<double, double>> tasks;  // wrong, all
  for (const auto& each : told) {
    auto& [wrong, all] = tasks[each.task];
    if (each.predicted.certain() < width) continue;
    wrong += !each.is_right();
    ++all;
  }
  double sum = 0;
  for (const auto& [task, counts] : tasks) sum += counts.first / std::max(1.0, counts.second);
  return sum / static_cast<double>(tasks.size());
}

// The least ratio from which on the expected share of wrong claims of another task is at most a
// tenth: conformal risk control, where each task is an observation (A. Angelopoulos et al., 2024).
double claim_width_of(const std::vector<Told>& told) {
  constexpr double most_wrong = 0.1;
  constexpr double most = 2, least = 0.02, step = 0.01;
  std::set<std::string> tasks;
  for (const auto& each : told) tasks.insert(each.task);
  const auto n = static_cast<double>(tasks.size());
  double width = most;
  for (double tried = most; tried >= least; tried -= step) {
    if ((n * wrong_share(told, tried) + 1) / (n + 1) > most_wrong) break;
    width = tried;
  }
  return width;
}

double steepness_of(const std::vector<Told>& told) {
  std::map<std::string, double> counts;
  for (const auto& each : told) ++counts[each.task];
  double best = 0.1, most = -INFINITY;
  for (double tried = 0.1; tried < 50; tried *= 1.1) {
    double sum = 0;
    for (const auto& each : told) {
      const double right = 1 - 0.5 * std::exp(-tried * each.predicted.certain());
      const double likely = each.is_right() ? right : std::max(1e-3, 1 - right);
      sum += std::log(likely) / counts[each.task];
    }
    if (sum <= most) continue;
    most = sum;
    best = tried;
  }
  return best;
}

std::vector<PredictedPass> passes_of(const std::vector<ProfiledRecord>& records,
                                     const std::vector<Prediction>& predictions) {
  std::vector<PredictedPass> passes;
  for (std::size_t i = 0; i < records.size(); ++i)
    passes.push_back(predicted_pass(records[i].profile, predictions[i], FittedRange{}));
  return passes;
}

std::vector<Sample> time_samples(const std::vector<ProfiledRecord>& records,
                                 const std::vector<PredictedPass>& passes,
                                 const std::string& left_out) {
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (records[i].task == left_out) continue;
    Sample sample{records[i].task, std::log(records[i].seconds / passes[i].seconds)};
    for (std::size_t part = 0; part < bound_count; ++part)
      sample.squares[part] = passes[i].parts[part] * passes[i].parts[part];
    sample.squares.back() = 1;
    samples.push_back(std::move(sample));
  }
  weigh(samples);
  return samples;
}

std::vector<Told> told_of(const std::vector<KernelPair>& pairs,
                          const std::vector<PredictedPass>& passes, const std::string& left_out) {
  const auto of = [&](const std::vector<std::size_t>& numbers) {
    std::vector<PredictedPass> sizes;
    for (const auto i : numbers) sizes.push_back(passes[i]);
    return sizes;
  };
  std::vector<Told> told;
  for (const auto& pair : pairs)
    if (pair.task != left_out)
      told.push_back({pair.task, log_ratio(of(pair.first), of(pair.second)), pair.recorded});
  return told;
}

std::map<std::string, std::vector<std::size_t>> by_kernel(
    const std::vector<ProfiledRecord>& records) {
  std::map<std::string, std::vector<std::size_t>> kernels;
  for (std::size_t i = 0; i < records.size(); ++i) kernels[records[i].id].push_back(i);
  for (auto& [id, sizes] : kernels)
    std::ranges::sort(sizes, {}, [&](std::size_t i) { return records[i].size; });
  return kernels;
}

// The logarithm of the ratio at each size that both were recorded at.
std::vector<double> recorded_ratios(const ProfiledRecord& first, const ProfiledRecord& second) {
  std::vector<double> ratios;
  for (const auto& a : first.times)
    for (const auto& b : second.times)
      if (a.size == b.size) ratios.push_back(std::log(b.seconds / a.seconds));
  return ratios;
}

}  // namespace

std::vector<KernelPair> pairs_of(const std::vector<ProfiledRecord>& records) {
  const auto kernels = by_kernel(records);
  std::vector<KernelPair> pairs;
  for (auto a = kernels.begin(); a != kernels.end(); ++a)
    for (auto b = std::next(a); b != kernels.end(); ++b) {
      const auto &first = records[a->second[0]], &second = records[b->second[0]];
      if (first.run != second.run || first.task != second.task ||
          a->second.size() != b->second.size())
        continue;
      const auto ratios = recorded_ratios(first, second);
      if (ratios.empty()) continue;
      KernelPair pair{first.task, a->second, b->second};
      std::size_t above = 0;
      for (const auto ratio : ratios) {
        pair.recorded += ratio / static_cast<double>(ratios.size());
        above += ratio > 0;
      }
      pair.is_reproducible = above == 0 || above == ratios.size();
      pairs.push_back(std::move(pair));
    }
  return pairs;
}

Calibration calibrated(const std::vector<ProfiledRecord>& records,
                       const std::vector<Prediction>& predictions,
                       const std::vector<KernelPair>& pairs, const std::string& left_out) {
  Calibration calibration;
  const auto passes = passes_of(records, predictions);
  const auto times = time_samples(records, passes, left_out);
  const auto errors = fitted_errors(times);
  std::copy_n(errors.begin(), bound_count, calibration.part_of_time.begin());
  calibration.time = errors.back();
  calibration.time_width = time_width_of(times, errors);
  const auto told = told_of(pairs, passes, left_out);
  calibration.ratio_width = ratio_width_of(told);
  calibration.claim_width = claim_width_of(told);
  calibration.steepness = steepness_of(told);
  for (std::size_t i = 0; i < records.size(); ++i)
    if (records[i].task != left_out)
      calibration.range.add(features_of(records[i].profile, predictions[i]));
  return calibration;
}

std::string text_of(const Calibration& c) {
  const auto list = [](const auto& values) {
    std::string text;
    for (const auto value : values)
      text += fmt::format("{}{:.3g}", text.empty() ? "" : ", ", value);
    return "{" + text + "}";
  };
  return fmt::format(
      "const Calibration m1_pro_calibration{{\n    .part_of_time = {{{}}},\n    .time = {:.3g},\n"
      "    .time_width = {:.3g},\n"
      "    .ratio_width = {:.3g},\n    .claim_width = {:.3g},\n    .steepness = {:.3g},\n"
      "    .range = {{.most = {{{}}},\n.least = {{{}}},\n.largest = {{{}}}}}}};\n",
      list(c.part_of_time), c.time, c.time_width, c.ratio_width, c.claim_width, c.steepness,
      list(c.range.most), list(c.range.least), list(c.range.largest));
}

}  // namespace msci
