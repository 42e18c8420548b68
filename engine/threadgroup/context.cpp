#include "engine/threadgroup/context.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <utility>

namespace msci::engine {

namespace {
constexpr std::size_t guard_bytes = std::size_t{64} << 10;

// The place in a page chooses the set of the first-level cache. Stacks that end at equal places
// share one set of few lines, and each switch between them then waits for the second-level cache.
// 25 and 64 have no common divisor, so the ends of 64 stacks lie in 64 sets.
constexpr std::size_t step_bytes = 25 * 64, page_bytes = 4096;
}  // namespace

GuardedStack::GuardedStack(std::size_t bytes, std::size_t number)
    : unused_(number * step_bytes % page_bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  mapped_ = guard_bytes + (bytes + unused_ + page - 1) / page * page;
  auto* begin = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (begin == MAP_FAILED) std::abort();  // the parent reports a lack of memory
  ::mprotect(begin, guard_bytes, PROT_NONE);
  guard_ = static_cast<std::byte*>(begin);
}

GuardedStack::GuardedStack(GuardedStack&& other) noexcept
    : guard_(std::exchange(other.guard_, nullptr)),
      mapped_(other.mapped_),
      unused_(other.unused_) {}

GuardedStack::~GuardedStack() {
  if (guard_) ::munmap(guard_, mapped_);
}

bool GuardedStack::is_guard(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  return at >= guard_ && at < guard_ + guard_bytes;
}

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

void Context::start_on(std::byte* end, void (*function)()) {
  auto** top = reinterpret_cast<void**>(end);
  *--top = nullptr;  // the function finds the stack as after a call
  *--top = reinterpret_cast<void*>(function);
  for (int i = 0; i < 6; ++i) *--top = nullptr;
  stack_ = top;
}

void Context::switch_to(Context& other) { msci_engine_switch(&stack_, other.stack_); }

#else

void Context::start_on(std::byte* end, void (*function)()) {
  ::getcontext(&context_);
  context_.uc_stack.ss_sp = end - least_stack;
  context_.uc_stack.ss_size = least_stack;
  context_.uc_link = nullptr;
  ::makecontext(&context_, function, 0);
}

void Context::switch_to(Context& other) { ::swapcontext(&context_, &other.context_); }

#endif

}  // namespace msci::engine
