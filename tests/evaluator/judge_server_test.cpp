// Which kernels the server judges at the same time. server/server_test.py tests the rest.
#include "evaluator/server/judge_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <string>
#include <thread>

#include "base/io/descriptor.h"
#include "base/process/child_process.h"

namespace msci {
namespace {

// Counts in memory that processes share.
class SharedCounts {
 public:
  struct Counts {
    std::atomic<int> inside = 0;
    std::atomic<int> most = 0;
  };
  SharedCounts()
      : counts_(new (::mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0)) Counts) {}
  ~SharedCounts() { ::munmap(counts_, sizeof(Counts)); }
  SharedCounts(const SharedCounts&) = delete;
  SharedCounts& operator=(const SharedCounts&) = delete;
  Counts* operator->() const { return counts_; }

 private:
  Counts* counts_;
};

// The most of two timed kernels that were judged at once.
int most_timed_at_once(bool times_alone, std::chrono::milliseconds patience) {
  const SharedCounts counts;
  const JudgeServerOptions options{
      .judge = [&](const JudgeRequest&, unsigned) -> Result<JudgeAnswer> {
        ++counts->inside;
        const auto end = std::chrono::steady_clock::now() + patience;
        while (counts->inside < 2 && std::chrono::steady_clock::now() < end)
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
        counts->most = std::max(counts->most.load(), counts->inside.load());
        std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the other one looks, too
        --counts->inside;
        return JudgeAnswer{.json = "{}", .seconds = "{}"};
      },
      .jobs = 2,
      .times_alone = times_alone,
      .share = [](const JudgeRequest&) { return std::nullopt; }};
  int to_server[2], from_server[2];
  EXPECT_EQ(::pipe2(to_server, O_CLOEXEC), 0);
  EXPECT_EQ(::pipe2(from_server, O_CLOEXEC), 0);
  auto server = ChildProcess::fork([&] {
    ::dup2(to_server[0], STDIN_FILENO);
    ::dup2(from_server[1], STDOUT_FILENO);
    for (const int end : {to_server[0], to_server[1], from_server[0], from_server[1]}) ::close(end);
    return serve_judgements(options, "") ? 2 : 0;
  });
  EXPECT_TRUE(server);
  ::close(to_server[0]);
  ::close(from_server[1]);
  const std::string request =
      R"({"source": "kernel void f() {}", "task": "saxpy", "verdict": "timed"})"
      "\n";
  EXPECT_TRUE(write_all(to_server[1], request + request));
  ::close(to_server[1]);
  std::string answers;
  while (read_available(from_server[0], answers)) {
  }
  ::close(from_server[0]);
  EXPECT_TRUE(server->wait().succeeded());
  EXPECT_EQ(std::ranges::count(answers, '\n'), 2) << answers;
  EXPECT_EQ(answers.find("error"), std::string::npos) << answers;
  return counts->most;
}

TEST(JudgeServer, a_timed_kernel_has_the_machine_alone) {
  EXPECT_EQ(most_timed_at_once(/*times_alone=*/true, std::chrono::milliseconds(300)), 1);
}

TEST(JudgeServer, timed_kernels_go_side_by_side_where_their_device_takes_turns) {
  EXPECT_EQ(most_timed_at_once(/*times_alone=*/false, std::chrono::minutes(10)), 2);
}

}  // namespace
}  // namespace msci
