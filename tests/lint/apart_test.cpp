#include "lint/apart.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <vector>

namespace msci {
namespace {

std::string reason(const std::function<std::string()>& work, const Limits& limits = {}) {
  const auto result = run_apart(work, limits);
  EXPECT_TRUE(result);
  const auto* broken = std::get_if<Broken>(&*result);
  return broken ? broken->reason : "it answered";
}

// Needs a frame for each level, whatever the optimiser knows.
unsigned deeper(volatile unsigned* level) {
  volatile unsigned here = *level + 1;
  return here == 0 ? 0 : deeper(&here) + here;
}

TEST(RunApart, returns_what_the_work_returns) {
  const std::string large(10 << 20, 'x');
  const auto result = run_apart([&] { return large; });
  ASSERT_TRUE(result);
  EXPECT_EQ(std::get<std::string>(*result), large);
}

TEST(RunApart, keeps_the_work_from_changing_anything_here) {
  int seen = 1;
  ASSERT_TRUE(run_apart([&] {
    seen = 2;
    return std::string();
  }));
  EXPECT_EQ(seen, 1);
}

TEST(RunApart, answers_for_many_in_their_order) {
  std::vector<std::function<std::string()>> works;
  for (int i = 0; i < 20; ++i)
    works.push_back([i] {
      ::usleep(static_cast<unsigned>(20 - i) * 1000);  // the last one is ready first
      if (i == 7) ::raise(SIGSEGV);
      return std::string(100000, static_cast<char>('a' + i));
    });
  const auto results = run_apart(
      works.size(), [&](std::size_t i) { return works[i]; }, 8);
  ASSERT_EQ(results.size(), works.size());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(results[i]);
    if (i == 7)
      EXPECT_TRUE(std::holds_alternative<Broken>(*results[i]));
    else
      EXPECT_EQ(std::get<std::string>(*results[i]), works[i]());
  }
}

TEST(RunApart, ends_work_that_takes_too_long) {
  const auto endless = [] {
    for (volatile bool more = true; more;) {
    }
    return std::string();
  };
  EXPECT_EQ(reason(endless, {.seconds = 1}), "it takes more than 1 s of processor time");
}

TEST(RunApart, tells_a_crash) {
  EXPECT_EQ(reason([] {
              ::raise(SIGSEGV);
              return std::string();
            }),
            "it crashes on it (Segmentation fault)");
  EXPECT_EQ(reason([] {
              std::abort();
              return std::string();
            }),
            "it crashes on it (Aborted)");
}

TEST(RunApart, does_not_judge_by_what_somebody_else_did) {
  const auto result = run_apart([] {
    ::raise(SIGTERM);
    return std::string();
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "the process that read the source was ended by signal 15 (Terminated)");
}

TEST(RunApart, tells_a_stack_that_overflows) {
  EXPECT_EQ(reason([] {
              volatile unsigned level = 0;
              return std::to_string(deeper(&level));
            }),
            "it is nested too deeply");
}

#ifndef __SANITIZE_ADDRESS__
TEST(RunApart, ends_work_that_takes_too_much_memory) {
  const auto greedy = [] {
    std::vector<std::string> all;
    for (;;) all.emplace_back(1 << 20, 'x');
    return std::string();
  };
  EXPECT_EQ(reason(greedy, {.memory_bytes = std::size_t{1} << 30}),
            "it takes more than 1024 MiB of memory");
}
#endif

}  // namespace
}  // namespace msci
