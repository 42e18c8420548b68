// Declarations as text with Metal's types, for hover and completion.
#pragma once

#include <string>
#include <string_view>

namespace clang {
class FunctionDecl;
class NamedDecl;
class QualType;
class ValueDecl;
}  // namespace clang

namespace msci {

// A type by its Metal name, even if our headers implement it in another way; without its own
// `const`: "device const float*".
std::string type_name(clang::QualType type);
// The declaration as written, without its body: "float half_of(float x)"; the deduced type in the
// place of `auto`.
std::string written(const clang::NamedDecl& declaration);
// The signature of a function with the types of a call.
std::string called(const clang::FunctionDecl& function);
// The signature of a function for many types: "clamp(x, y, z)".
std::string sketched(const clang::FunctionDecl& function);
// The type of a variable, a field or an enumerator: "const device float *".
std::string type_of(const clang::ValueDecl& value);

// The meaning of a Metal function or attribute; may be empty.
std::string_view meaning_of(std::string_view function);
std::string_view meaning_of_attribute(std::string_view attribute);

}  // namespace msci
