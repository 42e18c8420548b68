// Array<T>: values that become the raw bytes of a buffer or a reference without a copy.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace msci {

// `size` values, all bits zero at first.
template <typename T>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit Array(std::size_t size) : bytes_(size * sizeof(T)) {}

  std::size_t size() const { return bytes_.size() / sizeof(T); }
  T* begin() { return reinterpret_cast<T*>(bytes_.data()); }
  T* end() { return begin() + size(); }
  const T* begin() const { return reinterpret_cast<const T*>(bytes_.data()); }
  const T* end() const { return begin() + size(); }
  T* data() { return begin(); }
  const T* data() const { return begin(); }
  T& operator[](std::size_t i) { return begin()[i]; }
  const T& operator[](std::size_t i) const { return begin()[i]; }

  // The values' bytes, which leave the array empty.
  std::vector<std::byte> take_bytes() && { return std::move(bytes_); }

 private:
  std::vector<std::byte> bytes_;
};

}  // namespace msci
