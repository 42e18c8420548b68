#include "compiler/translate_kernels.h"

#include <fmt/format.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/raw_ostream.h>

#include "compiler/frontend/module.h"
#include "compiler/frontend/optimise.h"
#include "compiler/interface.h"
#include "compiler/ir/source_locations.h"
#include "compiler/ir/threadgroup_variables.h"
#include "compiler/line_text.h"
#include "compiler/lower/lowerings.h"
#include "compiler/lower/parameters.h"
#include "compiler/pointers/pointers.h"

namespace msci {
namespace {

// A fault of ours must not become a wrong answer of the kernel.
std::optional<Error> find_invalid(const llvm::Module& ir) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  if (!llvm::verifyModule(ir, &stream)) return std::nullopt;
  return Error{"msci translated the kernels wrongly; please report this: " + problem};
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
  KernelNumbers numbers;
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

void expand_calls(llvm::Module& ir, const Selection& selection, InstrumentPasses& instrument) {
  std::vector<std::string> visible;
  for (const auto& function : selection.visible) visible.push_back(function.symbol);
  expand_function_values(ir, visible, [&](llvm::Instruction& before, const llvm::CallInst& call) {
    instrument.at_missing_function(before, call, is_table_call(call));
  });
}

// Every lowering, in order, with those of the instrument.
Result<Lowered> lower_kernels(Unit& unit, const Selection& selection, WithLocations with_locations,
                              InstrumentPasses& instrument) {
  const bool keeps_source_form = instrument.keeps_source_form();
  auto generated = selection.kernels;
  for (const auto& function : selection.visible) generated.push_back(function.kernel);
  auto module = lower(unit, generated, with_locations,
                      keeps_source_form ? DebugCalls::keep : DebugCalls::drop);
  if (!module) return module.error();
  auto& ir = module->ir();
  define_function_constants(ir, selection.constants);  // they decide which parameters exist
  const auto interfaces = present_interfaces(ir, selection.interfaces);
  std::vector<KernelSignature> kernels;
  for (const auto& interface : interfaces) kernels.push_back(interface.signature);

  count_true_as_one(ir);  // before all steps that fold the conversions that it looks for
  give_opencl_parameters(ir, interfaces);
  name_constant_space(ir);  // before inlining: constant loads are marked where they stand
  expand_calls(ir, selection, instrument);  // before inlining: they call helpers, too
  copy_as_pointers(ir);
  if (!keeps_source_form) simplify_before_inlining(ir);
  instrument.before_inlining(ir);
  inline_everything(ir);
  instrument.after_inlining(ir);
  // Needs helpers inlined: their pointers are generic.
  infer_address_spaces(ir, keeps_source_form ? Tidying::pointers : Tidying::all);
  instrument.before_optimisation(ir, kernels);
  if (instrument.is_only_read()) return Lowered{*std::move(module), std::move(kernels), {}};
  optimise(ir, instrument.unroll_hints());
  auto numbers = numbers_in(ir);  // before steps that add numbers of ours
  infer_address_spaces(ir);       // of pointers that optimisation made plain
  instrument.after_optimisation(ir);
  read_references_first(ir);  // after optimisation, which moves loads to their uses
  make_printable(ir);
  instrument.before_scheduling(ir);
  schedule_for_pressure(ir);
  reconverge_loops(ir);
  expand_address_constants(ir);  // after all steps that fold constants
  gather_lanes(ir);              // last: no later step may separate them again
  if (auto invalid = find_invalid(ir)) return *std::move(invalid);
  return Lowered{*std::move(module), std::move(kernels), std::move(numbers)};
}

// Without an instrument, a translation is text, which any device can run.
class PlainPasses final : public InstrumentPasses {
  bool needs_locations() const override { return false; }
  bool leaves_text() const override { return true; }
  void finish(llvm::Module& /*ir*/, Translation& /*translation*/) override {}
};

// ---- what cannot be translated

// A kernel of a selection that print() has no text for, and what is in its way.
struct UnsupportedKernel {
  std::size_t number = 0;
  std::string what;
};

std::vector<UnsupportedKernel> unsupported_kernels(Lowered& lowered) {
  std::vector<UnsupportedKernel> kernels;
  for (std::size_t i = 0; i < lowered.kernels.size(); ++i) {
    const auto* function = lowered.module.ir().getFunction(lowered.kernels[i].symbol);
    if (auto unsupported = first_unsupported(*function))
      kernels.push_back({i, std::move(unsupported->what)});
  }
  return kernels;
}

// "line 7: " for each of the kernels, empty where it is unknown. They are lowered once more,
// together, with source locations.
std::vector<std::string> lines_of(Unit& unit, const Selection& selection,
                                  const std::vector<UnsupportedKernel>& kernels) {
  std::vector<std::string> lines(kernels.size());
  SourceLocations locations(unit);
  Selection again{.constants = selection.constants, .visible = selection.visible};
  for (const auto& each : kernels) {
    again.kernels.push_back(selection.kernels[each.number]);
    again.interfaces.push_back(selection.interfaces[each.number]);
  }
  PlainPasses plain;
  auto lowered = lower_kernels(unit, again, WithLocations::yes, plain);
  if (!lowered) return lines;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    const auto* function = lowered->module.ir().getFunction(lowered->kernels[i].symbol);
    const auto unsupported = first_unsupported(*function);
    const auto number = unsupported ? locations.number(*unsupported->where) : 0;
    if (number != 0) lines[i] = line_text(locations.all()[number]) + ": ";
  }
  return lines;
}

// Moves kernels that print() has no text for from `kernels` to the result.
std::vector<RefusedKernel> take_unsupported(Unit& unit, const Selection& selection,
                                            Lowered& lowered) {
  const auto unsupported = unsupported_kernels(lowered);
  if (unsupported.empty()) return {};
  const auto lines = lines_of(unit, selection, unsupported);
  std::vector<RefusedKernel> refused;
  for (std::size_t i = 0; i < unsupported.size(); ++i) {
    const auto& signature = lowered.kernels[unsupported[i].number];
    refused.push_back({signature.name, fmt::format("{}cannot translate kernel '{}' yet: it uses {}",
                                                   lines[i], signature.name, unsupported[i].what)});
    lowered.module.ir().getFunction(signature.symbol)->deleteBody();
  }
  std::erase_if(lowered.kernels, [&](const KernelSignature& signature) {
    return lowered.module.ir().getFunction(signature.symbol)->isDeclaration();
  });
  return refused;
}

// What only the IR tells.
void complete(std::vector<KernelSignature>& kernels, llvm::Module& ir) {
  for (auto& kernel : kernels) {
    auto& function = *ir.getFunction(kernel.symbol);
    kernel.threadgroup_bytes = threadgroup_bytes_of(function);
    kernel.loads_pointers = loads_pointers(function);
    kernel.stores_pointers = stores_pointers(function);
  }
}

std::string bitcode(const llvm::Module& ir) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::WriteBitcodeToFile(ir, stream);
  return text;
}

}  // namespace

Result<TranslatedKernels> translate_kernels(Unit& unit, const std::vector<Kernel>& kernels,
                                            std::vector<ConstantValue> constants,
                                            const Instrument& instrument) {
  TranslatedKernels translated{.translation = {.source_name = unit.source().name}};
  auto& translation = translated.translation;
  Selection selection{.constants = std::move(constants), .visible = visible_functions(unit)};
  translation.tables = function_tables(unit, selection.visible);
  for (const auto& kernel : kernels) {
    auto interface = kernel_interface(unit, kernel);
    if (!interface) {
      translation.refused.push_back({kernel.name, interface.error().message});
      continue;
    }
    selection.kernels.push_back(kernel);
    selection.interfaces.push_back(*std::move(interface));
  }
  SourceLocations locations(unit);
  PlainPasses plain;
  const auto instrumented = instrument ? instrument(locations) : nullptr;
  InstrumentPasses& passes = instrumented ? *instrumented : plain;
  const auto with_locations = passes.needs_locations() ? WithLocations::yes : WithLocations::no;
  auto lowered = lower_kernels(unit, selection, with_locations, passes);
  if (lowered && passes.wants_other_code(lowered->module.ir()))
    lowered = lower_kernels(unit, selection, with_locations, passes);
  if (!lowered) return lowered.error();
  if (passes.is_only_read())
    std::erase_if(lowered->kernels, [&](const KernelSignature& signature) {
      return is_incomplete(*lowered->module.ir().getFunction(signature.symbol));
    });
  else
    for (auto& refused : take_unsupported(unit, selection, *lowered))
      translation.refused.push_back(std::move(refused));
  translation.kernels = std::move(lowered->kernels);
  if (translation.kernels.empty() && !translation.refused.empty()) return translated;
  auto& ir = lowered->module.ir();
  complete(translation.kernels, ir);
  if (passes.leaves_text()) {
    translated.parts = print(ir, translation.kernels);
    translation.numbers = std::move(lowered->numbers);
  }
  passes.finish(ir, translation);
  translation.ir = bitcode(ir);
  return translated;
}

}  // namespace msci
