// What a process says of its times is compared with marks that the system stamps.
#include "engine/device/pass_marks.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

namespace msci {
namespace {

using Seconds = std::vector<double>;

TEST(PassMarks, say_how_long_passes_took) {
  auto opened = MarkReader::open();
  ASSERT_TRUE(opened) << opened.error().message;
  mark_pass();     // of a process whose passes are not marked
  Seconds waited;  // longer than the sleeps where the machine is busy
  {
    const MarkingOfPasses marking(std::move(opened->second));
    for (const int milliseconds : {5, 50}) {
      const auto begin = std::chrono::steady_clock::now();
      mark_pass();
      std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
      mark_pass();
      const auto end = std::chrono::steady_clock::now();
      waited.push_back(std::chrono::duration<double>(end - begin).count());
    }
    mark_pass();  // a pass that has not ended
  }
  const auto seconds = opened->first->finish();
  ASSERT_TRUE(seconds);
  ASSERT_EQ(seconds->size(), 2U);
  EXPECT_GE((*seconds)[0], 0.004);
  EXPECT_GE((*seconds)[1], 0.049);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_LT((*seconds)[i], waited[i] + 0.01) << i;
}

TEST(PassMarks, are_read_however_many_there_are) {
  auto opened = MarkReader::open();
  ASSERT_TRUE(opened) << opened.error().message;
  const MarkingOfPasses marking(std::move(opened->second));
  constexpr std::size_t passes = 2000;  // more than a socket holds
  for (std::size_t i = 0; i < 2 * passes; ++i) mark_pass();
  EXPECT_EQ(opened->first->finish().value().size(), passes);
}

// Two warm-up passes, four timed ones, and one more.
const Seconds marked = {0.5, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1};

TEST(PassMarks, times_are_plausible_if_the_passes_took_as_long) {
  EXPECT_TRUE(are_plausible(Seconds{0.0999, 0.0998, 0.0999, 0.0999}, marked, 1));
  EXPECT_TRUE(are_plausible(Seconds{}, marked, 7));
}

TEST(PassMarks, a_busy_machine_may_delay_some_of_the_passes) {
  EXPECT_TRUE(are_plausible(Seconds{0.0999, 0.01, 0.0999, 0.01}, marked, 1));
  EXPECT_TRUE(are_plausible(Seconds{0.01}, marked, 1));
  EXPECT_FALSE(are_plausible(Seconds{0.01, 0.01}, marked, 1));
}

TEST(PassMarks, shorter_times_are_forged_and_so_are_longer_ones) {
  EXPECT_FALSE(are_plausible(Seconds{0.07, 0.07, 0.07, 0.0999}, marked, 1));
  EXPECT_FALSE(are_plausible(Seconds{0.12, 0.12, 0.12, 0.0999}, marked, 1));
}

TEST(PassMarks, each_pass_has_its_marks) {
  EXPECT_FALSE(are_plausible(Seconds{0.1, 0.1, 0.1, 0.1}, marked, 4));
}

}  // namespace
}  // namespace msci
