// The memory that checked programs use beside the plan's buffers (check_layout.h), and what a run
// leaves in its log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/check/check_layout.h"
#include "analysis/check/check_record.h"
#include "base/result.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"

namespace msci {

// Which launches of a plan may overlap, and how their entries in the shadow are told apart.

// A launch in its set: the launches that may overlap. The threadgroups of a set are numbered
// through.
struct LaunchSlot {
  std::size_t set = 0;     // from 0 in the order of the plan
  unsigned number = 0;     // of the set in the shadow's entries: 0 to distinct_launches - 1
  bool is_first = false;   // of its set
  bool is_shared = false;  // the set has other launches
  std::size_t first_threadgroup = 0;
  unsigned index_bits = 0;  // of a thread's index in its threadgroup; equal in the set
};

// One for each launch of the plan.
std::vector<LaunchSlot> launch_slots(const Plan& plan);

// Threadgroups per dimension; those at the edges may be smaller.
Extent threadgroups_of(const Launch& launch);

// A launch to which the log refers by a number. Equal launches share one, unless they overlap.
struct Dispatch {
  const Launch* launch = nullptr;
  LaunchSlot slot;
};

class CheckMemory {
 public:
  // Both must outlive it; every launch's kernel exists and is bound.
  CheckMemory(const Translation& translation, const Plan& plan);

  std::size_t shadow_words() const { return shadow_words_; }
  std::size_t group_shadow_words(const Launch& launch) const;
  // Where a plan's buffer lies.
  struct BufferAddress {
    std::size_t first_byte = 0;  // of its contents in its allocation
    std::uint64_t address = 0;   // of the allocation; only for kernels that load pointers
  };
  // `launch` is its place in the plan, `dispatch` its number in the log.
  std::vector<std::uint64_t> objects(std::size_t launch, std::size_t dispatch,
                                     std::span<const BufferAddress> addresses) const;
  const LaunchSlot& slot(std::size_t launch) const { return slots_[launch]; }
  // The plan cannot be checked if a launch has more threads than a ShadowEntry can distinguish.
  [[nodiscard]] std::optional<Error> refusal() const;
  // `dispatches` are the launches by their numbers in objects().
  CheckRecord decode(std::span<const std::uint64_t> log,
                     std::span<const Dispatch> dispatches) const;

  // The shadow of a buffer, for what looks into it after a launch; none if no launch writes it.
  struct BufferShadow {
    std::size_t first_word = 0;
    std::size_t granules = 0;
    unsigned granule = 1;   // bytes
    bool atomic = false;    // some kernel may access it atomically
    bool has_reads = true;  // some launch that writes it may read it, too
  };
  std::optional<BufferShadow> shadow_of(std::size_t buffer) const;
  // What a kernel does to a buffer through one of its arguments.
  struct BufferUse {
    std::size_t launch = 0;
    const KernelArgument* argument = nullptr;  // null for what it reaches through loaded pointers
    const CheckedObject* object = nullptr;
  };
  std::vector<BufferUse> uses_of(std::size_t buffer) const;
  // The scalar type of a buffer of floats that kernels write; empty for other buffers.
  std::string_view float_type_of(std::size_t buffer) const;
  // The access that an entry of the shadow describes, by a launch of the plan.
  Access access_of(std::uint64_t entry, AccessKind kind, std::size_t launch) const;

 private:
  struct Shadow {
    bool needed = false;
    unsigned granule = 16;
    bool atomic = false;
    bool loaded = false;  // by a launch that writes it
    std::uint64_t first = 0;
    unsigned entries() const;  // of a granule
  };
  const KernelSignature& kernel_of(const Launch& launch) const;
  // Adds the buffers that the launch binds to something that its kernel writes.
  void note_written(std::size_t launch);
  void note_use(std::size_t buffer, const CheckedObject& object, bool is_written);
  // The bytes of the bound buffer from the byte on at which the launch binds it.
  std::size_t bytes_of(const Binding& binding) const;
  std::vector<Fault> faults(std::span<const std::uint64_t> log,
                            std::span<const Dispatch> dispatches) const;
  Fault fault(std::span<const std::uint64_t> entry, std::size_t dispatch,
              std::span<const Dispatch> dispatches) const;
  void name_object(Fault& fault, std::span<const std::uint64_t> entry, const Launch& launch) const;
  KernelMessages messages(std::span<const std::uint64_t> log,
                          std::span<const Dispatch> dispatches) const;

  const Translation& translation_;
  const Plan& plan_;
  std::vector<LaunchSlot> slots_;           // by launch
  std::vector<std::vector<bool>> written_;  // by set and buffer: whether its launches may write it
  std::vector<Shadow> shadows_;             // by buffer
  std::size_t shadow_words_ = 0;
};

}  // namespace msci
