// Argument buffers: structs in device memory that hold pointers.
#pragma once

#include <clang/AST/Type.h>

#include <optional>
#include <string>

#include "compiler/frontend/unit.h"

namespace msci {

// Why a value of that type cannot be translated in device memory, as the end of "its parameter 'x'
// ...": a pointer to threads' or threadgroup memory, or members whose [[id(n)]] do not rise, so
// that they lie in another order than the struct's. None if it can.
std::optional<std::string> find_unstorable(const Unit& unit, clang::QualType type);

}  // namespace msci
