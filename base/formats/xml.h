// Text in XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace msci {

// The text with markup characters replaced by entities ("&lt;" for "<"), for elements and
// attributes. What XML cannot hold, control characters and malformed UTF-8, becomes U+FFFD.
std::string escape_xml(std::string_view text);

}  // namespace msci
