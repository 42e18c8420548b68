// Metal's address spaces in Clang's types, and what an expression is.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

#include <cstdint>
#include <optional>

namespace msci {

// Metal's address spaces; what is written without one is in `thread`.
enum class Space { thread, device, constant, threadgroup };

// The space of an object of this type; of an array, that of its elements.
Space space_of(clang::QualType type);

// Whether two expressions say the same, up to parentheses and implicit conversions.
bool is_same(const clang::Expr& a, const clang::Expr& b, const clang::ASTContext& ast);

// Whether code names a variable. False for null.
bool mentions(const clang::Stmt* part, const clang::VarDecl& variable);

// Whether code calls a function. False for null.
bool has_call(const clang::Stmt* part);

// The value of a constant integer expression; nothing for null and for any other.
std::optional<std::int64_t> constant_of(const clang::Expr* value, const clang::ASTContext& ast);

}  // namespace msci
