#include "base/judging/nonce.h"

#include <fmt/format.h>

#include <charconv>

namespace msci {

std::string hexadecimal(std::uint64_t nonce) { return fmt::format("{:016x}", nonce); }

bool is_nonce(std::string_view text) {
  return !text.empty() && text.size() <= 16 &&
         text.find_first_not_of("0123456789abcdefABCDEF") == text.npos;
}

std::uint64_t nonce_from(std::string_view text) {
  std::uint64_t nonce = 0;
  std::from_chars(text.data(), text.data() + text.size(), nonce, 16);
  return nonce;
}

}  // namespace msci
