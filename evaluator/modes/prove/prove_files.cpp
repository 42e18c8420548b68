#include "evaluator/modes/prove/prove_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "analysis/proofs/confirm.h"
#include "analysis/proofs/proof_json.h"
#include "analysis/proofs/proof_text.h"
#include "analysis/proofs/prove.h"
#include "base/json.h"
#include "base/process/isolated_result.h"
#include "evaluator/check/checked_run.h"
#include "evaluator/modes/judge_each.h"
#include "evaluator/modes/prove/assumptions.h"
#include "evaluator/session/session.h"

namespace msci {
namespace {

// Of Z3 and LLVM for all kernels of one size.
constexpr Limits proof_limits{.seconds = 300, .memory_bytes = std::size_t{4} << 30};
// Larger sizes are proved and not run: a checked run takes long.
constexpr std::size_t most_threads_run = std::size_t{1} << 22;

// In a process of its own, because a kernel may bring LLVM or Z3 to its limits.
Result<std::vector<KernelProof>> prove_isolated(const Plan& plan, const Translation& checked,
                                                std::span<const Assumption> assumptions) {
  const auto json = run_isolated_for<std::string>(
      [&]() -> Result<std::string> {
        const auto proofs = prove(plan, checked, assumptions);
        if (!proofs) return proofs.error();
        return proofs_to_json(*proofs);
      },
      proof_limits, {"the kernels could not be proved"});
  if (!json) return json.error();
  return proofs_from_json(*json);
}

// The plan up to and with a launch.
Plan up_to(const Plan& plan, std::size_t launch) {
  auto part = plan;
  part.launches.resize(launch + 1);
  return part;
}

std::size_t threads_of(const Plan& plan) {
  std::size_t threads = 0;
  for (const auto& launch : plan.launches) threads += launch.grid.count();
  return threads;
}

class Prover {
 public:
  Prover(const Task& task, const Translation& checked, std::vector<Assumption> assumptions,
         Device& device)
      : task_(task), checked_(checked), assumptions_(std::move(assumptions)), device_(device) {}

  Result<SizeProofs> prove_size(const Size& size) {
    const auto plan = task_.plan(size, checked_);
    if (!plan) return plan.error();
    auto proofs = prove_isolated(*plan, checked_, assumptions_);
    if (!proofs) return proofs.error();
    for (auto& proof : *proofs)
      if (auto error = confirm(proof, *plan)) return *std::move(error);
    return SizeProofs{size.label, *std::move(proofs)};
  }

 private:
  std::optional<Error> confirm(KernelProof& proof, const Plan& plan) {
    const bool has_any = std::any_of(proof.claims.begin(), proof.claims.end(),
                                     [](const auto& claim) { return claim.counterexample; });
    const auto part = up_to(plan, proof.first);
    if (!has_any || threads_of(part) > most_threads_run) return std::nullopt;
    if (!program_) {
      auto built = device_.build(checked_);
      if (!built) return built.error();
      auto* program = std::get_if<std::unique_ptr<Program>>(&*built);
      if (!program) return std::nullopt;
      program_ = std::move(*program);
    }
    const auto run = check(part, checked_, *program_);
    if (!run) return run.error();
    // Of a run that failed, the faults are lost.
    if (!run->failure) note_faults(proof, run->findings);
    return std::nullopt;
  }

  const Task& task_;
  const Translation& checked_;
  const std::vector<Assumption> assumptions_;
  Device& device_;
  std::unique_ptr<Program> program_;
};

// What is said of one kernel file.
struct Proved {
  ResultHeading heading;
  RunOutcome<std::vector<SizeProofs>> result = Error{};

  // No run shows a fault. What a division by zero gives is open in Metal, as in the checked mode,
  // where it is a note.
  bool is_right() const {
    const auto* sizes = std::get_if<std::vector<SizeProofs>>(&result);
    return sizes && std::none_of(sizes->begin(), sizes->end(), [](const SizeProofs& size) {
             return std::any_of(size.proofs.begin(), size.proofs.end(), [](const auto& proof) {
               return std::any_of(proof.claims.begin(), proof.claims.end(), [](const auto& claim) {
                 return claim.confirmed == true && claim.subject != ProofSubject::divisors;
               });
             });
           });
  }
};

RunOutcome<std::vector<SizeProofs>> prove_sizes(const Candidate& candidate, const Task* task,
                                                const EvaluatorOptions& options, Device& device) {
  if (!candidate.compiled) return candidate.compiled.error();
  const auto& compiled = *candidate.compiled;
  if (!compiled.translation) return Rejected{Rejected::Stage::compile, compiled.rejection};
  if (!task) return Rejected{Rejected::Stage::pipeline, fits_no_task};
  if (auto refusal = refuse_pipelines(*task, *compiled.translation)) return *std::move(refusal);
  auto assumptions = assumptions_for(candidate, options.mode.assumptions);
  if (!assumptions) return assumptions.error();
  std::vector<Size> sizes{task->small};
  for (const auto& size : task->sizes)
    if (size.label != task->small.label) sizes.push_back(size);
  if (options.verdict.held_out && task->held_out) sizes.push_back(*task->held_out);
  Prover prover(*task, *compiled.translation, *std::move(assumptions), device);
  std::vector<SizeProofs> all;
  for (const auto& size : sizes) {
    auto proofs = prover.prove_size(size);
    if (!proofs) return proofs.error();
    all.push_back(*std::move(proofs));
  }
  return all;
}

std::string to_json(const Proved& proved) {
  OrderedJson json = {{"file", proved.heading.file}, {"task", proved.heading.task}};
  if (const auto* error = std::get_if<Error>(&proved.result)) json["error"] = error->message;
  if (const auto* rejected = std::get_if<Rejected>(&proved.result))
    json["message"] = rejected->reason;
  json["sizes"] = OrderedJson::array();
  if (const auto* sizes = std::get_if<std::vector<SizeProofs>>(&proved.result))
    for (const auto& size : *sizes) {
      auto proofs = OrderedJson::array();
      for (const auto& proof : size.proofs) proofs.push_back(json_of(proof));
      json["sizes"].push_back({{"size", size.size}, {"proofs", std::move(proofs)}});
    }
  return to_line(json) + "\n";
}

std::string to_text(const Proved& proved) {
  if (const auto* rejected = std::get_if<Rejected>(&proved.result))
    return fmt::format("{}: {}\n", proved.heading.file, rejected->reason);
  const auto* sizes = std::get_if<std::vector<SizeProofs>>(&proved.result);
  return sizes ? to_text(*sizes, proved.heading.file) : "";
}

}  // namespace

int prove_files(const EvaluatorOptions& options, const std::vector<const Task*>& tasks,
                Device& device) {
  return judge_each(options, tasks, TranslationPurpose::checking,
                    [&](const Candidate& candidate, const Task* task) {
                      const Proved proved{.heading = heading_of(candidate, task, device),
                                          .result = prove_sizes(candidate, task, options, device)};
                      const auto* error = std::get_if<Error>(&proved.result);
                      return Judged{
                          .error = error ? std::optional(*error) : std::nullopt,
                          .output = options.output.json ? to_json(proved) : to_text(proved),
                          .is_right = proved.is_right()};
                    });
}

}  // namespace msci
