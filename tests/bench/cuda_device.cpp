#include "tests/bench/cuda_device.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "evaluator/measure/stopping.h"

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

constexpr unsigned map_to_device = 2;     // CU_MEMHOSTALLOC_DEVICEMAP
constexpr unsigned wait_for_equal = 1;    // CU_STREAM_WAIT_VALUE_EQ
constexpr int multiprocessor_count = 16;  // CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT
constexpr int out_of_memory = 2;          // CUDA_ERROR_OUT_OF_MEMORY

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
  MSCI_CUDA(wait_for_stream, "cuStreamSynchronize", Stream)                                       \
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

// --- Launches

// Blocks of equal width along one axis, as far as one launch may reach.
struct Segment {
  unsigned first = 0;  // thread
  unsigned blocks = 0;
  unsigned threads = 0;  // per block
};

constexpr unsigned most_blocks_along_x = 0x7fffffff;
constexpr unsigned most_blocks_across = 65535;  // along y and z

// The whole threadgroups along one axis, then the smaller one at the edge.
std::vector<Segment> segments(unsigned grid, unsigned threadgroup, unsigned most_blocks) {
  std::vector<Segment> parts;
  const unsigned whole = grid / threadgroup;
  for (unsigned done = 0; done < whole; done += parts.back().blocks)
    parts.push_back({done * threadgroup, std::min(most_blocks, whole - done), threadgroup});
  if (const unsigned edge = grid % threadgroup) parts.push_back({grid - edge, 1, edge});
  return parts;
}

// One launch of a pass. Each argument has a word of its own; narrower ones lie at its beginning,
// for bytes go from low to high on every machine that has this driver.
struct Step {
  Function function = nullptr;
  Extent blocks;
  Extent threads;
  std::vector<std::uint64_t> arguments;
};

// --- Carrying out a plan

class CudaRun {
 public:
  CudaRun(const Driver& driver, Module module, const Translation& translation, const Plan& plan)
      : driver_(driver), module_(module), translation_(translation), plan_(plan) {}
  CudaRun(const CudaRun&) = delete;
  CudaRun& operator=(const CudaRun&) = delete;

  ~CudaRun() {
    for (const auto buffer : buffers_) driver_.release(buffer);
    if (gate_) driver_.release_host(gate_);
    if (begin_) driver_.destroy_event(begin_);
    if (end_) driver_.destroy_event(end_);
    if (stream_) driver_.destroy_stream(stream_);
  }

  Result<Attempt<Run>> carry_out(Repeats repeats) {
    if (repeats.cold) return Error{"cold passes are not measured on CUDA"};
    if (auto error = create()) return *error;
    if (auto error = allocate()) return *error;
    if (auto error = prepare()) return *error;
    Run run;
    Stopping stopping(repeats);
    while (stopping.wants_another()) {
      const auto seconds = reset_and_run();
      if (!seconds) return seconds.error();
      if (auto* failure = std::get_if<Failure>(&*seconds)) return Attempt<Run>{*failure};
      stopping.add(std::get<double>(*seconds));
    }
    run.seconds = stopping.timed();
    if (!run.seconds.empty())
      if (auto error = collect(run.timed_outputs.emplace())) return *error;
    const auto verified = reset_and_run();
    if (!verified) return verified.error();
    if (auto* failure = std::get_if<Failure>(&*verified)) return Attempt<Run>{*failure};
    if (auto error = collect(run.outputs)) return *error;
    return Attempt<Run>{std::move(run)};
  }

 private:
  std::optional<Error> create() {
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

  std::optional<Error> allocate() {
    for (const auto& buffer : plan_.buffers) {
      Pointer made = 0;
      const auto status = driver_.allocate(&made, std::max<std::size_t>(1, buffer.bytes));
      if (status == out_of_memory)
        return Error{fmt::format("the device cannot give {} bytes for buffer {}", buffer.bytes,
                                 buffer.name)};
      if (auto error = driver_.failed(status, "cuMemAlloc")) return error;
      buffers_.push_back(made);
    }
    return std::nullopt;
  }

  std::optional<Error> prepare() {
    for (const auto& launch : plan_.launches) {
      const auto& signature = *translation_.find(launch.kernel);
      Function function = nullptr;
      const auto status = driver_.get_function(&function, module_, signature.symbol.c_str());
      if (auto error = driver_.failed(status, "cuModuleGetFunction " + signature.symbol))
        return error;
      const auto arguments = arguments_of(launch, signature);
      for (const auto& z : segments(launch.grid.z, launch.threadgroup.z, most_blocks_across))
        for (const auto& y : segments(launch.grid.y, launch.threadgroup.y, most_blocks_across))
          for (const auto& x : segments(launch.grid.x, launch.threadgroup.x, most_blocks_along_x)) {
            steps_.push_back({function,
                              {x.blocks, y.blocks, z.blocks},
                              {x.threads, y.threads, z.threads},
                              arguments});
            for (const unsigned first : {x.first, y.first, z.first})
              steps_.back().arguments.push_back(first);
          }
    }
    return std::nullopt;
  }

  // The calling convention of program.h; refuse() has seen to it that all is bound.
  std::vector<std::uint64_t> arguments_of(const Launch& launch,
                                          const KernelSignature& signature) const {
    std::vector<std::uint64_t> arguments;
    for (const auto& argument : signature.arguments)
      for (const auto& binding : launch.bindings)
        if (binding.index == argument.index) {
          arguments.push_back(buffers_[binding.buffer]);
          arguments.push_back(binding.offset);
        }
    for (const unsigned extent : {launch.grid.x, launch.grid.y, launch.grid.z, launch.threadgroup.x,
                                  launch.threadgroup.y, launch.threadgroup.z})
      arguments.push_back(extent);
    return arguments;
  }

  // Outside the timed window: everything back to its initial contents.
  std::optional<Error> reset() {
    const bool first = resets_++ == 0;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const auto& buffer = plan_.buffers[i];
      if (buffer.bytes == 0 || !(first || buffer.reset || buffer.poison)) continue;
      const unsigned char junk = resets_ % 2 ? 0x5a : 0xff;
      const auto status = buffer.poison ? driver_.fill(buffers_[i], junk, buffer.bytes)
                          : buffer.initial.empty()
                              ? driver_.fill(buffers_[i], 0, buffer.bytes)
                              : driver_.write(buffers_[i], buffer.initial.data(), buffer.bytes);
      if (auto error = driver_.failed(status, "resetting " + buffer.name)) return error;
    }
    return driver_.failed(driver_.synchronize(), "cuCtxSynchronize");
  }

  // One pass, and its device time in seconds. The stream is held until the first launch lies in it:
  // OpenCL's times begin with a kernel and not with the call that sends it.
  Result<Attempt<double>> reset_and_run() {
    if (auto error = reset()) return *error;
    std::atomic_ref(*gate_).store(0);
    if (auto error =
            driver_.failed(driver_.hold_stream(stream_, gate_on_device_, 1, wait_for_equal),
                           "cuStreamWaitValue32"))
      return *error;
    auto status = driver_.record(begin_, stream_);
    for (auto& step : steps_) {
      if (status == 0) status = launch(step);
      std::atomic_ref(*gate_).store(1);
    }
    if (status == 0) status = driver_.record(end_, stream_);
    if (status == 0) status = driver_.wait_for_stream(stream_);
    float milliseconds = 0;
    if (status == 0) status = driver_.elapsed(&milliseconds, begin_, end_);
    if (status == 0) return Attempt<double>{1e-3 * static_cast<double>(milliseconds)};
    return Attempt<double>{
        Failure{Failure::Cause::run_time, fmt::format("the pass: {}", driver_.name_of(status))}};
  }

  Status launch(Step& step) {
    std::vector<void*> arguments;
    for (auto& argument : step.arguments) arguments.push_back(&argument);
    return driver_.launch(step.function, step.blocks.x, step.blocks.y, step.blocks.z,
                          step.threads.x, step.threads.y, step.threads.z, 0, stream_,
                          arguments.data(), nullptr);
  }

  std::optional<Error> collect(Outputs& outputs) {
    for (const auto i : plan_.results) {
      auto& contents = outputs.emplace_back().data;
      contents.resize(plan_.buffers[i].bytes);
      const auto status = driver_.read(contents.data(), buffers_[i], contents.size());
      if (auto error = driver_.failed(status, "reading " + plan_.buffers[i].name)) return error;
    }
    return std::nullopt;
  }

  const Driver& driver_;
  Module module_;
  const Translation& translation_;
  const Plan& plan_;
  Stream stream_ = nullptr;
  Event begin_ = nullptr;
  Event end_ = nullptr;
  std::uint32_t* gate_ = nullptr;
  Pointer gate_on_device_ = 0;
  std::vector<Pointer> buffers_;
  std::vector<Step> steps_;  // of one pass, in order
  std::size_t resets_ = 0;
};

// --- The device

class CudaProgram : public Program {
 public:
  CudaProgram(const Driver& driver, Module module, Translation translation)
      : driver_(driver), module_(module), translation_(std::move(translation)) {}
  ~CudaProgram() override { driver_.unload_module(module_); }

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    for (const auto& launch : plan.launches) {
      const auto* kernel = translation_.find(launch.kernel);
      if (!kernel)
        return Attempt<Run>{Failure{Failure::Cause::missing_binding,
                                    fmt::format("there is no kernel {}", launch.kernel)}};
      if (auto failure = refuse_launch(*kernel, launch)) return Attempt<Run>{*failure};
      if (!launch.threadgroup_memory.empty())
        return Error{"threadgroup memory that the host declares is not bound on CUDA"};
    }
    return CudaRun(driver_, module_, translation_, plan).carry_out(repeats);
  }

 private:
  const Driver& driver_;
  Module module_;
  Translation translation_;
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
        std::make_unique<CudaProgram>(driver_, module, translation)};
  }

 private:
  std::optional<Error> describe() {
    char name[256] = "";
    int units = 0;
    if (auto error =
            driver_.failed(driver_.device_name(name, sizeof name, device_), "cuDeviceGetName"))
      return error;
    if (auto error = driver_.failed(driver_.device_attribute(&units, multiprocessor_count, device_),
                                    "cuDeviceGetAttribute"))
      return error;
    info_.name = name;
    info_.vendor = "NVIDIA";
    info_.platform = "CUDA";
    info_.kind = DeviceInfo::Kind::gpu;
    info_.compute_units = static_cast<unsigned>(units);
    return driver_.failed(driver_.device_memory(&info_.global_memory, device_), "cuDeviceTotalMem");
  }

  Driver driver_;
  int device_ = 0;
  Context context_ = nullptr;
  DeviceInfo info_;
};

}  // namespace

Result<std::unique_ptr<Device>> open_cuda_device() {
  auto device = std::make_unique<CudaDevice>();
  if (auto error = device->open()) return *error;
  return std::unique_ptr<Device>(std::move(device));
}

}  // namespace msci
