#include "compiler/translate.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/GlobPattern.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>

#include "compiler/check/accesses.h"
#include "compiler/check/calls.h"
#include "compiler/check/debug_calls.h"
#include "compiler/check/inactive_lanes.h"
#include "compiler/check/operations.h"
#include "compiler/check/places.h"
#include "compiler/check/private_memory.h"
#include "compiler/check/source_locations.h"
#include "compiler/interface.h"
#include "compiler/lower/address_spaces.h"
#include "compiler/lower/bool_vectors.h"
#include "compiler/lower/define_constants.h"
#include "compiler/lower/expand_constants.h"
#include "compiler/lower/gather_lanes.h"
#include "compiler/lower/make_printable.h"
#include "compiler/lower/parameters.h"
#include "compiler/lower/reconverge_loops.h"
#include "compiler/lower/references.h"
#include "compiler/lower/schedule.h"
#include "compiler/own_names.h"
#include "compiler/pointers/function_values.h"
#include "compiler/pointers/stored_pointers.h"
#include "compiler/pointers/visible_functions.h"
#include "compiler/print/print.h"
#include "compiler/profile/count_work.h"
#include "compiler/profile/matrix_products.h"
#include "compiler/threadgroup_variables.h"
#include "compiler/unsupported.h"
#include "frontend/module.h"
#include "frontend/optimise.h"

namespace msci {
namespace {

using Purpose = TranslationPurpose;

// A fault of ours must not become a wrong answer of the kernel.
std::optional<Error> find_invalid(const llvm::Module& ir) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (!llvm::verifyModule(ir, &stream)) return std::nullopt;
  return Error{"msci translated the kernels wrongly; please report this: " + problem};
}

// ---- which kernels

bool fits(std::string_view kernel, const std::string& name) {
  auto pattern = llvm::GlobPattern::create(name);
  if (pattern) return pattern->match(kernel);
  llvm::consumeError(pattern.takeError());
  return kernel == name;
}

Result<std::vector<Kernel>> select(const Unit& unit, const KernelNames& names) {
  if (names.empty()) return std::vector(unit.kernels().begin(), unit.kernels().end());
  std::vector<Kernel> selected;
  for (const auto& name : names)
    if (std::none_of(unit.kernels().begin(), unit.kernels().end(),
                     [&](const Kernel& kernel) { return fits(kernel.name, name); }))
      return Error{fmt::format("kernel '{}' not found in this source", name)};
  for (const auto& kernel : unit.kernels())
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return fits(kernel.name, name); }))
      selected.push_back(kernel);
  return selected;
}

// ---- lowering

struct Selection {
  std::vector<Kernel> kernels;
  std::vector<KernelInterface> interfaces;  // of each
  std::vector<ConstantValue> constants;
  std::vector<VisibleFunction> visible;
};

struct Lowered {
  Module module;
  std::vector<KernelSignature> kernels;
};

// The interfaces as the values of the function constants leave them.
std::vector<KernelInterface> present_interfaces(const llvm::Module& ir,
                                                std::vector<KernelInterface> interfaces) {
  const auto is_false = [&](const std::string& condition) {
    const auto* constant = ir.getNamedGlobal(condition);
    return constant && constant->isConstant() && constant->hasInitializer() &&
           constant->getInitializer()->isNullValue();
  };
  for (auto& interface : interfaces) drop_absent(interface, is_false);
  return interfaces;
}

constexpr const char* missing_function = "msci.function.missing";

// A checked kernel marks calls that find no function.
void expand_calls(llvm::Module& ir, const Selection& selection, bool checked) {
  std::vector<std::string> visible;
  for (const auto& function : selection.visible) visible.push_back(function.symbol);
  expand_function_values(ir, visible, [&](llvm::Instruction& before, const llvm::CallInst& call) {
    if (!checked) return;
    llvm::IRBuilder<> builder(&before);
    const auto mark =
        ir.getOrInsertFunction(missing_function, builder.getVoidTy(), builder.getInt32Ty());
    const auto touch = is_table_call(call) ? Touch::call_entry : Touch::call_pointer;
    builder.CreateCall(mark, builder.getInt32(static_cast<unsigned>(touch)))
        ->setDebugLoc(call.getDebugLoc());
  });
}

// Reports the marked calls: only once all is inlined are their lines known, since those of tables
// are in Metal's headers.
void report_missing_functions(llvm::Module& ir, SourceLocations& locations) {
  auto* mark = ir.getFunction(missing_function);
  if (!mark) return;
  for (auto* user : llvm::make_early_inc_range(mark->users())) {
    auto* call = llvm::cast<llvm::CallInst>(user);
    llvm::IRBuilder<> builder(call);
    const auto* touch = llvm::cast<llvm::ConstantInt>(call->getArgOperand(0));
    call_hold(builder, builder.getFalse(), Fault::Kind::out_of_bounds,
              locations.number_marked(*call), static_cast<Touch>(touch->getZExtValue()));
    call->eraseFromParent();
  }
  mark->eraseFromParent();
}

// Every lowering, in order. For checks, `locations` takes the locations that they name.
Result<Lowered> lower_kernels(Unit& unit, const Selection& selection, WithLocations with_locations,
                              SourceLocations& locations, Purpose purpose,
                              UnrollHints hints = UnrollHints::ignore) {
  const bool checked = purpose == Purpose::checking;
  auto generated = selection.kernels;
  for (const auto& function : selection.visible) generated.push_back(function.kernel);
  auto module =
      lower(unit, generated, with_locations, checked ? DebugCalls::keep : DebugCalls::drop);
  if (!module) return module.error();
  auto& ir = module->ir();
  define_function_constants(ir, selection.constants);  // they decide which parameters exist
  const auto interfaces = present_interfaces(ir, selection.interfaces);
  std::vector<KernelSignature> kernels;
  for (const auto& interface : interfaces) kernels.push_back(interface.signature);

  count_true_as_one(ir);  // before all steps that fold the conversions that it looks for
  give_opencl_parameters(ir, interfaces);
  name_constant_space(ir);  // before inlining: constant loads are marked where they stand
  expand_calls(ir, selection, checked);  // before inlining: they call helpers, too
  copy_as_pointers(ir);
  if (!checked) simplify_before_inlining(ir);  // checks come before uninitialised values are folded
  if (checked) check_operations(ir, locations);  // while instructions are those of the source
  inline_everything(ir);
  if (checked) {
    report_missing_functions(ir, locations);
    check_assertions(ir, locations);
    check_functions(ir, locations);
    check_private_memory(ir, locations);
  }
  // Needs helpers inlined: their pointers are generic.
  infer_address_spaces(ir, checked ? Tidying::pointers : Tidying::all);
  if (checked) {
    check_accesses(ir, kernels, locations);  // before accesses move or merge
    check_lanes(ir, locations);
    drop_what_holds(ir);
  }
  optimise(ir, checked ? UnrollHints::forbid : hints);  // checks make unrolled loops enormous
  infer_address_spaces(ir);                             // of pointers that optimisation made plain
  if (checked) record_messages(ir, locations);
  read_references_first(ir);  // when loads are no longer sunk to their uses
  make_printable(ir);
  if (checked) drop_what_holds(ir);
  schedule_for_pressure(ir);
  reconverge_loops(ir);
  expand_address_constants(ir);  // after all steps that fold constants
  gather_lanes(ir);              // last: no later step may separate them again
  if (auto invalid = find_invalid(ir)) return *std::move(invalid);
  return Lowered{*std::move(module), std::move(kernels)};
}

// As Apple's compiler does, with loops unrolled where the source asks for it; without, where a
// kernel becomes so large that a device takes minutes to compile it.
Result<Lowered> lower_for_profile(Unit& unit, const Selection& selection,
                                  SourceLocations& locations) {
  constexpr unsigned most_instructions = 5000;
  const auto lower_with = [&](UnrollHints hints) {
    return lower_kernels(unit, selection, WithLocations::yes, locations, Purpose::profiling, hints);
  };
  auto lowered = lower_with(UnrollHints::follow);
  if (!lowered) return lowered;
  const bool is_large = llvm::any_of(lowered->module.ir(), [](const llvm::Function& kernel) {
    const auto products = llvm::count_if(llvm::instructions(kernel), MatrixProducts::contains);
    return kernel.getInstructionCount() - products > most_instructions;
  });
  return is_large ? lower_with(UnrollHints::ignore) : std::move(lowered);
}

// ---- what cannot be translated

// Where the kernel uses it: it is lowered once more, with source locations.
std::string line_of_unsupported(Unit& unit, const Selection& selection, std::size_t kernel) {
  SourceLocations locations(unit);
  const Selection alone{{selection.kernels[kernel]},
                        {selection.interfaces[kernel]},
                        selection.constants,
                        selection.visible};
  auto lowered = lower_kernels(unit, alone, WithLocations::yes, locations, Purpose::running);
  if (!lowered) return "";
  const auto* function = lowered->module.ir().getFunction(lowered->kernels.front().symbol);
  const auto unsupported = first_unsupported(*function);
  const auto number = unsupported ? locations.number(*unsupported->where) : 0;
  return number == 0 ? "" : fmt::format("line {}: ", locations.all()[number].begin.line);
}

// Moves kernels that print() has no text for from `kernels` to the result.
std::vector<RefusedKernel> take_unsupported(Unit& unit, const Selection& selection,
                                            Lowered& lowered) {
  std::vector<RefusedKernel> refused;
  std::vector<KernelSignature> supported;
  for (std::size_t i = 0; i < lowered.kernels.size(); ++i) {
    auto& signature = lowered.kernels[i];
    auto& function = *lowered.module.ir().getFunction(signature.symbol);
    const auto unsupported = first_unsupported(function);
    if (!unsupported) {
      supported.push_back(std::move(signature));
      continue;
    }
    refused.push_back({signature.name, fmt::format("{}cannot translate kernel '{}' yet: it uses {}",
                                                   line_of_unsupported(unit, selection, i),
                                                   signature.name, unsupported->what)});
    function.deleteBody();
  }
  lowered.kernels = std::move(supported);
  return refused;
}

std::string bitcode(const llvm::Module& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(ir, stream);
  return text;
}

// The first refusal, where it leaves a name without a kernel; without names, where all are refused.
std::optional<Error> whole_refusal(const Translation& translation, const KernelNames& names) {
  const auto& kernels = translation.kernels;
  const auto& refused = translation.refused;
  if (refused.empty()) return std::nullopt;
  if (names.empty() && kernels.empty()) return Error{refused.front().reason};
  for (const auto& name : names) {
    const auto is_named = [&](const auto& kernel) { return fits(kernel.name, name); };
    const auto first = std::find_if(refused.begin(), refused.end(), is_named);
    if (first != refused.end() && std::none_of(kernels.begin(), kernels.end(), is_named))
      return Error{first->reason};
  }
  return std::nullopt;
}

}  // namespace

Result<Translation> translate(Unit& unit, const KernelNames& names, const ConstantValues& constants,
                              TranslationPurpose purpose) {
  if (auto refusal = refuse_own_names(unit)) return *std::move(refusal);
  const auto kernels = select(unit, names);
  if (!kernels) return kernels.error();
  auto values = constant_values(unit, constants);
  if (!values) return values.error();
  Translation translation{.source_name = unit.source().name};
  Selection selection{.constants = *std::move(values), .visible = visible_functions(unit)};
  translation.tables = function_tables(unit, selection.visible);
  for (const auto& kernel : *kernels) {
    auto interface = kernel_interface(unit, kernel);
    if (!interface) {
      translation.refused.push_back({kernel.name, interface.error().message});
      continue;
    }
    selection.kernels.push_back(kernel);
    selection.interfaces.push_back(*std::move(interface));
  }
  SourceLocations locations(unit);
  const auto with_locations = purpose == Purpose::running ? WithLocations::no : WithLocations::yes;
  auto lowered = purpose == Purpose::profiling
                     ? lower_for_profile(unit, selection, locations)
                     : lower_kernels(unit, selection, with_locations, locations, purpose);
  if (!lowered) return lowered.error();
  for (auto& refused : take_unsupported(unit, selection, *lowered))
    translation.refused.push_back(std::move(refused));
  translation.kernels = std::move(lowered->kernels);
  if (auto refusal = whole_refusal(translation, names)) return *std::move(refusal);
  for (auto& kernel : translation.kernels) {
    auto& function = *lowered->module.ir().getFunction(kernel.symbol);
    kernel.threadgroup_bytes = threadgroup_bytes_of(function);
    kernel.loads_pointers = loads_pointers(function);
    kernel.stores_pointers = stores_pointers(function);
  }
  // Only the engine, which takes IR, has checks and counters.
  if (purpose == Purpose::running)
    translation.text = print(lowered->module.ir(), translation.kernels);
  if (purpose == Purpose::checking) {
    mark_places(lowered->module.ir(), locations);
    translation.places = locations.all();
    translation.debug_calls = locations.debug_calls();
    translation.marked.assign(locations.marked().begin(), locations.marked().end());
  }
  if (purpose == Purpose::profiling) translation.code = count_work(lowered->module.ir(), locations);
  translation.ir = bitcode(lowered->module.ir());
  return translation;
}

}  // namespace msci
