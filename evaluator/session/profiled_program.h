// The candidate with counters, to predict its times beside those that a device takes.
#pragma once

#include <span>

#include "analysis/profile/chip.h"
#include "evaluator/result/predicted_comparison.h"
#include "evaluator/result/size_result.h"
#include "evaluator/session/session.h"

namespace msci {

// Predicts times on a chip of Apple, from counts on the processor.
struct Predictor {
  Device& processor;
  const Chip& chip;
  std::span<const Chip> chips = {};  // for which times are predicted beside it

  // Adds the times of a pass of the task at that size, which has this profile.
  void predict(const Task& task, const Size& size, const Profile& profile, SizeResult& to) const;
};

class ProfiledProgram {
 public:
  // Both must outlive it. Compiles and builds when the first size is asked for.
  ProfiledProgram(const Candidate& candidate, const Predictor& predictor)
      : session_(candidate, TranslationPurpose::profiling, predictor.processor) {}

  // Of a pass of the task at that size. Errors: the candidate has no program that counts, or its
  // run fails.
  Result<Profile> profile(const Task& task, const Size& size);

 private:
  Session session_;
};

// Compares two candidates, with the reasons, at the task's sizes. Errors: those of ProfiledProgram.
Result<PredictedComparison> compare_predicted(const Task& task, const Candidate& candidate,
                                              const Candidate& rival, const Predictor& predictor);

}  // namespace msci
