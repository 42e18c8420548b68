// Every fault that is planted into the kernels of kernels/ is found at its line, and nothing else.
// A file holds kernels with the launches of tests/compiler/fixture.h; `// expect: race` names what
// must be found on its line, or, where it stands alone, on the next one. Of two accesses that race,
// the later one is reported. `// logs: 8 info (1, 0, 0) of (0, 0, 0): x = 3` is a message that
// must be kept: its line and type, subsystem and category of an own os_log, and who sent it. All
// messages of a file are listed, in their order.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "analysis/instruments.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"
#include "tasks/plan/task.h"
#include "tests/compiler/fixture.h"

namespace msci {
namespace {

std::vector<std::filesystem::path> kernel_files(const char* folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".metal") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// "12: race", once each.
using Findings = std::set<std::string>;

Findings expected_in(const std::string& text) {
  constexpr std::string_view mark = "// expect: ";
  Findings expected;
  std::istringstream lines(text);
  unsigned number = 1;
  for (std::string line; std::getline(lines, line); ++number) {
    const auto at = line.find(mark);
    if (at == std::string::npos) continue;
    const bool alone = line.find_first_not_of(' ') == at;
    std::istringstream words(line.substr(at + mark.size()));
    for (std::string word; words >> word;)
      expected.insert(fmt::format("{}: {}", number + alone, word));
  }
  return expected;
}

std::vector<std::string> expected_messages(const std::string& text) {
  constexpr std::string_view mark = "// logs: ";
  std::vector<std::string> expected;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with(mark) && std::isdigit(line[mark.size()]))
      expected.push_back(line.substr(mark.size()));
  return expected;
}

std::string text_of(const LoggedMessage& message) {
  const auto at = [](const ThreadPosition& position) {
    return fmt::format("({}, {}, {})", position.x, position.y, position.z);
  };
  auto log = std::string(to_string(message.kind));
  if (!message.subsystem.empty()) log += " " + message.subsystem + " " + message.category;
  return fmt::format("{} {} {} of {}: {}", message.place.range.begin.line, log, at(message.thread),
                     at(message.threadgroup), message.text);
}

void check_case(const Case& each, const Translation& translation, Program& program, Findings& found,
                std::vector<std::string>& messages) {
  SCOPED_TRACE(each.plan.launches[0].kernel);
  const auto checked = check(each.plan, translation, program);
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_FALSE(checked->failure) << checked->failure->message;
  for (const auto& finding : checked->findings)
    found.insert(fmt::format("{}: {}", finding.place.range.begin.line, finding.id.substr(6)));
  for (const auto& message : checked->messages) messages.push_back(text_of(message));
}

void expect_faults(const std::filesystem::path& path) {
  auto fixture = read_fixture(path);
  ASSERT_TRUE(fixture) << fixture.error().message;
  auto unit = parse(fixture->source, fixture->language);
  ASSERT_TRUE(unit) << unit.error().message;
  ASSERT_TRUE(unit->compiled()) << unit->diagnostics().front().message;
  const auto translation = translate(*unit, {}, fixture->constants, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  auto device = open_worker_device(cpu_device_name);
  ASSERT_TRUE(device) << device.error().message;
  auto built = (*device)->build(*translation);
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_FALSE(std::holds_alternative<Failure>(*built)) << std::get<Failure>(*built).message;
  auto& program = *std::get<std::unique_ptr<Program>>(*built);
  Findings found;
  std::vector<std::string> messages;
  for (auto& each : fixture->cases) {
    auto& kernel = each.plan.launches[0].kernel;
    if (kernel.empty()) kernel = translation->kernels.front().name;
    check_case(each, *translation, program, found, messages);
  }
  EXPECT_EQ(messages, expected_messages(fixture->source.text));
  const auto expected = expected_in(fixture->source.text);
  const auto only_in = [](const Findings& a, const Findings& b) {
    Findings rest;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
    return fmt::format("{}", fmt::join(rest, ", "));
  };
  EXPECT_EQ(only_in(expected, found), "") << "missed";
  EXPECT_EQ(only_in(found, expected), "") << "false";
}

class Planted : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Planted, faults_are_found_and_nothing_else) { expect_faults(GetParam()); }

INSTANTIATE_TEST_SUITE_P(CheckedMode, Planted, testing::ValuesIn(kernel_files(MSCI_KERNELS)),
                         [](const auto& test) { return test.param.stem().string(); });

// Each construct of the language that is translated, in the kernels of tests/compiler/run.
std::vector<std::filesystem::path> constructs() {
  auto files = kernel_files(MSCI_CONSTRUCTS);
  std::erase_if(files,
                [](const auto& file) { return file.stem().string().starts_with("refused_"); });
  return files;
}

class Construct : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Construct, has_the_faults_that_its_file_names) { expect_faults(GetParam()); }

INSTANTIATE_TEST_SUITE_P(CheckedMode, Construct, testing::ValuesIn(constructs()),
                         [](const auto& test) { return test.param.stem().string(); });

// A tile of 16 x 16 that threadgroups at the right edge, with one column of threads, fill in part.
constexpr const char* tiled = R"(#include <metal_stdlib>
using namespace metal;
kernel void tiled(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint2 at [[thread_position_in_grid]], uint2 t [[thread_position_in_threadgroup]]) {
  threadgroup float tile[16][16];
  tile[t.y][t.x] = x[32 * at.y + at.x];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float sum = 0;
  for (uint k = 0; k < 16; ++k) sum += tile[t.y][k];
  y[32 * at.y + at.x] = sum;
}
)";

TEST(EdgeThreadgroup, is_named_where_it_reads_what_nothing_wrote) {
  auto unit = parse({"tiled.metal", tiled});
  ASSERT_TRUE(unit) << unit.error().message;
  const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  auto device = open_worker_device("cpu");
  ASSERT_TRUE(device) << device.error().message;
  Plan plan;
  for (const auto* name : {"x", "y"}) plan.add({.name = name, .bytes = 32 * 16 * sizeof(float)});
  plan.launches.push_back({.kernel = "tiled",
                           .grid = {17, 16},
                           .threadgroup = {16, 16},
                           .bindings = {{.index = 0, .buffer = 0}, {.index = 1, .buffer = 1}}});
  const auto notes_of = [&]() -> std::vector<std::string> {
    const auto checked = check(plan, *translation, **device);
    if (!checked) return {checked.error().message};
    const auto found = std::ranges::find(checked->findings, "check.uninitialised", &Diagnostic::id);
    if (found == checked->findings.end()) return {"nothing is found"};
    std::vector<std::string> notes;
    for (const auto& note : found->notes) notes.push_back(note.message);
    return notes;
  };
  EXPECT_EQ(notes_of(), (std::vector<std::string>{
                            "threadgroup (1, 0, 0) has 1 × 16 threads, since the grid ends there; "
                            "the launch asks for 16 × 16"}));
  // The same threadgroup is whole in another launch, which may be the one at fault.
  plan.launches.push_back(plan.launches[0]);
  plan.launches[1].grid = {32, 16};
  EXPECT_EQ(notes_of(), std::vector<std::string>{});
}

TEST(ManyMessages, are_counted_when_enough_are_kept) {
  auto fixture = read_fixture(MSCI_MANY_MESSAGES);
  ASSERT_TRUE(fixture) << fixture.error().message;
  auto unit = parse(fixture->source, fixture->language);
  ASSERT_TRUE(unit) << unit.error().message;
  const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  auto device = open_worker_device(cpu_device_name);
  ASSERT_TRUE(device) << device.error().message;
  auto plan = fixture->cases.front().plan;
  plan.launches[0].kernel = translation->kernels.front().name;
  const auto checked = check(plan, *translation, **device);
  ASSERT_TRUE(checked) << checked.error().message;
  ASSERT_FALSE(checked->failure) << checked->failure->message;
  EXPECT_TRUE(checked->clean());
  EXPECT_EQ(checked->messages.size(), 256u);
  EXPECT_EQ(checked->messages_left_out, 744u);
  const auto is_complete = [](const LoggedMessage& each) {
    const auto number = each.threadgroup.x * 100 + each.thread.x;
    return each.text == fmt::format("thread {}", number) && each.place.range.begin.line == 10;
  };
  EXPECT_TRUE(std::all_of(checked->messages.begin(), checked->messages.end(), is_complete));
}

class Seed : public testing::TestWithParam<const Task*> {};

TEST_P(Seed, has_no_fault) {
  const auto& task = *GetParam();
  auto unit = parse({std::string(task.name) + ".metal", std::string(task.seed)});
  ASSERT_TRUE(unit) << unit.error().message;
  const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  const auto plan = task.plan(task.small, *translation);
  ASSERT_TRUE(plan) << plan.error().message;
  auto device = open_worker_device(cpu_device_name);
  ASSERT_TRUE(device) << device.error().message;
  const auto checked = check(*plan, *translation, **device);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_FALSE(checked->failure) << checked->failure->message;
  for (const auto& finding : checked->findings)
    ADD_FAILURE() << finding.place.range.begin.line << ": " << finding.message << " [" << finding.id
                  << "]";
}

INSTANTIATE_TEST_SUITE_P(CheckedMode, Seed, testing::ValuesIn(all_tasks()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace msci
