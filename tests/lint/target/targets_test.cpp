// Names of targets, and the table behind them.
#include "lint/target/targets.h"

#include <gtest/gtest.h>

#include "lint/flags/compile_settings.h"

namespace msci {
namespace {

std::string read(std::string_view text) {
  const auto targets = targets_from(text);
  if (!targets) return targets.error().message;
  std::string all;
  for (const auto& each : targets->gpus) all += std::string(row_of(each.family).name) + " ";
  for (const auto& each : targets->systems) all += each.name + "=" + spelling_of(each.newest) + " ";
  return all;
}

TEST(Targets, are_families_chips_and_systems) {
  EXPECT_EQ(read("apple7"), "Apple7 ");
  EXPECT_EQ(read("Apple10, Mac2"), "Apple10 Mac2 ");
  EXPECT_EQ(read("m1,a15,A17 Pro,a18,m5"), "Apple7 Apple8 Apple9 Apple9 Apple10 ");
  EXPECT_EQ(read("M2 Max,m4-pro"), "Apple8 Apple9 ");
  EXPECT_EQ(read("macos13"), "macos13=metal3.0 ");
  EXPECT_EQ(read("macOS 14.5,ios18"), "macos14.5=metal3.1 ios18=metal3.2 ");
  EXPECT_EQ(read("macosx10.15,macos11.0,macos27"),
            "macos10.15=metal2.2 macos11.0=metal2.3 macos27=metal4.1 ");
  EXPECT_EQ(read("macos99"), "macos99=metal4.1 ");
  EXPECT_EQ(read("apple7,apple7,macos14,macos14"), "Apple7 macos14=metal3.1 ");
}

TEST(Targets, that_are_unknown_are_errors) {
  for (const auto* text : {"", "apple1", "apple11", "m9", "macos", "macos10.5", "ios8", "macos1x",
                           "linux5", "apple7,", "m1mini"})
    EXPECT_TRUE(read(text).starts_with("unknown target '")) << text << ": " << read(text);
  EXPECT_EQ(read("apple70"),
            "unknown target 'apple70'; known are apple2 to apple10, mac2, a14, m1, a15, a16, m2, "
            "a17pro, a18, m3, m4, "
            "a19, m5, macos10.11 and later, ios9 and later");
}

std::string lacking(Feature feature, std::string_view targets) {
  const auto read = *targets_from(targets);
  const auto* gpu = gpu_without(feature, read);
  return gpu ? gpu->name : "";
}

TEST(Targets, lack_what_newer_families_have) {
  EXPECT_EQ(lacking(Feature::simd_reduce, "apple6"), "apple6");
  EXPECT_EQ(lacking(Feature::simd_reduce, "m3,apple6,apple5"), "apple6");
  EXPECT_EQ(lacking(Feature::simd_reduce, "apple7,macos14"), "");
  EXPECT_EQ(lacking(Feature::simd_reduce, "mac2"), "");  // not known
  EXPECT_EQ(lacking(Feature::bfloat, "macos13"), "");    // a matter of the version
}

// Apple8 has atomic_max_explicit of ulong on Macs only.
TEST(Targets, know_that_macs_had_wide_atomics_earlier) {
  EXPECT_EQ(lacking(Feature::wide_atomics, "a15"), "a15");
  EXPECT_EQ(lacking(Feature::wide_atomics, "apple8"), "apple8");
  EXPECT_EQ(lacking(Feature::wide_atomics, "apple8,ios17"), "apple8");
  EXPECT_EQ(lacking(Feature::wide_atomics, "apple8,macos14"), "");
  EXPECT_EQ(lacking(Feature::wide_atomics, "m2"), "");
  EXPECT_EQ(lacking(Feature::wide_atomics, "m2,ios17"), "m2");  // a tablet
  EXPECT_EQ(lacking(Feature::wide_atomics, "m1"), "m1");
  EXPECT_EQ(lacking(Feature::wide_atomics, "apple9"), "");
}

// The version that the flags of Apple's compiler choose, and the system that they name.
std::string after_flags(const std::vector<std::string>& flags) {
  CompileSettings settings;
  const auto unknown = take_compiler_flags(flags, settings);
  if (!unknown) return unknown.error().message;
  EXPECT_TRUE(unknown->empty()) << unknown->front();
  std::string text = spelling_of(options_from(settings).version);
  for (const auto& each : settings.targets.systems) text += " " + each.name;
  return text;
}

TEST(Targets, come_from_deployment_targets) {
  EXPECT_EQ(after_flags({"-c"}), "metal3.1");
  EXPECT_EQ(after_flags({"-mmacosx-version-min=13.0"}), "metal3.0 macos13.0");
  EXPECT_EQ(after_flags({"-mmacos-version-min=15"}), "metal3.2 macos15");
  EXPECT_EQ(after_flags({"-mios-version-min=26.1"}), "metal4.0 ios26.1");
  EXPECT_EQ(after_flags({"-miphoneos-version-min=14"}), "metal2.3 ios14");
  EXPECT_EQ(after_flags({"-target", "air64-apple-macos14.0"}), "metal3.1 macos14.0");
  EXPECT_EQ(after_flags({"--target=air64-apple-ios17.2-simulator"}), "metal3.1 ios17.2");
  EXPECT_EQ(after_flags({"-target", "air64-apple-macosx12.0.0"}), "metal2.4 macos12.0.0");
  EXPECT_EQ(after_flags({"-mmacosx-version-min=13.0", "-std=metal3.2"}), "metal3.2 macos13.0");
  EXPECT_EQ(after_flags({"--target=air64"}), "metal3.1");
  EXPECT_EQ(after_flags({"-target", "x86_64-linux-gnu"}), "metal3.1");
}

std::vector<unsigned> linted(std::string_view standard, std::string_view targets) {
  CompileSettings settings;
  if (!standard.empty()) {
    EXPECT_FALSE(set_versions(settings, standard));
  }
  settings.targets = *targets_from(targets);
  std::vector<unsigned> numbers;
  for (const auto version : versions_of(settings)) numbers.push_back(version.number);
  if (numbers.empty()) numbers.push_back(options_from(settings).version.number);
  return numbers;
}

TEST(Targets, choose_the_versions) {
  using Numbers = std::vector<unsigned>;
  EXPECT_EQ(linted("", "apple7"), Numbers({310}));
  EXPECT_EQ(linted("", "macos13"), Numbers({300}));
  EXPECT_EQ(linted("", "macos15,macos13,ios16"), Numbers({300, 320}));
  EXPECT_EQ(linted("metal3.1", "macos15,macos13"), Numbers({310}));
  EXPECT_EQ(linted("3.0..4.1", "macos15"), Numbers({300, 310, 320}));
  EXPECT_EQ(linted("3.2..4.1", "macos13"), Numbers({320, 400, 410}));
}

TEST(TargetExplanation, shows_limits_and_features) {
  const auto page = *target_explanation("apple6,macos14");
  for (const auto* line :
       {"macos14: versions of the language up to metal3.1\n", "apple6: GPU family Apple6\n",
        "  threads of a threadgroup, at most                   1024\n",
        "  argument buffers, tier                              2\n",
        "  bfloat                                              yes\n",
        "  reductions of simdgroups                            no: apple6 is older than Apple7\n",
        "  tensors                                             no: needs metal4.0\n"})
    EXPECT_NE(page.find(line), std::string::npos) << line << "\n" << page;
  EXPECT_NE(target_explanation("m1")->find("m1: GPU family Apple7 (chips A14, M1)"),
            std::string::npos);
  EXPECT_NE(target_explanation("mac2")->find("32 or 64"), std::string::npos);
  EXPECT_NE(target_explanation("macos14")->find(
                "bfloat                                              yes, on Apple6 and later"),
            std::string::npos);
  EXPECT_FALSE(target_explanation("m77"));
}

}  // namespace
}  // namespace msci
