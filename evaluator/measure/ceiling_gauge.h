// The ceilings of a device: from the table, kept from an earlier run, or measured now, and measured
// again where a kernel or the load of the machine shows that they may be too low.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "base/files/cache.h"
#include "engine/device/device.h"
#include "evaluator/measure/ceiling_probe.h"
#include "evaluator/measure/roofline.h"

namespace msci {

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

}  // namespace msci
