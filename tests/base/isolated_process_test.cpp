#include "base/process/isolated_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <vector>

#include "tests/support/few_files.h"

namespace msci {
namespace {

std::string reason(const std::function<std::string()>& work, const Limits& limits = {}) {
  const auto result = run_isolated(work, limits);
  EXPECT_TRUE(result);
  const auto* failure = std::get_if<WorkFailure>(&*result);
  return failure ? failure->reason : "it returned a text";
}

// Needs a stack frame for each level up to the last; the optimiser cannot remove it.
unsigned deeper(volatile unsigned* level, unsigned last = 0) {
  volatile unsigned here = *level + 1;
  return here == last ? 0 : deeper(&here, last) + here;
}

// What a copy says that another thread than the main one makes.
std::string reason_on_a_thread(const std::function<std::string()>& work) {
  std::string said;
  std::thread([&] { said = reason(work); }).join();
  return said;
}

TEST(RunIsolated, has_as_deep_a_stack_on_every_thread) {
  const auto deep = [] {  // some 40 MiB
    volatile unsigned level = 0;
    return std::to_string(deeper(&level, 1'000'000));
  };
  EXPECT_EQ(reason(deep), "it returned a text");
  EXPECT_EQ(reason_on_a_thread(deep), "it returned a text");
  const auto endless = [] {
    volatile unsigned level = 0;
    return std::to_string(deeper(&level));
  };
  EXPECT_EQ(reason_on_a_thread(endless), "it is nested too deeply");
}

TEST(RunIsolated, has_the_same_limits_on_every_thread) {
  EXPECT_EQ(reason_on_a_thread([] { return std::string(std::size_t{2} << 30, 'x'); }),
            reason([] { return std::string(std::size_t{2} << 30, 'x'); }));
  EXPECT_EQ(reason_on_a_thread([] {
              std::abort();
              return std::string();
            }),
            "msci crashed on it (Aborted)");
}

TEST(RunIsolated, returns_what_the_work_returns) {
  const std::string large(10 << 20, 'x');
  const auto result = run_isolated([&] { return large; });
  ASSERT_TRUE(result);
  EXPECT_EQ(std::get<std::string>(*result), large);
}

TEST(RunIsolated, keeps_changes_in_the_copy) {
  int seen = 1;
  ASSERT_TRUE(run_isolated([&] {
    seen = 2;
    return std::string();
  }));
  EXPECT_EQ(seen, 1);
}

TEST(RunIsolated, returns_many_results_in_order) {
  std::vector<std::function<std::string()>> works;
  for (int i = 0; i < 20; ++i)
    works.push_back([i] {
      ::usleep(static_cast<unsigned>(20 - i) * 1000);  // the last one is ready first
      if (i == 7) ::raise(SIGSEGV);
      return std::string(100000, static_cast<char>('a' + i));
    });
  const auto results = run_isolated(works.size(), [&](std::size_t i) { return works[i]; }, 8);
  ASSERT_EQ(results.size(), works.size());
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(results[i]);
    if (i == 7)
      EXPECT_TRUE(std::holds_alternative<WorkFailure>(*results[i]));
    else
      EXPECT_EQ(std::get<std::string>(*results[i]), works[i]());
  }
}

TEST(RunIsolated, ends_work_at_the_time_limit) {
  const auto endless = [] {
    for (volatile bool more = true; more;) {
    }
    return std::string();
  };
  EXPECT_EQ(reason(endless, {.seconds = 1}), "it takes more than 1 s of processor time");
}

TEST(RunIsolated, reports_a_crash) {
  EXPECT_EQ(reason([] {
              ::raise(SIGSEGV);
              return std::string();
            }),
            "msci crashed on it (Segmentation fault)");
  EXPECT_EQ(reason([] {
              std::abort();
              return std::string();
            }),
            "msci crashed on it (Aborted)");
}

TEST(RunIsolated, keeps_the_last_text_before_a_failure) {
  const std::string large(1 << 20, 'x');
  const auto failed = run_isolated([&] {
    keep("first");
    keep(large);
    std::abort();
    return std::string();
  });
  ASSERT_TRUE(failed);
  EXPECT_EQ(std::get<WorkFailure>(*failed).kept, large);
  const auto ended = run_isolated([] {
    keep("preliminary");
    return std::string("final");
  });
  EXPECT_EQ(std::get<std::string>(*ended), "final");
}

TEST(RunIsolated, keeps_nothing_outside_of_it) {
  keep("nothing reads this");
  const auto failed = run_isolated([] {
    std::abort();
    return std::string();
  });
  ASSERT_TRUE(failed);
  EXPECT_EQ(std::get<WorkFailure>(*failed).kept, "");
}

TEST(RunIsolated, reports_a_signal_from_outside_as_an_error) {
  const auto result = run_isolated([] {
    ::raise(SIGTERM);
    return std::string();
  });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message,
            "the process that read the source failed: it was ended by signal 15 (Terminated)");
}

TEST(RunIsolated, reports_a_stack_overflow) {
  EXPECT_EQ(reason([] {
              volatile unsigned level = 0;
              return std::to_string(deeper(&level));
            }),
            "it is nested too deeply");
}

#ifndef __SANITIZE_ADDRESS__
TEST(RunIsolated, ends_work_at_the_memory_limit) {
  const auto allocate = [] {
    std::vector<std::string> all;
    for (;;) all.emplace_back(1 << 20, 'x');
    return std::string();
  };
  // However slow page faults are, the time does not end first.
  EXPECT_EQ(reason(allocate, {.seconds = 3600, .memory_bytes = std::size_t{256} << 20}),
            "it takes more than 256 MiB of memory");
}
#endif

std::string answer_of(IsolatedProcess& process, std::string_view request) {
  process.ask(request);
  const auto outcome = process.answer();
  if (!outcome) return "error: " + outcome.error().message;
  const auto* failure = std::get_if<WorkFailure>(&*outcome);
  return failure ? "failure: " + failure->reason : std::get<std::string>(*outcome);
}

TEST(ServingProcess, remembers_what_it_was_asked_before) {
  auto process = IsolatedProcess::serve(
      [all = std::string()](std::string_view request) mutable { return all += request; });
  ASSERT_TRUE(process);
  EXPECT_EQ(answer_of(*process, "a"), "a");
  EXPECT_EQ(answer_of(*process, ""), "a");
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(answer_of(*process, large), "a" + large);
}

TEST(ServingProcess, tells_what_the_work_keeps_before_the_answer) {
  auto process = IsolatedProcess::serve([](std::string_view) {
    keep("half");
    return std::string("whole");
  });
  ASSERT_TRUE(process);
  process->ask("");
  std::string kept;
  const auto outcome = process->answer([&](std::string_view text) { kept = text; });
  EXPECT_EQ(kept, "half");
  EXPECT_EQ(std::get<std::string>(*outcome), "whole");
}

TEST(ServingProcess, has_the_whole_time_for_each_answer) {
  auto process = IsolatedProcess::serve(
      [](std::string_view) {
        for (const auto start = std::clock(); std::clock() - start < CLOCKS_PER_SEC * 7 / 10;) {
        }
        return std::string("in time");
      },
      {.seconds = 1});
  ASSERT_TRUE(process);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(answer_of(*process, ""), "in time");
}

TEST(ServingProcess, has_earlier_answers_where_a_later_one_crashes) {
  auto process = IsolatedProcess::serve([](std::string_view request) {
    if (request == "crash") std::abort();
    return std::string("fine");
  });
  ASSERT_TRUE(process);
  EXPECT_EQ(answer_of(*process, ""), "fine");
  EXPECT_EQ(answer_of(*process, "crash"), "failure: msci crashed on it (Aborted)");
}

TEST(ServingProcess, may_end_between_requests) {
  auto process = IsolatedProcess::serve([](std::string_view) {
    std::thread([] {
      ::usleep(100'000);
      ::_exit(9);
    }).detach();
    return std::string("last words");
  });
  ASSERT_TRUE(process);
  EXPECT_EQ(answer_of(*process, ""), "last words");
  pollfd ended{.fd = process->descriptor(), .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&ended, 1, -1), 1);
  EXPECT_EQ(answer_of(*process, ""),
            "error: the process that read the source failed: it ended with status 9");
}

TEST(IsolatedPool, ends_all_works_if_it_cannot_wait) {
  IsolatedPool pool;
  const auto sleeps = [] {
    ::sleep(60);
    return std::string();
  };
  for (std::size_t i = 0; i < 2; ++i) ASSERT_FALSE(pool.start(i, sleeps, {}));
  const FewFiles limit(1);
  std::vector<std::string> said;
  pool.wait([&](std::size_t, Result<IsolatedOutcome> outcome) {
    ASSERT_FALSE(outcome);
    said.push_back(outcome.error().message);
  });
  EXPECT_EQ(said,
            std::vector<std::string>(2, "cannot wait for 2 files and processes: Invalid argument"));
  EXPECT_EQ(pool.running(), 0u);
}

}  // namespace
}  // namespace msci
