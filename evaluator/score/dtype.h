// Element types of arrays that come from anywhere, and how exact each is asked to be.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace msci {

// float8_e4m3 has no infinities and one NaN a sign; float8_e5m2 is a short IEEE float. hifloat32
// lies in memory as a float32 of which a device keeps 11 bits.
enum class Dtype {
  float64,
  float32,
  float16,
  bfloat16,
  hifloat32,
  float8_e4m3,
  float8_e5m2,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
};

// "bfloat16", "float8_e4m3", "bool".
std::string_view to_string(Dtype dtype);
std::optional<Dtype> find_dtype(std::string_view name);

std::size_t bytes_of(Dtype dtype);  // of one element

// The t of the rule MERE < t and MARE < 10 t; a power of two.
double tolerance_of(Dtype dtype);

// The value of one element, exactly: 64 bits of mantissa hold every integer, too. A boolean is 0 or
// 1, whatever bits stand for true.
long double value_of(Dtype dtype, std::span<const std::byte> element);

}  // namespace msci
