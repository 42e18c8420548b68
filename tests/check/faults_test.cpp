// The kernels of corpus/faults under the checked mode on the device cpu: each fault is found where
// the labels say (tests/support/fault_labels.h), and the fixed twin has none. Of two lines that
// race, the order of the threads decides which one is reported, so both may carry a label.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "compiler/translate.h"
#include "instrument/check/result/checked_run.h"
#include "runtime/device/worker.h"
#include "tests/compiler/fixture.h"
#include "tests/support/fault_labels.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

// What one pass of the kernel under the file's launch finds, by line.
FaultLabels found_in(const std::string& kernel, Case launch, const Translation& translation,
                     Program& program) {
  SCOPED_TRACE(kernel);
  for (auto& each : launch.plan.launches) each.kernel = kernel;
  const auto checked = check(launch.plan, translation, program);
  FaultLabels found;
  if (!checked) {
    ADD_FAILURE() << checked.error().message;
    return found;
  }
  if (checked->failure) ADD_FAILURE() << checked->failure->message;
  for (const auto& finding : checked->findings)
    found.insert(fmt::format("{}: {}", finding.place.range.begin.line, finding.id.substr(6)));
  return found;
}

class CheckedFault : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(CheckedFault, is_found_and_its_fixed_twin_is_silent) {
  auto fixture = read_fixture(GetParam());
  ASSERT_TRUE(fixture) << fixture.error().message;
  ASSERT_EQ(fixture->cases.size(), 1U) << "one launch at the head of the file serves both kernels";
  auto unit = parse(fixture->source);
  ASSERT_TRUE(unit) << unit.error().message;
  ASSERT_TRUE(unit->compiled()) << unit->diagnostics().front().message;
  const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  auto device = open_worker_device("cpu");
  ASSERT_TRUE(device) << device.error().message;
  auto built = (*device)->build(*translation);
  ASSERT_TRUE(built) << built.error().message;
  ASSERT_FALSE(std::holds_alternative<Failure>(*built)) << std::get<Failure>(*built).message;
  auto& program = *std::get<std::unique_ptr<Program>>(*built);

  const auto& text = fixture->source.text;
  const auto expected = labels_for("check", text);
  const auto found = found_in("faulty", fixture->cases[0], *translation, program);
  for (const auto& each : found) EXPECT_TRUE(expected.contains(each)) << "false: " << each;
  EXPECT_EQ(found.empty(), expected.empty());
  EXPECT_EQ(expected.empty(), says_why_missed("check", text))
      << "a fault is found, or its kernel says why it is missed";
  for (const auto& each : found_in("fixed", fixture->cases[0], *translation, program))
    ADD_FAILURE() << "false: " << each;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CheckedFault,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/faults")),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
