// Numbers of Metal's scalar types in a buffer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// Bytes of one element of a scalar type; none for a type that Metal lacks.
std::optional<std::size_t> element_bytes(std::string_view type);
bool is_floating(std::string_view type);
// "float" of "float", "float4" and "packed_float3".
std::string_view scalar_type(std::string_view type);
// "float, half, ...".
std::string_view element_types();

// An integer that a double may not hold.
struct ExactInteger {
  std::uint64_t magnitude = 0;
  bool negative = false;
};

// Whether the type can hold the number. Floating types hold, rounded, what does not become
// infinite; integer types integers in their range, of a double only those up to 2^53 (where it is
// exact); bool 0 and 1.
bool fits_element(std::string_view type, double value);
bool fits_element(std::string_view type, ExactInteger value);

// Appends a number, rounded to a floating type or truncated to an integer type. The truncated
// number fits.
void put_element(std::string_view type, double value, std::vector<std::byte>& to);
void put_element(std::string_view type, ExactInteger value, std::vector<std::byte>& to);
// The element at index `number`.
double get_element(std::string_view type, std::span<const std::byte> from, std::size_t number);
// The element at index `number` as text that has all its digits.
std::string element_text(std::string_view type, std::span<const std::byte> from,
                         std::size_t number);
// The shortest text that reads back as the same float; "NaN", "Infinity" or "-Infinity".
std::string float_text(double value);
// How far two numbers lie apart: 0 for infinities of one sign, NaN if one is.
double distance(double a, double b);

}  // namespace msci
