// The values of C++ literals.
#pragma once

#include <string>
#include <string_view>

namespace msci::host {

// "sax\x70y" → saxpy: the value of a string literal with its quotes and prefix, in UTF-8. Takes raw
// strings, and literals without an end.
std::string decode_string(std::string_view literal);

// 'a' → 97; 0 for an empty literal.
unsigned decode_character(std::string_view literal);

}  // namespace msci::host
