// What all tasks have in common: their list, their folders, their contracts.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>

#include "check.h"
#include "tasks/plan/task.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

TEST(AllTasks, are_the_folders_with_a_seed) {
  std::set<std::string> folders, names;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(MSCI_SOURCE_DIR) / "tasks"))
    if (exists(entry.path() / (entry.path().filename().string() + ".metal")))
      folders.insert(entry.path().filename());
  for (const Task* task : all_tasks()) names.insert(std::string(task->name));
  EXPECT_EQ(names, folders);
}

TEST(AllTasks, begin_with_those_of_the_benchmark_in_its_order) {
  const std::vector<std::string_view> benchmark = {"saxpy",    "heat2d", "wave3d", "nbody",
                                                   "hmc",      "lbm",    "ising",  "lj",
                                                   "gradshaf", "fft3d",  "adi3d",  "morton"};
  std::vector<std::string_view> names;
  std::set<unsigned> places;
  for (const Task* task : all_tasks()) {
    names.push_back(task->name);
    EXPECT_TRUE(places.insert(task->order).second) << task->name << " has another task's place";
  }
  ASSERT_GE(names.size(), benchmark.size());
  names.resize(benchmark.size());
  EXPECT_EQ(names, benchmark);
}

TEST(AllTasks, say_how_long_their_references_are) {
  for (const Task* task : all_tasks()) {
    const auto bytes = task->reference(task->small).size();
    EXPECT_EQ(bytes, task->reference_bytes ? task->reference_bytes(task->small) : 0) << task->name;
  }
}

TEST(References, of_another_length_in_the_cache_are_computed_anew) {
  const auto& task = **find_task("nbody");
  Cache cache{testing::TempDir() + "references_test"};
  const auto name =
      fmt::format("references/nbody-v{}-{}.bin", task.version, std::string(task.small.label));
  cache.store(name, {});
  const auto reference = reference_of(task, task.small, cache);
  EXPECT_EQ(reference.size(), task.reference_bytes(task.small));
  EXPECT_EQ(cache.load(name), reference) << "the entry is replaced";
}

TEST(FindTask, FindsByName) {
  for (const Task* task : all_tasks()) EXPECT_EQ(*find_task(task->name), task);
}

TEST(FindTask, SuggestsTheNearestNameAndListsAllInOrder) {
  const auto misspelt = find_task("heat3d");
  ASSERT_FALSE(misspelt);
  EXPECT_TRUE(misspelt.error().message.starts_with(
      "no task is called \"heat3d\"; did you mean \"heat2d\"? The tasks are adi3d, fft3d, "))
      << misspelt.error().message;
  for (const Task* task : all_tasks())
    EXPECT_NE(misspelt.error().message.find(task->name), std::string::npos) << task->name;
  EXPECT_NE(
      find_task("isling").error().message.find("did you mean \"ising\"? The tasks are adi3d, "),
      std::string::npos);
}

TEST(Sizes, AreReadByName) {
  const Size size{"s", {{"nx", 3}, {"ny", 4}}};
  EXPECT_EQ(size["nx"], 3U);
  EXPECT_EQ(size["ny"], 4U);
}

class EachTask : public testing::TestWithParam<const Task*> {};

TEST_P(EachTask, CarriesTheTextsOfItsFolder) {
  const Task& task = *GetParam();
  const std::string name(task.name);
  const auto folder = std::filesystem::path(MSCI_SOURCE_DIR) / "tasks" / name;
  EXPECT_EQ(task.seed, contents(folder / (name + ".metal")));
  EXPECT_EQ(task.page, contents(folder / (name + ".md")));
  EXPECT_TRUE(task.page.starts_with(fmt::format("# {}\n", name)));
}

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
  return text;
}

TEST_P(EachTask, TellsItsContractInItsSeedAndOnItsPage) {
  const Task& task = *GetParam();
  const std::string seed = without_spaces(std::string(task.seed));
  for (const KernelContract& kernel : task.kernels) {
    const auto at = seed.find(fmt::format("kernelvoid{}(", kernel.name));
    ASSERT_NE(at, std::string::npos) << kernel.name;
    const std::string head = seed.substr(at, seed.find("{", at) - at);
    for (const auto& [index, type, name, meaning, kind] : kernel.arguments) {
      const auto parameter = fmt::format("{}{}[[buffer({})]]", type, name, index);
      EXPECT_NE(head.find(without_spaces(parameter)), std::string::npos) << parameter;
      const auto row = fmt::format("| {} | `{}{}` |", index, type, name);
      EXPECT_NE(task.page.find(row), std::string::npos) << row;
      EXPECT_FALSE(meaning.empty()) << parameter;
    }
  }
}

TEST_P(EachTask, NamesAllItsSizesOnItsPage) {
  for (const Size& size : all_sizes(*GetParam()))
    EXPECT_NE(GetParam()->page.find(fmt::format("`{}`", size.label)), std::string::npos)
        << size.label;
  EXPECT_EQ(GetParam()->sizes.size(), 3U);
}

INSTANTIATE_TEST_SUITE_P(Tasks, EachTask, testing::ValuesIn(all_tasks().begin(), all_tasks().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace msci
