// How threads of the processor share threadgroups.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "engine/queue/cpu_queue.h"

namespace msci::engine {
namespace {

bool is_empty(const GroupRange& range) { return range.begin >= range.end; }

TEST(GroupShares, threads_take_each_threadgroup_once) {
  for (const std::size_t groups : {1, 3, 7, 64, 1000}) {
    constexpr unsigned threads = 3;
    GroupShares shares(groups, threads);
    std::vector<std::vector<std::size_t>> taken(threads);
    {
      std::vector<std::jthread> running;
      for (unsigned i = 0; i < threads; ++i)
        running.emplace_back([&, i] {
          for (auto range = shares.take(i); !is_empty(range); range = shares.take(i))
            for (auto group = range.begin; group < range.end; ++group) taken[i].push_back(group);
        });
    }
    std::vector<std::size_t> all;
    for (const auto& each : taken) all.insert(all.end(), each.begin(), each.end());
    std::ranges::sort(all);
    ASSERT_EQ(all.size(), groups);
    for (std::size_t i = 0; i < groups; ++i) EXPECT_EQ(all[i], i);
  }
}

TEST(GroupShares, a_thread_begins_with_its_own_and_then_helps_the_next_one) {
  GroupShares shares(64, 4);
  std::vector<std::size_t> begins;
  for (auto range = shares.take(2); !is_empty(range); range = shares.take(2))
    begins.push_back(range.begin);
  ASSERT_EQ(begins.size(), 32U);  // two at a time
  EXPECT_EQ(begins[0], 32U);
  EXPECT_EQ(begins[8], 48U);
  EXPECT_EQ(begins[16], 0U);
  EXPECT_EQ(begins[31], 30U);
}

TEST(GroupShares, what_is_dropped_is_not_taken) {
  GroupShares shares(64, 4);
  EXPECT_FALSE(is_empty(shares.take(1)));
  shares.drop_rest();
  for (unsigned i = 0; i < 4; ++i) EXPECT_TRUE(is_empty(shares.take(i)));
}

}  // namespace
}  // namespace msci::engine
