// Elements of results that no thread stores. The shadow of device memory knows the last write of
// each granule, so that one look at it after the last launch is enough.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "instrument/check/check_memory.h"

namespace msci {

// Looks at results that begin without contents of their own; without named results, at all such
// buffers. A buffer counts for nothing where a kernel may mean to leave elements out: it is accessed
// atomically or through loaded pointers, it is a texture, or data decides where kernels store.
class UnstoredElements {
 public:
  // Both must outlive it.
  UnstoredElements(const CheckMemory& memory, const Plan& plan);

  bool looks_for_any() const { return !buffers_.empty(); }
  // Forgets what earlier passes left.
  void begin_pass();
  // Takes the shadow of device memory as the launches from `first` to before `end` left it.
  void take(std::span<const std::uint64_t> shadow, std::size_t first, std::size_t end);
  // A fault for each buffer with elements that no thread stored, and that no thread read, either:
  // what is read is an input that a kernel keeps.
  std::vector<Fault> faults() const;

 private:
  struct Granule {
    std::uint64_t entry = 0;  // of a write; 0 without one
    std::size_t launch = 0;
    bool is_read = false;
  };
  struct Buffer {
    std::size_t buffer = 0;
    CheckMemory::BufferShadow shadow;
    std::size_t element = 1;  // bytes
    std::vector<Granule> granules;
  };
  bool may_leave_elements_out(std::size_t buffer) const;
  std::size_t element_bytes_of(std::size_t buffer, const CheckMemory::BufferShadow& shadow) const;
  std::size_t launch_of(std::uint64_t entry, std::size_t first, std::size_t end) const;
  Fault fault(const Buffer& of, std::size_t first, std::size_t stored) const;
  const Granule* nearest_stored(const Buffer& of, std::size_t element) const;

  const CheckMemory& memory_;
  const Plan& plan_;
  std::vector<Buffer> buffers_;
};

}  // namespace msci
