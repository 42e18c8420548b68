#pragma once

#include <string>
#include <string_view>

namespace msci {

// Base64 with padding (RFC 4648, section 4).
std::string to_base64(std::string_view bytes);

}  // namespace msci
