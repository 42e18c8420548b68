// SHA-256 from LLVM, where the native program takes libmd's.
#include "base/sha256.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

namespace msci {

std::string sha256_digest_of(std::string_view bytes) {
  const auto digest = llvm::SHA256::hash(
      llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()));
  return {digest.begin(), digest.end()};
}

std::string sha256_of(std::string_view bytes) { return llvm::toHex(sha256_digest_of(bytes), true); }

}  // namespace msci
