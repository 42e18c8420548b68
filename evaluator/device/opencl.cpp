#include "evaluator/device/opencl.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <set>
#include <span>

#include "evaluator/device/check_memory.h"
#include "evaluator/measure/stopping.h"

namespace msci {
namespace {

// Metal's default is fast math. Its rearrangements were made when the kernel was optimised, before
// it became text; left for the driver are fused multiply-adds and the sign of zero. Not
// -cl-fast-relaxed-math: it lets drivers assume that no NaN or infinity exists, and drop a kernel's
// tests for them.
constexpr const char* build_options = "-cl-std=CL1.2 -w -cl-mad-enable -cl-no-signed-zeros";

// NVIDIA's warps are simdgroups of 32 lanes in the order of thread indices, and its OpenCL takes
// inline PTX: there kernels use them directly. Anywhere else they wait for each other
// (evaluator/translate/lanes.h).
std::string build_options_for(const DeviceInfo& device) {
  const bool native =
      device.kind == DeviceInfo::Kind::gpu && device.vendor.find("NVIDIA") != std::string::npos;
  return std::string(build_options) + (native ? " -DMSCI_NATIVE_SIMDGROUPS" : "");
}

// Whether a launch may reach the same memory through two of its arguments.
bool shares_buffers(const Plan& plan) {
  for (const auto& launch : plan.launches) {
    std::set<std::size_t> bound;
    for (const auto& binding : launch.bindings)
      if (!bound.insert(binding.buffer).second) return true;
  }
  return false;
}

constexpr std::size_t build_log_limit =
    4000;  // characters of a driver's log that are worth passing on

// --- Handles
// -----------------------------------------------------------------------------------------

struct Release {
  void operator()(cl_context context) const { clReleaseContext(context); }
  void operator()(cl_command_queue queue) const { clReleaseCommandQueue(queue); }
  void operator()(cl_program program) const { clReleaseProgram(program); }
  void operator()(cl_kernel kernel) const { clReleaseKernel(kernel); }
  void operator()(cl_mem memory) const { clReleaseMemObject(memory); }
  void operator()(cl_event event) const { clReleaseEvent(event); }
};

template <typename Handle>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release>;

// --- Status codes
// ------------------------------------------------------------------------------------

std::string status_name(cl_int status) {
  switch (status) {
#define MSCI_STATUS(code) \
  case code:              \
    return #code
    MSCI_STATUS(CL_DEVICE_NOT_FOUND);
    MSCI_STATUS(CL_DEVICE_NOT_AVAILABLE);
    MSCI_STATUS(CL_COMPILER_NOT_AVAILABLE);
    MSCI_STATUS(CL_MEM_OBJECT_ALLOCATION_FAILURE);
    MSCI_STATUS(CL_OUT_OF_RESOURCES);
    MSCI_STATUS(CL_OUT_OF_HOST_MEMORY);
    MSCI_STATUS(CL_PROFILING_INFO_NOT_AVAILABLE);
    MSCI_STATUS(CL_BUILD_PROGRAM_FAILURE);
    MSCI_STATUS(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    MSCI_STATUS(CL_INVALID_VALUE);
    MSCI_STATUS(CL_INVALID_DEVICE);
    MSCI_STATUS(CL_INVALID_CONTEXT);
    MSCI_STATUS(CL_INVALID_COMMAND_QUEUE);
    MSCI_STATUS(CL_INVALID_MEM_OBJECT);
    MSCI_STATUS(CL_INVALID_PROGRAM_EXECUTABLE);
    MSCI_STATUS(CL_INVALID_KERNEL_NAME);
    MSCI_STATUS(CL_INVALID_KERNEL);
    MSCI_STATUS(CL_INVALID_ARG_INDEX);
    MSCI_STATUS(CL_INVALID_ARG_VALUE);
    MSCI_STATUS(CL_INVALID_ARG_SIZE);
    MSCI_STATUS(CL_INVALID_KERNEL_ARGS);
    MSCI_STATUS(CL_INVALID_WORK_DIMENSION);
    MSCI_STATUS(CL_INVALID_WORK_GROUP_SIZE);
    MSCI_STATUS(CL_INVALID_WORK_ITEM_SIZE);
    MSCI_STATUS(CL_INVALID_GLOBAL_OFFSET);
    MSCI_STATUS(CL_INVALID_OPERATION);
    MSCI_STATUS(CL_INVALID_BUFFER_SIZE);
    MSCI_STATUS(CL_INVALID_GLOBAL_WORK_SIZE);
#undef MSCI_STATUS
    default:
      return fmt::format("OpenCL error {}", status);
  }
}

// Nothing on success, else the Error that names the call.
std::optional<Error> failed(cl_int status, std::string_view call) {
  if (status == CL_SUCCESS) return std::nullopt;
  return Error{fmt::format("{}: {}", call, status_name(status))};
}

// --- Devices
// -----------------------------------------------------------------------------------------

struct Found {
  cl_device_id id = nullptr;
  DeviceInfo info;
};

template <typename T>
T number(cl_device_id device, cl_device_info what) {
  T value = {};
  clGetDeviceInfo(device, what, sizeof value, &value, nullptr);
  return value;
}

std::string text(cl_device_id device, cl_device_info what) {
  char value[1024] = "";
  clGetDeviceInfo(device, what, sizeof value - 1, value, nullptr);
  return value;
}

std::string platform_name(cl_platform_id platform) {
  char name[1024] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, nullptr);
  return name;
}

DeviceInfo::Kind kind_of(cl_device_id device) {
  const auto type = number<cl_device_type>(device, CL_DEVICE_TYPE);
  if (type & CL_DEVICE_TYPE_CPU) return DeviceInfo::Kind::cpu;
  if (type & CL_DEVICE_TYPE_GPU) return DeviceInfo::Kind::gpu;
  return DeviceInfo::Kind::other;
}

DeviceInfo describe(cl_device_id device, cl_platform_id platform) {
  return {.name = text(device, CL_DEVICE_NAME),
          .vendor = text(device, CL_DEVICE_VENDOR),
          .platform = platform_name(platform),
          .driver = text(device, CL_DRIVER_VERSION),
          .kind = kind_of(device),
          .compute_units = number<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS),
          .max_threads_per_threadgroup = number<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE),
          .threadgroup_memory = number<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE),
          .global_memory = number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE),
          .max_buffer = number<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE)};
}

// Empty where there is none: the ICD loader reports that as an error of its own.
std::vector<cl_platform_id> platforms() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_platform_id> found(count);
  if (clGetPlatformIDs(count, found.data(), nullptr) != CL_SUCCESS) return {};
  return found;
}

std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != CL_SUCCESS) return {};
  std::vector<cl_device_id> found(count);
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, found.data(), nullptr) != CL_SUCCESS)
    return {};
  return found;
}

Result<std::vector<Found>> find_devices() {
  const auto all = platforms();
  if (all.empty())
    return Error{
        "no OpenCL platform is installed; for the processor: apt-get install pocl-opencl-icd, for "
        "a GPU: its "
        "vendor's driver"};
  std::vector<Found> found;
  for (std::size_t p = 0; p < all.size(); ++p) {
    const auto ids = devices_of(all[p]);
    for (std::size_t d = 0; d < ids.size(); ++d) {
      found.push_back({ids[d], describe(ids[d], all[p])});
      found.back().info.platform_index = p;
      found.back().info.device_index = d;
    }
  }
  if (found.empty())
    return Error{
        "no OpenCL platform has a device; for the processor: apt-get install pocl-opencl-icd"};
  return found;
}

std::vector<DeviceInfo> infos(const std::vector<Found>& found) {
  std::vector<DeviceInfo> list;
  for (const auto& each : found) list.push_back(each.info);
  return list;
}

// --- Launches
// ----------------------------------------------------------------------------------------

// One NDRange whose size its work-group divides, as OpenCL 1.2 demands.
struct Piece {
  std::array<std::size_t, 3> offset = {};
  std::array<std::size_t, 3> global = {};
  std::array<std::size_t, 3> local = {};
};

struct Segment {
  std::size_t offset = 0;
  std::size_t threads = 0;
  std::size_t per_group = 0;
};

// The whole threadgroups along one dimension, then the smaller one at the edge.
std::vector<Segment> segments(std::size_t grid, std::size_t threadgroup) {
  const auto whole = grid - grid % threadgroup;
  std::vector<Segment> parts;
  if (whole > 0) parts.push_back({0, whole, threadgroup});
  if (whole < grid) parts.push_back({whole, grid - whole, grid - whole});
  return parts;
}

// Metal's edge threadgroups are smaller; up to eight pieces say the same in OpenCL 1.2.
std::vector<Piece> pieces(const Launch& launch) {
  std::vector<Piece> all;
  for (const auto& z : segments(launch.grid.z, launch.threadgroup.z))
    for (const auto& y : segments(launch.grid.y, launch.threadgroup.y))
      for (const auto& x : segments(launch.grid.x, launch.threadgroup.x))
        all.push_back({{x.offset, y.offset, z.offset},
                       {x.threads, y.threads, z.threads},
                       {x.per_group, y.per_group, z.per_group}});
  return all;
}

// --- Buffers
// -----------------------------------------------------------------------------------------

constexpr std::size_t slack_unit = 4096;
constexpr std::size_t slack_limit = std::size_t{1} << 20;
constexpr unsigned char slack_byte = 0xff;                  // NaN as float and as half
constexpr std::size_t least_flush = std::size_t{64} << 20;  // devices tell less than they have
constexpr std::array<unsigned char, 3> poisons = {0x5a, 0xff, 0x7f};  // 2e16, NaN and 3e38

// A plan's buffer on the device, between two stretches of slack: kernels do read and write a little
// outside, which must neither kill the process nor reach another buffer.
struct DeviceBuffer {
  Owned<cl_mem> memory;
  std::size_t bytes = 0;
  std::size_t slack = 0;  // bytes on either side

  std::size_t end() const { return slack + bytes; }
  std::size_t allocation() const { return end() + slack; }
};

std::size_t slack_beside(std::size_t bytes) {
  const auto rounded = (bytes + slack_unit - 1) / slack_unit * slack_unit;
  return std::clamp(rounded, slack_unit, slack_limit);
}

// Buffers that some launch binds and no launch may write.
std::vector<std::size_t> constant_buffers(const Plan& plan, const Translation& translation) {
  enum class Use { none, read, written };
  std::vector<Use> uses(plan.buffers.size(), Use::none);
  for (const auto& launch : plan.launches) {
    const auto* kernel = translation.find(launch.kernel);
    for (const auto& argument : kernel->arguments)
      for (const auto& binding : launch.bindings)
        if (argument.kind == KernelArgument::Kind::buffer && argument.index == binding.index)
          uses[binding.buffer] =
              argument.constant ? std::max(uses[binding.buffer], Use::read) : Use::written;
  }
  std::vector<std::size_t> constant;
  for (std::size_t i = 0; i < uses.size(); ++i)
    if (uses[i] == Use::read) constant.push_back(i);
  return constant;
}

bool holds_initial(std::span<const std::byte> contents, const PlanBuffer& buffer) {
  if (!buffer.initial.empty())
    return std::equal(contents.begin(), contents.end(), buffer.initial.begin());
  return std::all_of(contents.begin(), contents.end(),
                     [](std::byte b) { return b == std::byte{0}; });
}

bool is_untouched(std::span<const std::byte> slack, unsigned char filling) {
  return std::all_of(slack.begin(), slack.end(),
                     [=](std::byte b) { return b == std::byte{filling}; });
}

// --- Carrying out a plan
// -----------------------------------------------------------------------------

// A launch with its arguments set. Each distinct launch has a kernel object of its own, so that
// nothing but the launches themselves stands between two launches of a pass.
struct Dispatch {
  Launch launch;
  Owned<cl_kernel> kernel;
  std::vector<Piece> pieces;
  Owned<cl_mem> objects;        // of a checked kernel
  cl_uint launch_argument = 0;  // where that one takes the launch's number
};

// One piece of one dispatch, by their places.
struct Step {
  std::size_t dispatch = 0;
  std::size_t piece = 0;
  std::size_t launch = 0;  // in the plan
};

// What checked kernels work on beside the plan's buffers.
struct Checks {
  CheckMemory memory;
  Owned<cl_mem> log;
  Owned<cl_mem> shadow;
};

// One plan on one queue: its buffers and its launches.
class PlanRun {
 public:
  PlanRun(cl_context context, cl_command_queue queue, cl_program program,
          const Translation& translation, const Plan& plan)
      : context_(context),
        queue_(queue),
        program_(program),
        translation_(translation),
        plan_(plan) {}

  Result<Attempt<Run>> carry_out(Repeats repeats) {
    if (auto error = allocate()) return *error;
    if (translation_.is_checked())
      if (auto error = allocate_checks()) return *error;
    if (auto error = prepare()) return *error;
    if (repeats.cold)
      if (auto error = allocate_flush()) return *error;
    Run run;
    Stopping stopping(repeats);
    // No kernel can tell which of the timed passes is looked at.
    const std::size_t inspected = std::random_device{}() % (3 * std::max(repeats.timed, 1U));
    bool first = true;
    while (stopping.wants_another()) {
      auto seconds = reset_and_run(first);
      if (!seconds) return seconds.error();
      if (auto* failure = std::get_if<Failure>(&*seconds)) return Attempt<Run>{*failure};
      stopping.add(std::get<double>(*seconds));
      first = false;
      if (run.timed_outputs || stopping.timed().size() <= inspected) continue;
      if (auto stop = look_at_timed_pass(run)) return *stop;
    }
    run.seconds = stopping.timed();
    if (repeats.timed > 0 && !run.timed_outputs)
      if (auto stop = look_at_timed_pass(run)) return *stop;
    auto verified = reset_and_run(first);
    if (!verified) return verified.error();
    if (auto* failure = std::get_if<Failure>(&*verified)) return Attempt<Run>{*failure};
    if (auto stop = collect(run.outputs)) return *stop;
    if (auto error = find_overruns(run.overruns)) return *error;
    if (auto error = find_faults(run.faults)) return *error;
    return Attempt<Run>{std::move(run)};
  }

 private:
  std::optional<Error> allocate() {
    for (const auto& buffer : plan_.buffers) {
      DeviceBuffer made{.bytes = buffer.bytes, .slack = slack_beside(buffer.bytes)};
      cl_int status = CL_SUCCESS;
      made.memory.reset(
          clCreateBuffer(context_, CL_MEM_READ_WRITE, made.allocation(), nullptr, &status));
      if (status != CL_SUCCESS)
        return Error{fmt::format("the device cannot give {} bytes for buffer {} ({})",
                                 made.allocation(), buffer.name, status_name(status))};
      buffers_.push_back(std::move(made));
    }
    return std::nullopt;
  }

  std::optional<Error> allocate_checks() {
    checks_.emplace(Checks{.memory = CheckMemory(translation_, plan_)});
    if (auto refusal = checks_->memory.refusal()) return refusal;
    auto log = make_words(CheckMemory::log_words);
    if (!log) return log.error();
    auto shadow = make_words(std::max<std::size_t>(1, checks_->memory.shadow_words()));
    if (!shadow) return shadow.error();
    checks_->log = *std::move(log);
    checks_->shadow = *std::move(shadow);
    return clear(checks_->log.get(), CheckMemory::log_words);
  }

  // Device memory of so many 64-bit words.
  Result<Owned<cl_mem>> make_words(std::size_t words) {
    cl_int status = CL_SUCCESS;
    Owned<cl_mem> memory(
        clCreateBuffer(context_, CL_MEM_READ_WRITE, words * sizeof(cl_ulong), nullptr, &status));
    if (status == CL_SUCCESS) return memory;
    return Error{
        fmt::format("the device cannot give {} bytes for checks ({}); a smaller size "
                    "needs less",
                    words * sizeof(cl_ulong), status_name(status))};
  }

  std::optional<Error> clear(cl_mem memory, std::size_t words) {
    const cl_ulong zero = 0;
    if (words == 0) return std::nullopt;
    return failed(clEnqueueFillBuffer(queue_, memory, &zero, sizeof zero, 0, words * sizeof zero, 0,
                                      nullptr, nullptr),
                  "clearing what checks remember");
  }

  std::optional<Error> prepare() {
    for (std::size_t number = 0; number < plan_.launches.size(); ++number) {
      const auto& launch = plan_.launches[number];
      auto same = std::find_if(dispatches_.begin(), dispatches_.end(),
                               [&](const Dispatch& each) { return each.launch == launch; });
      const auto place = static_cast<std::size_t>(same - dispatches_.begin());
      if (same == dispatches_.end())
        if (auto error = add_dispatch(launch)) return error;
      for (std::size_t piece = 0; piece < dispatches_[place].pieces.size(); ++piece)
        steps_.push_back({place, piece, number});
    }
    return std::nullopt;
  }

  std::optional<Error> add_dispatch(const Launch& launch) {
    const auto& signature = *translation_.find(launch.kernel);
    cl_int status = CL_SUCCESS;
    Owned<cl_kernel> kernel(clCreateKernel(program_, signature.symbol.c_str(), &status));
    if (auto error = failed(status, "clCreateKernel")) return error;
    Dispatch dispatch{launch, std::move(kernel), pieces(launch)};
    if (auto error = set_arguments(dispatch, signature)) return error;
    dispatches_.push_back(std::move(dispatch));
    return std::nullopt;
  }

  // The calling convention of program.h.
  std::optional<Error> set_arguments(Dispatch& dispatch, const KernelSignature& signature) {
    const auto& launch = dispatch.launch;
    const auto kernel = dispatch.kernel.get();
    cl_uint place = 0;
    cl_int status = CL_SUCCESS;
    const auto set = [&](std::size_t size, const void* value) {
      if (status == CL_SUCCESS) status = clSetKernelArg(kernel, place++, size, value);
    };
    for (const auto& argument : signature.arguments) {
      if (argument.kind == KernelArgument::Kind::buffer) {
        for (const auto& binding : launch.bindings) {
          if (binding.index != argument.index) continue;
          const auto& buffer = buffers_[binding.buffer];
          const auto memory = buffer.memory.get();
          const cl_ulong offset = buffer.slack + binding.offset;
          set(sizeof memory, &memory);
          set(sizeof offset, &offset);
        }
      } else {
        for (const auto& memory : launch.threadgroup_memory)
          if (memory.index == argument.index)
            set(memory.bytes + (checks_ ? CheckMemory::stray_bytes : 0), nullptr);
      }
    }
    for (const cl_uint extent : {launch.grid.x, launch.grid.y, launch.grid.z, launch.threadgroup.x,
                                 launch.threadgroup.y, launch.threadgroup.z})
      set(sizeof extent, &extent);
    if (checks_) {
      if (auto error = write_objects(dispatch)) return error;
      const auto log = checks_->log.get(), shadow = checks_->shadow.get();
      const auto objects = dispatch.objects.get();
      set(sizeof log, &log);
      set(sizeof shadow, &shadow);
      const auto words = checks_->memory.group_shadow_words(launch);
      set(std::max<std::size_t>(1, words) * sizeof(cl_ulong), nullptr);
      set(sizeof objects, &objects);
      dispatch.launch_argument = place;
    }
    return failed(status, fmt::format("clSetKernelArg({}, {})", signature.symbol, place));
  }

  std::optional<Error> write_objects(Dispatch& dispatch) {
    const auto words =
        checks_->memory.objects(dispatch.launch, dispatches_.size(),
                                [&](std::size_t buffer) { return buffers_[buffer].slack; });
    auto memory = make_words(words.size());
    if (!memory) return memory.error();
    dispatch.objects = *std::move(memory);
    return failed(
        clEnqueueWriteBuffer(queue_, dispatch.objects.get(), CL_TRUE, 0,
                             words.size() * sizeof(cl_ulong), words.data(), 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  }

  // Before a step of a checked program.
  std::optional<Error> number_launch(const Step& step) {
    const auto& dispatch = dispatches_[step.dispatch];
    const auto number = step.launch % CheckMemory::launches_told_apart;
    if (number == 0 && step.piece == 0)
      if (auto error = clear(checks_->shadow.get(), checks_->memory.shadow_words())) return error;
    const auto told = static_cast<cl_uint>(number + 1);
    return failed(
        clSetKernelArg(dispatch.kernel.get(), dispatch.launch_argument, sizeof told, &told),
        "clSetKernelArg");
  }

  // Twice the last cache's size, so that whatever is kept there is driven out.
  std::optional<Error> allocate_flush() {
    cl_device_id device = nullptr;
    clGetCommandQueueInfo(queue_, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
    flush_.bytes = std::max<std::size_t>(
        2 * number<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE), least_flush);
    cl_int status = CL_SUCCESS;
    flush_.memory.reset(
        clCreateBuffer(context_, CL_MEM_READ_WRITE, flush_.allocation(), nullptr, &status));
    return failed(status, "a buffer to empty caches with");
  }

  // Outside the timed window: everything back to its initial contents, the slack filled anew.
  std::optional<Error> reset(bool first) {
    ++resets_;
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const auto& from = plan_.buffers[i];
      const auto& to = buffers_[i];
      cl_int status = fill(to, slack_of(i), 0, to.slack);
      if (status == CL_SUCCESS) status = fill(to, slack_of(i), to.end(), to.slack);
      if (status == CL_SUCCESS && from.poison)
        status = fill(to, poisons[resets_ % poisons.size()], to.slack, to.bytes);
      else if (status == CL_SUCCESS && (from.reset || first))
        status = from.initial.empty()
                     ? fill(to, 0, to.slack, to.bytes)
                     : clEnqueueWriteBuffer(queue_, to.memory.get(), CL_FALSE, to.slack, to.bytes,
                                            from.initial.data(), 0, nullptr, nullptr);
      if (auto error = failed(status, "resetting " + from.name)) return error;
    }
    if (flush_.bytes > 0)
      if (auto error = failed(fill(flush_, slack_byte, 0, flush_.bytes), "emptying the caches"))
        return error;
    return failed(clFinish(queue_), "clFinish");
  }

  // What lies beside a buffer in this pass.
  unsigned char slack_of(std::size_t buffer) const {
    return plan_.vary_slack ? poisons[(resets_ + buffer) % poisons.size()] : slack_byte;
  }

  cl_int fill(const DeviceBuffer& buffer, unsigned char value, std::size_t from,
              std::size_t bytes) {
    if (bytes == 0) return CL_SUCCESS;
    return clEnqueueFillBuffer(queue_, buffer.memory.get(), &value, 1, from, bytes, 0, nullptr,
                               nullptr);
  }

  // One pass, and its device time in seconds.
  Result<Attempt<double>> reset_and_run(bool first) {
    if (auto error = reset(first)) return *error;
    // Only the ends of the pass have events: a driver that takes the time of every launch spends
    // some.
    Owned<cl_event> begin;
    Owned<cl_event> end;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const auto& dispatch = dispatches_[steps_[i].dispatch];
      const auto& piece = dispatch.pieces[steps_[i].piece];
      const bool is_last = i + 1 == steps_.size();
      if (checks_)
        if (auto error = number_launch(steps_[i])) return *error;
      cl_event event = nullptr;
      const auto status = clEnqueueNDRangeKernel(
          queue_, dispatch.kernel.get(), 3, piece.offset.data(), piece.global.data(),
          piece.local.data(), 0, nullptr, i == 0 || is_last ? &event : nullptr);
      if (status != CL_SUCCESS) return while_running(dispatch.launch.kernel, status);
      if (event) (is_last ? end : begin).reset(event);
    }
    if (const auto status = clFinish(queue_); status != CL_SUCCESS)
      return while_running("the pass", status);
    return Attempt<double>{window(begin ? begin.get() : end.get(), end.get())};
  }

  static Result<Attempt<double>> while_running(std::string_view what, cl_int status) {
    return Attempt<double>{
        Failure{Failure::Cause::run_time, fmt::format("{}: {}", what, status_name(status))}};
  }

  static double window(cl_event first, cl_event last) {
    cl_ulong start = 0;
    cl_ulong stop = 0;
    clGetEventProfilingInfo(first, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr);
    clGetEventProfilingInfo(last, CL_PROFILING_COMMAND_END, sizeof stop, &stop, nullptr);
    return static_cast<double>(stop - start) * 1e-9;
  }

  // Reads the results of the pass just run. Something to return at once, if not all is well.
  std::optional<Result<Attempt<Run>>> collect(Outputs& outputs) {
    for (const auto i : constant_buffers(plan_, translation_)) {
      const auto& buffer = plan_.buffers[i];
      const auto unchanged = inspect(i, buffers_[i].slack, buffers_[i].bytes, [&](auto contents) {
        return holds_initial(contents, buffer);
      });
      if (!unchanged) return unchanged.error();
      if (!*unchanged)
        return Attempt<Run>{
            Failure{Failure::Cause::wrote_constant,
                    fmt::format("the kernel changed {}, which it may only read", buffer.name)}};
    }
    for (const auto i : plan_.results) {
      auto contents = read(i, buffers_[i].slack, buffers_[i].bytes);
      if (!contents) return contents.error();
      outputs.push_back({*std::move(contents)});
    }
    return std::nullopt;
  }

  // What lies beside buffers differs from pass to pass, and with it whether a kernel writes there.
  std::optional<Result<Attempt<Run>>> look_at_timed_pass(Run& run) {
    run.timed_outputs.emplace();
    if (auto stop = collect(*run.timed_outputs)) return stop;
    if (auto error = find_overruns(run.overruns)) return *error;
    return std::nullopt;
  }

  // Adds the buffers of this pass.
  std::optional<Error> find_overruns(std::vector<std::string>& names) {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const auto is_as_filled = [filling = slack_of(i)](auto slack) {
        return is_untouched(slack, filling);
      };
      const auto before = inspect(i, 0, buffers_[i].slack, is_as_filled);
      if (!before) return before.error();
      const auto after = inspect(i, buffers_[i].end(), buffers_[i].slack, is_as_filled);
      if (!after) return after.error();
      const auto& name = plan_.buffers[i].name;
      if ((!*before || !*after) && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
    return std::nullopt;
  }

  std::optional<Error> find_faults(std::vector<Fault>& faults) {
    if (!checks_) return std::nullopt;
    std::vector<std::uint64_t> log(CheckMemory::log_words);
    const auto status =
        clEnqueueReadBuffer(queue_, checks_->log.get(), CL_TRUE, 0, log.size() * sizeof(cl_ulong),
                            log.data(), 0, nullptr, nullptr);
    if (auto error = failed(status, "reading what checks found")) return error;
    std::vector<const Launch*> launches;
    for (const auto& dispatch : dispatches_) launches.push_back(&dispatch.launch);
    faults = checks_->memory.faults(log, launches);
    return std::nullopt;
  }

  // Asks something about a buffer's contents where they lie; on processors nothing is copied.
  template <typename Question>
  Result<bool> inspect(std::size_t buffer, std::size_t from, std::size_t bytes, Question question) {
    if (bytes == 0) return question(std::span<const std::byte>());
    const auto memory = buffers_[buffer].memory.get();
    cl_int status = CL_SUCCESS;
    void* mapped = clEnqueueMapBuffer(queue_, memory, CL_TRUE, CL_MAP_READ, from, bytes, 0, nullptr,
                                      nullptr, &status);
    if (auto error = failed(status, "mapping " + plan_.buffers[buffer].name)) return *error;
    const bool answer = question(std::span(static_cast<const std::byte*>(mapped), bytes));
    status = clEnqueueUnmapMemObject(queue_, memory, mapped, 0, nullptr, nullptr);
    if (auto error = failed(status, "unmapping " + plan_.buffers[buffer].name)) return *error;
    return answer;
  }

  Result<std::vector<std::byte>> read(std::size_t buffer, std::size_t from, std::size_t bytes) {
    std::vector<std::byte> contents(bytes);
    if (bytes == 0) return contents;
    const auto status = clEnqueueReadBuffer(queue_, buffers_[buffer].memory.get(), CL_TRUE, from,
                                            bytes, contents.data(), 0, nullptr, nullptr);
    if (auto error = failed(status, "reading " + plan_.buffers[buffer].name)) return *error;
    return contents;
  }

  cl_context context_;
  cl_command_queue queue_;
  cl_program program_;
  const Translation& translation_;
  const Plan& plan_;
  std::vector<DeviceBuffer> buffers_;
  std::optional<Checks> checks_;
  DeviceBuffer flush_;  // empty unless passes are to be cold
  std::vector<Dispatch> dispatches_;
  std::vector<Step> steps_;  // of one pass, in order
  std::size_t resets_ = 0;   // up to this pass
};

// --- The device
// --------------------------------------------------------------------------------------

std::string build_log(cl_program program, cl_device_id device, cl_int status) {
  std::size_t size = 0;
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size);
  std::string log(size, '\0');
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr);
  log.resize(std::min(log.find_last_not_of(std::string_view(" \n\0", 3)) + 1, build_log_limit));
  return log.empty() ? status_name(status) : log;
}

Result<Attempt<Owned<cl_program>>> build_text(const Translation& translation, cl_context context,
                                              const Found& device, const std::string& options) {
  const auto refusal = [](std::string why) {
    return Attempt<Owned<cl_program>>{Failure{Failure::Cause::build, std::move(why)}};
  };
  const char* source = translation.text.data();
  const std::size_t length = translation.text.size();
  cl_int status = CL_SUCCESS;
  Owned<cl_program> program(clCreateProgramWithSource(context, 1, &source, &length, &status));
  if (auto error = failed(status, "clCreateProgramWithSource")) return *error;
  status = clBuildProgram(program.get(), 1, &device.id, options.c_str(), nullptr, nullptr);
  if (status != CL_SUCCESS) return refusal(build_log(program.get(), device.id, status));
  for (const auto& kernel : translation.kernels) {
    Owned<cl_kernel> made(clCreateKernel(program.get(), kernel.symbol.c_str(), &status));
    if (status != CL_SUCCESS)
      return refusal(fmt::format("kernel {}: {}", kernel.symbol, status_name(status)));
  }
  return Attempt<Owned<cl_program>>{std::move(program)};
}

// Built for launches whose buffers are all different; for others again, without that promise.
class OpenclProgram : public Program {
 public:
  OpenclProgram(const Found& device, cl_context context, cl_command_queue queue,
                Owned<cl_program> program, Translation translation)
      : device_(device),
        context_(context),
        queue_(queue),
        apart_(std::move(program)),
        translation_(std::move(translation)) {}

  Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) override {
    if (auto failure = refuse(plan)) return Attempt<Run>{*failure};
    if (auto error = exceeds_device(plan)) return *error;
    const auto program = program_for(plan);
    if (!program) return program.error();
    if (const auto* failure = std::get_if<Failure>(&*program)) return Attempt<Run>{*failure};
    return PlanRun(context_, queue_, std::get<cl_program>(*program), translation_, plan)
        .carry_out(repeats);
  }

 private:
  Result<Attempt<cl_program>> program_for(const Plan& plan) {
    if (!shares_buffers(plan)) return Attempt<cl_program>{apart_.get()};
    if (!shared_) {
      auto built = build_text(translation_, context_, device_, build_options_for(device_.info));
      if (!built) return built.error();
      if (auto* failure = std::get_if<Failure>(&*built)) return Attempt<cl_program>{*failure};
      shared_ = std::get<Owned<cl_program>>(*std::move(built));
    }
    return Attempt<cl_program>{shared_.get()};
  }

  std::optional<Failure> refuse(const Plan& plan) const {
    for (const auto& launch : plan.launches) {
      const auto* kernel = translation_.find(launch.kernel);
      if (!kernel)
        return Failure{Failure::Cause::missing_binding,
                       fmt::format("there is no kernel {}", launch.kernel)};
      if (auto failure = refuse_launch(*kernel, launch)) return failure;
    }
    return std::nullopt;
  }

  // What Metal allows and this device does not: no fault of the kernel's.
  std::optional<Error> exceeds_device(const Plan& plan) const {
    const auto& info = device_.info;
    for (const auto& launch : plan.launches)
      if (launch.threadgroup.count() > info.max_threads_per_threadgroup)
        return Error{fmt::format("{} needs {} threads per threadgroup; {} has at most {}",
                                 launch.kernel, launch.threadgroup.count(), info.name,
                                 info.max_threads_per_threadgroup)};
    for (const auto& buffer : plan.buffers)
      if (buffer.bytes + 2 * slack_beside(buffer.bytes) > info.max_buffer)
        return Error{fmt::format("buffer {} needs {} bytes; {} has at most {} for one", buffer.name,
                                 buffer.bytes, info.name, info.max_buffer)};
    return std::nullopt;
  }

  const Found& device_;
  cl_context context_;
  cl_command_queue queue_;
  Owned<cl_program> apart_;
  Owned<cl_program> shared_;
  Translation translation_;
};

class OpenclDevice : public Device {
 public:
  OpenclDevice(Found found, Owned<cl_context> context, Owned<cl_command_queue> queue)
      : found_(std::move(found)), context_(std::move(context)), queue_(std::move(queue)) {}

  const DeviceInfo& info() const override { return found_.info; }

  Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) override {
    auto built = build_text(translation, context_.get(), found_,
                            build_options_for(found_.info) + " -DMSCI_RESTRICT=restrict");
    if (!built) return built.error();
    if (auto* failure = std::get_if<Failure>(&*built))
      return Attempt<std::unique_ptr<Program>>{std::move(*failure)};
    return Attempt<std::unique_ptr<Program>>{std::make_unique<OpenclProgram>(
        found_, context_.get(), queue_.get(), std::get<Owned<cl_program>>(*std::move(built)),
        translation)};
  }

 private:
  Found found_;
  Owned<cl_context> context_;
  Owned<cl_command_queue> queue_;
};

}  // namespace

Result<std::vector<DeviceInfo>> find_opencl_devices() {
  auto found = find_devices();
  if (!found) return found.error();
  return infos(*found);
}

Result<std::unique_ptr<Device>> open_opencl_device(std::string_view wanted) {
  auto found = find_devices();
  if (!found) return found.error();
  const auto place = choose_device(infos(*found), wanted);
  if (!place) return place.error();
  const auto& chosen = (*found)[*place];
  cl_int status = CL_SUCCESS;
  Owned<cl_context> context(clCreateContext(nullptr, 1, &chosen.id, nullptr, nullptr, &status));
  if (auto error = failed(status, "clCreateContext")) return *error;
  Owned<cl_command_queue> queue(
      clCreateCommandQueue(context.get(), chosen.id, CL_QUEUE_PROFILING_ENABLE, &status));
  if (auto error = failed(status, "clCreateCommandQueue")) return *error;
  return std::unique_ptr<Device>(
      std::make_unique<OpenclDevice>(chosen, std::move(context), std::move(queue)));
}

}  // namespace msci
