// The memory that checked programs use beside the plan's buffers (check_layout.h), and what a run
// leaves in its log.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "instrument/check/check_layout.h"
#include "instrument/check/check_record.h"
#include "plan/plan.h"
#include "plan/program.h"

namespace msci {

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
  std::vector<std::uint64_t> objects(const Launch& launch, std::size_t dispatch,
                                     std::span<const BufferAddress> addresses) const;
  // The plan cannot be checked if a launch has more threads than a ShadowEntry can distinguish.
  std::optional<Error> refusal() const;
  // `dispatches` are the launches by their numbers in objects().
  CheckRecord decode(std::span<const std::uint64_t> log,
                     std::span<const Launch* const> dispatches) const;

 private:
  struct Shadow {
    bool needed = false;
    unsigned granule = 16;
    bool atomic = false;
    std::uint64_t first = 0;
  };
  const KernelSignature& kernel_of(const Launch& launch) const;
  // The buffers that the launch binds to something that its kernel writes.
  std::vector<bool> written_by(const Launch& launch) const;
  void note_use(std::size_t buffer, const CheckedObject& object, bool is_written);
  // From the bound byte on.
  std::size_t bytes_of(const Binding& binding) const;
  std::vector<Fault> faults(std::span<const std::uint64_t> log,
                            std::span<const Launch* const> dispatches) const;
  Fault fault(std::span<const std::uint64_t> entry, const Launch& launch) const;
  KernelMessages messages(std::span<const std::uint64_t> log,
                          std::span<const Launch* const> dispatches) const;

  const Translation& translation_;
  const Plan& plan_;
  std::vector<Shadow> shadows_;  // by buffer
  std::size_t shadow_words_ = 0;
};

}  // namespace msci
