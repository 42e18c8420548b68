#include "tasks/describe.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/json.h"

namespace msci {
namespace {

class Description : public testing::TestWithParam<const Task*> {};

TEST_P(Description, tells_all_sizes_but_the_held_out_one) {
  const Task& task = *GetParam();
  for (const auto& text : {describe(task), describe_as_json(task)}) {
    for (const Size& size : task.sizes) EXPECT_NE(text.find(size.label), std::string::npos);
    ASSERT_TRUE(task.held_out);
    const auto held_out = fmt::format("`{}`", task.held_out->label);
    EXPECT_EQ(text.find(held_out), std::string::npos);
    EXPECT_EQ(text.find("eld out"), std::string::npos);
    EXPECT_EQ(text.find("eld-out"), std::string::npos);
    EXPECT_EQ(text.find("## Launches"), std::string::npos);
    EXPECT_EQ(text.find("## Wrong kernels"), std::string::npos);
  }
}

TEST_P(Description, keeps_every_other_section_of_the_page) {
  const auto text = describe(*GetParam());
  for (const auto* section : {"## Contract", "## Sizes", "## Verdict", "## Regime", "## Traps"})
    EXPECT_NE(text.find(section), std::string::npos) << section;
}

TEST_P(Description, gives_programs_kernels_bindings_and_seed) {
  const Task& task = *GetParam();
  const auto json = nlohmann::json::parse(describe_as_json(task));
  EXPECT_EQ(json["name"], task.name);
  EXPECT_EQ(json["seed"], task.seed);
  ASSERT_EQ(json["kernels"].size(), task.kernels.size());
  EXPECT_EQ(json["kernels"][0]["arguments"].size(), task.kernels[0].arguments.size());
  EXPECT_EQ(json["sizes"].size(), task.sizes.size());
}

INSTANTIATE_TEST_SUITE_P(Tasks, Description,
                         testing::ValuesIn(all_tasks().begin(), all_tasks().end()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace msci
