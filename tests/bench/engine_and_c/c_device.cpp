#include "tests/bench/engine_and_c/c_device.h"

#include <fmt/format.h>
#include <unistd.h>
#include <xmmintrin.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <vector>

#include "engine/device/plan_runner.h"
#include "engine/queue/cpu_queue.h"
#include "tests/bench/engine_and_c/c_kernels.h"

namespace msci {
namespace {

const c::Kernel* find_kernel(std::string_view name, unsigned vector_bits, bool intrinsics) {
  const auto all = vector_bits == 512 ? c::avx512::kernels() : c::avx2::kernels();
  const auto found = std::ranges::find_if(all, [&](const c::Kernel& kernel) {
    return kernel.name == name && kernel.uses_intrinsics == intrinsics;
  });
  return found == all.end() ? nullptr : &*found;
}

// Denormals are zero, as on Apple's GPUs.
void flush_denormals() { _mm_setcsr(_mm_getcsr() | 0x8040); }

struct Free {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using Memory = std::unique_ptr<std::byte, Free>;

class CQueue : public Queue {
 public:
  CQueue(engine::ThreadPool& threads, const Translation& seed, unsigned vector_bits,
         bool intrinsics)
      : threads_(threads), seed_(seed), vector_bits_(vector_bits), intrinsics_(intrinsics) {}

  Result<DeviceMemory> allocate(std::size_t bytes) override {
    constexpr std::size_t align = 4096, margin = 256;  // vectors may read beyond the end
    const auto whole = (bytes + margin + align - 1) / align * align;
    Memory memory(static_cast<std::byte*>(std::aligned_alloc(align, whole)));
    if (!memory) return Error{"out of memory"};
    memories_.push_back(std::move(memory));
    return DeviceMemory{memories_.size() - 1};
  }
  std::optional<Error> write(DeviceMemory to, std::size_t offset,
                             std::span<const std::byte> contents) override {
    std::memcpy(at(to) + offset, contents.data(), contents.size());
    return std::nullopt;
  }
  std::optional<Error> fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                            unsigned char value) override {
    std::memset(at(to) + offset, value, bytes);
    return std::nullopt;
  }
  std::optional<Error> read(DeviceMemory from, std::size_t offset,
                            std::span<std::byte> to) override {
    std::memcpy(to.data(), at(from) + offset, to.size());
    return std::nullopt;
  }
  Result<std::uint64_t> address(DeviceMemory memory) override {
    return reinterpret_cast<std::uint64_t>(at(memory));
  }
  Result<bool> test(DeviceMemory memory, std::size_t offset, std::size_t bytes,
                    const Test& passes) override {
    return passes({at(memory) + offset, bytes});
  }

  Result<PreparedLaunch> prepare(const std::string& symbol, const Extent&, const Extent&,
                                 std::span<const Argument> arguments) override {
    const auto signature = std::ranges::find(seed_.kernels, symbol, &KernelSignature::symbol);
    const auto* kernel = signature == seed_.kernels.end()
                             ? nullptr
                             : find_kernel(signature->name, vector_bits_, intrinsics_);
    if (!kernel) return Error{fmt::format("tests/bench/c has no kernel for '{}'", symbol)};
    Prepared prepared{.kernel = kernel};
    for (std::size_t i = 0; i < signature->arguments.size(); ++i) {  // a pointer and an offset each
      const auto index = signature->arguments[i].index;
      prepared.bound.resize(std::max<std::size_t>(prepared.bound.size(), index + 1));
      prepared.bound[index] = at(std::get<DeviceMemory>(arguments[2 * i])) +
                              std::get<std::uint64_t>(arguments[2 * i + 1]);
    }
    prepared_.push_back(std::move(prepared));
    return PreparedLaunch{prepared_.size() - 1};
  }

  std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) override {
    const auto& prepared = prepared_[launch.index];
    if (record.start) start_ = std::chrono::steady_clock::now();
    run(*prepared.kernel, prepared.bound.data());
    if (record.end) end_ = std::chrono::steady_clock::now();
    return std::nullopt;
  }
  std::optional<Failure> finish() override { return std::nullopt; }
  double seconds() const override { return std::chrono::duration<double>(end_ - start_).count(); }
  std::size_t cache_bytes() const override {
    const auto bytes = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
    return bytes > 0 ? static_cast<std::size_t>(bytes) : 0;
  }

 private:
  struct Prepared {
    const c::Kernel* kernel = nullptr;
    std::vector<std::byte*> bound;
  };

  std::byte* at(DeviceMemory memory) { return memories_[memory.index].get(); }

  // Threads share the rows as those of the engine share threadgroups.
  void run(const c::Kernel& kernel, c::Bound bound) {
    const auto count = kernel.count(bound);
    const auto parts = (count + kernel.least - 1) / kernel.least;
    const auto threads = std::min(threads_.size(), parts);
    engine::GroupShares shares(parts, threads);
    threads_.run(threads, [&](unsigned number) {
      flush_denormals();
      const auto row_of = [&](std::size_t part) {
        return std::min(count, static_cast<unsigned>(part) * kernel.least);
      };
      for (auto taken = shares.take(number); taken.begin < taken.end; taken = shares.take(number))
        kernel.run(bound, row_of(taken.begin), row_of(taken.end));
    });
  }

  engine::ThreadPool& threads_;
  const Translation& seed_;
  unsigned vector_bits_;
  bool intrinsics_;
  std::vector<Memory> memories_;
  std::vector<Prepared> prepared_;
  std::chrono::steady_clock::time_point start_, end_;
};

class CProgram : public QueueProgram {
 public:
  CProgram(const DeviceInfo& info, const Translation& seed, engine::ThreadPool& threads,
           unsigned vector_bits, bool intrinsics)
      : QueueProgram(info, seed),
        threads_(threads),
        vector_bits_(vector_bits),
        intrinsics_(intrinsics) {}

 private:
  Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan&, bool /*is_repeat*/) override {
    return Attempt<std::unique_ptr<Queue>>{
        std::make_unique<CQueue>(threads_, translation(), vector_bits_, intrinsics_)};
  }

  engine::ThreadPool& threads_;
  unsigned vector_bits_;
  bool intrinsics_;
};

class CDevice : public Device {
 public:
  CDevice(DeviceInfo info, unsigned vector_bits, bool intrinsics)
      : info_(std::move(info)),
        vector_bits_(vector_bits),
        intrinsics_(intrinsics),
        threads_(info_.compute_units) {}

  const DeviceInfo& info() const override { return info_; }
  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& seed) override {
    return Attempt<std::unique_ptr<Program>>{
        std::make_unique<CProgram>(info_, seed, threads_, vector_bits_, intrinsics_)};
  }

 private:
  DeviceInfo info_;
  unsigned vector_bits_;
  bool intrinsics_;
  engine::ThreadPool threads_;
};

}  // namespace

std::unique_ptr<Device> open_c_device(DeviceInfo like, unsigned vector_bits, bool intrinsics) {
  like.name = intrinsics ? "C with intrinsics" : "C";
  return std::make_unique<CDevice>(std::move(like), vector_bits, intrinsics);
}

bool has_intrinsics(const Translation& seed) {
  return std::ranges::all_of(seed.kernels, [](const KernelSignature& kernel) {
    return find_kernel(kernel.name, 256, true) != nullptr;
  });
}

}  // namespace msci
