// The certificate of a kernel: which outcomes of the conditions in its code the judged runs have
// seen (docs/concepts/coverage.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/coverage/launch_numbers.h"
#include "analysis/profile/launch_counts.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// One way that a condition can go, at a place in the source; of all copies that the compiler has
// made of it.
struct CertifiedOutcome {
  enum class Status {
    seen,        // in a run whose results were compared with the reference
    impossible,  // proved: in no launch of the task
    never,       // neither
  };
  std::string kernel;
  std::string file;   // that the source includes; empty for the source itself
  unsigned line = 0;  // 0: unknown
  unsigned column = 0;
  std::string condition;  // true of this outcome: "NX > 600"
  Status status = Status::never;
  bool of_data = false;                // whether it depends on the contents of buffers
  bool of_threads = false;             // whether it depends on a thread's position
  std::vector<double> constants = {};  // that it compares with
  bool of_value = false;               // it is a number of the launch, which nothing compares
  std::size_t copies = 1;
  bool operator==(const CertifiedOutcome&) const = default;
};

std::string_view to_string(CertifiedOutcome::Status status);

// One that a run has seen which was not checked.
struct UncheckedOutcome {
  std::size_t run = 0;  // with the least work, by OutcomeRecords' numbers
  CertifiedOutcome outcome;
  bool operator==(const UncheckedOutcome&) const = default;
};

struct Certificate {
  std::vector<CertifiedOutcome> outcomes;  // by kernel, then by place
  // Sizes of the task, by the values of their parameters, that may show outcomes which no run has
  // seen, or which only runs have seen where a side is 1.
  std::vector<std::vector<std::uint32_t>> wanted_sizes = {};
  // Runs that saw an outcome which few runs have seen, and which depends on the launch alone or
  // compares with a number of the kernel's own: one list for each such outcome, by OutcomeRecords'
  // numbers.
  std::vector<std::vector<std::size_t>> rare_runs = {};
  // Outcomes that depend on the launch alone, or on the thread, too, but compare with a number of
  // the kernel's own, and that runs have seen, but none that was checked in all orders.
  std::vector<UncheckedOutcome> unchecked = {};
  // Outcomes that runs have seen, but only the wrong one of OutcomeRecords, likely causes first.
  std::vector<CertifiedOutcome> only_in_wrong_run = {};
  // Why it is not whole: a limit that was met. Outcomes that were not decided until then are never.
  std::optional<std::string> cut = {};
  bool operator==(const Certificate&) const = default;

  std::size_t count(CertifiedOutcome::Status status) const;  // with copies
};

// Joins the copies of outcomes, which are those of one kernel, and sorts them by place.
std::vector<CertifiedOutcome> joined(std::vector<CertifiedOutcome> outcomes);

// "line 41, when NX > 600"
std::string place_text(const CertifiedOutcome& outcome);

// Whether its condition compares with a number of the kernel's own. 0, 1 and tiny numbers are
// guards that right kernels have, too.
bool has_own_number(const CertifiedOutcome& outcome);

// Whether an outcome that was never seen leaves the verdict open with --require-executed: it has
// such a number, is one, or depends on the launch alone, as NX == NY + 1.
bool is_decisive(const CertifiedOutcome& outcome);

// The first such outcome, and how many more there are: "line 41, when NX > 600, and 2
// more". None if there is none.
std::optional<std::string> never_executed(const Certificate& certificate);

// What the judged runs of one kernel have shown so far.
struct KernelRecord {
  static constexpr std::size_t enough_runs = 3;
  // Those that saw an outcome: the first few, each by its number.
  using Runs = std::vector<std::size_t>;
  struct Seen {
    Runs runs;
    Runs degenerate_runs;       // where a side is 1: many a kernel has little to do there
    bool is_checked = false;    // in a run that was checked in all orders
    std::size_t least_run = 0;  // the one with the least work
    double least_work = 0;
    std::optional<std::size_t> last_run = {};
    double elements = 0;        // of all these runs and their steps
    double largest_volume = 0;  // the elements of a step of the largest run
    bool operator==(const Seen&) const = default;
  };

  std::string symbol;      // as in its KernelSignature
  std::vector<Seen> seen;  // by the number of the outcome
  Seen seen_of(std::size_t outcome) const { return outcome < seen.size() ? seen[outcome] : Seen(); }
  bool has_seen(std::size_t outcome) const { return seen_of(outcome) != Seen(); }
};

// A run whose results were compared with the reference.
struct JudgedRun {
  std::size_t number = 0;   // the same for equal inputs in another order
  double work = 0;          // by the task's model
  bool is_checked = false;  // there is a run in the checked mode, and one in each order
};

// The same of all kernels of a program that records outcomes. Its runs count them, by number, as a
// profiled run counts blocks: at the first launch of each kernel.
class OutcomeRecords {
 public:
  // `sizes`: of the task; without parameters if they are unknown.
  explicit OutcomeRecords(AllowedSizes sizes = {}) : sizes_(std::move(sizes)) {}

  // A judged run of that plan. `translation`: whose kernels it launched. `size`: the values of the
  // parameters in AllowedSizes.
  void add(const Plan& plan, const Translation& translation,
           const std::vector<LaunchCounts>& counts, const std::vector<std::uint32_t>& size = {},
           const JudgedRun& run = {});

  // The run whose results were wrong. The certificate of such records says what its runs have seen,
  // and proves nothing of other outcomes.
  void set_wrong_run(std::size_t run) { wrong_run_ = run; }
  std::optional<std::size_t> wrong_run() const { return wrong_run_; }

  const std::vector<KernelRecord>& kernels() const { return kernels_; }
  const LaunchNumbers& facts() const { return facts_; }
  const AllowedSizes& sizes() const { return sizes_; }

 private:
  // Whether a side is 1.
  bool is_degenerate(const std::vector<std::uint32_t>& size) const;
  void add(const std::vector<std::uint32_t>& size, const JudgedRun& run,
           KernelRecord::Seen& seen) const;

  AllowedSizes sizes_;
  std::vector<KernelRecord> kernels_;  // in the order in which they ran
  LaunchNumbers facts_;
  std::optional<std::size_t> wrong_run_;
};

}  // namespace msci
