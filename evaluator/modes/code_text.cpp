#include <fmt/format.h>

#include "base/process/isolated_result.h"
#include "compiler/reading.h"
#include "engine/assembly.h"
#include "evaluator/modes/modes.h"

namespace msci {
namespace {

Result<std::string> apple_text(std::string_view chip, const Translation& translation,
                               const Limits& limits) {
  const auto code = apple_code_of(translation, *apple_gpu_of(chip), limits);
  return code ? to_text(*code) : code.error();
}

}  // namespace

Result<std::string> code_text(std::string_view language, const Translation& translation,
                              const Limits& limits) {
  if (language == "opencl") return translation.text;
  if (language == "llvm-ir") return readable_ir(translation);
  if (language == "apple") return apple_text("m1", translation, limits);
  if (language == "apple-m2") return apple_text("m2", translation, limits);
  return run_isolated_for<std::string>(
      [&] { return assembly_of(translation); }, limits,
      {.failed = "no code could be generated for this processor",
       .advice = translation.kernels.size() > 1 ? "; --kernel NAME takes one of the kernels" : ""});
}

}  // namespace msci
