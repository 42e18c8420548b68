// Messages between two processes, with shared memory attached.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/process/fd.h"
#include "base/result.h"

namespace msci {

// Shared memory mapped into this process, to read it or to write it for all. It lives as long as a
// descriptor or a mapping of it.
class Mapping {
 public:
  enum class Access { read, write };
  // `bytes` from `offset` on, a multiple of 4096.
  static Result<Mapping> map(const Fd& file, std::size_t bytes, Access access,
                             std::size_t offset = 0);
  Mapping(Mapping&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();
  std::span<std::byte> bytes() const { return memory_; }

 private:
  explicit Mapping(std::span<std::byte> memory) : memory_(memory) {}
  std::span<std::byte> memory_;
};

// Anonymous shared memory of a fixed size. A peer that receives it can neither shrink nor grow it,
// so it cannot remove pages that we have mapped.
Result<Fd> make_shared_memory(std::size_t bytes);
// Faster than through a new mapping, for which the kernel clears each page first.
[[nodiscard]] std::optional<Error> write_shared_memory(const Fd& file, std::size_t offset,
                                                       std::span<const std::byte> contents);

// From now on, no process can change the memory. Error: one has mapped it to write it, or uses its
// pages in another way. A hostile process can make it wait for minutes.
[[nodiscard]] std::optional<Error> seal_shared_memory(const Fd& file);
// The same in much less time, for memory that nothing has mapped and no other process knows yet.
[[nodiscard]] std::optional<Error> seal_unshared_memory(const Fd& file);
// Whether a process has sealed it, by the first of the two. Does not wait.
bool is_sealed(const Fd& file);

struct Message {
  std::string text;
  std::vector<Fd> files;
};

// Why no message arrived.
enum class Silence { closed, timed_out };

// One end of a two-way connection that carries whole messages.
class Channel {
 public:
  static Result<std::pair<Channel, Channel>> make_pair();
  explicit Channel(Fd socket) : socket_(std::move(socket)) {}

  // False if the other end is closed or does not read.
  bool send(std::string_view text, std::span<const Fd> files = {}) const;
  // Waits for at most `limit`; without one, until a message arrives or the other end is closed.
  std::variant<Message, Silence> receive(std::optional<std::chrono::milliseconds> limit) const;
  const Fd& socket() const { return socket_; }

 private:
  Fd socket_;
};

}  // namespace msci
