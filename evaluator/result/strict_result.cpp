#include "evaluator/result/strict_result.h"

#include <fmt/format.h>

#include <charconv>

namespace msci {

std::string hexadecimal(std::uint64_t nonce) { return fmt::format("{:016x}", nonce); }

std::uint64_t nonce_from(const std::string& text) {
  std::uint64_t nonce = 0;
  std::from_chars(text.data(), text.data() + text.size(), nonce, 16);
  return nonce;
}

}  // namespace msci
