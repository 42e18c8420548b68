// Runs of several processes on one device, which threads with devices of their own stand for: a
// turn belongs to an open file, so it does not matter to whom the file is open.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "base/process/temporary_folder.h"
#include "evaluator/modes/server/serve.h"
#include "tests/fake_device.h"

namespace msci {
namespace {

using std::chrono::milliseconds;

constexpr Repeats timed = {.warmup = 1, .timed = 10};

// A program of a device that shares its turns with those of other users.
class User {
 public:
  // `run`: what each run does.
  User(const TemporaryFolder& folder, std::function<void(Repeats)> run) {
    auto fake = std::make_unique<FakeDevice>();
    fake->answer = [run = std::move(run)](const Plan&, Repeats repeats) {
      run(repeats);
      return Result<Attempt<Run>>(Attempt<Run>{Run{}});
    };
    device_ = with_turns(std::move(fake), folder.path() / "gpu");
    program_ = std::get<std::unique_ptr<Program>>(*device_->build({}));
  }
  void run(Repeats repeats) { EXPECT_TRUE(program_->run({}, repeats)); }

 private:
  std::unique_ptr<Device> device_;
  std::unique_ptr<Program> program_;
};

TEST(DeviceTurns, a_timed_run_is_alone) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  std::atomic<int> inside = 0, others_beside_timed = 0;
  const auto run = [&](Repeats repeats) {
    const auto others_of = [&](int all) { return repeats.timed > 1 ? all - 1 : 0; };
    others_beside_timed += others_of(++inside);
    std::this_thread::sleep_for(milliseconds(1));
    others_beside_timed += others_of(inside--);
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      User user(*folder, run);
      for (int pass = 0; pass < 20; ++pass) user.run(pass % 2 ? timed : verify_only);
    });
  threads.clear();
  EXPECT_EQ(others_beside_timed, 0);
}

TEST(DeviceTurns, other_runs_go_beside_each_other) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  std::atomic<int> inside = 0, most = 0;
  const auto run = [&](Repeats) {
    ++inside;
    while (inside < 2 && most < 2) std::this_thread::sleep_for(milliseconds(1));  // or for ever
    most = std::max(most.load(), inside.load());
    --inside;
  };
  {
    std::jthread first([&] { User(*folder, run).run(verify_only); });
    std::jthread second([&] { User(*folder, run).run(verify_only); });
  }
  EXPECT_EQ(most, 2);
}

TEST(DeviceTurns, a_timed_run_gets_its_turn_among_others_without_a_gap) {
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder);
  std::atomic<bool> has_timed = false;
  std::atomic<int> running = 0;
  // Each stays until the next one has begun: one of them is always inside if both may come in.
  const auto run = [&](Repeats repeats) {
    if (repeats.timed > 1) return has_timed.store(true);
    const int mine = ++running;
    for (int i = 0; i < 300 && running == mine; ++i) std::this_thread::sleep_for(milliseconds(1));
  };
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      User user(*folder, run);
      while (!has_timed) user.run(verify_only);
    });
  while (running < 2) std::this_thread::yield();
  User(*folder, run).run(timed);  // waits for ever if it gets no turn
  threads.clear();
  EXPECT_TRUE(has_timed);
}

}  // namespace
}  // namespace msci
