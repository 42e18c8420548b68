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

std::string sha256_digest_of(std::string_view bytes) {
  std::array<std::uint8_t, SHA256_DIGEST_LENGTH> digest = {};
  SHA2_CTX context;
  ::SHA256Init(&context);
  ::SHA256Update(&context, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  ::SHA256Final(digest.data(), &context);
  return {digest.begin(), digest.end()};
}

}  // namespace msci
