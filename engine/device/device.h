// Device: the one seam to hardware. It keeps two kinds of failure apart: an Error is ours (no
// driver, no memory), a Failure is the kernel's (it does not build, crashes, hangs). Wrong output
// is neither; callers compare.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "analysis/check/check_record.h"
#include "analysis/profile/launch_counts.h"
#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// The name that --device takes for the processor, run by msci itself.
constexpr std::string_view cpu_device_name = "cpu";
constexpr std::string_view cpu_platform_name = "msci";

// The name that --device takes for the first OpenCL device, as each back end's for its first one;
// and for PoCL's, OpenCL on the processor.
constexpr std::string_view opencl_device_name = "opencl";
constexpr std::string_view pocl_device_name = "pocl";
constexpr std::string_view pocl_platform_name = "Portable Computing Language";

// A device of this machine, and what it allows.
struct DeviceInfo {
  enum class Kind { cpu, gpu, other };

  std::string name;
  std::string vendor;
  std::string platform;
  std::string backend;  // the name of its DeviceBackend: "cpu", "opencl"
  std::string driver;   // version, as the driver spells it
  std::size_t platform_index = 0;
  std::size_t device_index = 0;  // within its platform
  Kind kind = Kind::other;
  unsigned compute_units = 0;
  std::size_t max_threads_per_threadgroup = 0;
  std::size_t threadgroup_memory = 0;    // bytes per threadgroup; 0 if it is not known
  std::size_t global_memory = 0;         // bytes
  std::size_t max_buffer = 0;            // bytes of the largest single buffer
  bool chooses_order = false;            // runs a plan as its Execution says
  std::vector<std::string> sandbox;      // the layers around its kernels: "seccomp"
  std::vector<std::string> unsandboxed;  // what its kernels can still reach: "the network"
  bool operator==(const DeviceInfo&) const = default;
  bool is_processor() const { return kind == Kind::cpu; }
};

// What a program did wrong on a device: an answer about the program, not an error of ours.
struct Failure {
  enum class Cause {
    build,               // the driver's compiler refuses the translated text
    threadgroup_memory,  // more than threadgroup_memory_limit, static and host-declared together
    thread_limit,        // launched with more threads per threadgroup than the kernel allows
    missing_binding,     // it has an argument that the launch does not bind
    run_time,            // the driver reports an error while running
    crash,               // its process returned malformed data
    signal,              // a signal ended it or its process, which a driver's compiler shares
    exit,                // its process exited
    time_out,
    out_of_memory,
    outside,         // it read or wrote outside of all memory that it may access
    wrote_constant,  // it changed a buffer that it may only read
    wrong_pass,      // a timed pass was wrong, or wrote what it must not
  };
  Cause cause = Cause::run_time;
  std::string message;
  bool operator==(const Failure&) const = default;
};

// Whether the device may be to blame: a signal, or a limit.
bool may_be_the_devices(const Failure& failure);

// "time_out": the spelling in machine-readable reports.
std::string_view to_string(Failure::Cause cause);

// A T, or the program's failure.
template <typename T>
using Attempt = std::variant<T, Failure>;

// How often a device carries out a plan's pass. One untimed pass follows, for the verdict.
struct Repeats {
  unsigned warmup = 3;  // passes, at least
  unsigned timed = 10;  // passes, at least
  // Warm-up takes at least this long. It ends when three passes in a row agree within 5 %, or after
  // twice this long.
  double warmup_seconds = 0;
  // Timed passes end when the standard error of their mean is below relative_error of the mean, or
  // after this long.
  double timed_seconds = 0;
  double relative_error = 0.005;
  bool cold = false;  // the device writes other memory before each pass, to empty its caches
  bool operator==(const Repeats&) const = default;
  // Whether its seconds serve as a time: those of a single pass do not.
  bool gives_time() const { return timed > 1; }
};
constexpr Repeats verify_only = {.warmup = 0, .timed = 0};
// The most timed passes of one plan, however short they are.
constexpr unsigned most_timed_passes = 1000;

// The results of a pass with one variant of the plan's inputs; 0 is the plan's own.
struct VariantOutputs {
  std::size_t variant = 0;
  Outputs outputs;
  bool operator==(const VariantOutputs&) const = default;
};

// The result of carrying out a plan. Every timed pass is compared with the untimed pass that has
// the same inputs, which follows all timed ones.
struct Run {
  Outputs outputs;  // Plan::results after the untimed pass
  // The same after one timed pass with the same inputs, chosen at random; none without timed
  // passes.
  std::optional<Outputs> timed_outputs;
  // Of the untimed passes with the other variants that a timed pass drew, in their order.
  std::vector<VariantOutputs> variants = {};
  // Each timed pass with other results than its untimed pass, without repetitions. A right kernel
  // deviates, too, if it adds atomically in another order; the caller judges the results.
  std::vector<VariantOutputs> deviations = {};
  std::vector<double> seconds;        // per timed pass: first launch's start to last launch's end
  std::vector<std::string> overruns;  // buffers that a kernel wrote outside of, in any pass
  std::vector<std::string> changed_inputs = {};  // constant buffers that a pass changed
  CheckRecord checks = {};                       // of a checked program
  std::vector<LaunchCounts> counts = {};         // where Execution::counted asks for them
  bool operator==(const Run&) const = default;
};

// How many different results of timed passes a run keeps at most. With that many, timing ends, so
// that all of its passes are compared.
std::size_t most_deviations(const Plan& plan, Repeats repeats);

// Memory that a run shares with the process that asked for it.
struct RunMemory {
  // Keeps the contents of a buffer as a result.
  std::function<Result<Bytes>(std::span<const std::byte>)> keep;
  // Drops what it has kept: the run begins again. No result of it is in use any more.
  std::function<void()> forget;
};

// A program built for a device, which must outlive it. The program runs plans itself, so that a
// program cannot reach the wrong device.
class Program {
 public:
  virtual ~Program() = default;
  virtual Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) = 0;
  // The same; a program that can uses the shared memory in place of copies.
  virtual Result<Attempt<Run>> run_in(const RunMemory& /*memory*/, const Plan& plan,
                                      Repeats repeats) {
    return run(plan, repeats);
  }
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) = 0;
  // The caller will probably build a program later: what that needs may start now, beside the
  // caller.
  virtual void prepare() {}
};

// The threadgroup memory of a launch: the kernel's own, and what the host declares.
std::size_t threadgroup_bytes(const KernelSignature& kernel, const Launch& launch);

// Why Metal's pipeline build would refuse the kernel.
[[nodiscard]] std::optional<Failure> refuse_pipeline(const KernelSignature& kernel);

// Why a Metal host would refuse the launch before it runs: too many threads, too much threadgroup
// memory, an unbound argument.
[[nodiscard]] std::optional<Failure> refuse_launch(const KernelSignature& kernel,
                                                   const Launch& launch);

// The same for all launches of a plan; also, a kernel that the translation lacks.
[[nodiscard]] std::optional<Failure> refuse_plan(const Translation& translation, const Plan& plan);

// Whether two parameters of a launch may lead to one buffer, so that the text must be built without
// MSCI_RESTRICT: it binds a buffer twice, or its kernel loads pointers.
bool may_share_buffers(const Plan& plan, const Translation& translation);

// The index in `devices` of the device that `wanted` names: an index, a part of a name, or
// "platform:device" with an index or a part of a name on either side, a back end, or "pocl"; empty
// for the first device.
// The Error lists the known devices.
Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, std::string_view wanted);

// One line for each device, with the index that choose_device takes.
std::string list_devices(std::span<const DeviceInfo> devices);

}  // namespace msci
