#pragma once

#include <string>
#include <string_view>

namespace msci {

// SHA-256 (FIPS 180-4) of the bytes, as 64 hexadecimal digits in lower case.
std::string sha256_of(std::string_view bytes);

// SHA-256 of the bytes, as 32 bytes.
std::string sha256_digest_of(std::string_view bytes);

}  // namespace msci
