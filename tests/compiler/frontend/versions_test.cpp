// Each source of corpus/versions is accepted by the versions of Metal that it names, and refused by
// all others (corpus/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <sstream>

#include "compiler/frontend/attributes.h"
#include "lint/at_versions.h"
#include "lint/flags/compile_settings.h"
#include "lint/lint.h"
#include "lint/target/targets.h"
#include "rules/rules.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

struct VersionCase {
  std::string name;
  unsigned first = 0, last = ~0u;   // accepted from and up to; none if first is greater
  std::string message;              // what the others say
  std::optional<GpuFamily> family;  // the oldest that has what the source uses; none: all
  std::string text;
};

std::ostream& operator<<(std::ostream& out, const VersionCase& each) { return out << each.name; }

unsigned number_of(const std::string& word) {
  const auto version = language_version(word);
  EXPECT_TRUE(version) << word;
  return version ? version->number : 0;
}

// "metal3.1..", "..metal4.0", "..", "none"
void read_range(const std::string& range, VersionCase& each) {
  if (range == "none") {
    each.first = ~0u, each.last = 0;
    return;
  }
  const auto dots = range.find("..");
  ASSERT_NE(dots, std::string::npos) << range;
  if (dots > 0) each.first = number_of(range.substr(0, dots));
  if (dots + 2 < range.size()) each.last = number_of(range.substr(dots + 2));
}

std::optional<GpuFamily> family_of(const std::string& word) {
  for (const auto& row : family_rows())
    if (row.name == word) return row.family;
  return std::nullopt;
}

// NAME: VERSIONS | FAMILY | MESSAGE
VersionCase read_head(const std::string& head) {
  VersionCase each;
  std::vector<std::string> parts;
  for (std::size_t at = 0; at != std::string::npos;) {
    const auto bar = head.find(" | ", at);
    parts.push_back(head.substr(at, bar == std::string::npos ? bar : bar - at));
    at = bar == std::string::npos ? bar : bar + 3;
  }
  const auto colon = parts[0].find(": ");
  each.name = parts[0].substr(0, colon);
  read_range(parts[0].substr(colon + 2), each);
  for (std::size_t i = 1; i < parts.size(); ++i)
    if (const auto family = family_of(parts[i]))
      each.family = family;
    else
      each.message = parts[i];
  return each;
}

std::vector<VersionCase> all_cases() {
  constexpr std::string_view start = "// --- ";
  std::vector<VersionCase> all;
  for (const auto& entry : fs::directory_iterator(MSCI_CORPUS "/versions")) {
    if (entry.path().extension() != ".metal") continue;
    std::istringstream lines(contents(entry.path()));
    const auto first = all.size();
    for (std::string line; std::getline(lines, line);)
      if (line.starts_with(start)) {
        all.push_back(read_head(line.substr(start.size())));
        all.back().name = entry.path().stem().string() + "_" + all.back().name;
      } else if (all.size() > first) {
        all.back().text += line + "\n";
      }
  }
  std::ranges::sort(all, {}, &VersionCase::name);
  return all;
}

class Versions : public testing::TestWithParam<VersionCase> {};

// What a version says alone.
void expect_verdict(const VersionCase& expected, LanguageVersion version,
                    const FileReport& report) {
  const bool accepts = expected.first <= version.number && version.number <= expected.last;
  EXPECT_EQ(report.valid(), accepts) << spelling_of(version);
  std::string said;
  for (const auto& finding : report.findings)
    if (finding.severity == Severity::error) said += finding.message + "\n";
  if (accepts)
    EXPECT_EQ(said, "") << spelling_of(version);
  else
    EXPECT_NE(said.find(expected.message), std::string::npos) << spelling_of(version) << "\n"
                                                              << said;
}

// The headers of the oldest versions are not prebuilt, so only what they differ in is tried there.
TEST_P(Versions, accept_and_refuse_before_metal_2_3) {
  const auto& expected = GetParam();
  if (expected.first <= 100 || expected.first > 230) return;
  for (const auto version : language_versions()) {
    if (version.number >= 230) continue;
    const auto report = examine({"source.metal", expected.text}, all_rules(),
                                {.compile = {.version = version}, .select = {"metal"}});
    ASSERT_TRUE(report) << report.error().message;
    expect_verdict(expected, version, *report);
  }
}

// What rules about devices say at the newest version that accepts a source.
std::vector<Finding> findings_on(std::vector<GpuTarget> gpus, const VersionCase& source) {
  LintRequest request{.select = {"resource.target", "resource.threadgroup_memory"}};
  for (const auto version : language_versions())
    if (source.first <= version.number && version.number <= source.last)
      request.compile.version = version;
  request.contract.targets.gpus = std::move(gpus);
  const auto report = examine({"source.metal", source.text}, all_rules(), request);
  EXPECT_TRUE(report) << report.error().message;
  return report ? report->findings : std::vector<Finding>();
}

// A family that lacks what a source uses gets a warning, since only the device refuses it. The
// oldest that has it gets none, and neither does Mac2.
TEST_P(Versions, warn_for_families_that_lack_something) {
  const auto& source = GetParam();
  if (source.first > source.last) return;  // no version accepts it
  const auto newest = source.family.value_or(GpuFamily::Apple2);
  std::vector<GpuTarget> with_it;
  for (const auto& row : family_rows()) {
    if (row.apple_generation() > 0 && row.family > newest) continue;
    if (!source.family || row.apple_generation() == 0 || row.family >= *source.family) {
      with_it.push_back({"the_gpu", row.family});
      continue;
    }
    const auto findings = findings_on({{"the_gpu", row.family}}, source);
    EXPECT_FALSE(findings.empty()) << row.name;
    for (const auto& finding : findings) EXPECT_EQ(finding.severity, Severity::warning);
  }
  const auto findings = findings_on(with_it, source);
  EXPECT_TRUE(findings.empty()) << findings[0].message;
}

// Where a finding holds, as "rule line:column message" and the versions.
using Where = std::map<std::string, std::vector<unsigned>>;

void add(Where& where, const Finding& finding, std::span<const LanguageVersion> versions) {
  const auto begin = finding.place.range.begin;
  auto& at = where[finding.rule + " " + finding.place.file + " " + std::to_string(begin.line) +
                   ":" + std::to_string(begin.column) + " " + finding.message];
  for (const auto version : versions) at.push_back(version.number);
}

// Each version accepts or refuses, and all at once say what each of them says alone.
TEST_P(Versions, accept_and_refuse_alone_and_together) {
  const Source source{"source.metal", GetParam().text};
  Where alone, together;
  const auto versions = *language_version_range("2.3..");
  for (const auto version : versions) {
    const auto report = examine(source, all_rules(), {.compile = {.version = version}});
    ASSERT_TRUE(report) << report.error().message;
    expect_verdict(GetParam(), version, *report);
    for (const auto& finding : report->findings) add(alone, finding, {{version}});
  }
  const auto report = examine(source, all_rules(), {.versions = versions});
  ASSERT_TRUE(report) << report.error().message;
  for (const auto& finding : report->findings) add(together, finding, finding.versions);
  EXPECT_EQ(together, alone);
}

INSTANTIATE_TEST_SUITE_P(Metal, Versions, testing::ValuesIn(all_cases()),
                         [](const auto& info) { return info.param.name; });

std::string spelled(std::string_view text) {
  const auto versions = language_version_range(text);
  if (!versions) return versions.error().message;
  std::string list;
  for (const auto version : *versions) list += spelling_of(version) + " ";
  return list;
}

// What the rules about Metal call an error at a version, a line each.
std::string errors_at(LanguageVersion version, const std::string& text) {
  const auto report = examine({"source.metal", text}, all_rules(),
                              {.compile = {.version = version}, .select = {"metal"}});
  if (!report) return report.error().message;
  std::string errors;
  for (const auto& finding : report->findings)
    if (finding.severity == Severity::error) errors += finding.message + "\n";
  return errors;
}

// A row of a table with a first version: a source that needs it is refused by the version before,
// with this message.
void expect_first(unsigned number, const std::string& text, const std::string& message) {
  const auto versions = language_versions();
  const auto first = std::ranges::find(versions, number, &LanguageVersion::number);
  ASSERT_TRUE(first != versions.begin() && first != versions.end()) << number << "\n" << text;
  const auto before = errors_at(*std::prev(first), text);
  EXPECT_NE(before.find(message), std::string::npos) << message << "\n" << text << "\n" << before;
  EXPECT_EQ(errors_at(*first, text), "") << spelling_of(*first) << "\n" << text;
}

// A use of each attribute that has a first version.
const std::map<std::string_view, std::string> attribute_uses = {
    {"object", "[[object]] void f() {}"},
    {"mesh", "[[mesh]] void f() {}"},
    {"visible", "[[visible]] float f(float a) { return a; }"},
    {"stitchable", "[[stitchable]] float f(float a) { return a; }"},
    {"intersection", "[[intersection(triangle)]] bool f() { return true; }"},
    {"host_name", "[[host_name(\"g\")]] kernel void f(device float* x) { x[0] = 1; }"},
    {"max_total_threads_per_threadgroup",
     "[[max_total_threads_per_threadgroup(64)]] kernel void f(device float* x) { x[0] = 1; }"},
    {"max_total_threadgroups_per_mesh_grid",
     "[[object, max_total_threadgroups_per_mesh_grid(64)]] void f() {}"},
    {"required_threads_per_threadgroup",
     "[[required_threads_per_threadgroup(8, 8, 1)]] kernel void f(device float* x) { x[0] = 1; }"},
    {"early_fragment_tests", "[[early_fragment_tests]] fragment float4 f() { return 0; }"},
    {"payload",
     "[[intersection(triangle)]] bool f(ray_data float& a [[payload]]) { return a > 1; }"},
    {"id", "struct A { float a [[id(1)]]; };"},
    {"function_constant", "constant int n [[function_constant(0)]];"},
    {"raster_order_group", "struct A { float a [[color(0), raster_order_group(0)]]; };"},
    {"primitive_id", "fragment float4 f(uint n [[primitive_id]]) { return n; }"},
    {"barycentric_coord", "fragment float4 f(float3 n [[barycentric_coord]]) { return n.x; }"},
    {"viewport_array_index", "fragment float4 f(uint n [[viewport_array_index]]) { return n; }"},
    {"amplification_id", "vertex float4 f(uint n [[amplification_id]]) { return n; }"},
    {"amplification_count", "vertex float4 f(uint n [[amplification_count]]) { return n; }"},
    {"thread_index_in_simdgroup",
     "kernel void f(device float* x, uint n [[thread_index_in_simdgroup]]) { x[n] = 1; }"},
    {"simdgroup_index_in_threadgroup",
     "kernel void f(device float* x, uint n [[simdgroup_index_in_threadgroup]]) { x[n] = 1; }"},
    {"simdgroups_per_threadgroup",
     "kernel void f(device float* x, uint n [[simdgroups_per_threadgroup]]) { x[n] = 1; }"},
    {"threads_per_simdgroup",
     "kernel void f(device float* x, uint n [[threads_per_simdgroup]]) { x[n] = 1; }"},
    {"primitive_culled", "struct A { bool a [[primitive_culled]]; };"},
    {"accept_intersection", "struct A { bool a [[accept_intersection]]; };"},
    {"continue_search", "struct A { bool a [[continue_search]]; };"},
    {"distance", "struct A { float a [[distance]]; };"},
    {"origin", "[[intersection(bounding_box)]] bool f(float3 a [[origin]]) { return a.x > 1; }"},
    {"direction",
     "[[intersection(bounding_box)]] bool f(float3 a [[direction]]) { return a.x > 1; }"},
    {"min_distance",
     "[[intersection(bounding_box)]] bool f(float a [[min_distance]]) { return a > 1; }"},
    {"max_distance",
     "[[intersection(bounding_box)]] bool f(float a [[max_distance]]) { return a > 1; }"},
};

TEST(FirstVersion, of_each_attribute_is_that_of_the_table) {
  for (const auto& attribute : metal_attributes()) {
    if (attribute.since == 0) continue;
    const auto use = attribute_uses.find(attribute.name);
    ASSERT_NE(use, attribute_uses.end()) << attribute.name << " needs a source in this test";
    const auto spelling = spelling_of(LanguageVersion{attribute.since});
    expect_first(attribute.since, use->second,
                 "'" + std::string(attribute.name) +
                     "' attribute requires Metal language standard " +
                     (attribute.since < 300 ? "macos-" : "") + spelling + " or higher");
  }
}

struct NameRow {
  std::string_view name;
  Feature feature;
};
constexpr NameRow name_rows[] = {
#define MSCI_NAME(name, feature) {#name, Feature::feature},
#include "lint/target/targets.def"
};

// Names outside of namespace metal.
const std::map<std::string_view, std::string> name_uses = {
    {"bfloat", "typedef bfloat other;"},
    {"coherent", "void f(coherent(device) device float* x);"},
    {"read_write", "constant auto a = metal::access::read_write;"},
    {"intersector", "using metal::raytracing::intersector;"},
    {"intersection_query", "using metal::raytracing::intersection_query;"},
    {"intersection_function_table", "using metal::raytracing::intersection_function_table;"},
    {"acceleration_structure", "using metal::raytracing::acceleration_structure;"},
};

TEST(FirstVersion, of_each_name_is_that_of_the_table) {
  for (const auto& row : name_rows) {
    const auto since = row_of(row.feature).version;
    if (since == 0) continue;
    std::string text;
    for (const std::string_view header :
         {"stdlib", "logging", "tensor", "command_buffer", "raytracing"})
      text += "#include <metal_" + std::string(header) + ">\n";
    const auto use = name_uses.find(row.name);
    text += use != name_uses.end() ? use->second : "using metal::" + std::string(row.name) + ";";
    expect_first(since, text, "'" + std::string(row.name) + "'");
    expect_first(since, text, "it needs " + spelling_of(LanguageVersion{since}));
  }
}

TEST(FirstVersion, has_a_spelling_for_each_system) {
  for (const auto version : language_versions())
    for (const std::string prefix : {"", "macos-", "ios-"}) {
      const auto read = language_version(prefix + spelling_of(version));
      ASSERT_TRUE(read) << prefix << spelling_of(version);
      EXPECT_EQ(read->number, version.number);
    }
  EXPECT_FALSE(language_version("tvos-metal2.3"));
}

TEST(VersionRange, is_a_version_a_range_a_list_or_all) {
  EXPECT_EQ(spelled("metal3.1"), "metal3.1 ");
  EXPECT_EQ(spelled("3.0..4.0"), "metal3.0 metal3.1 metal3.2 metal4.0 ");
  EXPECT_EQ(spelled("metal4.0.."), "metal4.0 metal4.1 ");
  EXPECT_EQ(spelled("..metal1.1"), "metal1.0 metal1.1 ");
  EXPECT_EQ(spelled("4.1,macos-metal2.3"), "metal2.3 metal4.1 ");
  EXPECT_EQ(spelled("metal3.1,3.1"), "metal3.1 ");
  EXPECT_EQ(language_version_range("all")->size(), language_versions().size());
}

TEST(VersionRange, says_what_is_wrong) {
  EXPECT_NE(spelled("metal9.9").find("metal9.9"), std::string::npos);
  EXPECT_NE(spelled("").find("metal4.1"), std::string::npos);
  EXPECT_EQ(spelled("4.0..3.0"),
            "the range of versions '4.0..3.0' is empty: metal4.0 is newer than metal3.0");
}

TEST(VersionsText, names_runs) {
  const auto text = [](std::string_view versions) {
    return versions_text({.versions = *language_version_range(versions)});
  };
  EXPECT_EQ(text("3.0..4.0,4.1"), "metal3.0 to metal4.1");
  EXPECT_EQ(text("2.3..3.0,4.0,4.1"), "metal2.3 to metal3.0, metal4.0, metal4.1");
  EXPECT_EQ(text("3.1"), "metal3.1");
  EXPECT_EQ(versions_text({}), "");
}

TEST(VersionCases, are_many) {
  const auto all = all_cases();
  EXPECT_GE(all.size(), 120u);
  EXPECT_GE(std::ranges::count_if(all, [](const auto& each) { return each.family.has_value(); }),
            60);
}

}  // namespace
}  // namespace msci
