#include <gtest/gtest.h>

#include "tasks/plan/task.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

// What is read and what is kept under its version belong together, so nobody looks a second time.
TEST(TaskVersion, of_a_plan_is_that_of_the_files_that_were_read) {
  const Folder folder;
  namespace fs = std::filesystem;
  const fs::path example(MSCI_SOURCE_DIR "/docs/plan_example");
  fs::copy(example, folder.path(), fs::copy_options::recursive);
  const auto plan = folder / "plan.json";
  const auto* first = *find_task(plan);
  const auto version = task_version(*first);
  ASSERT_TRUE(version);
  EXPECT_EQ(*find_task(plan), first);
  folder.write("note.txt", "beside it");
  EXPECT_EQ(task_version(*first), version);
  const auto* second = *find_task(plan);
  EXPECT_NE(second, first);
  EXPECT_NE(task_version(*second), version);
}

TEST(TaskVersion, of_a_task_of_the_benchmark_is_empty) {
  EXPECT_EQ(task_version(**find_task("saxpy")), "");
}

}  // namespace
}  // namespace msci
