#include "analysis/coverage/passes/certify.h"

#include <fmt/format.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Transforms/InstCombine/InstCombine.h>
#include <llvm/Transforms/Scalar/ConstraintElimination.h>
#include <llvm/Transforms/Scalar/CorrelatedValuePropagation.h>
#include <llvm/Transforms/Scalar/EarlyCSE.h>
#include <llvm/Transforms/Scalar/GVN.h>
#include <llvm/Transforms/Scalar/IndVarSimplify.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/SCCP.h>
#include <llvm/Transforms/Scalar/SimplifyCFG.h>
#include <llvm/Transforms/Utils/LCSSA.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>

#include <algorithm>
#include <ctime>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "analysis/coverage/launch_numbers.h"
#include "analysis/coverage/passes/condition_words.h"
#include "analysis/coverage/passes/cover_outcomes.h"
#include "analysis/coverage/passes/host_numbers.h"
#include "analysis/coverage/passes/launch_values.h"
#include "analysis/coverage/passes/solve_outcomes.h"
#include "compiler/frontend/passes.h"

namespace msci {
namespace {

using llvm::Value;
using Status = CertifiedOutcome::Status;

// Puts what is known of a launch into a kernel: constants in the place of numbers, and assumptions.
class KnownLaunch {
 public:
  KnownLaunch(llvm::Function& kernel, const KernelSignature& signature,
              const std::vector<LaunchFact>& facts)
      : kernel_(kernel), builder_(kernel.getContext()), host_(kernel, signature) {
    for (const auto& fact : facts) facts_.emplace(fact.number, &fact);
  }

  void put_in() {
    const auto loads = loads_of_arguments();
    auto positions = calls_of_positions();
    auto& entry = kernel_.getEntryBlock();
    builder_.SetInsertPoint(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    for (const auto& [number, fact] : facts_)
      if (is_side(number)) settle(number, parameter_of(number), *fact);
    for (auto* load : loads)
      if (const auto number = host_.number_of(*load); number && !load->getType()->isVectorTy())
        replace(*load, *number);
    for (auto* call : positions) limit(*call);
  }

 private:
  Value* word(std::uint32_t value) { return builder_.getInt32(value); }

  static bool is_side(const LaunchNumber& number) {
    return number.kind == LaunchNumber::Kind::grid ||
           number.kind == LaunchNumber::Kind::threadgroup;
  }

  llvm::Argument* parameter_of(const LaunchNumber& number) {
    return HostNumbers::side_of(kernel_, number);
  }

  void assume(Value* holds) { builder_.CreateAssumption(holds); }

  // No size of a task is astronomic, so that signed and unsigned comparisons agree.
  void settle(const LaunchNumber& number, Value* value, const LaunchFact& fact) {
    if (fact.constant) {
      if (number.kind != LaunchNumber::Kind::argument)
        value->replaceAllUsesWith(word(*fact.constant));
      return;
    }
    if (fact.most >= launch_number_limit) return;
    assume(builder_.CreateICmpULT(value, word(launch_number_limit)));
    assume(builder_.CreateICmpSGE(value, word(0)));
    const auto power = fact.multiple & (~fact.multiple + 1);
    const bool is_group = number.kind == LaunchNumber::Kind::threadgroup;
    if (fact.least > 0) assume(builder_.CreateICmpUGE(value, word(is_group ? fact.least : power)));
    if (power > 1)
      assume(builder_.CreateICmpEQ(builder_.CreateAnd(value, word(power - 1)), word(0)));
  }

  std::vector<llvm::LoadInst*> loads_of_arguments() {
    std::vector<llvm::LoadInst*> loads;
    for (auto& instruction : llvm::instructions(kernel_))
      if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction); load && reads_argument(*load))
        loads.push_back(load);
    return loads;
  }

  std::vector<llvm::CallInst*> calls_of_positions() {
    std::vector<llvm::CallInst*> calls;
    for (auto& instruction : llvm::instructions(kernel_)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const auto* callee = call ? call->getCalledFunction() : nullptr;
      if (!callee) continue;
      const auto name = callee->getName();
      if (name == "get_global_id" || name == "get_local_id" || name == "get_local_size")
        calls.push_back(call);
    }
    return calls;
  }

  void replace(llvm::LoadInst& load, const LaunchNumber& number) {
    const auto known = facts_.find(number);
    if (known == facts_.end()) return;
    const auto& fact = *known->second;
    builder_.SetInsertPoint(load.getNextNode());
    Value* other = nullptr;
    if (fact.constant)
      other = word(*fact.constant);
    else if (fact.same_as && is_side(*fact.same_as))
      other = parameter_of(*fact.same_as);
    if (other)
      load.replaceAllUsesWith(
          load.getType()->isIntegerTy() ? other : builder_.CreateBitCast(other, load.getType()));
    else if (load.getType()->isIntegerTy())
      settle(number, &load, fact);
  }

  // The word of an argument, read where the builder stands.
  Value* read(const LaunchNumber& number) {
    const auto parameter = host_.parameter_of(number.index);
    auto* begin = builder_.CreateGEP(builder_.getInt8Ty(), kernel_.getArg(parameter),
                                     kernel_.getArg(parameter + 1));
    return builder_.CreateLoad(
        builder_.getInt32Ty(),
        number.byte == 0 ? begin
                         : builder_.CreateConstGEP1_64(builder_.getInt8Ty(), begin, number.byte));
  }

  // A thread lies in its grid and in its threadgroup.
  void limit(llvm::CallInst& call) {
    const auto* dimension = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(0));
    if (!dimension) return;
    const auto name = call.getCalledFunction()->getName();
    const bool is_global = name == "get_global_id";
    const LaunchNumber number{
        is_global ? LaunchNumber::Kind::grid : LaunchNumber::Kind::threadgroup,
        static_cast<unsigned>(dimension->getZExtValue()), 0};
    const auto known = facts_.find(number);
    if (known == facts_.end() || known->second->most >= launch_number_limit) return;
    builder_.SetInsertPoint(call.getNextNode());
    const auto& fact = *known->second;
    auto* position = builder_.CreateTrunc(&call, builder_.getInt32Ty());
    const auto stay_below = [&](Value* side) {
      const bool is_size = name == "get_local_size";
      assume(is_size ? builder_.CreateICmpULE(position, side)
                     : builder_.CreateICmpULT(position, side));
      assume(is_size ? builder_.CreateICmpSLE(position, side)
                     : builder_.CreateICmpSLT(position, side));
    };
    assume(builder_.CreateICmpULT(&call, builder_.getInt64(launch_number_limit)));
    assume(builder_.CreateICmpSGE(position, word(0)));
    stay_below(fact.constant ? word(*fact.constant) : parameter_of(number));
    if (fact.product_of.empty()) return;
    Value* product = read(fact.product_of.front());
    for (std::size_t i = 1; i < fact.product_of.size(); ++i)
      product = builder_.CreateMul(product, read(fact.product_of[i]));
    stay_below(product);
  }

  llvm::Function& kernel_;
  llvm::IRBuilder<> builder_;
  std::map<LaunchNumber, const LaunchFact*> facts_;
  HostNumbers host_;
};

void fold(llvm::Module& ir) {
  llvm::FunctionPassManager passes;
  for (int round = 0; round < 2; ++round) {
    passes.addPass(llvm::EarlyCSEPass());
    passes.addPass(llvm::InstCombinePass());
    passes.addPass(llvm::SCCPPass());
    passes.addPass(llvm::CorrelatedValuePropagationPass());
    passes.addPass(llvm::ConstraintEliminationPass());
    passes.addPass(llvm::SimplifyCFGPass());
    passes.addPass(llvm::LoopSimplifyPass());
    passes.addPass(llvm::LCSSAPass());
    passes.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::IndVarSimplifyPass(),
                                                         /*UseMemorySSA=*/false));
    passes.addPass(llvm::GVNPass());
  }
  passes.addPass(llvm::CorrelatedValuePropagationPass());
  passes.addPass(llvm::ConstraintEliminationPass());
  passes.addPass(llvm::InstCombinePass());
  run(ir, std::move(passes));
}

// The outcomes that some call may still see.
std::set<std::size_t> left_outcomes(const llvm::Function& kernel) {
  std::set<std::size_t> left;
  for (const auto& instruction : llvm::instructions(kernel)) {
    const auto* call = outcome_call(instruction);
    if (!call) continue;
    const auto* bit = llvm::dyn_cast<llvm::ConstantInt>(call->getArgOperand(1));
    if (!bit || !bit->isZero()) left.insert(outcome_number(*call));
  }
  return left;
}

// The runs that saw an outcome which few have seen and whose result may be right by chance; empty
// for others. A kernel's own number may make a difference only where no side is 1.
KernelRecord::Runs rare_runs_of(const CertifiedOutcome& outcome, const KernelRecord::Seen& seen) {
  const auto &runs = seen.runs, &degenerate = seen.degenerate_runs;
  const bool has_number = has_own_number(outcome);
  const auto count = runs.size() + (has_number ? 0 : degenerate.size());
  if ((!has_number && outcome.of_data) || count >= KernelRecord::enough_runs) return {};
  return runs.empty() ? degenerate : runs;
}

// Conditions with a number of the kernel's own say most of what a size does differently, and those
// on the contents of buffers least: random inputs differ in them, too.
std::vector<CertifiedOutcome> likely_first(std::vector<CertifiedOutcome> outcomes) {
  outcomes = joined(std::move(outcomes));
  std::ranges::stable_sort(outcomes, {}, [](const CertifiedOutcome& outcome) {
    return std::pair(outcome.of_data, !has_own_number(outcome));
  });
  return outcomes;
}

// Makes a certificate of some kernels.
class Certifier {
 public:
  Certifier(const Translation& translation, const OutcomeRecords& records, const OnPart& on_part)
      : translation_(translation), records_(records), on_part_(on_part) {}

  // Answers that take little time come first, those about all kernels before any that take long.
  Result<Certificate> certify() {
    for (const auto& record : records_.kernels())
      for (const auto& signature : translation_.kernels)
        if (signature.symbol == record.symbol) kernels_.push_back({signature, record});
    for (auto& kernel : kernels_)
      if (auto error = start(kernel)) return *error;
    if (records_.wrong_run()) return certificate();
    tell();
    for (auto& kernel : kernels_)
      if (auto error = find_impossible(kernel)) return *error;
    return certificate();
  }

 private:
  // One kernel, alone in its module.
  struct Kernel {
    const KernelSignature& signature;
    const KernelRecord& record;
    std::vector<CertifiedOutcome> outcomes = {};  // by number
    ValueOutcomes values = {};
    std::set<std::size_t> degenerate = {};
    std::vector<std::vector<std::uint32_t>> wanted_sizes = {};
    bool is_complete = true;
  };
  struct Loaded {
    std::unique_ptr<llvm::LLVMContext> context;
    std::unique_ptr<llvm::Module> ir;
    llvm::Function* kernel = nullptr;
  };

  Result<Loaded> load(const KernelSignature& signature) const {
    Loaded loaded{.context = std::make_unique<llvm::LLVMContext>(), .ir = nullptr};
    llvm::SMDiagnostic problem;
    loaded.ir =
        llvm::parseIR(llvm::MemoryBufferRef(translation_.ir, "kernels"), problem, *loaded.context);
    if (!loaded.ir) return Error{"reading the translated kernels: " + problem.getMessage().str()};
    for (auto& other : *loaded.ir)
      if (other.getName() != signature.symbol && !other.isDeclaration()) other.deleteBody();
    loaded.kernel = loaded.ir->getFunction(signature.symbol);
    if (!loaded.kernel)
      return Error{fmt::format("the translation lacks kernel '{}'", signature.symbol)};
    return loaded;
  }

  // What the runs saw, and what values say.
  std::optional<Error> start(Kernel& kernel) const {
    const auto loaded = load(kernel.signature);
    if (!loaded) return loaded.error();
    kernel.outcomes = outcomes_of(*loaded->kernel);
    for (std::size_t i = 0; i < kernel.outcomes.size(); ++i) {
      auto& outcome = kernel.outcomes[i];
      take_place(kernel, outcome);
      const auto seen = kernel.record.seen_of(i);
      kernel.is_complete = kernel.is_complete && kernel.record.has_seen(i);
      if (kernel.record.has_seen(i)) outcome.status = Status::seen;
      if (kernel.record.has_seen(i) && seen.runs.empty() && has_own_number(outcome))
        kernel.degenerate.insert(i);
    }
    kernel.values = find_values(*loaded->kernel, kernel.signature, records_.facts(),
                                records_.sizes(), kernel.record, kernel.outcomes);
    for (auto& outcome : kernel.values.never) take_place(kernel, outcome);
    return std::nullopt;
  }

  void take_place(const Kernel& kernel, CertifiedOutcome& outcome) const {
    outcome.kernel = kernel.signature.name;
    if (outcome.file == translation_.source_name) outcome.file.clear();
  }

  std::optional<Error> find_impossible(Kernel& kernel) {
    if (kernel.is_complete && kernel.degenerate.empty()) return std::nullopt;
    const auto loaded = load(kernel.signature);
    if (!loaded) return loaded.error();
    const auto facts = records_.facts().facts_of(kernel.signature.symbol);
    KnownLaunch(*loaded->kernel, kernel.signature, facts).put_in();
    fold(*loaded->ir);
    const auto left = left_outcomes(*loaded->kernel);
    auto& outcomes = kernel.outcomes;
    for (std::size_t i = 0; i < outcomes.size(); ++i)
      if (outcomes[i].status == Status::never && !left.contains(i))
        outcomes[i].status = Status::impossible;
    tell();
    auto solved = solve_outcomes(*loaded->kernel, kernel.signature, facts, records_.sizes(),
                                 {outcomes, kernel.degenerate, kernel.values.found},
                                 [&](const SolvedOutcomes& part) {
                                   take(part, kernel);
                                   tell();
                                 });
    if (!solved) return solved.error();
    take(*solved, kernel);
    return std::nullopt;
  }

  static void take(const SolvedOutcomes& solved, Kernel& kernel) {
    for (const auto number : solved.impossible) kernel.outcomes[number].status = Status::impossible;
    kernel.wanted_sizes = solved.wanted_sizes;
  }

  // Now and then: there may be hundreds of answers.
  void tell() {
    constexpr std::clock_t pause = CLOCKS_PER_SEC / 4;
    if (!on_part_ || (told_ && std::clock() - *told_ < pause)) return;
    on_part_(certificate());
    told_ = std::clock();
  }

  Certificate certificate() const {
    Certificate certificate;
    for (const auto& kernel : kernels_) {
      for (std::size_t i = 0; i < kernel.outcomes.size(); ++i)
        if (auto rare = rare_runs_of(kernel.outcomes[i], kernel.record.seen_of(i)); !rare.empty())
          certificate.rare_runs.push_back(std::move(rare));
      for (std::size_t i = 0; i < kernel.outcomes.size(); ++i)
        if (const auto seen = kernel.record.seen_of(i);
            kernel.record.has_seen(i) && !seen.is_checked &&
            (!kernel.outcomes[i].of_threads || has_own_number(kernel.outcomes[i])) &&
            !kernel.outcomes[i].of_data)
          certificate.unchecked.push_back({seen.least_run, kernel.outcomes[i]});
      for (std::size_t i = 0; i < kernel.outcomes.size(); ++i)
        if (is_only_in_wrong_run(kernel.record.seen_of(i)))
          certificate.only_in_wrong_run.push_back(kernel.outcomes[i]);
      for (const auto* sizes : {&kernel.values.wanted_sizes, &kernel.wanted_sizes})
        certificate.wanted_sizes.insert(certificate.wanted_sizes.end(), sizes->begin(),
                                        sizes->end());
      auto outcomes = kernel.outcomes;
      outcomes.insert(outcomes.end(), kernel.values.never.begin(), kernel.values.never.end());
      std::ranges::move(joined(std::move(outcomes)), std::back_inserter(certificate.outcomes));
    }
    certificate.only_in_wrong_run = likely_first(std::move(certificate.only_in_wrong_run));
    return certificate;
  }

  bool is_only_in_wrong_run(const KernelRecord::Seen& seen) const {
    const auto is_other = [&](std::size_t run) { return run != records_.wrong_run(); };
    return records_.wrong_run() && seen != KernelRecord::Seen() &&
           std::ranges::none_of(seen.runs, is_other) &&
           std::ranges::none_of(seen.degenerate_runs, is_other);
  }

  const Translation& translation_;
  const OutcomeRecords& records_;
  const OnPart& on_part_;
  std::vector<Kernel> kernels_;
  std::optional<std::clock_t> told_;
};

}  // namespace

Result<Certificate> certify(const Translation& translation, const OutcomeRecords& records,
                            const OnPart& on_part) {
  return Certifier(translation, records, on_part).certify();
}

}  // namespace msci
