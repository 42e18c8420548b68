#include "evaluator/result/predicted_comparison.h"

#include <fmt/format.h>

#include "evaluator/result/json_fields.h"

namespace msci {
namespace {

// The members of a PredictedTime that a comparison shows. `side`: "candidate".
void describe_side(Fields& field, const std::string& side, PredictedTime& time) {
  const auto key = [&](const char* name) { return side + name; };
  field(key("_seconds").c_str(), time.seconds, "of a pass, as predicted");
  field.choice(key("_bound_by").c_str(), time.bound_by, Bound::last,
               "what that pass mostly waits for");
  field.derived(key("_extrapolated").c_str(), time.extrapolated(),
                "whether it is unlike the passes that the model was fitted to");
  field(key("_unlike").c_str(), time.unlike, "in what it is unlike them; empty if in nothing");
  field(key("_parts").c_str(), time.parts,
        "the share of each part of its time, if each took its time alone");
  field(key("_in_registers").c_str(), time.in_registers,
        "the share of its time that remains if Apple's compiler keeps all values in registers");
}

}  // namespace

Claim PredictedComparison::claim() const {
  std::vector<PredictedPass> candidates, rivals;
  for (const auto& size : sizes) {
    candidates.push_back(size.candidate.pass());
    rivals.push_back(size.rival.pass());
  }
  return claim_of(candidates, rivals);
}

std::string text_of(const Claim& claim, std::string_view unit) {
  const auto [low, high] = claim.interval;
  const auto ratio =
      fmt::format("{:.2f} {} (80 %: {:.2f} to {:.2f})", claim.ratio, unit, low, high);
  if (claim.kind == ClaimKind::none) return fmt::format("{}, no claim: {}", ratio, claim.reason);
  return fmt::format("{}, {} with a confidence of {:.0f} %", ratio, to_string(claim.kind),
                     100 * claim.confidence);
}

void describe(Fields& field, MovedCounter& counter) {
  field.required("counter", counter.counter, "as in msci-eval --schema profile");
  field("candidate", counter.candidate, "total of a pass");
  field("rival", counter.rival, "total of a pass of the rival");
}

void describe(Fields& field, PredictedPair& pair) {
  field.required("label", pair.label, "of the size");
  field.derived("ratio", pair.ratio(), "how many times as fast as the rival");
  describe_side(field, "candidate", pair.candidate);
  describe_side(field, "rival", pair.rival);
  field("moved", pair.moved,
        "counters that differ by a tenth or more; those first whose part of the time differs most");
}

void describe(Fields& field, PredictedComparison& comparison) {
  field("rival", comparison.rival, "the kernel to compare with");
  field("chip", comparison.chip, "that the prediction is for");
  const auto claim = comparison.claim();
  field.derived("ratio", claim.ratio, "how many times as fast as the rival, as predicted");
  field.derived("low", claim.interval.low,
                "of an interval that holds four recorded ratios of five");
  field.derived("high", claim.interval.high, "the upper end of that interval");
  field.derived(
      "claim", std::string(to_string(claim.kind)),
      "faster or slower; none where the two are too close, where the direction depends on "
      "what Apple's compiler keeps in registers, or where one is unlike what was measured");
  field.derived("confidence", claim.confidence,
                "how often so sure a prediction had the right direction; 0.5 for a coin");
  field.derived("reason", claim.reason, "why there is no claim, or what it rests on");
  field("sizes", comparison.sizes, "the same at each size");
}

}  // namespace msci
