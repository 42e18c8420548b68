// What a Metal host would do with a program, as data: a task builds a Plan, a device carries it
// out.
#pragma once

#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/argument_kind.h"
#include "tasks/plan/execution.h"

namespace msci {

// The contents of a buffer, a result or a reference. They never change, so copies share them: large
// sizes have hundreds of megabytes.
class Bytes {
 public:
  Bytes() = default;
  Bytes(std::vector<std::byte> bytes) {
    auto owner = std::make_shared<const std::vector<std::byte>>(std::move(bytes));
    bytes_ = *owner;
    owner_ = std::move(owner);
  }
  Bytes(std::initializer_list<std::byte> bytes) : Bytes(std::vector(bytes)) {}
  template <typename Iterator>
  Bytes(Iterator begin, Iterator end) : Bytes(std::vector<std::byte>(begin, end)) {}
  // `bytes` live, unchanged, as long as `owner`, which may be a mapping of a file.
  Bytes(std::shared_ptr<const void> owner, std::span<const std::byte> bytes)
      : owner_(std::move(owner)), bytes_(bytes) {}

  // The values' own bytes.
  template <typename T>
  static Bytes of(std::span<const T> values) {
    const auto bytes = std::as_bytes(values);
    return {bytes.begin(), bytes.end()};
  }

  // `count` of them from `first` on, shared.
  Bytes part(std::size_t first, std::size_t count) const {
    return {owner_, bytes_.subspan(first, count)};
  }

  const std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  auto begin() const { return bytes_.begin(); }
  auto end() const { return bytes_.end(); }
  const std::byte& operator[](std::size_t i) const { return bytes_[i]; }
  template <typename T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data()), size() / sizeof(T)};
  }

  // As fast as memory allows: outputs of large sizes are compared after each pass.
  bool operator==(const Bytes& other) const {
    return size() == other.size() &&
           (data() == other.data() || empty() || std::memcmp(data(), other.data(), size()) == 0);
  }

 private:
  std::shared_ptr<const void> owner_;
  std::span<const std::byte> bytes_;
};

// Threads, or threadgroups, per dimension.
struct Extent {
  unsigned x = 1;
  unsigned y = 1;
  unsigned z = 1;
  std::size_t count() const { return std::size_t{x} * y * z; }
  bool operator==(const Extent&) const = default;
};

// A pointer that lies in a buffer: before each pass, the device's 64-bit address of byte `offset`
// of buffers[buffer] replaces the eight bytes from `at` on.
struct PlanPointer {
  std::size_t at = 0;  // a multiple of 8
  std::size_t buffer = 0;
  std::size_t offset = 0;
  bool read_only = false;  // no kernel may write the buffer through it
  bool operator==(const PlanPointer&) const = default;
};

// An entry of a table of functions: before each pass, the function's number in the program, from 1
// on, replaces the four bytes from `at` on.
struct PlanFunction {
  std::size_t at = 0;
  std::string name;  // Metal's, of a [[visible]] function
  bool operator==(const PlanFunction&) const = default;
};

// One buffer of device memory. Scalars are buffers of their own size, as in Metal.
struct PlanBuffer {
  std::string name;  // what task pages call it: "pos_in"; unique within the plan
  std::size_t bytes = 0;
  Bytes initial;        // `bytes` long, or empty for zeros
  bool reset = true;    // set to `initial` before each pass; otherwise only before the first
  bool poison = false;  // not an input: filled with junk that differs from pass to pass
  // No kernel may write it, whatever its parameter says: it is compared and restored after a pass.
  bool constant = false;
  // Its contents in the other variants of the plan, each `bytes` long; empty if all have `initial`.
  std::vector<Bytes> variants = {};
  // Where a plan file leaves the contents open: the scalar type of the zeros that they are then.
  // Empty for other buffers.
  std::string open_type = {};
  // Results hold `initial` in the place of those that kernels left, and anything else in the place
  // of those that they replaced.
  std::vector<PlanPointer> pointers = {};
  std::vector<PlanFunction> functions = {};

  // Whether it has contents that a kernel may want to keep.
  bool has_contents() const { return !poison && open_type.empty() && !initial.empty(); }
  bool operator==(const PlanBuffer&) const = default;
};

// buffers[buffer] from `offset` bytes on, bound to [[buffer(index)]], or to the texture or sampler
// of that index: the buffer then holds what texture/texture_memory.h or texture/sampler_bits.h
// describe.
struct Binding {
  unsigned index = 0;
  std::size_t buffer = 0;
  std::size_t offset = 0;
  ArgumentKind kind = ArgumentKind::buffer;
  bool operator==(const Binding&) const = default;
};

// Bytes of threadgroup memory that the host declares for [[threadgroup(index)]].
struct ThreadgroupMemory {
  unsigned index = 0;
  std::size_t bytes = 0;
  bool operator==(const ThreadgroupMemory&) const = default;
};

// One dispatchThreads: if the threadgroup does not divide the grid, those at the edges are smaller.
struct Launch {
  std::string kernel;
  Extent grid;         // in threads
  Extent threadgroup;  // threads per threadgroup
  std::vector<Binding> bindings;
  std::vector<ThreadgroupMemory> threadgroup_memory;
  // A concurrent encoder runs it beside the launch before it: no barrier orders the two. Devices
  // run the launches in order anyway; the checked mode looks for races between them.
  bool overlaps_previous = false;
  bool operator==(const Launch&) const = default;
};

// One pass: the launches in order. Each sees all writes of the launches before it.
struct Plan {
  std::vector<PlanBuffer> buffers;
  std::vector<Launch> launches;
  std::vector<std::size_t> results;  // buffers that are read back for the verdict
  // The memory beside a buffer holds random bytes, others in each pass, so that a kernel cannot
  // overwrite it with the values it had.
  bool vary_slack = false;
  // How many other contents the inputs have. A timed pass draws one of the variants, 0 being
  // `initial`, so that a result kept from an earlier pass is of no use.
  std::size_t variants = 0;
  Execution execution;
  bool operator==(const Plan&) const = default;

  // Adds a buffer and returns its place in `buffers`.
  std::size_t add(PlanBuffer buffer) {
    buffers.push_back(std::move(buffer));
    return buffers.size() - 1;
  }

  // Adds a read-only buffer that holds just `value`.
  template <typename T>
  std::size_t add_scalar(std::string name, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return add({.name = std::move(name), .bytes = sizeof(T), .initial = std::move(bytes)});
  }
};

// The contents of Plan::results, in that order, after one pass.
using Outputs = std::vector<Bytes>;

}  // namespace msci
