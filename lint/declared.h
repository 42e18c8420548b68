// Declarations in Metal's words, for people who point at a name or look for one.
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

// A type by the name that Metal has for it, where our headers make it by means of their own;
// without `const`: "device float*".
std::string type_name(clang::QualType type);
// As the source has it, without its body: "float half_of(float x)".
std::string written(const clang::NamedDecl& declaration);
// A function as it is called at a place, with the types that it has there.
std::string called(const clang::FunctionDecl& function);
// A function that takes many types: "clamp(x, y, z)".
std::string sketched(const clang::FunctionDecl& function);
// The type of a variable, a field or an enumerator: "const device float *".
std::string type_of(const clang::ValueDecl& value);

// What a function of Metal's gives or does, and what an attribute says; empty: nobody wrote it
// down.
std::string_view meaning_of(std::string_view function);
std::string_view meaning_of_attribute(std::string_view attribute);

}  // namespace msci
