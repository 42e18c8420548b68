// Stacks, and code that stops on one and goes on later.
#pragma once

#include <cstddef>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace msci::engine {

// Bytes that libmvec's functions and our own need at least.
constexpr std::size_t least_stack = std::size_t{256} << 10;

// Memory for a stack above pages that no access may touch. The process ends if there is none left.
class GuardedStack {
 public:
  // `number`: of this stack among those that take turns. 64 stacks in a row end at
  // different places of a page.
  GuardedStack(std::size_t bytes, std::size_t number);
  GuardedStack(GuardedStack&& other) noexcept;
  GuardedStack& operator=(GuardedStack&&) = delete;
  ~GuardedStack();

  std::byte* end() const { return guard_ + mapped_ - unused_; }
  // Whether that address is below the stack: it overflowed.
  bool is_guard(const void* address) const;

 private:
  std::byte* guard_ = nullptr;
  std::size_t mapped_ = 0;
  std::size_t unused_ = 0;  // bytes above the end
};

// A place where code stopped, with its stack and its registers.
class Context {
 public:
  // Makes it the beginning of a function on the stack that ends there and has at least least_stack
  // bytes. The function never returns.
  void start_on(std::byte* end, void (*function)());
  // Stops here, and goes on at `other`.
  void switch_to(Context& other);

 private:
#ifdef __x86_64__
  void* stack_ = nullptr;
#else
  ucontext_t context_ = {};
#endif
};

}  // namespace msci::engine
