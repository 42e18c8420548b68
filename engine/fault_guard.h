// Calls code that may access memory that is not its own, and survives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace msci::engine {

// How code was stopped by the processor.
struct Trap {
  int signal = 0;
  const void* address = nullptr;  // what it accessed
  // What a guard in the code itself found: the number of a GuardedArray (isolation/).
  std::optional<std::uint32_t> outside_array = std::nullopt;
};

// Sets up this process once, and each thread that calls guarded(). A timer's SIGALRM then stops all
// guarded calls, and those that come later. It has to come again and again: a call ends only where
// it runs generated code or mathematics, since other code may hold a lock. A thread that raises
// SIGALRM stops its own call at once.
void prepare_for_traps();

// Calls `code` on this thread. A trap ends the call, without destroying what `code` made.
std::optional<Trap> guarded(const std::function<void()>& code);

// Whether the timer's signal has come.
bool is_time_up();

// Stops the guarded calls of all other threads in the same way, with a trap of SIGALRM, and those
// that begin meanwhile: returns when no other thread is in such a call.
void stop_other_guarded();

// Called by generated code inside guarded(): an access is outside of its array, of that kind.
[[noreturn]] void stop_outside(std::uint32_t array);

}  // namespace msci::engine
