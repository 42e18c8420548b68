#include "lint/target/targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/text.h"

namespace msci {
namespace {

constexpr std::array families{
#define MSCI_FAMILY(family, ...) FamilyRow{GpuFamily::family, #family, __VA_ARGS__},
#include "lint/target/targets.def"
};

constexpr std::array chips{
#define MSCI_CHIP(name, family) ChipRow{name, GpuFamily::family},
#include "lint/target/targets.def"
};

constexpr std::array features{
#define MSCI_FEATURE(feature, ...) FeatureRow{Feature::feature, __VA_ARGS__},
#include "lint/target/targets.def"
};

constexpr std::pair<std::string_view, Feature> names[] = {
#define MSCI_NAME(name, feature) {#name, Feature::feature},
#include "lint/target/targets.def"
};

struct SystemsRow {
  LanguageVersion version;
  unsigned macos = 0;  // times 100
  unsigned ios = 0;    // times 100
};
constexpr std::array systems{
#define MSCI_SYSTEMS(version, macos, ios) SystemsRow{{version}, macos, 100 * (ios)},
#include "lint/target/targets.def"
};

// The generation from which Macs have atomic_max_explicit of ulong.
constexpr unsigned wide_atomics_on_macs = 8;

// Lower case, without blanks and hyphens: "a17pro".
std::string plain(std::string_view text) {
  std::string word;
  for (const char c : text)
    if (c != ' ' && c != '-' && c != '_')
      word += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return word;
}

// "m2max" is an M2.
std::string_view without_variant(std::string_view chip) {
  if (chip.starts_with('m'))
    for (const std::string_view variant : {"pro", "max", "ultra"})
      if (chip.ends_with(variant)) return chip.substr(0, chip.size() - variant.size());
  return chip;
}

std::optional<GpuTarget> gpu_target(const std::string& word) {
  for (const auto& row : families)
    if (plain(row.name) == word) return GpuTarget{word, row.family};
  for (const auto& row : chips) {
    const auto name = plain(row.name);
    if (name == word || name == without_variant(word)) return GpuTarget{word, row.family};
  }
  return std::nullopt;
}

std::optional<SystemTarget> system_named(std::string_view word) {
  for (const std::string_view system : {"macosx", "macos", "ios"})
    if (word.starts_with(system)) return system_target(system != "ios", word.substr(system.size()));
  return std::nullopt;
}

// "14.2" is 1402.
std::optional<unsigned> version_number(std::string_view version) {
  unsigned parts[2] = {0, 0};
  for (auto& part : parts) {
    const auto* const end = version.data() + version.size();
    const auto [rest, error] = std::from_chars(version.data(), end, part);
    if (error != std::errc() || part > 99) return std::nullopt;
    version = {rest, static_cast<std::size_t>(end - rest)};
    if (version.empty()) return parts[0] * 100 + parts[1];
    if (version.front() != '.') return std::nullopt;
    version.remove_prefix(1);
  }
  return parts[0] * 100 + parts[1];  // a third part does not matter
}

std::string shown(unsigned system) {
  return system % 100 ? fmt::format("{}.{}", system / 100, system % 100)
                      : fmt::format("{}", system / 100);
}

std::string known_names() {
  std::string text = "apple2 to apple10, mac2, ";
  for (const auto& row : chips) text += plain(row.name) + ", ";
  return text + "macos10.11 and later, ios9 and later";
}

template <typename T>
void add_new(std::vector<T>& list, const std::vector<T>& more) {
  for (const auto& each : more)
    if (std::ranges::find(list, each) == list.end()) list.push_back(each);
}

}  // namespace

unsigned FamilyRow::apple_generation() const {
  return family == GpuFamily::Mac2 ? 0 : static_cast<unsigned>(family) + 2;
}

std::span<const FamilyRow> family_rows() { return families; }
std::span<const ChipRow> chip_rows() { return chips; }
std::span<const FeatureRow> feature_rows() { return features; }
const FamilyRow& row_of(GpuFamily family) { return families[static_cast<std::size_t>(family)]; }
const FeatureRow& row_of(Feature feature) { return features[static_cast<std::size_t>(feature)]; }

std::optional<Feature> feature_named(std::string_view name) {
  for (const auto& [known, feature] : names)
    if (known == name) return feature;
  return std::nullopt;
}

std::optional<SystemTarget> system_target(bool is_mac, std::string_view version) {
  const auto number = version_number(version);
  if (!number) return std::nullopt;
  std::optional<SystemTarget> target;
  for (const auto& row : systems)
    if (*number >= (is_mac ? row.macos : row.ios))
      target = {fmt::format("{}{}", is_mac ? "macos" : "ios", version), is_mac, row.version};
  return target;
}

Result<Targets> targets_from(std::string_view text) {
  Targets targets;
  while (true) {
    const auto comma = text.find(',');
    const auto word = plain(text.substr(0, comma));
    if (auto gpu = gpu_target(word))
      add(targets, {.gpus = {*std::move(gpu)}});
    else if (auto system = system_named(word))
      add(targets, {.systems = {*std::move(system)}});
    else
      return Error{fmt::format("unknown target '{}'; known are {}",
                               printable(text.substr(0, comma)), known_names())};
    if (comma == std::string_view::npos) return targets;
    text.remove_prefix(comma + 1);
  }
}

void add(Targets& targets, const Targets& more) {
  add_new(targets.gpus, more.gpus);
  add_new(targets.systems, more.systems);
}

std::vector<LanguageVersion> versions_on(const std::vector<SystemTarget>& wanted) {
  std::vector<LanguageVersion> versions;
  for (const auto& each : wanted) add_new(versions, {each.newest});
  std::ranges::sort(versions, {}, &LanguageVersion::number);
  return versions;
}

std::string systems_with(LanguageVersion version) {
  for (const auto& row : systems)
    if (row.version == version)
      return fmt::format("macOS {} or iOS {}", shown(row.macos), shown(row.ios));
  return {};
}

const GpuTarget* gpu_without(Feature feature, const Targets& targets) {
  auto least = row_of(feature).generation;
  const bool on_macs_alone =
      !targets.systems.empty() && std::ranges::all_of(targets.systems, &SystemTarget::is_mac);
  for (const auto& gpu : targets.gpus) {
    const auto generation = row_of(gpu.family).apple_generation();
    const bool is_mac = on_macs_alone || (gpu.name.starts_with('m') && targets.systems.empty());
    const auto needed = feature == Feature::wide_atomics && is_mac ? wide_atomics_on_macs : least;
    if (generation > 0 && generation < needed) return &gpu;
  }
  return nullptr;
}

}  // namespace msci
