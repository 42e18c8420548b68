// The best performance of a device: the ceilings of fractions and scores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "analysis/profile/chip.h"
#include "base/files/cache.h"
#include "engine/device/device.h"
#include "tasks/plan/task.h"

namespace msci {

// No fraction of a measured ceiling above this is ever told: where ceiling and kernel were measured
// again and the rate is still higher, words say why.
constexpr double most_fraction = 1.05;

struct Ceilings {
  enum class Source { table, measured, plan };  // plan: the user's own
  double gflops = 0;                            // 1e9 single-precision operations per second
  double gbps = 0;                              // 1e9 bytes per second, of memory
  Source source = Source::table;
  // GB/s that working sets of so many bytes reached (probed_set()), in caches where they fit.
  std::map<std::size_t, double> sets = {};
  bool is_beside_load = false;  // measured beside other work, so they may be too low
  bool operator==(const Ceilings&) const = default;

  // What limits a task: of memory, or that of a working set if it is higher.
  double of(Ceiling kind, std::size_t working_set = SIZE_MAX) const;
};

std::string_view to_string(Ceilings::Source source);
// "GB/s" or "GFLOPS".
std::string_view unit_of(Ceiling kind);
// The ceilings for a task: the device's, or that of the task's kind as the user's plan has it.
Ceilings ceilings_for(const Task& task, Ceilings of_device);
// The one that limits the task, in 1e9 units of its work a second; `working_set`: bytes of the
// buffers of a pass, by default more than caches hold.
double ceiling_of(const Task& task, const Ceilings& of_device, std::size_t working_set = SIZE_MAX);
std::string ceiling_unit_of(const Task& task);

// From the chip's data sheet.
Ceilings ceilings_of(const Chip& chip);
// The ceilings of a device of that name, if a table has them.
std::optional<Ceilings> known_ceilings(std::string_view device_name);

// Kernels that do nothing but move bytes or compute, and how fast a device runs them.

// A load lets the best passes of the two halves of a measurement differ; more than by this much,
// and the measurement is not steady.
constexpr double most_unsteady = 1.1;

struct ProbedRate {
  double rate = 0;         // the best pass: 1e9 bytes or operations a second
  bool is_steady = false;  // its two halves agree
};

class CeilingProbe {
 public:
  static Result<CeilingProbe> build(Device& device);

  // The faster of a copy and an update in place, over two arrays that have so many bytes together:
  // a copy has to read what it overwrites on processors, and an update moves three bytes for two.
  Result<ProbedRate> gbps(std::size_t working_set);
  // Chains of fused multiply-adds.
  Result<ProbedRate> gflops();

 private:
  CeilingProbe(const DeviceInfo& info, std::unique_ptr<Program> program)
      : info_(info), program_(std::move(program)) {}
  DeviceInfo info_;
  std::unique_ptr<Program> program_;
};

// The largest working set that is measured: beyond every cache.
std::size_t most_probed(const DeviceInfo& device);

// The working set, rounded down to a power of two or one and a half of it, that is measured for one
// of so many bytes. Below 64 KiB, the time of a launch would be measured instead.
std::size_t probed_set(std::size_t working_set);

// The ceilings of a device: from the table, kept from an earlier run, or measured now, and measured
// again where a kernel or the load of the machine shows that they may be too low.

// A load only lowers what is measured, so the highest of several measurements counts. Those that
// were made beside other work count in this run and are never kept.
class CeilingGauge {
 public:
  // Whether other work runs on the machine at this moment.
  using IsBusy = std::function<bool()>;

  // Finds the ceilings that do not depend on a working set. `device` and `cache` must outlive it.
  static Result<CeilingGauge> open(Device& device, Cache& cache, IsBusy is_busy = nullptr);

  const Ceilings& current() const { return current_; }
  // Whether that ceiling was measured beside other work.
  bool is_doubtful(Ceiling kind, std::size_t working_set) const;

  // Sees to it that there is a ceiling for this kind and working set.
  [[nodiscard]] std::optional<Error> prepare(Ceiling kind, std::size_t working_set);
  // Measures that one again; current() has the higher of both.
  [[nodiscard]] std::optional<Error> measure_again(Ceiling kind, std::size_t working_set);

 private:
  CeilingGauge(Device& device, Cache& cache, IsBusy is_busy);
  bool is_of_apple() const;
  Result<CeilingProbe*> probe();
  // What `measure` gives; whether it may be kept.
  struct Measured {
    double rate = 0;
    bool may_be_kept = false;
  };
  Result<Measured> measured(const std::function<Result<ProbedRate>(CeilingProbe&)>& measure);
  [[nodiscard]] std::optional<Error> measure_all();
  // The set whose ceiling counts for a working set; special values stand for memory and arithmetic.
  std::size_t set_of(Ceiling kind, std::size_t working_set) const;
  double& ceiling_of_set(std::size_t set);
  void note_load(std::size_t set, bool was_calm);
  // Writes the ceilings, unless one of them is doubtful.
  void keep();
  void forget();

  Device& device_;
  Cache& cache_;
  IsBusy is_busy_;
  std::string name_;  // of the cache's entry
  std::optional<CeilingProbe> probe_;
  Ceilings current_;
  std::set<std::size_t> beside_load_;  // sets whose ceilings were measured beside other work
};

// The state of the machine during a measurement.
struct MachineState {
  std::optional<double> load;       // runnable processes, averaged over the last minute
  std::optional<double> clock_mhz;  // averaged over the processors
  bool operator==(const MachineState&) const = default;
};

// The current state; values that the system does not report are none.
MachineState machine_state();

// What /proc/stat counts of all processors together since the machine started.
struct ProcessorTimes {
  double busy = 0;    // in processes, including what a hypervisor gave to others
  double stolen = 0;  // that part
  double idle = 0;
};
// From the text of /proc/stat; none if it has another form.
std::optional<ProcessorTimes> processor_times_in(std::string_view stat);
// Whether more than a share that does not matter was used between the two.
bool was_busy_between(const ProcessorTimes& before, const ProcessorTimes& after);
// Looks for a twentieth of a second, in which the caller and its workers rest. False where the
// system does not tell.
bool is_machine_busy();

}  // namespace msci
