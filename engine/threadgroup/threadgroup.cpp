#include "engine/threadgroup/threadgroup.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "engine/threadgroup/context.h"

namespace msci::engine {

namespace {

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
  GuardedStack memory;
  Fibre fibre;
};

Stacks::Stacks() = default;
Stacks::~Stacks() = default;

void Stacks::prepare(std::size_t count, std::size_t bytes) {
  if (bytes > bytes_) {
    stacks_.clear();
    bytes_ = bytes;
  }
  while (stacks_.size() < count) stacks_.push_back({GuardedStack(bytes_, stacks_.size()), {}});
}

bool Stacks::is_guard(const void* address) const {
  return std::any_of(stacks_.begin(), stacks_.end(),
                     [&](const Stack& stack) { return stack.memory.is_guard(address); });
}

// In rounds: in each, every simdgroup runs to its next barrier or to its end.
void Stacks::run(KernelFunction function, const Threadgroup& threadgroup, std::uint32_t simdgroups,
                 std::size_t stack_bytes, RunOrder& order) {
  prepare(simdgroups, least_stack + 2 * stack_bytes);
  running.function = function;
  running.threadgroup = &threadgroup;
  for (std::uint32_t i = 0; i < simdgroups; ++i) {
    auto& [memory, fibre] = stacks_[i];
    fibre.simdgroup = i;
    fibre.has_ended = false;
    fibre.context.start_on(memory.end(), run_fibre);
  }
  for (std::size_t ended = 0; ended < simdgroups;) {
    for (const auto i : order.next(simdgroups)) {
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
