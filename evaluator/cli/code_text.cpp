#include "evaluator/cli/code_text.h"

#include <fmt/format.h>

#include "base/msgpack_result.h"
#include "compiler/reading.h"
#include "runtime/engine/assembly.h"

namespace msci {

Result<std::string> code_text(std::string_view language, const Translation& translation,
                              const Limits& limits) {
  if (language == "opencl") return translation.text;
  if (language == "llvm-ir") return readable_ir(translation);
  const auto outcome =
      run_isolated([&] { return to_msgpack<std::string>(assembly_of(translation)); }, limits);
  if (!outcome) return outcome.error();
  if (const auto* bytes = std::get_if<std::string>(&*outcome))
    return from_msgpack<std::string>(*bytes);
  return Error{fmt::format("no code could be generated for this processor: {}",
                           std::get<WorkFailure>(*outcome).reason)};
}

}  // namespace msci
