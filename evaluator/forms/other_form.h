// Another form of a candidate than the one that is judged: with checks, or with counters.
#pragma once

#include <memory>
#include <mutex>
#include <optional>

#include "evaluator/candidate.h"
#include "runtime/device/device.h"

namespace msci {

// A device that runs such forms, for all threads that judge.
struct SharedDevice {
  std::unique_ptr<Device> device;
  std::mutex mutex;  // of the device
};

class OtherForm {
 public:
  // Both must outlive it. Translates and builds when the program is first asked for.
  OtherForm(const Candidate& candidate, TranslationPurpose purpose, Device& device)
      : candidate_(candidate), purpose_(purpose), device_(device) {}

  // The same answer each time. A Failure says why the candidate has no such form: it is a
  // translated program, or this form is refused or does not build. Errors are ours: also that the
  // device may be to blame. The process of the program dies with the thread that asks first.
  Result<Attempt<Program*>> program();
  // Of that program.
  const Translation& translation() const { return *translation_; }
  const Candidate& candidate() const { return candidate_; }
  // The error to report if the device may be to blame for the failure of a build or a run.
  std::optional<Error> blame_device(const Failure& failure) const;

 private:
  using Built = Result<Attempt<std::unique_ptr<Program>>>;
  Built build();
  // "checked": in messages.
  const char* adjective() const;

  const Candidate& candidate_;
  TranslationPurpose purpose_;
  Device& device_;
  std::optional<Built> built_;
  std::optional<Translation> translation_;
};

}  // namespace msci
