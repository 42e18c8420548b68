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
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/plan_file.h"

namespace msci {
namespace {

// Of Z3 and LLVM for all kernels of one size.
constexpr Limits proof_limits{.seconds = 300, .memory_bytes = std::size_t{4} << 30};
// Larger sizes are proved and not run: a checked run takes long.
constexpr std::size_t most_threads_run = std::size_t{1} << 22;

// In a process of its own, because a kernel may bring LLVM or Z3 to its limits.
Result<std::vector<KernelProof>> prove_isolated(const Plan& plan, const Translation& checked,
                                                std::span<const Assumption> assumptions) {
  return run_isolated_for<std::vector<KernelProof>>(
      [&] { return prove(plan, checked, assumptions); }, proof_limits,
      {"the kernels could not be proved"});
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

// Whether its buffers can be filled here.
bool fits_in_memory(const Plan& plan) {
  auto left = most_buffer_bytes();
  return std::ranges::all_of(plan.buffers, [&](const PlanBuffer& buffer) {
    const bool fits = buffer.bytes <= left;
    left -= std::min<std::uint64_t>(left, buffer.bytes);
    return fits;
  });
}

// Runs what is refuted in the session's program, which it builds for that. The plan that was proved
// may lack contents.
std::optional<Error> confirm(KernelProof& proof, const Plan& proved, const Size& size,
                             Session& session) {
  const bool has_any = std::any_of(proof.claims.begin(), proof.claims.end(),
                                   [](const auto& claim) { return claim.counterexample; });
  if (!has_any || threads_of(up_to(proved, proof.first)) > most_threads_run ||
      !fits_in_memory(proved))
    return std::nullopt;
  const auto plan = session.plan(size);
  if (!plan) return plan.error();
  if (!std::holds_alternative<Plan>(*plan)) return std::nullopt;
  const auto part = up_to(std::get<Plan>(*plan), proof.first);
  const auto& opened = session.open();
  if (const auto* error = std::get_if<Error>(&opened)) return *error;
  auto* const* program = std::get_if<Program*>(&opened);
  if (!program) return std::nullopt;
  const auto run = check(part, *session.translation(), **program);
  if (!run) return run.error();
  // Of a run that failed, the faults are lost.
  if (!run->failure) note_faults(proof, run->findings, session.translation()->places);
  return std::nullopt;
}

Result<SizeProofs> prove_size(const Size& size, Session& session,
                              std::span<const Assumption> assumptions) {
  const auto plan = plan_to_prove(session.task(), size, *session.translation());
  if (!plan) return plan.error();
  auto proofs = prove_isolated(*plan, *session.translation(), assumptions);
  if (!proofs) return proofs.error();
  for (auto& proof : *proofs)
    if (auto error = confirm(proof, *plan, size, session)) return *std::move(error);
  return SizeProofs{size.label, *std::move(proofs)};
}

// What is said of one kernel file.
struct Proved {
  ResultHeading heading;
  RunOutcome<std::vector<SizeProofs>> result = Error{};

  // No run shows a fault. Faults of arithmetic are notes in the checked mode, too.
  bool is_right() const {
    const auto* sizes = std::get_if<std::vector<SizeProofs>>(&result);
    return sizes && std::none_of(sizes->begin(), sizes->end(), [](const SizeProofs& size) {
             return std::any_of(size.proofs.begin(), size.proofs.end(), [](const auto& proof) {
               return std::any_of(proof.claims.begin(), proof.claims.end(), [](const auto& claim) {
                 return claim.confirmed == true && !is_of_arithmetic(claim.subject);
               });
             });
           });
  }
};

RunOutcome<std::vector<SizeProofs>> prove_sizes(const Candidate& candidate, const Task* task,
                                                const EvaluatorOptions& options, Device& device) {
  using Proofs = RunOutcome<std::vector<SizeProofs>>;
  Session session(candidate, task, device);
  if (const auto refused = session.refusal())
    return std::visit([](const auto& why) { return Proofs(why); }, *refused);
  const auto assumptions = assumptions_for(candidate, options.mode.assumptions);
  if (!assumptions) return assumptions.error();
  std::vector<Size> sizes{task->small};
  for (const auto& size : task->sizes)
    if (size.label != task->small.label) sizes.push_back(size);
  if (options.verdict.held_out && task->held_out) sizes.push_back(*task->held_out);
  std::vector<SizeProofs> all;
  for (const auto& size : sizes) {
    auto proofs = prove_size(size, session, *assumptions);
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
