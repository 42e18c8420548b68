// What the program that runs the module offers it besides WASI (packaging/npm).
#pragma once

#include <poll.h>

#include <cstddef>
#include <cstdint>

#define MSCI_HOST(name) __attribute__((import_module("msci"), import_name(#name)))

extern "C" {

// Starts a copy of this instance, with its memory as it is, that calls msci_copy_main(body). Its
// number; negative where the host cannot.
MSCI_HOST(spawn)
int msci_spawn(const void* body, unsigned seconds, std::size_t memory_bytes);
// Ends a copy. Nothing is heard of it any more.
MSCI_HOST(end) void msci_end(int copy);

// In a copy: sends its parent a text, which can be one that it only keeps.
MSCI_HOST(send) void msci_send(int is_kept, const char* text, std::size_t size);

// Waits for the next event of a copy: its kind in the upper 32 bits, and below the size of the
// text, which msci_take() copies.
MSCI_HOST(next) std::uint64_t msci_next(int copy);
MSCI_HOST(take) void msci_take(int copy, char* text);

// As poll() does, for copies (descriptors from first_copy on) and standard input.
MSCI_HOST(poll) int msci_poll(pollfd* polled, std::size_t count, int milliseconds);

// Whether the module is to leave now. The host then calls msci_resume(round) when there is input.
MSCI_HOST(leaves) int msci_leaves(const void* round);
}

namespace msci {

constexpr int first_copy = 1 << 20;

enum class CopyEvent : unsigned {
  answer,
  kept,
  ended,
  crashed,
  out_of_memory,
  out_of_stack,
  out_of_time
};

}  // namespace msci
