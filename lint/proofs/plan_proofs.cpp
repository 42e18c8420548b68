#include "lint/proofs/plan_proofs.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/json.h"
#include "base/msgpack_result.h"
#include "base/process/isolated_process.h"
#include "compiler/translate.h"
#include "plan/task.h"
#include "prover/prove.h"

namespace msci {
namespace {

// A kernel, a subject and an object.
using Excluded = std::set<std::tuple<std::string, std::string, std::string>>;

// Adds what holds for the launches of one size.
std::optional<Error> prove_size(const Task& task, const Size& size, const Translation& checked,
                                std::map<Excluded::value_type, bool>& proved) {
  const auto plan = task.plan(size, checked);
  if (!plan) return plan.error();
  const auto proofs = prove(*plan, checked);
  if (!proofs) return proofs.error();
  for (const auto& proof : *proofs)
    for (const auto& claim : proof.claims) {
      const bool is_proved = claim.answer == ProofAnswer::proved;
      auto& all = proved
                      .try_emplace(
                          {proof.kernel, std::string(to_string(claim.subject)), claim.object}, true)
                      .first->second;
      all = all && is_proved;
    }
  return std::nullopt;
}

// Generates code of the unit, which changes it.
Result<Excluded> prove_task(const Task& task, Unit& unit) {
  if (task.load)
    if (auto error = task.load({.is_judged = false})) return *std::move(error);
  const auto checked = translate(unit, {}, task.constants, TranslationPurpose::checking);
  if (!checked) return checked.error();
  auto sizes = task.sizes;
  if (task.held_out) sizes.push_back(*task.held_out);
  std::map<Excluded::value_type, bool> proved;
  for (const auto& size : sizes)
    if (auto error = prove_size(task, size, *checked, proved)) return *std::move(error);
  Excluded excluded;
  for (const auto& [claim, is_proved] : proved)
    if (is_proved) excluded.insert(claim);
  return excluded;
}

// Nothing where a limit is met or the process crashes: the findings stay.
Excluded excluded_by(const Task& task, const Unit& unit) {
  const auto outcome =
      run_isolated([&] { return to_msgpack(prove_task(task, const_cast<Unit&>(unit))); }, Limits{});
  const auto* bytes = outcome ? std::get_if<std::string>(&*outcome) : nullptr;
  auto excluded = bytes ? from_msgpack<Excluded>(*bytes) : Result<Excluded>(Excluded{});
  return excluded ? *std::move(excluded) : Excluded{};
}

}  // namespace

bool is_excluded_by_task(const clang::FunctionDecl& kernel, ProofSubject subject,
                         const std::string& object, const Unit& unit, const Contract& contract) {
  if (!contract.task) return false;
  const auto& excluded =
      unit.cache().get<Excluded>(&unit, [&] { return excluded_by(*contract.task, unit); });
  return std::ranges::any_of(unit.kernels(), [&](const Kernel& each) {
    return each.declaration == &kernel &&
           excluded.contains({each.name, std::string(to_string(subject)), object});
  });
}

}  // namespace msci
