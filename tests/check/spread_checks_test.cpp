// Checked launches that several threads of the processor run: what their notes say, and that the
// findings are the same each time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>

#include "analysis/check/check_layout.h"
#include "analysis/instruments.h"
#include "engine/check/checked_simdgroup.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"

namespace msci {
namespace {

using Word = std::uint64_t;
constexpr unsigned index_bits = 5;

Word entry_of(unsigned launch, unsigned threadgroup, unsigned lane) {
  return ShadowEntry::launch.set(launch) |
         ShadowEntry::thread.set(threadgroup << index_bits | lane) | ShadowEntry::location.set(7);
}

Word address_of(const Word& word) { return reinterpret_cast<Word>(&word); }

// The shadow of 32 granules that threadgroup 3 wrote in launch 2, but for one.
class Notes : public testing::Test {
 protected:
  Notes() {
    for (unsigned i = 0; i < written.size(); ++i) written[i] = entry_of(2, 3, i);
  }
  // Of accesses by threadgroup 3.
  bool are_contested(std::vector<Word> words) {
    const engine::AccessNotes notes{words.data() + words.size(), words.data() + words.size()};
    return engine::are_contested(notes, words.data(), index_bits);
  }
  Word note(Word others) const {
    return (entry_of(2, 3, 0) & ~(ShadowEntry::thread.one() - 1)) | others;
  }
  Word row(std::uint32_t lanes) const { return note(lanes); }

  std::array<Word, 32> written;
};

TEST_F(Notes, of_one_threadgroup_are_not_contested) {
  EXPECT_FALSE(are_contested({}));
  EXPECT_FALSE(are_contested({row(~0U), address_of(written[0])}));
  written[9] = 0;  // nothing wrote it
  written[10] = entry_of(1, 4, 0);
  EXPECT_FALSE(are_contested({row(~0U), address_of(written[0])})) << "an earlier launch";
}

TEST_F(Notes, of_what_another_threadgroup_wrote_are_contested) {
  written[9] = entry_of(2, 4, 9);
  EXPECT_TRUE(are_contested({row(~0U), address_of(written[0])}));
  EXPECT_TRUE(are_contested({row(1U << 9), address_of(written[0])}));
  EXPECT_FALSE(are_contested({row(~(1U << 9)), address_of(written[0])})) << "no lane of the row";
  EXPECT_TRUE(are_contested({row(1), address_of(written[9])}));
}

TEST_F(Notes, of_scattered_accesses_are_compared_one_by_one) {
  written[9] = entry_of(2, 4, 9);
  const auto two = note(engine::AccessNotes::scattered | 2);
  EXPECT_FALSE(are_contested({two, address_of(written[8]), address_of(written[31])}));
  EXPECT_TRUE(are_contested({two, address_of(written[31]), address_of(written[9])}));
  EXPECT_TRUE(are_contested(
      {two, address_of(written[8]), address_of(written[31]), row(3), address_of(written[8])}));
}

TEST_F(Notes, of_lanes_at_a_distance_are_compared_one_by_one) {
  const auto three = note(engine::AccessNotes::distant | 7);
  written[9] = entry_of(2, 4, 9);
  EXPECT_TRUE(are_contested({three, address_of(written[1]), 4}));
  EXPECT_TRUE(are_contested({three, address_of(written[17]), static_cast<Word>(-4)}));
  EXPECT_FALSE(are_contested({three, address_of(written[0]), 4}));
  EXPECT_TRUE(are_contested({three, address_of(written[0]), 4, row(1), address_of(written[9])}));
}

// Kernels of 64 threadgroups of 32 threads. In `late`, the last threadgroup alone comes to a cell
// of the first.
constexpr const char* kernels = R"(#include <metal_stdlib>
using namespace metal;
kernel void apart(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i] = x[i] + 1;
}
kernel void stencil(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i > 0) x[i] = x[i - 1] + 1;
}
kernel void late(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  x[i == 2047 ? 5 : i] = float(i);
}
kernel void column(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 8; ++k) x[(i * 7 + k) % 2048] = float(i);
}
kernel void wait(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i < 32) {
    float sum = 1;
    for (uint k = 0; k < 20000; ++k) sum += x[2016 + i];
    if (i == 0) x[0] = sum;
  } else {
    while (x[0] == 0) x[i] += 1;
  }
}
kernel void equal_late(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  if (i < 32) {
    float sum = 1;
    for (uint k = 0; k < 20000; ++k) sum += x[2016 + i];
    if (sum == 1) x[32] = 8;
    x[i] = 7;
  } else if (i < 2016) {
    x[i / 32 + 64] = 9;
  }
}
)";

class Spread : public testing::Test {
 protected:
  // The findings of a checked run, a line each.
  std::string findings(const std::string& kernel) {
    auto unit = parse({"k.metal", kernels});
    if (!unit || !unit->compiled()) return "does not compile";
    const auto translation = translate(*unit, {}, {}, TranslationPurpose::checking);
    if (!translation) return translation.error().message;
    Plan plan;
    plan.buffers.push_back({.name = "x", .bytes = 4 * 2048, .initial = {}});
    plan.launches.push_back({.kernel = kernel,
                             .grid = {2048},
                             .threadgroup = {32},
                             .bindings = {{.index = 0, .buffer = 0}}});
    if (!device) return device.error().message;
    const auto checked = check(plan, *translation, **device);
    if (!checked) return checked.error().message;
    std::string text = checked->failure ? checked->failure->message : "";
    text += fmt::format("{} let go at {}\n", checked->benign_races.count,
                        checked->benign_races.first.range.begin.line);
    for (const auto& finding : checked->findings) {
      text += one_line(finding, "k.metal") + "\n";
      for (const auto& each : finding.notes) text += each.message + "\n";
    }
    return text;
  }

  Result<std::unique_ptr<Device>> device = open_worker_device(cpu_device_name);
};

TEST_F(Spread, threadgroups_that_do_not_meet_have_no_findings) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(findings("apart"), "0 let go at 0\n");
}

TEST_F(Spread, findings_are_the_same_each_time) {
  for (const std::string kernel : {"stencil", "late", "column", "wait"}) {
    const auto first = findings(kernel);
    EXPECT_NE(first.find("[check.race]"), std::string::npos) << kernel << ": " << first;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(findings(kernel), first) << kernel;
  }
  // One threadgroup after the other: the last one comes to what the first has written.
  EXPECT_NE(findings("late").find("thread (31, 0, 0) of threadgroup (63, 0, 0) writes x"),
            std::string::npos)
      << findings("late");
}

// A threadgroup that waits for another one ends where that one reports its race.
TEST_F(Spread, a_wait_for_a_thread_that_reports_ends) {
  EXPECT_EQ(findings("wait").find("time limit"), std::string::npos) << findings("wait");
}

TEST_F(Spread, the_first_of_equal_stores_is_the_same_each_time) {
  const auto first = findings("equal_late");
  EXPECT_EQ(first.find("0 let go"), std::string::npos) << first;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(findings("equal_late"), first);
}

}  // namespace
}  // namespace msci
