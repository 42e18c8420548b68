#include "base/sha256.h"

#include <sha256.h>

#include <array>
#include <cstdint>

namespace msci {

std::string sha256_of(std::string_view bytes) {
  std::array<char, SHA256_DIGEST_STRING_LENGTH> digest = {};
  ::SHA256Data(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), digest.data());
  return digest.data();
}

}  // namespace msci
