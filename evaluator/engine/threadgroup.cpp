#include "evaluator/engine/threadgroup.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace msci::engine {

namespace {

constexpr std::size_t least_stack = std::size_t{256} << 10;  // libmvec's functions and our own
constexpr std::size_t guard_bytes = std::size_t{64} << 10;

#ifdef __x86_64__

// Keeps the registers that a called function must keep on the stack, stores the stack's address in
// `*from`, and continues on the stack `to`, which was left in the same way.
extern "C" void msci_engine_switch(void** from, void* to);
asm(R"(
.text
.type msci_engine_switch,@function
msci_engine_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size msci_engine_switch, .-msci_engine_switch
)");

class Context {
 public:
  void start_on(std::byte* end, void (*function)()) {
    auto* top = reinterpret_cast<void**>(end);
    *--top = nullptr;  // the function finds the stack as after a call
    *--top = reinterpret_cast<void*>(function);
    for (int i = 0; i < 6; ++i) *--top = nullptr;
    stack_ = top;
  }
  void switch_to(Context& other) { msci_engine_switch(&stack_, other.stack_); }

 private:
  void* stack_ = nullptr;
};

#else

class Context {
 public:
  void start_on(std::byte* end, void (*function)()) {
    ::getcontext(&context_);
    context_.uc_stack.ss_sp = end - least_stack;
    context_.uc_stack.ss_size = least_stack;
    context_.uc_link = nullptr;
    ::makecontext(&context_, function, 0);
  }
  void switch_to(Context& other) { ::swapcontext(&context_, &other.context_); }

 private:
  ucontext_t context_ = {};
};

#endif

// One simdgroup between its start and its end.
struct Fibre {
  Context context;
  std::uint32_t simdgroup = 0;
  bool has_ended = false;
};

// What runs on this thread.
struct Running {
  Context scheduler;
  KernelFunction function = nullptr;
  const Threadgroup* threadgroup = nullptr;
  Fibre* fibre = nullptr;
};
thread_local Running running;

void run_fibre() {
  auto& fibre = *running.fibre;
  const auto group = running.threadgroup->group[0];
  running.function(running.threadgroup, group, group + 1, fibre.simdgroup, fibre.simdgroup + 1);
  fibre.has_ended = true;
  fibre.context.switch_to(running.scheduler);
  std::abort();  // an ended simdgroup never runs again
}

}  // namespace

void wait_for_threadgroup() {
  if (running.fibre) running.fibre->context.switch_to(running.scheduler);
}

struct Stacks::Stack {
  std::byte* begin = nullptr;  // of its guard
  Fibre fibre;
};

Stacks::Stacks() = default;

Stacks::~Stacks() {
  for (const auto& stack : stacks_) ::munmap(stack.begin, guard_bytes + bytes_);
}

void Stacks::prepare(std::size_t count, std::size_t bytes) {
  if (bytes > bytes_) {
    for (const auto& stack : stacks_) ::munmap(stack.begin, guard_bytes + bytes_);
    stacks_.clear();
    bytes_ = bytes;
  }
  while (stacks_.size() < count) {
    auto* begin = ::mmap(nullptr, guard_bytes + bytes_, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (begin == MAP_FAILED) std::abort();  // the parent reports a lack of memory
    ::mprotect(begin, guard_bytes, PROT_NONE);
    stacks_.push_back({static_cast<std::byte*>(begin)});
  }
}

bool Stacks::is_guard(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  for (const auto& stack : stacks_)
    if (at >= stack.begin && at < stack.begin + guard_bytes) return true;
  return false;
}

// In rounds: in each, every simdgroup runs to its next barrier or to its end.
void Stacks::run(KernelFunction function, const Threadgroup& threadgroup, std::uint32_t simdgroups,
                 std::size_t stack_bytes) {
  const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  prepare(simdgroups, (least_stack + 2 * stack_bytes + page - 1) / page * page);
  running.function = function;
  running.threadgroup = &threadgroup;
  for (std::uint32_t i = 0; i < simdgroups; ++i) {
    auto& [begin, fibre] = stacks_[i];
    fibre.simdgroup = i;
    fibre.has_ended = false;
    fibre.context.start_on(begin + guard_bytes + bytes_, run_fibre);
  }
  for (std::size_t ended = 0; ended < simdgroups;) {
    for (std::uint32_t i = 0; i < simdgroups; ++i) {
      auto& fibre = stacks_[i].fibre;
      if (fibre.has_ended) continue;
      running.fibre = &fibre;
      running.scheduler.switch_to(fibre.context);
      if (fibre.has_ended) ++ended;
    }
  }
  running.fibre = nullptr;
}

}  // namespace msci::engine
