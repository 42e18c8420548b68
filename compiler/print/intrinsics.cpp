#include "compiler/print/intrinsics.h"

#include <llvm/IR/Intrinsics.h>

#include <map>

namespace msci {

std::optional<std::string_view> intrinsic_pattern(unsigned id) {
  static const std::map<unsigned, std::string_view> patterns{
#define MSCI_INTRINSIC(id, text) {llvm::Intrinsic::id, text},
#include "compiler/print/intrinsics.def"
#undef MSCI_INTRINSIC
  };
  const auto found = patterns.find(id);
  if (found == patterns.end()) return std::nullopt;
  return found->second;
}

}  // namespace msci
