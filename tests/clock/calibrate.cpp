#include "tests/clock/calibrate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace msci {
namespace {

// Of what is left, of each part, and for a ratio of each part of either kernel.
constexpr std::size_t error_count = 1 + 2 * bound_count;
constexpr std::size_t first_part = 1, first_own = 1 + bound_count;
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

// What four fifths of the errors, over the usual ones, are below, each task with the same weight.
double width_of(const std::vector<Sample>& samples, const Errors& errors) {
  constexpr double covered = 0.8;
  std::vector<std::pair<double, double>> weighted;
  for (const auto& sample : samples)
    weighted.emplace_back(std::abs(sample.error) / usual_error(sample, errors), sample.weight);
  if (weighted.empty()) return 1;
  std::ranges::sort(weighted);
  double below = 0;
  for (const auto& [error, weight] : weighted)
    if ((below += weight) >= covered) return error;
  return weighted.back().first;
}

struct Told {
  std::string task;
  double distance = 0;
  bool is_right = false;
};

// The least distance from which claims are right often enough, in the mean over the tasks that have
// any.
double claim_width_of(const std::vector<Told>& told) {
  constexpr double right = 0.93;
  constexpr double most = 12, step = 0.1;
  double width = most;
  for (double tried = most; tried >= 0.3; tried -= step) {
    std::map<std::string, std::pair<double, double>> tasks;  // right, all
    for (const auto& each : told)
      if (each.distance >= tried) {
        tasks[each.task].first += each.is_right;
        ++tasks[each.task].second;
      }
    if (tasks.empty()) continue;
    double mean = 0;
    for (const auto& [task, counts] : tasks) mean += counts.first / counts.second;
    if (mean / static_cast<double>(tasks.size()) >= right) width = tried;
  }
  return width;
}

double steepness_of(const std::vector<Told>& told) {
  std::map<std::string, double> counts;
  for (const auto& each : told) ++counts[each.task];
  double best = 0.1, most = -INFINITY;
  for (double tried = 0.1; tried < 5; tried *= 1.1) {
    double sum = 0;
    for (const auto& each : told) {
      const double right = 1 - 0.5 * std::exp(-tried * each.distance);
      const double likely = each.is_right ? right : std::max(1e-3, 1 - right);
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
      sample.squares[first_part + part] = passes[i].parts[part] * passes[i].parts[part];
    sample.squares.front() = 1;
    samples.push_back(std::move(sample));
  }
  weigh(samples);
  return samples;
}

double predicted_ratio(const KernelPair& pair, const std::vector<PredictedPass>& passes) {
  double sum = 0;
  for (std::size_t i = 0; i < pair.first.size(); ++i)
    sum += std::log(passes[pair.second[i]].seconds / passes[pair.first[i]].seconds);
  return sum / static_cast<double>(pair.first.size());
}

std::vector<Sample> ratio_samples(const std::vector<KernelPair>& pairs,
                                  const std::vector<PredictedPass>& passes,
                                  const std::string& left_out) {
  std::vector<Sample> samples;
  for (const auto& pair : pairs) {
    if (pair.task == left_out) continue;
    Sample sample{pair.task, pair.recorded - predicted_ratio(pair, passes)};
    const auto sizes = static_cast<double>(pair.first.size());
    for (std::size_t part = 0; part < bound_count; ++part) {
      double first = 0, second = 0;
      for (std::size_t i = 0; i < pair.first.size(); ++i) {
        first += passes[pair.first[i]].parts[part] / sizes;
        second += passes[pair.second[i]].parts[part] / sizes;
      }
      sample.squares[first_part + part] = (first - second) * (first - second);
      sample.squares[first_own + part] = first * first + second * second;
    }
    sample.squares.front() = 1;
    samples.push_back(std::move(sample));
  }
  weigh(samples);
  return samples;
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
  const auto ratios = ratio_samples(pairs, passes, left_out);
  const auto of_time = fitted_errors(times), of_ratio = fitted_errors(ratios);
  std::copy_n(of_time.begin() + first_part, bound_count, calibration.part_of_time.begin());
  calibration.time = of_time.front();
  std::copy_n(of_ratio.begin() + first_part, bound_count, calibration.part_of_difference.begin());
  std::copy_n(of_ratio.begin() + first_own, bound_count, calibration.part_of_kernel.begin());
  calibration.ratio = of_ratio.front();
  calibration.time_width = width_of(times, of_time);
  calibration.ratio_width = width_of(ratios, of_ratio);
  std::vector<Told> told;
  std::size_t sample = 0;
  for (const auto& pair : pairs) {
    if (pair.task == left_out) continue;
    const double usual = usual_error(ratios[sample++], of_ratio);
    const double predicted = predicted_ratio(pair, passes);
    if (std::abs(predicted) > 1e-9)
      told.push_back(
          {pair.task, std::abs(predicted) / usual, (predicted > 0) == (pair.recorded > 0)});
  }
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
      "    .part_of_difference = {{{}}},\n    .part_of_kernel = {{{}}},\n    .ratio = {:.3g},\n    "
      ".time_width = {:.3g},\n"
      "    .ratio_width = {:.3g},\n    .claim_width = {:.3g},\n    .steepness = {:.3g},\n"
      "    .range = {{.most = {{{}}},\n.least = {{{}}},\n.largest = {{{}}}}}}};\n",
      list(c.part_of_time), c.time, list(c.part_of_difference), list(c.part_of_kernel), c.ratio,
      c.time_width, c.ratio_width, c.claim_width, c.steepness, list(c.range.most),
      list(c.range.least), list(c.range.largest));
}

}  // namespace msci
