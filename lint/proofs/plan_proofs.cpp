#include "lint/proofs/plan_proofs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/instruments.h"
#include "analysis/proofs/prove.h"
#include "base/json.h"
#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"
#include "lint/analysis/proof_coverage.h"
#include "tasks/plan/task.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskProofStop, reason, detail)

namespace {

// Steps of Z3 after which no further size is proved, so that each machine withdraws the same: about
// four seconds.
constexpr std::uint64_t task_steps = 12'000'000;
// A process that exceeds this has met something that the steps do not count.
constexpr Limits task_limits{.seconds = 60};

// A kernel, a subject and an object.
using Excluded = std::set<std::tuple<std::string, std::string, std::string>>;

struct TaskProofs {
  Excluded excluded;
  TaskProofStop stop;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TaskProofs, excluded, stop)

// Adds what holds for the launches of one size; the steps that it took.
Result<std::uint64_t> prove_size(const Task& task, const Size& size, const Translation& checked,
                                 std::map<Excluded::value_type, bool>& proved) {
  const auto plan = task.plan(size, checked);
  if (!plan) return plan.error();
  const auto proofs = prove(*plan, checked);
  if (!proofs) return proofs.error();
  std::uint64_t steps = 0;
  for (const auto& proof : *proofs) {
    steps += proof.steps;
    for (const auto& claim : proof.claims) {
      const bool is_proved = claim.answer == ProofAnswer::proved;
      auto& all = proved
                      .try_emplace(
                          {proof.kernel, std::string(to_string(claim.subject)), claim.object}, true)
                      .first->second;
      all = all && is_proved;
    }
  }
  return steps;
}

// Generates code of the unit, which changes it.
Result<TaskProofs> prove_task(const Task& task, Unit& unit) {
  if (task.load)
    if (auto error = task.load({.is_judged = false})) return *std::move(error);
  const auto checked = translate(unit, {}, task.constants, TranslationPurpose::checking);
  if (!checked) return checked.error();
  auto sizes = task.sizes;
  if (task.held_out) sizes.push_back(*task.held_out);
  std::map<Excluded::value_type, bool> proved;
  std::uint64_t all_steps = 0;
  for (const auto& size : sizes) {
    if (all_steps >= task_steps)
      return TaskProofs{.stop = {"budget", "of the launches of the task"}};
    const auto steps = prove_size(task, size, *checked, proved);
    if (!steps) return steps.error();
    all_steps += *steps;
  }
  TaskProofs proofs;
  for (const auto& [claim, is_proved] : proved)
    if (is_proved) proofs.excluded.insert(claim);
  return proofs;
}

// Excludes nothing where a limit is met or the process crashes: the findings stay.
TaskProofs proofs_in_launches(const Task& task, const Unit& unit) {
  const auto outcome = run_isolated(
      [&] { return to_msgpack(prove_task(task, const_cast<Unit&>(unit))); }, task_limits);
  const auto stopped = [](const std::string& why) {
    return TaskProofs{.stop = {proof_stopped, "in the launches of the task: " + why}};
  };
  if (!outcome) return stopped(outcome.error().message);
  if (const auto* failure = std::get_if<WorkFailure>(&*outcome)) return stopped(failure->reason);
  auto proofs = from_msgpack<TaskProofs>(std::get<std::string>(*outcome));
  return proofs ? *std::move(proofs) : TaskProofs{};  // what it cannot plan or translate
}

}  // namespace

bool is_excluded_by_task(const clang::FunctionDecl& kernel, ProofSubject subject,
                         const std::string& object, const Unit& unit, const Contract& contract) {
  if (!contract.task) return false;
  const auto& [excluded, stop] =
      unit.cache().get<TaskProofs>(&unit, [&] { return proofs_in_launches(*contract.task, unit); });
  unit.cache().get<TaskProofStop>(&unit, [&] { return stop; });  // for the report
  return std::ranges::any_of(unit.kernels(), [&](const Kernel& each) {
    return each.declaration == &kernel &&
           excluded.contains({each.name, std::string(to_string(subject)), object});
  });
}

}  // namespace msci
