// Elements that no thread stores: of results, and those that a thread reads. The shadow of device
// memory knows the last write of each granule and two reads, so that one look at it after the last
// launch is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/check/check_memory.h"

namespace msci {

// Looks at buffers that begin without contents of their own, except where a kernel may mean to
// leave elements out: the buffer is accessed atomically or through loaded pointers, it is a
// texture, or data decides where kernels store. Elements that are missing are named of results
// only; without named results, of all such buffers.
class UnstoredElements {
 public:
  // Both must outlive it.
  UnstoredElements(const CheckMemory& memory, const Plan& plan);

  bool looks_for_any() const { return !buffers_.empty(); }
  // Forgets what earlier passes left.
  void begin_pass();
  // Takes the shadow of device memory as the launches from `first` to before `end` left it.
  void take(std::span<const std::uint64_t> shadow, std::size_t first, std::size_t end);
  // For each buffer with elements that no thread stored: a fault about the first that no thread
  // reads, either, and a note about the first that one reads in a launch that stores others.
  std::vector<Fault> faults() const;

 private:
  // What the shadow says last of a granule, and in which launch; 0 for nothing.
  struct Recorded {
    std::uint64_t entry = 0;
    std::size_t launch = 0;
  };
  struct Granule {
    Recorded written;
    Recorded read;
    bool is_read_only() const { return read.entry != 0 && written.entry == 0; }
  };
  struct Buffer {
    std::size_t buffer = 0;
    CheckMemory::BufferShadow shadow;
    std::size_t element = 1;     // bytes
    bool must_be_whole = false;  // it is a result, all elements of which should be stored
    std::vector<Granule> granules;
  };
  bool may_leave_elements_out(std::size_t buffer) const;
  bool is_read_apart(std::size_t buffer) const;
  std::size_t element_bytes_of(std::size_t buffer, const CheckMemory::BufferShadow& shadow) const;
  std::size_t launch_of(std::uint64_t entry, std::size_t first, std::size_t end) const;
  void add_faults(const Buffer& of, std::vector<Fault>& faults) const;
  Fault unstored(const Buffer& of, std::size_t first, std::size_t stored) const;
  Fault read_unstored(const Buffer& of, std::size_t first, std::size_t stored) const;
  const Granule* nearest_stored(const Buffer& of, std::size_t element) const;

  const CheckMemory& memory_;
  const Plan& plan_;
  std::vector<Buffer> buffers_;
};

}  // namespace msci
