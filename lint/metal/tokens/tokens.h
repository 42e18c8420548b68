// The pass over preprocessed tokens that turns Metal spellings into ones the C++ parser takes.
#pragma once

#include <clang/Lex/Token.h>

#include <string_view>
#include <vector>

namespace clang {
class Preprocessor;
}

namespace msci {

// The tokens of a source as the preprocessor gives them, without the end of the file, as the parser
// wants them (see the comments at each step in tokens.cpp). Every new token stands where the one
// stood that it was made from; tokens of Metal's own headers stay as they are.
std::vector<clang::Token> rewrite_tokens(clang::Preprocessor& preprocessor,
                                         const std::vector<clang::Token>& metal);

// Whether a name at `offset` would be an attribute's: between `[[` and `]]`, outside of arguments.
bool names_attribute(std::string_view metal, unsigned offset);

}  // namespace msci
