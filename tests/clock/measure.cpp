#include "tests/clock/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "base/statistics.h"
#include "tests/clock/calibrate.h"

namespace msci {
namespace {

constexpr double least_ratio = 1.25;  // of the recorded times of pairs that should be told apart
constexpr double tie = 0.01;          // predictions that differ by less are equal

// Tasks whose kernels were read, one by one, before a decision on features, costs or mends. A
// figure of such a task is not that of an unseen one, though it is left out of the fits.
constexpr const char* looked_at =
    "adi3d, binius_clmul, fft3d, hmc, keccak_f1600_batch, kyber_ntt, lbm, lj, merkle_build, "
    "montgomery_msm, multilinear_sumcheck_round, nbody, wave3d, wots_chain";

struct Counts {
  unsigned pairs = 0;  // reproducible ones, from least_ratio on
  unsigned in_order = 0;
  unsigned claimed = 0;  // of these
  unsigned claims = 0;   // of all pairs
  unsigned right = 0;
  // Of `pairs`, without a claim.
  unsigned too_close = 0;
  unsigned close_in_order = 0;  // of these
  unsigned close_equal = 0;
  unsigned registers = 0;
  unsigned unlike = 0;
  unsigned ratios = 0;  // of all pairs
  unsigned ratios_inside = 0;
  double confidence = 0;  // summed over the claims
  unsigned times = 0;
  unsigned inside = 0;
  std::vector<double> errors;
  double share(unsigned part, unsigned all) const { return all == 0 ? NAN : 1.0 * part / all; }
  double order() const { return share(in_order, pairs); }
  double claim_share() const { return share(claimed, pairs); }
  double claims_right() const { return share(right, claims); }
  double coverage() const { return share(inside, times); }
  double ratio_coverage() const { return share(ratios_inside, ratios); }
  double error() const { return median(errors); }
};

struct WrongClaim {
  std::string text;
  double size = 0;
  bool differs = false;  // the pair differs by least_ratio, in one direction at all sizes
};

class Measure {
 public:
  Measure(const std::vector<ProfiledRecord>& records, const TaskConstants& constants)
      : records_(records), pairs_(pairs_of(records)) {
    for (const auto& record : records)
      predictions_.push_back(
          predict(record.profile, **find_chip(default_chip), constants.at(record.task)));
  }

  void run(bool as_built) {
    for (const auto& record : records_) counts_[record.task];
    for (auto& [task, counts] : counts_)
      count(task, as_built ? m1_pro_calibration : calibration(task), counts);
  }

  Calibration calibration(const std::string& left_out) const {
    return calibrated(records_, predictions_, pairs_, left_out);
  }
  const std::map<std::string, Counts>& counts() const { return counts_; }
  const std::vector<WrongClaim>& wrong() const { return wrong_; }

 private:
  std::vector<PredictedPass> passes(const std::vector<std::size_t>& numbers,
                                    const FittedRange& range) const {
    std::vector<PredictedPass> passes;
    for (const auto i : numbers)
      passes.push_back(predicted_pass(records_[i].profile, predictions_[i], range));
    return passes;
  }

  void count(const std::string& task, const Calibration& calibration, Counts& counts) {
    for (std::size_t i = 0; i < records_.size(); ++i) {
      const auto& record = records_[i];
      if (record.task != task) continue;
      const auto pass = predicted_pass(record.profile, predictions_[i], calibration.range);
      const auto [low, high] = interval_of(pass, calibration);
      ++counts.times;
      counts.inside += low <= record.seconds && record.seconds <= high;
      counts.errors.push_back(std::abs(pass.seconds / record.seconds - 1));
    }
    for (const auto& pair : pairs_)
      if (pair.task == task) add(pair, calibration, counts);
  }

  void add(const KernelPair& pair, const Calibration& calibration, Counts& counts) {
    const auto claim = claim_of(passes(pair.first, calibration.range),
                                passes(pair.second, calibration.range), calibration);
    const bool is_claimed = claim.kind != ClaimKind::none;
    const bool is_right = (claim.ratio > 1) == (pair.recorded > 0);
    const double recorded = std::exp(pair.recorded);
    ++counts.ratios;
    counts.ratios_inside += claim.interval.low <= recorded && recorded <= claim.interval.high;
    counts.claims += is_claimed;
    counts.right += is_claimed && is_right;
    if (is_claimed) counts.confidence += claim.confidence;
    const bool differs = pair.is_reproducible && std::abs(pair.recorded) >= std::log(least_ratio);
    if (is_claimed && !is_right) note(pair, claim, differs);
    if (!differs) return;
    ++counts.pairs;
    counts.claimed += is_claimed;
    const bool is_tie = std::abs(std::log(claim.ratio)) < tie;
    const bool is_close = claim.doubt == Doubt::too_close;
    counts.too_close += is_close;
    counts.close_in_order += is_close && is_right && !is_tie;
    counts.close_equal += is_close && is_tie;
    counts.in_order += is_right && !is_tie;
    counts.registers += claim.doubt == Doubt::registers;
    counts.unlike += claim.doubt == Doubt::unlike;
  }

  void note(const KernelPair& pair, const Claim& claim, bool differs) {
    wrong_.push_back({fmt::format("{} {} {}: recorded {:.2f}, predicted {:.2f}; {}", pair.task,
                                  records_[pair.first[0]].id, records_[pair.second[0]].id,
                                  std::exp(pair.recorded), claim.ratio, claim.reason),
                      std::abs(pair.recorded - std::log(claim.ratio)), differs});
  }

  const std::vector<ProfiledRecord>& records_;
  std::vector<KernelPair> pairs_;
  std::vector<Prediction> predictions_;
  std::map<std::string, Counts> counts_;
  std::vector<WrongClaim> wrong_;
};

std::string cell(double value) {
  return std::isnan(value) ? " – |" : fmt::format(" {:.2f} |", value);
}

using Value = double (Counts::*)() const;

// "0.91 ± 0.02", over the tasks that have it.
std::string mean_cell(const std::map<std::string, Counts>& counts, Value value) {
  std::vector<double> values;
  for (const auto& [task, each] : counts)
    if (const double of_task = (each.*value)(); !std::isnan(of_task)) values.push_back(of_task);
  if (values.empty()) return " – |";
  const auto n = static_cast<double>(values.size());
  double mean = 0, squares = 0;
  for (const auto each : values) mean += each / n;
  for (const auto each : values) squares += (each - mean) * (each - mean);
  return fmt::format(" {:.2f} ± {:.2f} |", mean, n > 1 ? std::sqrt(squares / (n - 1) / n) : 0);
}

// Each third of the tasks, in the order of their names: every third one, beginning at another.
std::string thirds(const std::map<std::string, Counts>& counts) {
  std::array<std::pair<double, double>, 3> sums;
  std::size_t number = 0;
  for (const auto& [task, each] : counts) {
    auto& [sum, tasks] = sums[number++ % 3];
    sum += each.coverage();
    ++tasks;
  }
  return fmt::format("coverage of each third of the tasks: {:.2f}, {:.2f}, {:.2f}\n",
                     sums[0].first / sums[0].second, sums[1].first / sums[1].second,
                     sums[2].first / sums[2].second);
}

// Of all claims together.
std::string claims_text(const Measure& measure) {
  double claims = 0, right = 0, confidence = 0;
  unsigned close = 0, in_order = 0, equal = 0;
  for (const auto& [task, each] : measure.counts()) {
    claims += each.claims;
    right += each.right;
    confidence += each.confidence;
    close += each.too_close;
    in_order += each.close_in_order;
    equal += each.close_equal;
  }
  const auto differ = std::ranges::count_if(measure.wrong(), &WrongClaim::differs);
  return fmt::format(
      "{} claims: {:.2f} right, with a confidence of {:.2f} in the mean; of {} wrong ones, {} are "
      "about pairs that differ by {}\n"
      "{} pairs are too close: {} in order, {} equal, {} in the wrong order\n",
      claims, right / std::max(1.0, claims), confidence / std::max(1.0, claims),
      measure.wrong().size(), differ, least_ratio, close, in_order, equal,
      close - in_order - equal);
}

}  // namespace

std::string measure_table(const std::vector<ProfiledRecord>& records,
                          const TaskConstants& constants, bool as_built) {
  Measure measure(records, constants);
  measure.run(as_built);
  const auto& counts = measure.counts();
  std::string text =
      "| task | pairs | in order | with a claim | too close | registers | unlike | claims | right "
      "| ratios inside | times inside | median error |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const auto& [task, each] : counts)
    text += fmt::format("| {} | {} |{}{} {} | {} | {} | {} |{}{}{}{}\n", task, each.pairs,
                        cell(each.order()), cell(each.claim_share()), each.too_close,
                        each.registers, each.unlike, each.claims, cell(each.claims_right()),
                        cell(each.ratio_coverage()), cell(each.coverage()), cell(each.error()));
  text += fmt::format("| mean over tasks | |{}{} | | | |{}{}{}{}\n\n",
                      mean_cell(counts, &Counts::order), mean_cell(counts, &Counts::claim_share),
                      mean_cell(counts, &Counts::claims_right),
                      mean_cell(counts, &Counts::ratio_coverage),
                      mean_cell(counts, &Counts::coverage), mean_cell(counts, &Counts::error));
  text += claims_text(measure);
  return text + thirds(counts) + fmt::format("looked at: {}\n", looked_at);
}

std::string wrong_claims(const std::vector<ProfiledRecord>& records,
                         const TaskConstants& constants) {
  Measure measure(records, constants);
  measure.run(false);
  auto wrong = measure.wrong();
  std::ranges::sort(wrong, std::greater<>{}, &WrongClaim::size);
  std::string text;
  for (const auto& each : wrong) text += each.text + "\n";
  return text;
}

std::string calibration_text(const std::vector<ProfiledRecord>& records,
                             const TaskConstants& constants) {
  return text_of(Measure(records, constants).calibration(""));
}

}  // namespace msci
