// What a program is for: GPUs by family or chip, and systems (--target). The table is targets.def.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "compiler/frontend/version.h"

namespace msci {

// A GPU family, by generation; Mac2 are GPUs of AMD and Intel in Macs.
enum class GpuFamily {
#define MSCI_FAMILY(family, ...) family,
#include "lint/target/targets.def"
};

struct FamilyRow {
  GpuFamily family;
  std::string_view name;           // "Apple7"
  unsigned threads = 0;            // the most of a threadgroup
  unsigned threadgroup_bytes = 0;  // the most of a threadgroup
  unsigned textures = 0;           // the most of a function
  unsigned argument_buffers = 0;   // their tier; 0 if it is not known
  std::string_view simd_widths;    // "32"

  unsigned apple_generation() const;  // 7 for Apple7; 0 for Mac2
};

struct ChipRow {
  std::string_view name;  // "A17 Pro"
  GpuFamily family;
};

enum class Feature {
#define MSCI_FEATURE(feature, ...) feature,
#include "lint/target/targets.def"
};

struct FeatureRow {
  Feature feature;
  std::string_view text;    // "reductions of simdgroups"
  unsigned version = 0;     // the first that has it, as in LanguageVersion; 0: not known
  unsigned generation = 0;  // the first Apple family that has it; 0: all, or not known
};

std::span<const FamilyRow> family_rows();
std::span<const ChipRow> chip_rows();
std::span<const FeatureRow> feature_rows();
const FamilyRow& row_of(GpuFamily family);
const FeatureRow& row_of(Feature feature);

// The feature that a name of Metal's own stands for.
std::optional<Feature> feature_named(std::string_view name);

// A GPU to run on.
struct GpuTarget {
  std::string name;  // as it was asked for: "m2", "apple7"
  GpuFamily family = GpuFamily::Apple7;
  bool operator==(const GpuTarget&) const = default;
};

// The oldest version of a system to run on.
struct SystemTarget {
  std::string name;  // "macos14", "ios17.4"
  bool is_mac = false;
  LanguageVersion newest;  // that it has
  bool operator==(const SystemTarget&) const = default;
};

// Everything that a program has to run on.
struct Targets {
  std::vector<GpuTarget> gpus;
  std::vector<SystemTarget> systems;
  bool operator==(const Targets&) const = default;
  bool empty() const { return gpus.empty() && systems.empty(); }
};

// "apple7,macos14", "m2", "A17 Pro", "mac2": families, chips and systems, in upper or lower case.
// Errors: an unknown name (lists the known ones).
Result<Targets> targets_from(std::string_view text);

// The system of a version of macOS or iOS, "14.2"; none for text that is not a version, or one
// without Metal.
std::optional<SystemTarget> system_target(bool is_mac, std::string_view version);

// Adds what is not there yet.
void add(Targets& targets, const Targets& more);

// The newest version of the language on each of the systems, oldest first.
std::vector<LanguageVersion> versions_on(const std::vector<SystemTarget>& systems);

// The first system that has a version of the language: "macOS 14 or iOS 17"; empty if none is
// known.
std::string systems_with(LanguageVersion version);

// Whether all GPUs of the target have a feature; the first that lacks it, or null. Says nothing of
// Mac2.
const GpuTarget* gpu_without(Feature feature, const Targets& targets);

// The page of --explain-target: versions, limits and features. Errors: as for targets_from.
Result<std::string> target_explanation(std::string_view text);

}  // namespace msci
