// Vectors whose elements may be bool.
#pragma once

#include <clang/Lex/Token.h>

#include <vector>

namespace clang {
class Preprocessor;
}

namespace msci::tokens {

// The tokens of a source, where `vec<T, N>` is right also for T = bool. Here, a vector of bool is a
// class, and the alias `vec` is a vector of Clang's, since C++ deduces T from nothing else:
// - where T is not deduced, `vec<T, N>` is written `$vec_of<T, N>`, which is either;
// - a template that deduces T from `vec<T, N>` has a twin for bool behind it. That of a function is
//   a template over T, too, and that of a partial specialisation is not. In short:
//
//     template <typename T = bool, int N, typename = $if<__is_same(T, bool)>> T f(vec<bool, N> v);
//     template <int N> struct S<vec<bool, N>>;
std::vector<clang::Token> separate_bool_vectors(clang::Preprocessor& preprocessor,
                                                const std::vector<clang::Token>& metal);

}  // namespace msci::tokens
