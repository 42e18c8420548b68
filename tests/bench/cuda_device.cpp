#include "tests/bench/cuda_device.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/device/plan_runner.h"
#include "engine/device/queue.h"

namespace msci {
namespace {

// --- The driver's interface, as far as it is used; no header of CUDA's is needed

using Status = int;  // CUresult; 0 is success
using Pointer = unsigned long long;
using Context = struct CUctx_st*;
using Module = struct CUmod_st*;
using Function = struct CUfunc_st*;
using Stream = struct CUstream_st*;
using Event = struct CUevent_st*;

constexpr unsigned map_to_device = 2;   // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned wait_for_equal = 1;  // CU_STREAM_WAIT_VALUE_EQ

// Of CUdevice_attribute.
constexpr int max_threads_per_block = 1;
constexpr int max_shared_memory_per_block = 8;
constexpr int multiprocessor_count = 16;
constexpr int l2_cache_size = 38;

// MSCI_CUDA(our name, the driver's, parameters)
#define MSCI_CUDA_FUNCTIONS                                                                       \
  MSCI_CUDA(init, "cuInit", unsigned flags)                                                       \
  MSCI_CUDA(error_name, "cuGetErrorName", Status, const char**)                                   \
  MSCI_CUDA(device_get, "cuDeviceGet", int* device, int ordinal)                                  \
  MSCI_CUDA(device_name, "cuDeviceGetName", char*, int length, int device)                        \
  MSCI_CUDA(device_attribute, "cuDeviceGetAttribute", int* value, int attribute, int device)      \
  MSCI_CUDA(device_memory, "cuDeviceTotalMem_v2", std::size_t*, int device)                       \
  MSCI_CUDA(retain_context, "cuDevicePrimaryCtxRetain", Context*, int device)                     \
  MSCI_CUDA(release_context, "cuDevicePrimaryCtxRelease_v2", int device)                          \
  MSCI_CUDA(use_context, "cuCtxSetCurrent", Context)                                              \
  MSCI_CUDA(synchronize, "cuCtxSynchronize", )                                                    \
  MSCI_CUDA(load_module, "cuModuleLoadData", Module*, const void* image)                          \
  MSCI_CUDA(unload_module, "cuModuleUnload", Module)                                              \
  MSCI_CUDA(get_function, "cuModuleGetFunction", Function*, Module, const char* name)             \
  MSCI_CUDA(allocate, "cuMemAlloc_v2", Pointer*, std::size_t bytes)                               \
  MSCI_CUDA(release, "cuMemFree_v2", Pointer)                                                     \
  MSCI_CUDA(write, "cuMemcpyHtoD_v2", Pointer, const void*, std::size_t bytes)                    \
  MSCI_CUDA(read, "cuMemcpyDtoH_v2", void*, Pointer, std::size_t bytes)                           \
  MSCI_CUDA(fill, "cuMemsetD8_v2", Pointer, unsigned char value, std::size_t bytes)               \
  MSCI_CUDA(allocate_host, "cuMemHostAlloc", void**, std::size_t bytes, unsigned flags)           \
  MSCI_CUDA(release_host, "cuMemFreeHost", void*)                                                 \
  MSCI_CUDA(seen_from_device, "cuMemHostGetDevicePointer_v2", Pointer*, void*, unsigned flags)    \
  MSCI_CUDA(create_stream, "cuStreamCreate", Stream*, unsigned flags)                             \
  MSCI_CUDA(destroy_stream, "cuStreamDestroy_v2", Stream)                                         \
  MSCI_CUDA(hold_stream, "cuStreamWaitValue32_v2", Stream, Pointer, std::uint32_t, unsigned)      \
  MSCI_CUDA(create_event, "cuEventCreate", Event*, unsigned flags)                                \
  MSCI_CUDA(destroy_event, "cuEventDestroy_v2", Event)                                            \
  MSCI_CUDA(record, "cuEventRecord", Event, Stream)                                               \
  MSCI_CUDA(elapsed, "cuEventElapsedTime", float* milliseconds, Event, Event)                     \
  MSCI_CUDA(launch, "cuLaunchKernel", Function, unsigned, unsigned, unsigned, unsigned, unsigned, \
            unsigned, unsigned shared_bytes, Stream, void** arguments, void** extra)

struct Driver {
#define MSCI_CUDA(name, symbol, ...) Status (*name)(__VA_ARGS__) = nullptr;
  MSCI_CUDA_FUNCTIONS
#undef MSCI_CUDA

  std::optional<Error> load() {
    // Never closed: the driver keeps threads of its own.
    void* library = ::dlopen("libcuda.so.1", RTLD_NOW);
    if (!library) return Error{fmt::format("no NVIDIA driver: {}", ::dlerror())};
    const char* missing = nullptr;
    const auto find = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(::dlsym(library, symbol));
      if (!function) missing = symbol;
    };
#define MSCI_CUDA(name, symbol, ...) find(name, symbol);
    MSCI_CUDA_FUNCTIONS
#undef MSCI_CUDA
#undef MSCI_CUDA_FUNCTIONS
    if (missing) return Error{fmt::format("the NVIDIA driver has no {}: it is too old", missing)};
    return std::nullopt;
  }

  std::string name_of(Status status) const {
    const char* name = nullptr;
    error_name(status, &name);
    return name ? name : fmt::format("CUDA error {}", status);
  }

  // Nothing on success, else the Error that names the call.
  std::optional<Error> failed(Status status, std::string_view call) const {
    if (status == 0) return std::nullopt;
    return Error{fmt::format("{}: {}", call, name_of(status))};
  }
};

// --- One run of a plan

// What one launch may have along x, y and z.
constexpr Extent most_blocks = {0x7fffffff, 65535, 65535};

class CudaQueue : public Queue {
 public:
  CudaQueue(const Driver& driver, Module module, std::size_t cache_bytes)
      : driver_(driver), module_(module), cache_bytes_(cache_bytes) {}
  CudaQueue(const CudaQueue&) = delete;
  CudaQueue& operator=(const CudaQueue&) = delete;

  ~CudaQueue() override {
    for (const auto memory : memories_) driver_.release(memory);
    if (gate_) driver_.release_host(gate_);
    if (begin_) driver_.destroy_event(begin_);
    if (end_) driver_.destroy_event(end_);
    if (stream_) driver_.destroy_stream(stream_);
  }

  std::optional<Error> open() {
    if (auto error = driver_.failed(driver_.create_stream(&stream_, 0), "cuStreamCreate"))
      return error;
    for (auto* event : {&begin_, &end_})
      if (auto error = driver_.failed(driver_.create_event(event, 0), "cuEventCreate"))
        return error;
    void* gate = nullptr;
    const auto status = driver_.allocate_host(&gate, sizeof *gate_, map_to_device);
    if (auto error = driver_.failed(status, "cuMemHostAlloc")) return error;
    gate_ = static_cast<std::uint32_t*>(gate);
    return driver_.failed(driver_.seen_from_device(&gate_on_device_, gate, 0),
                          "cuMemHostGetDevicePointer");
  }

  Result<DeviceMemory> allocate(std::size_t bytes) override {
    Pointer made = 0;
    if (auto error = driver_.failed(driver_.allocate(&made, bytes), "cuMemAlloc")) return *error;
    memories_.push_back(made);
    return DeviceMemory{memories_.size() - 1};
  }

  Result<std::uint64_t> address(DeviceMemory memory) override { return memories_[memory.index]; }

  std::optional<Error> write(DeviceMemory to, std::size_t offset,
                             std::span<const std::byte> contents) override {
    return driver_.failed(
        driver_.write(memories_[to.index] + offset, contents.data(), contents.size()),
        "cuMemcpyHtoD");
  }

  std::optional<Error> fill(DeviceMemory to, std::size_t offset, std::size_t bytes,
                            unsigned char value) override {
    return driver_.failed(driver_.fill(memories_[to.index] + offset, value, bytes), "cuMemsetD8");
  }

  std::optional<Error> read(DeviceMemory from, std::size_t offset,
                            std::span<std::byte> to) override {
    return driver_.failed(driver_.read(to.data(), memories_[from.index] + offset, to.size()),
                          "cuMemcpyDtoH");
  }

  Result<PreparedLaunch> prepare(const std::string& symbol, const Extent& grid,
                                 const Extent& threadgroup,
                                 std::span<const Argument> arguments) override {
    Function function = nullptr;
    const auto status = driver_.get_function(&function, module_, symbol.c_str());
    if (auto error = driver_.failed(status, "cuModuleGetFunction")) return *error;
    std::vector<std::uint64_t> words;
    for (const auto& argument : arguments) {
      const auto word = word_of(argument);
      if (!word) return Error{"threadgroup memory that the host declares is not bound on CUDA"};
      words.push_back(*word);
    }
    auto& launches = prepared_.emplace_back();
    for (const auto& part : split_grid(grid, threadgroup, most_blocks)) {
      launches.push_back({function, part.groups, part.threadgroup, words});
      for (const unsigned first : {part.first.x, part.first.y, part.first.z})
        launches.back().arguments.push_back(first);
    }
    return PreparedLaunch{prepared_.size() - 1};
  }

  // The stream is held until the first kernel is in it: OpenCL's times begin with a kernel and not
  // with the call that sends it.
  std::optional<Failure> launch(PreparedLaunch launch, Timestamps record) override {
    Status status = 0;
    if (record.start) {
      std::atomic_ref(*gate_).store(0);
      status = driver_.hold_stream(stream_, gate_on_device_, 1, wait_for_equal);
      if (status == 0) status = driver_.record(begin_, stream_);
    }
    for (auto& part : prepared_[launch.index]) {
      if (status == 0) status = this->launch(part);
      std::atomic_ref(*gate_).store(1);
    }
    if (status == 0 && record.end) status = driver_.record(end_, stream_);
    return failure(status);
  }

  std::optional<Failure> finish() override { return failure(driver_.synchronize()); }

  double seconds() const override {
    float milliseconds = 0;
    driver_.elapsed(&milliseconds, begin_, end_);
    return 1e-3 * static_cast<double>(milliseconds);
  }

  std::size_t cache_bytes() const override { return cache_bytes_; }

 private:
  // Each argument has a word of its own. Narrower ones lie at its beginning: every machine with
  // this driver is little-endian.
  struct Part {
    Function function = nullptr;
    Extent blocks;
    Extent threads;
    std::vector<std::uint64_t> arguments;
  };

  std::optional<std::uint64_t> word_of(const Argument& argument) const {
    if (const auto* memory = std::get_if<DeviceMemory>(&argument)) return memories_[memory->index];
    if (const auto* number = std::get_if<std::uint64_t>(&argument)) return *number;
    if (const auto* number = std::get_if<std::uint32_t>(&argument)) return *number;
    return std::nullopt;
  }

  Status launch(Part& part) {
    std::vector<void*> arguments;
    for (auto& argument : part.arguments) arguments.push_back(&argument);
    return driver_.launch(part.function, part.blocks.x, part.blocks.y, part.blocks.z,
                          part.threads.x, part.threads.y, part.threads.z, 0, stream_,
                          arguments.data(), nullptr);
  }

  std::optional<Failure> failure(Status status) const {
    if (status == 0) return std::nullopt;
    return Failure{Failure::Cause::run_time, driver_.name_of(status)};
  }

  const Driver& driver_;
  Module module_;
  std::size_t cache_bytes_;
  Stream stream_ = nullptr;
  Event begin_ = nullptr;
  Event end_ = nullptr;
  std::uint32_t* gate_ = nullptr;
  Pointer gate_on_device_ = 0;
  std::vector<Pointer> memories_;
  std::vector<std::vector<Part>> prepared_;
};

// --- The device

class CudaProgram : public QueueProgram {
 public:
  CudaProgram(const Driver& driver, const DeviceInfo& info, std::size_t cache_bytes, Module module,
              const Translation& translation)
      : QueueProgram(info, translation),
        driver_(driver),
        cache_bytes_(cache_bytes),
        module_(module) {}
  ~CudaProgram() override { driver_.unload_module(module_); }

 private:
  Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan&, bool /*is_repeat*/) override {
    auto queue = std::make_unique<CudaQueue>(driver_, module_, cache_bytes_);
    if (auto error = queue->open()) return *error;
    return Attempt<std::unique_ptr<Queue>>{std::move(queue)};
  }

  const Driver& driver_;
  std::size_t cache_bytes_;
  Module module_;
};

class CudaDevice : public Device {
 public:
  ~CudaDevice() override {
    if (context_) driver_.release_context(device_);
  }

  std::optional<Error> open() {
    if (auto error = driver_.load()) return error;
    if (auto error = driver_.failed(driver_.init(0), "cuInit")) return error;
    if (auto error = driver_.failed(driver_.device_get(&device_, 0), "cuDeviceGet")) return error;
    if (auto error =
            driver_.failed(driver_.retain_context(&context_, device_), "cuDevicePrimaryCtxRetain"))
      return error;
    if (auto error = driver_.failed(driver_.use_context(context_), "cuCtxSetCurrent")) return error;
    return describe();
  }

  const DeviceInfo& info() const override { return info_; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    Module module = nullptr;
    const auto status = driver_.load_module(&module, translation.text.c_str());
    if (status != 0)
      return Attempt<std::unique_ptr<Program>>{Failure{
          Failure::Cause::build, fmt::format("cuModuleLoadData: {}", driver_.name_of(status))}};
    return Attempt<std::unique_ptr<Program>>{
        std::make_unique<CudaProgram>(driver_, info_, cache_bytes_, module, translation)};
  }

 private:
  std::optional<Error> describe() {
    char name[256] = "";
    int units = 0, threads = 0, shared = 0, cache = 0;
    auto status = driver_.device_name(name, sizeof name, device_);
    if (auto error = driver_.failed(status, "cuDeviceGetName")) return error;
    const std::pair<int*, int> wanted[] = {{&units, multiprocessor_count},
                                           {&threads, max_threads_per_block},
                                           {&shared, max_shared_memory_per_block},
                                           {&cache, l2_cache_size}};
    for (const auto& [value, attribute] : wanted) {
      status = driver_.device_attribute(value, attribute, device_);
      if (auto error = driver_.failed(status, "cuDeviceGetAttribute")) return error;
    }
    std::size_t memory = 0;
    status = driver_.device_memory(&memory, device_);
    if (auto error = driver_.failed(status, "cuDeviceTotalMem")) return error;
    cache_bytes_ = static_cast<std::size_t>(cache);
    info_ = {.name = name,
             .vendor = "NVIDIA",
             .platform = "CUDA",
             .kind = DeviceInfo::Kind::gpu,
             .compute_units = static_cast<unsigned>(units),
             .max_threads_per_threadgroup = static_cast<std::size_t>(threads),
             .threadgroup_memory = static_cast<std::size_t>(shared),
             .global_memory = memory,
             .max_buffer = memory};
    return std::nullopt;
  }

  Driver driver_;
  int device_ = 0;
  Context context_ = nullptr;
  DeviceInfo info_;
  std::size_t cache_bytes_ = 0;  // L2
};

}  // namespace

Result<std::unique_ptr<Device>> open_cuda_device() {
  auto device = std::make_unique<CudaDevice>();
  if (auto error = device->open()) return *error;
  return std::unique_ptr<Device>(std::move(device));
}

}  // namespace msci
