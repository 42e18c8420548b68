// Every file of run/, translated and run on a device, gives its known answers.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "engine/device/worker.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"
#include "tests/compiler/fixture.h"

namespace msci {
namespace {

bool is_refused(const std::filesystem::path& fixture) {
  return fixture.stem().string().starts_with("refused_");
}

std::vector<std::filesystem::path> fixtures(bool with_refused) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(MSCI_FIXTURES))
    if (entry.path().extension() == ".metal" && (with_refused || !is_refused(entry.path())))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

void expect_answers(Program& program, const Translation& translation, Case each,
                    const Execution& execution) {
  each.plan.execution = execution;
  auto& launch = each.plan.launches[0];
  if (launch.kernel.empty()) launch.kernel = translation.kernels.front().name;
  SCOPED_TRACE(launch.kernel + " " + to_string(execution));
  const auto ran = program.run(each.plan, verify_only);
  ASSERT_TRUE(ran) << ran.error().message;
  if (const auto* failure = std::get_if<Failure>(&*ran)) FAIL() << failure->message;
  const auto& run = std::get<Run>(*ran);
  EXPECT_TRUE(run.overruns.empty()) << "wrote beside " << run.overruns.front();
  ASSERT_EQ(run.outputs.size(), each.answers.size());
  for (std::size_t i = 0; i < run.outputs.size(); ++i)
    if (const auto difference = first_difference(each.answers[i], run.outputs[i]))
      ADD_FAILURE() << *difference;
}

// A device as --device names it: the first OpenCL device, or the processor; and a fixture.
class Construct : public testing::TestWithParam<std::tuple<std::string, std::filesystem::path>> {};

TEST_P(Construct, gives_its_known_answers) {
  const auto& [wanted, path] = GetParam();
  const auto fixture = read_fixture(path);
  ASSERT_TRUE(fixture) << fixture.error().message;
  const auto prepared =
      compile(fixture->source, all_rules(),
              {.constants = fixture->constants, .compile = {.version = fixture->language}});
  ASSERT_EQ(fixture->gap.has_value(), is_refused(path));
  if (fixture->gap) {
    ASSERT_FALSE(prepared && prepared->translation) << "it translates: give the file its answers";
    const auto& reason = prepared ? prepared->rejection : prepared.error().message;
    EXPECT_NE(reason.find(*fixture->gap), std::string::npos) << reason;
    return;
  }
  ASSERT_TRUE(prepared) << prepared.error().message;
  ASSERT_TRUE(prepared->translation) << prepared->rejection;
  ASSERT_FALSE(fixture->cases.empty()) << "the file says nothing about its answers";
  auto device = open_worker_device(wanted);
  ASSERT_TRUE(device) << device.error().message;
  auto built = (*device)->build(*prepared->translation);
  ASSERT_TRUE(built) << built.error().message;
  if (const auto* failure = std::get_if<Failure>(&*built)) FAIL() << failure->message;
  std::vector<Execution> executions(1);
  if ((*device)->info().chooses_order)
    executions.push_back({.order = Execution::Order::reversed, .lane_by_lane = true});
  for (const auto& execution : executions)
    for (const auto& each : fixture->cases)
      expect_answers(*std::get<std::unique_ptr<Program>>(*built), *prepared->translation, each,
                     execution);
}

std::string name_of(const testing::TestParamInfo<Construct::ParamType>& info) {
  return std::get<0>(info.param) + "_" + std::get<1>(info.param).stem().string();
}

// What is refused meets no device.
INSTANTIATE_TEST_SUITE_P(Run, Construct,
                         testing::Combine(testing::Values("cpu"),
                                          testing::ValuesIn(fixtures(true))),
                         name_of);
INSTANTIATE_TEST_SUITE_P(RunOpencl, Construct,
                         testing::Combine(testing::Values("opencl"),
                                          testing::ValuesIn(fixtures(false))),
                         name_of);

}  // namespace
}  // namespace msci
