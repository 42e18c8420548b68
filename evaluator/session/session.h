// A session: one candidate on one task and one device, for one purpose. It compiles and instruments
// the candidate, builds the program, makes plans and runs them. All modes of msci-eval that run a
// kernel are callers.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <variant>

#include "engine/device/device.h"
#include "evaluator/result/outcome.h"
#include "evaluator/session/candidate.h"

namespace msci {

// Why a source is rejected if none of several tasks fits.
inline constexpr const char* fits_no_task = "none of the tasks dispatches a kernel of this source";

// Why a failure says nothing about the kernel: none unless the device may be to blame.
// "could not DOING NAME: ...", such as "could not check heat2d: ...".
[[nodiscard]] std::optional<Error> blame_device(const std::optional<Failure>& failure,
                                                std::string_view doing, std::string_view name);

// Why a Metal host could not build its pipelines; none if it could. Ignores kernels that the task
// does not use.
std::optional<Rejected> refuse_pipelines(const Task& task, const Translation& translation);

// The diagnostics that say something about a run of the task: not those that are only about kernels
// that it does not launch. All without a task, and of a source that is refused.
std::vector<Diagnostic> diagnostics_for(const Compiled& compiled, const Task* task);

class Session {
 public:
  // What a session comes to when it opens: a program; a candidate that is refused before it is
  // built; one that the device does not build, for which the device may be to blame; or an error of
  // ours.
  using Opened = std::variant<Program*, Rejected, Failure, Error>;

  // With the candidate as it was compiled. `task` is null where none of several fits. All must
  // outlive the session.
  Session(const Candidate& candidate, const Task* task, Device& device)
      : candidate_(&candidate), task_(task), device_(device), purpose_(candidate.purpose) {}
  // With an instrumented program beside the one that is judged, compiled when it is asked for. Only
  // plans of the judged program reach it, so its pipelines are not checked again.
  Session(const Candidate& candidate, TranslationPurpose purpose, Device& device)
      : candidate_(&candidate), device_(device), purpose_(purpose), is_beside_(true) {}
  // Runs a program that was translated before, instead of a candidate.
  Session(const Translation& translation, const Task& task, Device& device)
      : translation_(&translation), task_(&task), device_(device) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Why there is nothing to build: the candidate is refused, or an error of ours.
  std::optional<std::variant<Rejected, Error>> refusal();
  // Compiles and builds at the first call; the same answer each time. The process of the program
  // dies with the thread that asks first.
  const Opened& open();
  // The same for an instrumented program beside the judged one: a Failure says why the candidate
  // has none. It is a translated program, or it is refused or does not build with instruments.
  // Errors are ours: also that the device may be to blame.
  Result<Attempt<Program*>> open_instrumented();
  // The translation; null if there is none. Compiles what is not compiled yet.
  const Translation* translation();
  // A plan at that size, for the translation of a session that has one. A failure is the kernel's.
  // Errors: the plan file's.
  Result<Attempt<Plan>> plan(const Size& size);

  const Candidate* candidate() const { return candidate_; }  // null with a translation
  bool has_task() const { return task_ != nullptr; }
  const Task& task() const { return *task_; }
  Device& device() const { return device_; }
  // Whether the program counts what it does.
  bool counts() const { return purpose_ == TranslationPurpose::profiling; }

 private:
  const Result<Compiled>& compiled();
  Opened build();
  // What messages call the program of this purpose: "checked", "profiled".
  const char* adjective() const;

  const Candidate* candidate_ = nullptr;
  const Translation* translation_ = nullptr;
  const Task* task_ = nullptr;
  Device& device_;
  TranslationPurpose purpose_ = TranslationPurpose::running;
  bool is_beside_ = false;
  std::optional<Result<Compiled>> compiled_;  // where the candidate is compiled for another purpose
  std::unique_ptr<Program> program_;
  std::optional<Opened> opened_;
};

}  // namespace msci
