#include "analysis/proofs/prove.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "analysis/facts/code.h"
#include "analysis/facts/launch_facts.h"
#include "analysis/facts/specialise_kernel.h"
#include "analysis/proofs/assumed.h"
#include "analysis/proofs/kernel_questions.h"
#include "analysis/proofs/show.h"
#include "analysis/solver/z3.h"

namespace msci {
namespace {

using prover::LaunchFacts;

// The module with the body of one kernel. Those of the others are not read.
Result<std::unique_ptr<llvm::Module>> module_of(const Translation& checked,
                                                const KernelSignature& kernel,
                                                llvm::LLVMContext& context) {
  auto parsed = llvm::getLazyBitcodeModule(llvm::MemoryBufferRef(checked.ir, "kernels"), context);
  const auto unreadable = [](llvm::Error error) {
    return Error{"msci cannot read its own IR: " + llvm::toString(std::move(error))};
  };
  if (!parsed) return unreadable(parsed.takeError());
  for (auto& function : **parsed)
    if (!function.isDeclaration() && function.getName() != kernel.symbol) function.deleteBody();
  if (auto error = (*parsed)->materializeAll()) return unreadable(std::move(error));
  if (!(*parsed)->getFunction(kernel.symbol))
    return Error{fmt::format("msci translated the kernel '{}' wrongly: it has no IR", kernel.name)};
  return std::move(*parsed);
}

}  // namespace

Result<KernelProof> prove_launch(const LaunchFacts& facts, const Translation& checked,
                                 prover::Z3& z3, const ProofLimits& limits,
                                 const ProofScope& scope) {
  const auto begin = std::chrono::steady_clock::now();
  const auto first_step = z3.steps();
  const auto& signature = *checked.find(facts.kernel);
  llvm::LLVMContext context;
  auto module = module_of(checked, signature, context);
  if (!module) return module.error();
  auto& kernel = *(*module)->getFunction(signature.symbol);
  std::vector<ProofClaim> outside;
  const auto stays_inside = [&] {
    const prover::Code code(kernel, signature, facts, checked);
    outside = prover::Questions(code, z3, limits, scope).claims_outside();
    return outside.empty();
  };
  const bool may_stop = scope.effort == prover::Effort::quick && scope.stops_outside;
  prover::specialise(kernel, signature, facts, scope.effort,
                     may_stop ? stays_inside : std::function<bool()>());
  prover::show([&] {
    std::string text;
    llvm::raw_string_ostream stream(text);
    kernel.print(stream);
    return text;
  });
  KernelProof proof{.kernel = facts.kernel,
                    .launch = prover::describe(facts),
                    .launches = facts.launches,
                    .first = facts.first};
  for (const auto& each : facts.assumptions) proof.assumptions.push_back(each.text);
  if (!outside.empty()) {
    proof.claims = std::move(outside);
    return proof;
  }
  const prover::Code code(kernel, signature, facts, checked);
  prover::Questions questions(code, z3, limits, scope);
  if (questions.contradicts_itself())
    return Error{fmt::format(
        "the assumptions about the kernel {} contradict each other, or what is known of its launch",
        facts.kernel)};
  proof.claims = questions.claims();
  proof.met_limit = questions.met_limit();
  proof.steps = z3.steps() - first_step;
  proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return proof;
}

Result<std::vector<KernelProof>> prove(const Plan& plan, const Translation& checked,
                                       std::span<const Assumption> assumptions) {
  const auto z3 = prover::Z3::open();
  if (!z3) return z3.error();
  std::vector<KernelProof> proofs;
  std::map<std::string, std::uint64_t> left_of;  // steps, by kernel
  for (auto& facts : prover::facts_of(plan, checked)) {
    const auto& signature = *checked.find(facts.kernel);
    for (const auto& each : assumptions) {
      if (!is_about(each, signature)) continue;
      if (auto broken = prover::broken_assumption(each, facts, signature))
        return *std::move(broken);
      facts.assumptions.push_back(each);
    }
    // All launches of a kernel share its steps.
    constexpr std::uint64_t least_steps = 2'000'000;
    auto& left = left_of.try_emplace(facts.kernel, ProofLimits{}.launch_steps).first->second;
    auto proof = prove_launch(facts, checked, **z3, {.launch_steps = std::max(left, least_steps)},
                              {.arithmetic = true});
    if (!proof) return proof.error();
    left -= std::min(left, proof->steps);
    proofs.push_back(*std::move(proof));
  }
  return proofs;
}

}  // namespace msci
