#include <fmt/format.h>

#include "lint/target/targets.h"

namespace msci {
namespace {

std::string family_text(const GpuTarget& gpu) {
  const auto& row = row_of(gpu.family);
  std::string chips;
  for (const auto& chip : chip_rows())
    if (chip.family == gpu.family)
      chips += fmt::format("{}{}", chips.empty() ? "" : ", ", chip.name);
  std::string text = fmt::format("{}: GPU family {}{}\n", gpu.name, row.name,
                                 chips.empty() ? "" : fmt::format(" (chips {})", chips));
  const auto limit = [&](std::string_view name, const auto& value) {
    text += fmt::format("  {:<52}{}\n", name, value);
  };
  limit("threads of a simdgroup", row.simd_widths);
  limit("threads of a threadgroup, at most", row.threads);
  limit("bytes of threadgroup memory, at most", row.threadgroup_bytes);
  limit("length of threadgroup memory, a multiple of", 16);
  limit("buffers of a function, at most", 31);
  limit("textures of a function, at most", row.textures);
  limit("samplers of a function, at most", 16);
  limit("bytes of setBytes, at most", 4096);
  limit("argument buffers, tier",
        row.argument_buffers ? fmt::format("{}", row.argument_buffers) : "not known");
  return text;
}

std::string system_text(const SystemTarget& system) {
  return fmt::format("{}: versions of the language up to {}\n", system.name,
                     spelling_of(system.newest));
}

// Whether the targets have a feature: of the language, and of the device.
std::string availability(const FeatureRow& row, const Targets& targets) {
  for (const auto& system : targets.systems)
    if (row.version > system.newest.number)
      return fmt::format("no: needs {}", spelling_of({row.version}));
  if (const auto* gpu = gpu_without(row.feature, targets))
    return fmt::format("no: {} is older than Apple{}", gpu->name, row.generation);
  for (const auto& gpu : targets.gpus)
    if (row.generation > 0 && gpu.family == GpuFamily::Mac2) return "not known";
  std::string text = "yes";
  if (row.version > 0 && targets.systems.empty())
    text += fmt::format(", from {} on", spelling_of({row.version}));
  if (row.generation > 0 && targets.gpus.empty())
    text += fmt::format(", on Apple{} and later", row.generation);
  return text;
}

}  // namespace

Result<std::string> target_explanation(std::string_view text) {
  const auto targets = targets_from(text);
  if (!targets) return targets.error();
  std::string page;
  for (const auto& system : targets->systems) page += system_text(system);
  for (const auto& gpu : targets->gpus) page += family_text(gpu);
  page += "features:\n";
  for (const auto& row : feature_rows())
    page += fmt::format("  {:<52}{}\n", row.text, availability(row, *targets));
  return page;
}

}  // namespace msci
