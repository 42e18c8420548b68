// The pass over preprocessed tokens that turns Metal spellings into ones the C++ parser takes.
#pragma once

#include <clang/Lex/Token.h>

#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/frontend/version.h"

namespace clang {
class Preprocessor;
class SourceManager;
}  // namespace clang

namespace msci {

// The places of `?` in files, of choices between objects in different address spaces.
using MixedChoices = std::set<std::pair<std::string, unsigned>>;  // file, offset in it
std::pair<std::string, unsigned> choice_at(clang::SourceLocation question,
                                           const clang::SourceManager& sources);

// The tokens of a source as the preprocessor gives them, without the end of the file, as the parser
// wants them (see the comments at each step in tokens.cpp). Every new token stands where the one
// stood that it was made from; tokens of Metal's own headers stay as they are. Only a parser knows
// which choices are mixed, so those are known from parsing the source once before.
std::vector<clang::Token> rewrite_tokens(clang::Preprocessor& preprocessor,
                                         const std::vector<clang::Token>& metal,
                                         const MixedChoices& choices = {},
                                         LanguageVersion version = {});

// Whether it is a keyword of Metal that C++ does not have: "device", "kernel".
bool is_metal_keyword(std::string_view word);

// Whether a name at `offset` would be an attribute's: between `[[` and `]]`, outside of arguments.
bool names_attribute(std::string_view metal, unsigned offset);

}  // namespace msci
