// The form of a candidate that counts, to predict its times beside those that a device takes.
#pragma once

#include "evaluator/forms/other_form.h"
#include "evaluator/result/predicted_comparison.h"
#include "instrument/profile/chip.h"

namespace msci {

// Predicts times on a chip of Apple; the device is the processor.
struct Predictor {
  SharedDevice& processor;
  const Chip& chip;
};

class PredictedForm {
 public:
  // Both must outlive it. Translates and builds when the first size is asked for.
  PredictedForm(const Candidate& candidate, const Predictor& predictor)
      : predictor_(predictor),
        form_(candidate, TranslationPurpose::profiling, *predictor.processor.device) {}

  // Of a pass of the task at that size. Errors: the candidate has no form that counts, or its run
  // fails.
  Result<Profile> profile(const Task& task, const Size& size);

 private:
  Predictor predictor_;
  OtherForm form_;
};

// Compares two candidates, with the reasons, at the task's sizes. Errors: those of PredictedForm.
Result<PredictedComparison> compare_predicted(const Task& task, const Candidate& candidate,
                                              const Candidate& rival, const Predictor& predictor);

}  // namespace msci
