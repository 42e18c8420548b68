// Arrays as NumPy writes them:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "lint/metal/result.h"

namespace msci {

struct NpyArray {
  std::string type;  // Metal's scalar: "float", "uint"
  std::vector<std::byte> contents;
};

bool is_npy(std::span<const std::byte> file);

// Errors: damaged, big-endian, Fortran's order, or elements that Metal has no scalar for.
Result<NpyArray> read_npy(std::span<const std::byte> file);

}  // namespace msci
