// Functions that a host can bind: their stages, and the types of what it binds.
#pragma once

#include <clang/AST/Type.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/frontend/attributes.h"
#include "compiler/frontend/unit.h"

namespace msci {

// What a function is for; none of these: it is called by others.
enum class FunctionStage { none, kernel, vertex, fragment, object, mesh, intersection };

FunctionStage stage_of(const clang::FunctionDecl& function, const Unit& unit);
std::string_view stage_name(FunctionStage stage);
// Its bit in the columns of compiler/frontend/attributes.def; 0 for none.
unsigned bit_of(FunctionStage stage);

// Whether a type is known to its end: neither a template's nor a broken one.
bool is_known(clang::QualType type);
// The type in Metal's words.
std::string type_name(clang::QualType type, const Unit& unit);

// What a pointer or reference refers to, with its space.
std::string pointee_name(clang::QualType type, const Unit& unit);

// Elements of an unsigned scalar of 16 or 32 bits (1) or of a vector of them; 0 for other types.
unsigned dimensions(clang::QualType type);

// Whether it is the class of the Metal headers with this name, or begins with it: "texture".
bool is_metal_class(clang::QualType type, std::string_view beginning, const Unit& unit);
// The element of `array<T, N>`, and N; of any other type, itself, and 1.
struct BoundElement {
  clang::QualType element;
  std::int64_t count = 1;
};
BoundElement bound_of(clang::QualType type, const Unit& unit);

bool is_pointer_or_reference(clang::QualType type);
// A class of the headers that a host binds at a buffer's index, and that is passed by value.
bool is_handle(clang::QualType type, const Unit& unit);

// Whether a pointer or reference is to memory that no host can bind at a buffer's index.
bool is_in_wrong_space(clang::QualType type);

// Whether a declaration of this type may have the attribute. True where it is not known.
bool suits(clang::QualType type, const MetalAttribute& attribute, const Unit& unit);

}  // namespace msci
