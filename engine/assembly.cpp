#include "engine/assembly.h"

#include "engine/jit.h"

namespace msci {

Result<std::string> assembly_of(const Translation& translation) {
  auto jit = engine::Jit::make();
  if (!jit) return jit.error();
  engine::Kernels kernels(**jit, translation);
  std::string text;
  for (const auto& kernel : translation.kernels) {
    const auto code = kernels.assembly(kernel.symbol);
    if (!code) return code.error();
    text += *code;
  }
  return text;
}

}  // namespace msci
