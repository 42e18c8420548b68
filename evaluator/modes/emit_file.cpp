#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "base/io/report.h"
#include "base/io/terminal.h"
#include "base/json.h"
#include "base/process/isolated_result.h"
#include "compiler/reading.h"
#include "engine/assembly.h"
#include "evaluator/modes/exit_codes.h"
#include "evaluator/modes/modes.h"
#include "evaluator/modes/selected_candidates.h"

namespace msci {
namespace {

// What --emit made of a file.
struct Emitted {
  std::string file, language;
  const Compiled& compiled;
  const Result<std::string>& code;
};

bool is_all_refused(const Translation& translation) {
  return translation.kernels.empty() && !translation.refused.empty();
}

// Only what the device builds is translated apart, so only it can tell how many kernels are done.
Result<Compiled> compile_showing_progress(const EvaluatorOptions& options) {
  const auto& file = options.candidates.files.front();
  const bool is_program_text = options.mode.emit == "opencl";
  auto request = compile_request_of(
      options, nullptr,
      is_program_text ? TranslationPurpose::running : TranslationPurpose::reading);
  TerminalLine line;
  line.draw(fmt::format("translating {}", file));
  if (is_program_text) {
    request.apart = std::max(std::thread::hardware_concurrency(), 1u);
    request.on_progress = [&](std::string_view progress) {
      line.draw(fmt::format("{} translated", progress));
    };
  }
  return candidate_of({file, options.candidates.is_program}, gate_rules(), request).compiled;
}

Result<std::string> code_of(const EvaluatorOptions& options, const Compiled& compiled) {
  if (!compiled.translation) return Error{compiled.rejection};
  if (is_all_refused(*compiled.translation)) return Error{"no kernel can be translated"};
  const auto& language = options.mode.emit;
  if (language == "opencl") return to_program_file(*compiled.translation);
  return code_text(language, *compiled.translation, compile_request_of(options).limits);
}

std::string emitted_json(const Emitted& emitted) {
  OrderedJson json = {{"file", emitted.file},
                      {"language", emitted.language},
                      {"kernels", OrderedJson::array()},
                      {"refused", OrderedJson::array()},
                      {"rejection", nullptr},
                      {"text", nullptr},
                      {"error", nullptr}};
  const auto& translation = emitted.compiled.translation;
  if (!translation) json["rejection"] = emitted.compiled.rejection;
  if (translation) {
    for (const auto& kernel : translation->kernels) json["kernels"].push_back(kernel.name);
    for (const auto& [name, reason] : translation->refused)
      json["refused"].push_back({{"name", name}, {"reason", reason}});
  }
  if (emitted.code)
    json["text"] = *emitted.code;
  else if (translation)
    json["error"] = emitted.code.error().message;
  return json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

// Returns the exit code.
int report_problem(const Emitted& emitted) {
  if (emitted.code) return all_right;
  const auto status =
      report_error({fmt::format("{}: {}", emitted.file, emitted.code.error().message)});
  return emitted.compiled.translation ? status : not_right;
}

Result<std::string> apple_text(std::string_view chip, const Translation& translation,
                               const Limits& limits) {
  const auto code = apple_code_of(translation, *apple_gpu_of(chip), limits);
  return code ? to_text(*code) : code.error();
}

}  // namespace

int emit_file(const EvaluatorOptions& options) {
  const auto compiled = compile_showing_progress(options);
  if (!compiled) return report_error(compiled.error());
  const auto code = code_of(options, *compiled);
  const Emitted emitted{options.candidates.files.front(), options.mode.emit, *compiled, code};
  if (options.output.json) {
    std::fputs(emitted_json(emitted).c_str(), stdout);
    return compiled->translation ? report_problem(emitted) : not_right;
  }
  if (compiled->translation)
    for (const auto& [name, reason] : compiled->translation->refused)
      report_warning("msci-eval", fmt::format("{}: {}", emitted.file, reason));
  if (code) std::fputs(code->c_str(), stdout);
  return report_problem(emitted);
}

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
