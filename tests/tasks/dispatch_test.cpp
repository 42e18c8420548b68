// What each task asks a device to launch, for all sizes.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "check.h"

namespace msci {
namespace {

struct Row {
  std::string kernel;
  Extent grid;
  Extent threadgroup;
};

// The launches of one size, as the page of its task lists them.
struct Known {
  const Task* task;
  std::string label;
  std::vector<Row> rows;  // the launches of one step
  unsigned steps = 0;
  std::string result;  // the buffer that is judged
};

// The text of a cell of a table, without white space and backquotes.
std::string read_cell(std::istringstream& row) {
  std::string cell;
  std::getline(row, cell, '|');
  std::erase_if(cell, [](char c) { return c == ' ' || c == '`'; });
  return cell;
}

// "16x16" as an extent.
Extent read_extent(const std::string& text) {
  std::istringstream numbers(text);
  unsigned sides[3] = {1, 1, 1};
  for (auto& side : sides) {
    if (!(numbers >> side)) break;
    numbers.ignore();
  }
  return {sides[0], sides[1], sides[2]};
}

std::vector<Known> launches_of(const Task& task) {
  std::vector<Known> known;
  std::string page(task.page);
  std::istringstream lines(page.substr(std::min(page.find("## Launches\n"), page.size())));
  for (std::string line; std::getline(lines, line) && !line.starts_with("## Wrong kernels");) {
    if (!line.starts_with("| `")) continue;
    std::istringstream row(line.substr(1));
    const auto label = read_cell(row), times = read_cell(row), kernel = read_cell(row);
    const auto grid = read_cell(row), threadgroup = read_cell(row), result = read_cell(row);
    if (known.empty() || known.back().label != label)
      known.push_back({&task, label, {}, static_cast<unsigned>(std::stoul(times)), result});
    known.back().rows.push_back({kernel, read_extent(grid), read_extent(threadgroup)});
  }
  return known;
}

std::vector<Known> all_launches() {
  std::vector<Known> all;
  for (const Task* task : all_tasks())
    for (auto& known : launches_of(*task)) all.push_back(std::move(known));
  return all;
}

TEST(Dispatch, is_on_the_page_for_every_size_in_order) {
  for (const Task* task : all_tasks()) {
    std::vector<std::string> expected, actual;
    for (const Known& each : launches_of(*task)) actual.push_back(each.label);
    for (const Size& size : all_sizes(*task)) expected.push_back(size.label);
    EXPECT_EQ(actual, expected) << task->name;
  }
}

class Dispatch : public testing::TestWithParam<Known> {};

TEST_P(Dispatch, MatchesTheKnownLaunches) {
  const Known& expected = GetParam();
  const Task& task = *expected.task;
  const Plan plan = plan_of(task, the_size(task, expected.label));
  ASSERT_EQ(plan.launches.size(), expected.rows.size() * expected.steps);
  for (std::size_t i = 0; i < plan.launches.size(); ++i) {
    const Launch& launch = plan.launches[i];
    const Row& row = expected.rows[i % expected.rows.size()];
    EXPECT_EQ(launch.kernel, row.kernel);
    EXPECT_EQ(launch.grid, row.grid);
    EXPECT_EQ(launch.threadgroup, row.threadgroup);
    EXPECT_TRUE(launch.threadgroup_memory.empty());
  }
  ASSERT_FALSE(plan.results.empty());
  EXPECT_EQ(plan.buffers[plan.results[0]].name, expected.result);
}

const KernelContract& contract_of(const Task& task, std::string_view kernel) {
  for (const KernelContract& contract : task.kernels)
    if (contract.name == kernel) return contract;
  std::abort();
}

bool is_written(const ContractArgument& argument) {
  return argument.type.starts_with("device ") && !argument.type.starts_with("device const");
}

TEST_P(Dispatch, BindsWhatTheContractPromises) {
  const Task& task = *GetParam().task;
  const Plan plan = plan_of(task, the_size(task, GetParam().label));
  for (const PlanBuffer& buffer : plan.buffers) {
    EXPECT_GT(buffer.bytes, 0U) << buffer.name;
    if (!buffer.initial.empty()) {
      EXPECT_EQ(buffer.initial.size(), buffer.bytes) << buffer.name;
    }
  }
  std::vector<std::size_t> written;
  for (const Launch& launch : plan.launches) {
    const auto& arguments = contract_of(task, launch.kernel).arguments;
    ASSERT_EQ(launch.bindings.size(), arguments.size());
    std::vector<std::size_t> reads, writes;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      const Binding& binding = launch.bindings[i];
      EXPECT_EQ(binding.index, i);
      EXPECT_EQ(arguments[i].index, i);
      EXPECT_LE(binding.offset + 4, plan.buffers[binding.buffer].bytes);
      if (arguments[i].type.starts_with("constant")) {
        EXPECT_EQ(plan.buffers[binding.buffer].name, arguments[i].name);
      }
      (is_written(arguments[i]) ? writes : reads).push_back(binding.buffer);
    }
    for (const std::size_t buffer : writes)
      EXPECT_EQ(std::count(reads.begin(), reads.end(), buffer), 0) << "read-only and written";
    written = writes;
  }
  EXPECT_EQ(std::count(written.begin(), written.end(), plan.results[0]), 1)
      << "the last launch writes the result";
}

INSTANTIATE_TEST_SUITE_P(Sizes, Dispatch, testing::ValuesIn(all_launches()), [](const auto& info) {
  return test_name(info.param.task->name, info.param.label);
});

// The buffers that a launch binds at the first `count` indices, by name.
std::vector<std::string> bound(const Plan& plan, std::size_t launch, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i)
    names.push_back(plan.buffers[plan.launches[launch].bindings[i].buffer].name);
  return names;
}

using Names = std::vector<std::string>;

TEST(Buffers, AlternateFromStepToStep) {
  const Plan heat = plan_of(the_task("heat2d"), the_task("heat2d").sizes[0]);
  EXPECT_EQ(bound(heat, 0, 2), (Names{"A", "B"}));
  EXPECT_EQ(bound(heat, 1, 2), (Names{"B", "A"}));
  EXPECT_EQ(bound(heat, 48, 2), (Names{"A", "B"}));
}

TEST(Buffers, RotateInWave3d) {
  const Plan wave = plan_of(the_task("wave3d"), the_task("wave3d").sizes[0]);
  EXPECT_EQ(bound(wave, 0, 3), (Names{"A", "B", "C"}));
  EXPECT_EQ(bound(wave, 1, 3), (Names{"B", "C", "A"}));
  EXPECT_EQ(bound(wave, 2, 3), (Names{"C", "A", "B"}));
  EXPECT_EQ(bound(wave, 3, 3), (Names{"A", "B", "C"}));
  EXPECT_EQ(start_of(wave, "A"), start_of(wave, "B"));
}

TEST(Buffers, AlternateFromSweepToSweepInAdi3d) {
  const Plan adi = plan_of(the_task("adi3d"), the_task("adi3d").sizes[0]);
  EXPECT_EQ(bound(adi, 0, 2), (Names{"A", "B"}));
  EXPECT_EQ(bound(adi, 1, 2), (Names{"B", "A"}));
  EXPECT_EQ(bound(adi, 3, 2), (Names{"B", "A"}));
}

TEST(Buffers, PassTheListThroughAllThreeKernelsOfLj) {
  const Plan lj = plan_of(the_task("lj"), the_task("lj").sizes[0]);
  EXPECT_EQ(bound(lj, 0, 2), (Names{"cell_count", "M3"}));
  EXPECT_EQ(bound(lj, 1, 3), (Names{"posA", "cell_count", "cell_list"}));
  EXPECT_EQ(bound(lj, 2, 6), (Names{"posA", "posB", "velA", "velB", "cell_count", "cell_list"}));
  EXPECT_EQ(bound(lj, 4, 3), (Names{"posB", "cell_count", "cell_list"}));
}

TEST(Buffers, ReduceTheFieldThatTheStepReadsInGradshaf) {
  const Plan plan = plan_of(the_task("gradshaf"), the_task("gradshaf").sizes[0]);
  EXPECT_EQ(bound(plan, 0, 2), (Names{"A", "psi_axis"}));
  EXPECT_EQ(bound(plan, 1, 3), (Names{"A", "B", "psi_axis"}));
  EXPECT_EQ(bound(plan, 2, 2), (Names{"B", "psi_axis"}));
  EXPECT_EQ(bound(plan, 3, 3), (Names{"B", "A", "psi_axis"}));
}

// Everything that a kernel may write starts each pass afresh, so that none counts passes there. The
// benchmark's own host leaves the axis of gradshaf alone, too.
TEST(Buffers, AreResetBeforeEachPassButForWhatIsOnlyRead) {
  Names kept;
  for (const Task* task : all_tasks())
    for (const PlanBuffer& buffer : plan_of(*task, task->sizes[0]).buffers)
      if (!buffer.reset) kept.push_back(test_name(task->name, buffer.name));
  EXPECT_EQ(kept, (Names{"saxpy_x"}));
}

}  // namespace
}  // namespace msci
