#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "lint/analysis/features/used_features.h"
#include "lint/analysis/kernel_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

// A host that asks the device chooses among kernels by itself.
bool host_asks(const Contract& contract) {
  return contract.host && std::ranges::any_of(contract.host->files, [](const Source& file) {
           return file.text.find("supportsFamily") != std::string::npos;
         });
}

void check_version(const Unit& unit, const Targets& targets, Reporter& report) {
  const auto newest = versions_on(targets.systems);
  if (newest.empty() || unit.version().number <= newest.back().number) return;
  // The version is the whole source's; the first kernel stands for it.
  const auto& kernels = unit.kernels();
  if (kernels.empty()) return;
  report(kernels.front().declaration->getLocation(),
         fmt::format("{} needs {}; the target {} has up to {}", spelling_of(unit.version()),
                     systems_with(unit.version()), targets.systems.back().name,
                     spelling_of(newest.back())));
}

// "Apple9, or Apple8 on a Mac" for what Macs had earlier.
std::string needed_family(Feature feature) {
  const auto name = fmt::format("Apple{}", row_of(feature).generation);
  return feature == Feature::wide_atomics ? name + ", or Apple8 on a Mac" : name;
}

void check_features(const Unit& unit, const Targets& targets, Reporter& report) {
  for (const auto& use : used_features(unit))
    if (const auto* gpu = gpu_without(use.feature, targets))
      report(use.place, fmt::format("'{}' needs a GPU of family {}; the target {} lacks it",
                                    use.name, needed_family(use.feature), gpu->name));
}

// The GPU of the target that has the least of something; null without a GPU.
const GpuTarget* least(const Targets& targets, unsigned FamilyRow::* limit) {
  const auto of = [&](const GpuTarget& gpu) { return row_of(gpu.family).*limit; };
  const auto found = std::ranges::min_element(targets.gpus, {}, of);
  return found == targets.gpus.end() ? nullptr : &*found;
}

void check_threads(const Unit& unit, const GpuTarget& gpu, Reporter& report) {
  const auto most = row_of(gpu.family).threads;
  for (const auto& kernel : unit.kernels())
    if (const auto attribute =
            unit.attribute(*kernel.declaration, "max_total_threads_per_threadgroup");
        attribute && attribute->value && *attribute->value > most)
      report(attribute->place,
             fmt::format("a threadgroup has at most {} threads on {}", most, gpu.name));
}

// How many textures a parameter stands for.
unsigned textures_of(const clang::ParmVarDecl& parameter) {
  const auto* array = llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(
      parameter.getType().getNonReferenceType()->getAsCXXRecordDecl());
  if (!array || array->getName() != "array") return 1;
  for (const auto& argument : array->getTemplateArgs().asArray())
    if (argument.getKind() == clang::TemplateArgument::Integral)
      return static_cast<unsigned>(argument.getAsIntegral().getExtValue());
  return 1;
}

void check_textures(const Unit& unit, const GpuTarget& gpu, Reporter& report) {
  const auto most = row_of(gpu.family).textures;
  for (const auto& kernel : unit.kernels())
    for (const auto& texture : texture_arguments(kernel, unit))
      if (texture.kind == ArgumentKind::texture &&
          texture.index + textures_of(*texture.parameter) > most)
        report(texture.parameter->getLocation(),
               fmt::format("a function has at most {} textures on {}", most, gpu.name));
}

}  // namespace

extern constinit const Rule target{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& targets = report.contract().targets;
          check_version(unit, targets, report);
          if (targets.gpus.empty() || host_asks(report.contract())) return;
          check_features(unit, targets, report);
          check_threads(unit, *least(targets, &FamilyRow::threads), report);
          check_textures(unit, *least(targets, &FamilyRow::textures), report);
        },
};

}  // namespace msci
