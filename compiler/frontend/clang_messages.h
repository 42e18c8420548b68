// Clang's words made Metal's.
#pragma once

#include <string>
#include <string_view>

namespace clang {
class Diagnostic;
}

namespace msci {

// A stable name for a diagnostic of Clang's: its warning group, or the beginning of its format text
// as a slug.
std::string diagnostic_id(const clang::Diagnostic& diagnostic);

// The message with Metal's spelling of types, address spaces and attributes. `spelling` is the
// user's text where the message points.
std::string to_metal_terms(std::string message, std::string_view spelling);

}  // namespace msci
