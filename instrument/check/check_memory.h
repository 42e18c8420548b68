// The memory of checked programs beside the plan's buffers, in 64-bit words, and the faults in it.
// A checked kernel takes, after all other parameters:
//
//   log             __global: the number of faults; a bit for each place and kind seen before; the
//                   first faults, five words each, of which the first has the kind, then the access
//                   (a Touch, and whether a conflicting access wrote), then from bit 8 on the
//                   object and from bit 24 on the dispatch; how many conflicting stores were let go
//                   as equal, and from bit 32 on the place of the first; a byte for each place
//                   where some thread has accessed memory or waited; the number of messages; the
//                   first messages: from bit 24 on the dispatch's number and below one more than
//                   the number of the debug call, the word of the thread, and what the message
//                   shows
//   shadow          __global: three words for each granule of each buffer that a launch may write,
//                   five where some access is atomic
//   group shadow    __local: the same for threadgroup memory
//   objects         __global: words of the group shadow, the dispatch's number, the number of the
//                   first buffer that pointers from memory lead into and from bit 32 on that behind
//                   the last, the word before the first object's address; then for each object of
//                   the kernel its first byte in its allocation, its bytes, the first word of the
//                   shadow of the whole buffer or array (or ~0: this launch does not write it),
//                   log2 of its granule, from bit 8 on the words for each granule, and from bit 16
//                   on the bytes of the buffer before the bound one; then, where the kernel loads
//                   pointers, the addresses of the memories of all objects. The objects are the
//                   kernel's, all buffers of the plan, and one of no bytes, for pointers that lead
//                   into none
//   launch          uint, 1 to 63: distinguishes this launch's words in the shadow from earlier
//   ones
//
// engine/checks.h describes the words.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/result.h"
#include "instrument/check/fault.h"
#include "instrument/check/kernel_message.h"
#include "plan/plan.h"
#include "plan/program.h"

namespace msci {

class CheckMemory {
 public:
  static constexpr std::size_t most_places = 2048;
  // Of the first word of a fault.
  static constexpr unsigned kind_bits = 4;
  static constexpr unsigned access_bits = 4;
  static constexpr unsigned other_wrote = 8;  // above each Touch
  static constexpr std::size_t let_go_at = 1 + 1024 + 256 * 5;
  static constexpr std::size_t marks_at = let_go_at + 1;
  static constexpr std::size_t messages_at = marks_at + most_places / 8;
  static constexpr std::size_t most_messages = 256;
  static constexpr std::size_t words_per_message = 2 + KernelMessage::most_words;
  static constexpr std::size_t log_words = messages_at + 1 + most_messages * words_per_message;
  // The shadow must be cleared after so many launches.
  static constexpr std::size_t distinct_launches = 63;
  // Bytes behind a threadgroup argument that absorb out-of-bounds accesses.
  static constexpr std::size_t stray_bytes = 64;

  // Both must outlive it; every launch's kernel exists and is bound.
  CheckMemory(const Translation& translation, const Plan& plan);

  std::size_t shadow_words() const { return shadow_words_; }
  std::size_t group_shadow_words(const Launch& launch) const;
  // Where a plan's buffer lies.
  struct Place {
    std::size_t first_byte = 0;  // of its contents in its allocation
    std::uint64_t address = 0;   // of the allocation; only for kernels that load pointers
  };
  std::vector<std::uint64_t> objects(const Launch& launch, std::size_t dispatch,
                                     std::span<const Place> places) const;
  // The plan cannot be checked if a launch has more threads than the words can distinguish.
  std::optional<Error> refusal() const;
  // `dispatches` are the launches by their numbers in objects().
  std::vector<Fault> faults(std::span<const std::uint64_t> log,
                            std::span<const Launch* const> dispatches) const;
  KernelMessages messages(std::span<const std::uint64_t> log,
                          std::span<const Launch* const> dispatches) const;
  // What else is in the log.
  static LetGo let_go(std::span<const std::uint64_t> log);
  static std::vector<unsigned> marks(std::span<const std::uint64_t> log);

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
  Fault fault(std::span<const std::uint64_t> entry, const Launch& launch) const;

  const Translation& translation_;
  const Plan& plan_;
  std::vector<Shadow> shadows_;  // by buffer
  std::size_t shadow_words_ = 0;
};

}  // namespace msci
