#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <optional>

#include "engine/queue/cpu_queue.h"

namespace msci::engine {
namespace {

constexpr std::size_t page = 4096;

// Linux reads the byte, and refuses where the process could not.
bool can_read(const std::byte* at) {
  std::array<int, 2> ends = {};
  EXPECT_EQ(::pipe(ends.data()), 0);
  const bool was_read = ::write(ends[1], at, 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return was_read;
}

TEST(CpuMemory, of_an_earlier_one_is_closed_before_a_kernel_runs) {
  const auto arena = Arena::reserve(4);
  ASSERT_TRUE(arena);
  auto first = arena->allocate(3 * page);
  auto second = std::make_optional(*arena->allocate(page));
  ASSERT_TRUE(first && second);
  const auto* behind = second->data();
  EXPECT_TRUE(can_read(behind));
  EXPECT_FALSE(can_read(behind + page));
  second.reset();
  arena->close_unused();
  EXPECT_FALSE(can_read(behind));
  EXPECT_TRUE(can_read(first->data() + 2 * page)) << "in use";
}

TEST(CpuMemory, ends_where_it_says_in_the_window_of_a_larger_one) {
  const auto arena = Arena::reserve(4);
  ASSERT_TRUE(arena);
  auto large = std::make_optional(*arena->allocate(5 * page));
  large->data()[page] = std::byte{7};
  const auto* begin = large->data();
  large.reset();
  auto small = std::make_optional(*arena->allocate(page + 1));
  ASSERT_EQ(small->data(), begin);
  EXPECT_TRUE(can_read(begin + page));
  EXPECT_FALSE(can_read(begin + 2 * page));
  small.reset();
  const auto larger = arena->allocate(4 * page);
  ASSERT_EQ(larger->data(), begin);
  EXPECT_TRUE(can_read(begin + 3 * page));
  EXPECT_FALSE(can_read(begin + 4 * page));
}

TEST(CpuMemory, of_many_megabytes_is_closed_at_once) {
  const auto arena = Arena::reserve(4);
  ASSERT_TRUE(arena);
  auto memory = std::make_optional(*arena->allocate(std::size_t{20} << 20));
  const auto* begin = memory->data();
  EXPECT_TRUE(can_read(begin));
  memory.reset();
  EXPECT_FALSE(can_read(begin));
}

}  // namespace
}  // namespace msci::engine
