// What two processes need to talk: owned file descriptors, shared memory, messages that carry both.
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

#include "lint/metal/result.h"

namespace msci {

// An open file descriptor, closed at the end; always close-on-exec.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();
  int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

// Shared memory mapped into this process; it lives as long as someone holds the file or a mapping.
class Mapping {
 public:
  enum class Access { read, write };
  static Result<Mapping> map(const Fd& file, std::size_t bytes, Access access);
  Mapping(Mapping&& other) noexcept : memory_(std::exchange(other.memory_, {})) {}
  Mapping& operator=(Mapping&&) = delete;
  ~Mapping();
  std::span<std::byte> bytes() const { return memory_; }

 private:
  explicit Mapping(std::span<std::byte> memory) : memory_(memory) {}
  std::span<std::byte> memory_;
};

// Anonymous shared memory of a fixed size: whoever receives it can neither shrink nor grow it, so
// that no peer can pull mapped pages away.
Result<Fd> make_shared_memory(std::size_t bytes);

struct Message {
  std::string text;
  std::vector<Fd> files;
};

// Why no message came.
enum class Silence { closed, timed_out };

// One end of a two-way connection that carries whole messages.
class Channel {
 public:
  static Result<std::pair<Channel, Channel>> make_pair();
  explicit Channel(Fd socket) : socket_(std::move(socket)) {}

  // False where the other end is gone or does not listen.
  bool send(std::string_view text, std::span<const Fd> files = {}) const;
  // Waits at most `limit`, or for ever without one.
  std::variant<Message, Silence> receive(std::optional<std::chrono::milliseconds> limit) const;
  const Fd& socket() const { return socket_; }

 private:
  Fd socket_;
};

}  // namespace msci
