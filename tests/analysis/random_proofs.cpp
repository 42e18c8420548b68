#include "tests/analysis/random_proofs.h"

#include <fmt/format.h>

#include <variant>

#include "analysis/instruments.h"
#include "tests/analysis/agreement_of_proofs.h"
#include "tests/analysis/random_access.h"

namespace msci {

Result<RandomProofs> compare_random_kernels(std::uint64_t first, unsigned count, Device& device) {
  RandomProofs all;
  constexpr unsigned at_once = 16;  // kernels of one source
  for (unsigned begin = 0; begin < count; begin += at_once) {
    const auto end = std::min(count, begin + at_once);
    auto text = random_access_prelude();
    const auto name_of = [&](unsigned i) { return fmt::format("k{}", first + i); };
    for (auto i = begin; i < end; ++i) text += random_access_kernel(name_of(i), first + i);
    auto unit = parse({"random.metal", text});
    if (!unit) return unit.error();
    if (!unit->compiled()) return Error{unit->diagnostics().front().message + "\n" + text};
    const auto checked = translate(*unit, {}, {}, TranslationPurpose::checking);
    if (!checked) return checked.error();
    auto built = device.build(*checked);
    if (!built) return built.error();
    if (auto* failure = std::get_if<Failure>(&*built)) return Error{failure->message};
    auto& program = *std::get<std::unique_ptr<Program>>(*built);
    for (auto i = begin; i < end; ++i) {
      const auto plan = random_access_plan(name_of(i), first + i);
      auto compared = compare_with_run(plan, *checked, program, {"forward", "reversed", "7"});
      if (!compared) return Error{name_of(i) + ": " + compared.error().message};
      ++all.kernels;
      const auto& proof = compared->proofs.at(0);
      ++(proof.has(ProofAnswer::refuted)   ? all.refuted
         : proof.has(ProofAnswer::unknown) ? all.unknown
                                           : all.proved);
      if (compared->disagreements.empty()) continue;
      for (auto& each : compared->disagreements) all.disagreements.push_back(std::move(each));
      const auto& launch = plan.launches.front();
      all.source += fmt::format("// grid: {}\n// threadgroup: {}\n{}", launch.grid.x,
                                launch.threadgroup.x, random_access_kernel(name_of(i), first + i));
    }
  }
  return all;
}

}  // namespace msci
