// A queue whose memory is the host's and whose kernels are C++ functions. It records its calls.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/device/queue.h"

namespace msci {

class FakeQueue : public Queue {
 public:
  // Runs once for each launch, with the launch's arguments.
  using Kernel =
      std::function<std::optional<Failure>(FakeQueue& queue, std::span<const Argument> arguments)>;
  struct Launched {
    std::string symbol;
    Timestamps record;
    bool operator==(const Launched&) const = default;
  };

  // Of memories, by their numbers.
  static constexpr std::uint64_t first_address = 0x7000'0000'0000;
  static constexpr std::uint64_t address_step = 0x1'0000'0000;

  std::map<std::string, Kernel> kernels;
  std::vector<double> pass_seconds = {1};  // of the passes in turn; the last repeats
  std::optional<Failure> finish_failure;   // of a pass
  std::size_t most_bytes = ~std::size_t{0};
  bool is_uncertain = false;
  bool must_repeat() const override { return is_uncertain; }

  std::vector<std::vector<std::byte>> memories;
  std::vector<std::string> calls;  // "fill", "launch saxpy", ...
  std::vector<Launched> launched;
  std::size_t prepared_count() const { return prepared_.size(); }
  std::size_t passes() const { return passes_; }

  Result<DeviceMemory> allocate(std::size_t bytes) override {
    if (bytes > most_bytes) return Error{"no memory left"};
    memories.emplace_back(bytes);
    return DeviceMemory{memories.size() - 1};
  }
  std::optional<Error> write(DeviceMemory to, std::size_t offset,
                             std::span<const std::byte> contents) override {
    calls.emplace_back("write");
    std::ranges::copy(contents, part(to, offset, contents.size()).begin());
    return std::nullopt;
  }
  std::optional<Error> fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                            unsigned char value) override {
    calls.emplace_back("fill");
    std::ranges::fill(part(to, offset, bytes), std::byte{value});
    return std::nullopt;
  }
  std::optional<Error> read(DeviceMemory from, std::size_t offset,
                            std::span<std::byte> to) override {
    calls.emplace_back("read");
    std::ranges::copy(part(from, offset, to.size()), to.begin());
    return std::nullopt;
  }
  Result<std::uint64_t> address(DeviceMemory memory) override {
    return first_address + memory.index * address_step;
  }
  Result<PreparedLaunch> prepare(const std::string& symbol, const Extent&, const Extent&,
                                 std::span<const Argument> arguments) override {
    prepared_.push_back({symbol, {arguments.begin(), arguments.end()}});
    return PreparedLaunch{prepared_.size() - 1};
  }
  std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) override {
    const auto& [symbol, arguments] = prepared_[launch.index];
    calls.push_back("launch " + symbol);
    launched.push_back({symbol, record});
    in_pass_ = true;
    return kernels.at(symbol)(*this, arguments);
  }
  std::optional<Failure> finish() override {
    calls.emplace_back("finish");
    if (!std::exchange(in_pass_, false)) return std::nullopt;
    ++passes_;
    return finish_failure;
  }
  double seconds() const override {
    return pass_seconds[std::min(passes_, pass_seconds.size()) - 1];
  }
  std::size_t cache_bytes() const override { return 1000; }

  // The buffer that two arguments, a pointer and an offset, give to a kernel.
  template <typename T>
  T* pointer(std::span<const Argument> arguments, std::size_t first) {
    auto& memory = memories[std::get<DeviceMemory>(arguments[first]).index];
    return reinterpret_cast<T*>(memory.data() + std::get<std::uint64_t>(arguments[first + 1]));
  }

 private:
  struct Prepared {
    std::string symbol;
    std::vector<Argument> arguments;
  };

  std::span<std::byte> part(DeviceMemory memory, std::size_t offset, std::size_t bytes) {
    auto& all = memories.at(memory.index);
    EXPECT_GT(bytes, 0u);
    EXPECT_LE(offset + bytes, all.size());
    return std::span(all).subspan(offset, bytes);
  }

  std::vector<Prepared> prepared_;
  bool in_pass_ = false;
  std::size_t passes_ = 0;
};

}  // namespace msci
