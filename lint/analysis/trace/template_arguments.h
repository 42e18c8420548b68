// What the arguments of a template set. A host picks an instance by name, so it knows them.
#pragma once

namespace clang {
class Stmt;
class VarDecl;
}  // namespace clang

namespace msci {

// Whether a template argument is part of the code: itself, or in a constant that is made of it.
bool is_set_by_template(const clang::Stmt& code);

// Whether a template argument sets the length of an array.
bool has_length_set_by_template(const clang::VarDecl& array);

}  // namespace msci
