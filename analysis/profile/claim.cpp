#include "analysis/profile/claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

double square(double x) { return x * x; }

const std::string* first_unlike(std::span<const PredictedPass> passes) {
  const auto found =
      std::ranges::find_if(passes, [](const PredictedPass& pass) { return !pass.unlike.empty(); });
  return found == passes.end() ? nullptr : &found->unlike;
}

// "the ratio is 1.52, and 1.31 if Apple's compiler keeps all values in registers"
std::string text_of(const LogRatio& ratio) {
  const auto estimated = fmt::format("{:.2f}", std::exp(ratio.estimated));
  const auto in_registers = fmt::format("{:.2f}", std::exp(ratio.in_registers));
  auto text = "the ratio is " + estimated;
  if (in_registers != estimated)
    text += fmt::format(", and {} if Apple's compiler keeps all values in registers", in_registers);
  return text;
}

std::string_view doubt_text(Doubt doubt) {
  switch (doubt) {
    case Doubt::too_close:
      return "too close: ";
    case Doubt::registers:
      return "it depends on registers: ";
    case Doubt::none:
    case Doubt::unlike:
      return "";
  }
  return "";
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
  if (prediction.seconds > 0)
    pass.in_registers = prediction.seconds_in_registers / prediction.seconds;
  std::copy_n(features.shares.begin(), bound_count, pass.parts.begin());
  const double error = uncertain_share(profile, prediction);
  if (pass.unlike.empty() && error > most_count_error)
    pass.unlike =
        fmt::format("its counts, of some threadgroups, may be off by {:.0f} %", 100 * error);
  return pass;
}

PredictedInterval interval_of(const PredictedPass& pass, const Calibration& calibration) {
  double squares = square(calibration.time);
  for (std::size_t i = 0; i < bound_count; ++i)
    squares += square(pass.parts[i] * calibration.part_of_time[i]);
  const double factor = std::exp(calibration.time_width * std::sqrt(squares));
  return {pass.seconds / factor, pass.seconds * factor};
}

double LogRatio::certain() const {
  const double other = estimated > 0 ? in_registers : -in_registers;
  return std::max(0.0, std::min(std::abs(estimated), other));
}

LogRatio log_ratio(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival) {
  LogRatio ratio;
  const auto count = std::min(candidate.size(), rival.size());
  const double share = 1 / static_cast<double>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const double estimated = std::log(rival[i].seconds / candidate[i].seconds);
    ratio.estimated += share * estimated;
    ratio.in_registers +=
        share * (estimated + std::log(rival[i].in_registers / candidate[i].in_registers));
  }
  return ratio;
}

Claim claim_of(std::span<const PredictedPass> candidate, std::span<const PredictedPass> rival,
               const Calibration& calibration) {
  if (candidate.empty() || rival.empty()) return {};
  const auto ratio = log_ratio(candidate, rival);
  const auto [low, high] = std::minmax(ratio.estimated, ratio.in_registers);
  const double certain = ratio.certain();
  Claim claim{.ratio = std::exp(ratio.estimated),
              .interval = {std::exp(low - calibration.ratio_width),
                           std::exp(high + calibration.ratio_width)}};
  const auto* unlike = first_unlike(candidate);
  if (!unlike) unlike = first_unlike(rival);
  if (unlike) {
    claim.doubt = Doubt::unlike;
    claim.reason = "unlike what was measured: " + *unlike;
    return claim;
  }
  claim.confidence = 1 - 0.5 * std::exp(-calibration.steepness * certain);
  if (certain >= calibration.claim_width) {
    claim.doubt = Doubt::none;
    claim.kind = ratio.estimated > 0 ? ClaimKind::faster : ClaimKind::slower;
  } else if (std::abs(ratio.estimated) >= calibration.claim_width) {
    claim.doubt = Doubt::registers;
  }
  claim.reason = fmt::format("{}{}; claims begin at a factor of {:.2f}", doubt_text(claim.doubt),
                             text_of(ratio), std::exp(calibration.claim_width));
  return claim;
}

// Printed by `msci-clock --calibration` (tests/clock/calibrate.cpp).
const Calibration m1_pro_calibration{
    .part_of_time = {{0.324, 0.354, 0.42, 0.771, 1.3, 0.5, 0.841, 0.5, 0.386}},
    .time = 0.354,
    .time_width = 1.04,
    .ratio_width = 0.312,
    .claim_width = 0.24,
    .steepness = 4.11,
    .range = {
        .most = {{0.742,   0.775, 0.574, 0.401, 0.875, 0.25,   0.641, 0.0173, 0.782,  0,     0,
                  0,       0,     0.24,  0.414, 0.337, 0.505,  0.152, 0.126,  0.137,  0.705, 0.556,
                  0.00698, 0.153, 0.279, 0.228, 0,     0.0895, 0.467, 0.0578, 0.0478, 0.254, 0.186,
                  0.148,   0,     0,     0,     0,     0,      0,     0,      0}},
        .least = {{19.7, 1, 4, 3, 5, 31.8, 6, 0, 1.52}},
        .largest = {
            {1.28e+05, 200, 2.1e+06, 96, 9.44e+06, 3.44e+07, 2.68e+03, 4.61e+03, 5.24e+05}}}};

}  // namespace msci
