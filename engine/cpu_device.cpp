#include "engine/cpu_device.h"

#include <fmt/format.h>
#include <llvm/TargetParser/Host.h>
#include <sched.h>

#include <algorithm>
#include <fstream>

#include "base/process/memory_size.h"
#include "engine/device/plan_runner.h"
#include "engine/isolation/windows.h"
#include "engine/queue/cpu_queue.h"

namespace msci {
namespace {

// The processors that this process may use.
unsigned processors() {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
}

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) {
      const auto at = line.find(": ");
      if (at != std::string::npos) return line.substr(at + 2);
    }
  return llvm::sys::getHostCPUName().str();
}

class CpuProgram : public QueueProgram {
 public:
  CpuProgram(const DeviceInfo& info, const Translation& translation, engine::ThreadPool& threads,
             engine::KernelMemory& memory, std::unique_ptr<engine::Jit> jit)
      : QueueProgram(info, translation),
        threads_(threads),
        memory_(memory),
        jit_(std::move(jit)),
        kernels_(*jit_, this->translation()) {}

 private:
  Result<Attempt<std::unique_ptr<Queue>>> open_queue(const Plan& plan, bool is_repeat) override {
    // Of launches that overlap, the shadow keeps what the first one did for the others.
    const bool have_overlap = std::ranges::any_of(plan.launches, &Launch::overlaps_previous);
    return Attempt<std::unique_ptr<Queue>>{std::make_unique<engine::CpuQueue>(
        kernels_, threads_, memory_, plan.execution, !may_share_buffers(plan, this->translation()),
        !is_repeat && !have_overlap)};
  }

  engine::ThreadPool& threads_;
  engine::KernelMemory& memory_;
  std::unique_ptr<engine::Jit> jit_;
  engine::Kernels kernels_;
};

class CpuDevice : public Device {
 public:
  CpuDevice(DeviceInfo info, engine::KernelMemory memory)
      : info_(std::move(info)), memory_(std::move(memory)), threads_(info_.compute_units) {}

  const DeviceInfo& info() const override { return info_; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    if (translation.ir.empty())
      return Error{
          "the device 'cpu' runs Metal sources, not translated OpenCL programs; add --device "
          "opencl (for the processor: apt-get install pocl-opencl-icd)"};
    auto jit = engine::Jit::make();
    if (!jit) return jit.error();
    return Attempt<std::unique_ptr<Program>>{
        std::make_unique<CpuProgram>(info_, translation, threads_, memory_, *std::move(jit))};
  }

 private:
  DeviceInfo info_;
  engine::KernelMemory memory_;
  engine::ThreadPool threads_;
};

}  // namespace

Result<std::vector<DeviceInfo>> find_cpu_devices() {
  const auto memory = physical_memory();
  return std::vector{
      DeviceInfo{.name = fmt::format("{} {}", cpu_device_name, processor_name()),
                 .vendor = "msci",
                 .platform = std::string(cpu_platform_name),
                 .driver = LLVM_VERSION_STRING,
                 .kind = DeviceInfo::Kind::cpu,
                 .compute_units = processors(),
                 .max_threads_per_threadgroup = threadgroup_thread_limit,
                 .threadgroup_memory = threadgroup_memory_limit,
                 .global_memory = memory,
                 .max_buffer = std::min<std::size_t>(memory, engine::most_memory_bytes),
                 .chooses_order = true}};
}

Result<std::unique_ptr<Device>> open_cpu_device(std::size_t index) {
  const auto found = find_cpu_devices();
  if (index != 0) return Error{"this machine has one processor device"};
  auto memory = engine::KernelMemory::reserve((*found)[0].compute_units);
  if (!memory) return memory.error();
  return std::unique_ptr<Device>(std::make_unique<CpuDevice>((*found)[0], *std::move(memory)));
}

}  // namespace msci
