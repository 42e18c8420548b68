// The kernels of corpus/faults under the checked mode on the device cpu: each fault is found where
// the labels say (tests/support/fault_labels.h), and the fixed twin has none. Of two lines that
// race, the order of the threads decides which one is reported, so both may carry a label.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>

#include "analysis/instruments.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"
#include "tests/compiler/fixture.h"
#include "tests/support/fault_labels.h"
#include "tests/support/metal_files.h"

namespace msci {
namespace {

// What a checked run of a kernel says.
struct Found {
  FaultLabels labels;
  std::set<std::string> words;  // messages and notes
};

void add(const Diagnostic& finding, Found& found) {
  found.labels.insert(fmt::format("{}: {}", finding.place.range.begin.line, finding.id.substr(6)));
  found.words.insert(finding.message);
  for (const auto& note : finding.notes) found.words.insert(note.message);
}

// A source, and the device that checks it.
struct Checking {
  Unit& unit;
  Device& device;
  const Translation& translation;
  Program& program;
};

// Says more of infinite and narrowed numbers by further passes, as msci-eval does.
void trace_numbers(const Plan& plan, const Checking& by, Checked& checked) {
  if (checked.has_not_finite) {
    const auto traced = translate(by.unit, {}, {}, TranslationPurpose::tracing);
    ASSERT_TRUE(traced) << traced.error().message;
    const auto error = trace_not_finite(plan, *traced, by.device, checked);
    EXPECT_FALSE(error) << error->message;
  }
  if (checked.has_narrowed()) {
    const auto wider = translate(by.unit, {}, {}, TranslationPurpose::widening);
    ASSERT_TRUE(wider) << wider.error().message;
    const auto error = compare_with_wider(plan, by.translation, *wider, by.device, checked);
    EXPECT_FALSE(error) << error->message;
  }
}

// Under the file's launch.
Found found_in(const std::string& kernel, Case launch, const Checking& by) {
  SCOPED_TRACE(kernel);
  for (auto& each : launch.plan.launches) each.kernel = kernel;
  auto checked = check(launch.plan, by.translation, by.program);
  if (!checked) {
    ADD_FAILURE() << checked.error().message;
    return {};
  }
  if (checked->failure) ADD_FAILURE() << checked->failure->message;
  trace_numbers(launch.plan, by, *checked);
  Found found;
  for (const auto& finding : checked->findings) add(finding, found);
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
  const Checking by{*unit, **device, *translation, program};
  const auto found = found_in("faulty", fixture->cases[0], by);
  for (const auto& each : found.labels) EXPECT_TRUE(expected.contains(each)) << "false: " << each;
  EXPECT_EQ(found.labels.empty(), expected.empty());
  EXPECT_EQ(expected.empty(), says_why_missed("check", text))
      << "a fault is found, or its kernel says why it is missed";
  for (const auto& each : words_for(text))
    EXPECT_TRUE(found.words.contains(each)) << each << "\nis not said, but:\n"
                                            << fmt::format("{}", fmt::join(found.words, "\n"));
  for (const auto& each : found_in("fixed", fixture->cases[0], by).labels)
    ADD_FAILURE() << "false: " << each;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CheckedFault,
                         testing::ValuesIn(metal_files_in(MSCI_CORPUS "/faults")),
                         [](const auto& info) { return info.param.stem().string(); });

}  // namespace
}  // namespace msci
