#include "tests/bench/seed.h"

#include <fmt/format.h>

#include "base/files/read_file.h"
#include "evaluator/session/compile_kernel.h"
#include "rules/rules.h"

namespace msci {

Result<Translation> translated(std::string_view name, [[maybe_unused]] std::string_view text,
                               const std::string& programs) {
  if (!programs.empty()) {
    const auto source = read_source(fmt::format("{}/{}.cl", programs, name));
    if (!source) return source.error();
    return from_program_file(source->text);
  }
  const auto prepared = compile({fmt::format("{}.metal", name), std::string(text)}, all_rules());
  if (!prepared) return prepared.error();
  if (!prepared->translation) return Error{fmt::format("{}: {}", name, prepared->rejection)};
  return *prepared->translation;
}

Result<Translation> translated_seed(const Task& task, const std::string& programs) {
  return translated(task.name, task.seed, programs);
}

}  // namespace msci
