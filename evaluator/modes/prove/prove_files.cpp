#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "analysis/proofs/all_sizes.h"
#include "analysis/proofs/proof_json.h"
#include "analysis/proofs/proof_text.h"
#include "analysis/proofs/prove.h"
#include "base/json.h"
#include "base/process/isolated_result.h"
#include "evaluator/check/checked_run.h"
#include "evaluator/modes/judge_each.h"
#include "evaluator/modes/modes.h"
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

// ---- all sizes at once

// The plan while a parameter of the size is open; nothing where it is not known how it grows, or
// where the plan file refuses one of the sampled sizes.
std::optional<OpenPlan> open_plan(const Task& task, const Size& size, std::size_t parameter,
                                  const Translation& checked) {
  const auto& [name, value] = size.parameters[parameter];
  auto numbers = growing_numbers(task, size, parameter);
  if (!numbers || numbers->empty()) return std::nullopt;
  OpenPlan open{.name = std::string(name), .numbers = *std::move(numbers), .samples = {}};
  const auto first = std::clamp(value, 1U, 1000U);
  for (const auto more : {0U, 1U, 2U, 7U, 15'000U, 70'000U}) {
    auto sampled = size;
    sampled.parameters[parameter].second = first + more;
    auto plan = plan_to_prove(task, sampled, checked);
    if (!plan) return std::nullopt;
    open.samples.push_back({first + more, *std::move(plan)});
  }
  return open;
}

// What is proved for all values of a parameter. A limit of msci proves nothing: each size has its
// answers anyway.
AllSizesProofs prove_parameter(const Task& task, const Size& size, std::size_t parameter,
                               const Translation& checked) {
  const auto open = open_plan(task, size, parameter, checked);
  if (!open) return {};
  auto proofs = run_isolated_for<std::vector<AllSizesProof>>(
      [&] { return prove_all_sizes(*open, checked); }, proof_limits,
      {"the kernels could not be proved for all sizes"});
  if (!proofs) return {};
  AllSizesProofs all{.parameter = open->name, .others = {}, .proofs = *std::move(proofs)};
  for (std::size_t i = 0; i < size.parameters.size(); ++i)
    if (i != parameter)
      all.others.emplace_back(size.parameters[i].first, size.parameters[i].second);
  return all;
}

// Of a plan file at its first size. Assumptions are about single sizes.
std::vector<AllSizesProofs> prove_parameters(Session& session,
                                             std::span<const Assumption> assumptions) {
  const auto& task = session.task();
  std::vector<AllSizesProofs> all;
  if (task.plan_file.empty() || task.sizes.empty() || !assumptions.empty()) return all;
  const auto& size = task.sizes.front();
  for (std::size_t i = 0; i < size.parameters.size(); ++i) {
    auto proofs = prove_parameter(task, size, i, *session.translation());
    if (!proofs.proofs.empty()) all.push_back(std::move(proofs));
  }
  return all;
}

// What is said of one kernel file.
struct AllProofs {
  std::vector<SizeProofs> sizes;
  std::vector<AllSizesProofs> all_sizes;
};

struct Proved {
  ResultHeading heading;
  RunOutcome<AllProofs> result = Error{};

  // No run shows a fault. Faults of arithmetic are notes in the checked mode, too.
  bool is_right() const {
    const auto* all = std::get_if<AllProofs>(&result);
    return all && std::none_of(all->sizes.begin(), all->sizes.end(), [](const SizeProofs& size) {
             return std::any_of(size.proofs.begin(), size.proofs.end(), [](const auto& proof) {
               return std::any_of(proof.claims.begin(), proof.claims.end(), [](const auto& claim) {
                 return claim.confirmed == true && !is_of_arithmetic(claim.subject);
               });
             });
           });
  }
};

RunOutcome<AllProofs> prove_sizes(const Candidate& candidate, const Task* task,
                                  const EvaluatorOptions& options, Device& device) {
  using Proofs = RunOutcome<AllProofs>;
  Session session(candidate, task, device);
  if (const auto refused = session.refusal())
    return std::visit([](const auto& why) { return Proofs(why); }, *refused);
  const auto assumptions = assumptions_for(candidate, options.mode.assumptions);
  if (!assumptions) return assumptions.error();
  std::vector<Size> sizes{task->small};
  for (const auto& size : task->sizes)
    if (size.label != task->small.label) sizes.push_back(size);
  if (options.verdict.held_out && task->held_out) sizes.push_back(*task->held_out);
  AllProofs all;
  for (const auto& size : sizes) {
    auto proofs = prove_size(size, session, *assumptions);
    if (!proofs) return proofs.error();
    all.sizes.push_back(*std::move(proofs));
  }
  all.all_sizes = prove_parameters(session, *assumptions);
  return all;
}

std::string to_json(const Proved& proved) {
  OrderedJson json = {{"file", proved.heading.file}, {"task", proved.heading.task}};
  if (const auto* error = std::get_if<Error>(&proved.result)) json["error"] = error->message;
  if (const auto* rejected = std::get_if<Rejected>(&proved.result))
    json["message"] = rejected->reason;
  json["sizes"] = OrderedJson::array();
  json["all_sizes"] = OrderedJson::array();
  const auto* all = std::get_if<AllProofs>(&proved.result);
  if (!all) return to_line(json) + "\n";
  for (const auto& size : all->sizes) {
    auto proofs = OrderedJson::array();
    for (const auto& proof : size.proofs) proofs.push_back(json_of(proof));
    json["sizes"].push_back({{"size", size.size}, {"proofs", std::move(proofs)}});
  }
  for (const auto& each : all->all_sizes)
    for (auto& proof : json_of(each)) json["all_sizes"].push_back(std::move(proof));
  return to_line(json) + "\n";
}

std::string to_text(const Proved& proved) {
  if (const auto* rejected = std::get_if<Rejected>(&proved.result))
    return fmt::format("{}: {}\n", proved.heading.file, rejected->reason);
  const auto* all = std::get_if<AllProofs>(&proved.result);
  if (!all) return "";
  auto text = to_text(all->sizes, proved.heading.file);
  for (const auto& each : all->all_sizes) text += to_text(each, proved.heading.file);
  return text;
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
