// Calls code that may access memory that is not its own, and survives.
#pragma once

#include <functional>
#include <optional>

namespace msci::engine {

// How code was stopped by the processor.
struct Trap {
  int signal = 0;
  const void* address = nullptr;  // what it accessed
};

// Sets up this process once, and each thread that calls guarded(). SIGALRM then stops all guarded
// calls, and those that come later.
void prepare_for_traps();

// Calls `code` on this thread. A trap ends the call, without destroying what `code` made.
std::optional<Trap> guarded(const std::function<void()>& code);

}  // namespace msci::engine
