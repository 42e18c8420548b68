// Calls that another thread stops: in code that LLVM could have made and in functions of
// mathematics, and never in ours.
#include "engine/fault_guard.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <thread>

namespace msci::engine {
namespace {

// A function outside of this program and its libraries that never returns.
class EndlessCode {
 public:
  EndlessCode() {
#ifdef __x86_64__
    constexpr unsigned char jump_to_itself[] = {0xeb, 0xfe};
#else
    constexpr unsigned char jump_to_itself[] = {0x00, 0x00, 0x00, 0x14};
#endif
    std::memcpy(memory_, jump_to_itself, sizeof jump_to_itself);
    ::mprotect(memory_, size, PROT_READ | PROT_EXEC);
    __builtin___clear_cache(memory_, memory_ + size);
  }
  ~EndlessCode() { ::munmap(memory_, size); }
  EndlessCode(const EndlessCode&) = delete;
  EndlessCode& operator=(const EndlessCode&) = delete;

  void run() const { reinterpret_cast<void (*)()>(memory_)(); }

 private:
  static constexpr std::size_t size = 4096;
  char* memory_ = static_cast<char*>(
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
};

// How a call that never returns ends when another thread stops it.
std::optional<Trap> trap_of_stopped(const std::function<void()>& endless) {
  prepare_for_traps();
  std::atomic<bool> has_begun = false;
  std::optional<Trap> trap;
  std::thread other([&] {
    trap = guarded([&] {
      has_begun = true;
      endless();
    });
  });
  while (!has_begun) std::this_thread::yield();
  stop_other_guarded();
  other.join();
  return trap;
}

TEST(FaultGuard, generated_code_is_stopped_by_another_thread) {
  const EndlessCode code;
  const auto trap = trap_of_stopped([&] { code.run(); });
  ASSERT_TRUE(trap);
  EXPECT_EQ(trap->signal, SIGALRM);
}

TEST(FaultGuard, functions_of_mathematics_are_stopped_by_another_thread) {
  std::atomic<float> number = 3e38F;
  const auto trap = trap_of_stopped([&] {
    while (true) number = std::fmod(3e38F + 0 * number, 1e-38F) + 3e38F;
  });
  ASSERT_TRUE(trap);
  EXPECT_EQ(trap->signal, SIGALRM);
}

// A thread that is stopped within malloc() keeps its lock, and the next call waits forever.
TEST(FaultGuard, our_own_code_is_not_stopped) {
  prepare_for_traps();
  std::atomic<bool> has_begun = false, must_end = false;
  std::optional<Trap> trap;
  std::thread other([&] {
    trap = guarded([&] {
      has_begun = true;
      while (!must_end) std::make_unique<std::atomic<int>>(1)->fetch_add(1);
    });
  });
  while (!has_begun) std::this_thread::yield();
  std::thread stopping(stop_other_guarded);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  must_end = true;
  stopping.join();
  other.join();
  EXPECT_FALSE(trap);
}

}  // namespace
}  // namespace msci::engine
