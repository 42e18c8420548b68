#include "analysis/profile/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace msci {
namespace {

constexpr double most_count_error = 0.2;

// What the counts of a pass may be off by, as a share of its time.
double uncertain_share(const Profile& profile, const Prediction& prediction) {
  double error = 0, all = 0;
  for (std::size_t i = 0; i < profile.launches.size(); ++i) {
    const auto& launch = profile.launches[i];
    const double seconds = static_cast<double>(launch.weight) * prediction.launches[i].seconds;
    all += seconds;
    error += seconds * (launch.is_after_gap ? 1 : std::min(1.0, launch.count_error));
  }
  return all > 0 ? error / all : 0;
}

// The parts that add to an error, each by its weight.
struct ErrorSum {
  double error = 0;
  std::size_t largest = bound_count;  // the part that adds most; bound_count: none of them
};

ErrorSum sum_of(const std::array<double, bound_count>& squares, double other) {
  ErrorSum sum;
  double all = other * other, most = all;
  for (std::size_t i = 0; i < bound_count; ++i) {
    all += squares[i];
    if (squares[i] <= most) continue;
    most = squares[i];
    sum.largest = i;
  }
  sum.error = std::sqrt(all);
  return sum;
}

double square(double x) { return x * x; }

const std::string* first_unlike(std::span<const PredictedPass> passes) {
  const auto found =
      std::ranges::find_if(passes, [](const PredictedPass& pass) { return !pass.unlike.empty(); });
  return found == passes.end() ? nullptr : &found->unlike;
}

std::string too_close(const Claim& claim, const ErrorSum& sum) {
  const auto by = sum.largest == bound_count
                      ? std::string("of any two kernels")
                      : fmt::format("in {}", to_string(static_cast<Bound>(sum.largest)));
  return fmt::format("too close: the ratio is {:.2f}, and errors {} are a factor of {:.2f}",
                     claim.ratio, by, std::exp(sum.error));
}

}  // namespace

std::string_view to_string(ClaimKind kind) {
  constexpr std::array<std::string_view, 3> names{"none", "faster", "slower"};
  return names[static_cast<std::size_t>(kind)];
}

PredictedPass predicted_pass(const Profile& profile, const Prediction& prediction,
                             const FittedRange& range) {
  const auto features = features_of(profile, prediction);
  PredictedPass pass{.seconds = prediction.seconds, .unlike = unlike(features, range)};
  std::copy_n(features.shares.begin(), bound_count, pass.parts.begin());
  const double error = uncertain_share(profile, prediction);
  if (pass.unlike.empty() && error > most_count_error)
    pass.unlike =
        fmt::format("its counts, of some threadgroups, may be off by {:.0f} %", 100 * error);
  return pass;
}

PredictedInterval interval_of(const PredictedPass& pass, const Calibration& calibration) {
  std::array<double, bound_count> squares = {};
  for (std::size_t i = 0; i < bound_count; ++i)
    squares[i] = square(pass.parts[i] * calibration.part_of_time[i]);
  const auto sum = sum_of(squares, calibration.time);
  const double factor = std::exp(calibration.time_width * sum.error);
  return {pass.seconds / factor, pass.seconds * factor};
}

Claim claim_of(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival,
               const Calibration& calibration) {
  Claim claim;
  const auto count = std::min(candidate.size(), rival.size());
  if (count == 0) return claim;
  const double share = 1 / static_cast<double>(count);
  double log_ratio = 0;
  std::array<double, bound_count> own = {}, rivals = {};
  for (std::size_t i = 0; i < count; ++i) {
    log_ratio += share * std::log(rival[i].seconds / candidate[i].seconds);
    for (std::size_t part = 0; part < bound_count; ++part) {
      own[part] += share * candidate[i].parts[part];
      rivals[part] += share * rival[i].parts[part];
    }
  }
  std::array<double, bound_count> squares = {};
  for (std::size_t i = 0; i < bound_count; ++i)
    squares[i] = square((own[i] - rivals[i]) * calibration.part_of_difference[i]) +
                 (square(own[i]) + square(rivals[i])) * square(calibration.part_of_kernel[i]);
  const auto sum = sum_of(squares, calibration.ratio);
  const double factor = std::exp(calibration.ratio_width * sum.error);
  const double distance = std::abs(log_ratio) / sum.error;
  claim.ratio = std::exp(log_ratio);
  claim.interval = {claim.ratio / factor, claim.ratio * factor};
  claim.confidence = 1 - 0.5 * std::exp(-calibration.steepness * distance);
  const auto* unlike = first_unlike(candidate);
  if (!unlike) unlike = first_unlike(rival);
  if (unlike) {
    claim.confidence = 0.5;
    claim.is_unlike = true;
    claim.reason = "unlike what was measured: " + *unlike;
  } else if (distance < calibration.claim_width) {
    claim.reason = too_close(claim, sum);
  } else {
    claim.kind = log_ratio > 0 ? ClaimKind::faster : ClaimKind::slower;
    claim.reason = fmt::format("the ratio is {:.1f} times its usual error from 1", distance);
  }
  return claim;
}

// Printed by `msci-clock --calibration` (tests/clock/calibrate.cpp).
const Calibration m1_pro_calibration{
    .part_of_time = {{0.324, 0.354, 0.42, 0.771, 1.3, 0.5, 0.841, 0.5, 0.386}},
    .time = 0.354,
    .part_of_difference = {{2, 0.648, 0.459, 0.42, 0.595, 0.459, 0.5, 0.5, 0.5}},
    .part_of_kernel = {{0.386, 0.297, 0.386, 0.545, 0.841, 0.25, 0.0964, 0.5, 0.324}},
    .ratio = 0.0811,
    .time_width = 1.04,
    .ratio_width = 1.24,
    .claim_width = 1.4,
    .steepness = 1.08,
    .range = {
        .most = {{0.742,   0.775, 0.574, 0.401, 0.875, 0.25,   0.641, 0.0173, 0.782,  0,     0,
                  0,       0,     0.24,  0.414, 0.337, 0.505,  0.152, 0.126,  0.137,  0.705, 0.556,
                  0.00698, 0.153, 0.279, 0.228, 0,     0.0895, 0.467, 0.0578, 0.0478, 0.254, 0.186,
                  0.148,   0,     0,     0,     0,     0,      0,     0,      0}},
        .least = {{19.7, 1, 4, 3, 5, 31.8, 6, 0, 1.52}},
        .largest = {
            {1.28e+05, 200, 2.1e+06, 96, 9.44e+06, 3.44e+07, 2.68e+03, 4.61e+03, 5.24e+05}}}};

}  // namespace msci
