// Nonces: what the random inputs of the strict verdict are drawn from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace msci {

// Sixteen hexadecimal digits: JSON's numbers do not hold 64 bits.
std::string hexadecimal(std::uint64_t nonce);

// Whether the text is a nonce: one to sixteen hexadecimal digits.
bool is_nonce(std::string_view text);

// What to say of a text that is not.
inline constexpr const char* not_a_nonce = "must be 1 to 16 hexadecimal digits";

// 0 where the text is not a hexadecimal number.
std::uint64_t nonce_from(std::string_view text);

}  // namespace msci
