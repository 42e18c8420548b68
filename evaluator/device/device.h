// Device: the one seam to hardware. Three ways of saying no are kept apart: an Error is ours (no
// driver, no memory), a Failure is the kernel's (it does not build, crashes, hangs), and wrong
// output is no business of this layer.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluator/fault.h"
#include "evaluator/plan.h"
#include "evaluator/program.h"
#include "lint/metal/result.h"

namespace msci {

// A device of this machine, and what it allows.
struct DeviceInfo {
  enum class Kind { cpu, gpu, other };

  std::string name;
  std::string vendor;
  std::string platform;
  std::string driver;  // version, as the driver spells it
  std::size_t platform_index = 0;
  std::size_t device_index = 0;  // within its platform
  Kind kind = Kind::other;
  unsigned compute_units = 0;
  std::size_t max_threads_per_threadgroup = 0;
  std::size_t threadgroup_memory = 0;  // bytes per threadgroup
  std::size_t global_memory = 0;       // bytes
  std::size_t max_buffer = 0;          // bytes of the largest single buffer
  std::vector<std::string> in_reach;   // what kernels on it are not kept from: "the network"
  bool operator==(const DeviceInfo&) const = default;
};

// What a program did wrong on a device: an answer about the program, not an error of ours.
struct Failure {
  enum class Cause {
    build,               // the driver's compiler refuses the translated text
    threadgroup_memory,  // more than threadgroup_memory_limit, static and host-declared together
    thread_limit,        // launched with more threads per threadgroup than the kernel allows
    missing_binding,     // it wants an argument that nobody binds
    run_time,            // the driver reports an error while running
    crash,               // its process died of a signal
    exit,                // its process ended by itself
    time_out,
    out_of_memory,
    wrote_constant,  // it changed a buffer that it may only read
  };
  Cause cause = Cause::run_time;
  std::string message;
  bool operator==(const Failure&) const = default;
};

// "time_out": the spelling in machine-readable reports.
std::string_view to_string(Failure::Cause cause);

// A T, or what the program did wrong on the way to it.
template <typename T>
using Attempt = std::variant<T, Failure>;

// How often a plan's pass is carried out. After these, one pass more is run, untimed, for the
// verdict.
struct Repeats {
  unsigned warmup = 3;  // at least
  unsigned timed = 10;  // at least
  // Warming up goes on for that long, and up to twice as long until three passes in a row agree
  // within 5 %.
  double warmup_seconds = 0;
  // Timed passes go on for up to that long, until the standard error of their mean is below
  // relative_error of it.
  double timed_seconds = 0;
  double relative_error = 0.005;
  bool cold = false;  // other memory is written before each pass, so that caches hold nothing of it
  bool operator==(const Repeats&) const = default;
};
constexpr Repeats verify_only = {.warmup = 0, .timed = 0};
// However short they are, one plan has no more timed passes than these.
constexpr unsigned most_timed_passes = 1000;

// What came of carrying out a plan.
struct Run {
  Outputs outputs;  // Plan::results after the untimed pass
  // What one timed pass left, chosen at random; none where nothing was timed.
  std::optional<Outputs> timed_outputs;
  std::vector<double> seconds;        // per timed pass: first launch's start to last launch's end
  std::vector<std::string> overruns;  // buffers beside whose ends something was written
  std::vector<Fault> faults;  // of a checked program, in the order in which they were seen
  bool operator==(const Run&) const = default;
};

// A program built for a device, which must outlive it. Running is the program's part, so that no
// device can be handed the program of another.
class Program {
 public:
  virtual ~Program() = default;
  virtual Result<Attempt<Run>> run(const Plan& plan, Repeats repeats) = 0;
};

class Device {
 public:
  virtual ~Device() = default;
  virtual const DeviceInfo& info() const = 0;
  virtual Result<Attempt<std::unique_ptr<Program>>> build(const Translation& translation) = 0;
};

// What a Metal host would refuse before anything runs, for one launch: too many threads, too much
// threadgroup memory, an argument that nothing is bound to.
std::optional<Failure> refuse_launch(const KernelSignature& kernel, const Launch& launch);

// What Metal's pipeline build would refuse.
std::optional<Failure> refuse_pipeline(const KernelSignature& kernel);

// The place in `devices` of the one that `wanted` names: an index in the list, "platform:device"
// with an index or a part of a name on either side, or a part of a name; empty for the first. An
// Error lists the known ones.
Result<std::size_t> choose_device(std::span<const DeviceInfo> devices, std::string_view wanted);

// One line a device, numbered as choose_device counts.
std::string list_devices(std::span<const DeviceInfo> devices);

}  // namespace msci
