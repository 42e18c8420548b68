// NumPy's array files:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace msci {

struct NpyArray {
  std::string type;                // Metal's scalar: "float", "uint"
  std::vector<std::size_t> shape;  // the outermost extent first; none of a single number
  std::vector<std::byte> contents;
};

bool is_npy(std::span<const std::byte> file);

// Reads the versions 1.0, 2.0 and 3.0 of the format. Errors: a damaged file, another version,
// big-endian, Fortran order, or an element type that Metal lacks.
Result<NpyArray> read_npy(std::span<const std::byte> file);

}  // namespace msci
