// Compiles a kernel: lint, then translation, in a process of its own.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/purpose.h"
#include "base/diagnostic.h"
#include "base/process/isolated_process.h"
#include "base/result.h"
#include "base/source.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/numeric_meaning.h"
#include "evaluator/result/allowed_rule.h"
#include "tasks/plan/program.h"

namespace msci {

struct ListedRule;  // lint/rule.h

// The rules that a Metal source must pass; an error of one of them refuses it.
using GateRules = std::span<const ListedRule>;

// A Metal source after lint and translation.
struct Compiled {
  std::vector<Diagnostic> diagnostics;     // in the source's order
  std::optional<Translation> translation;  // none where the source is refused
  std::string rejection;                   // why it is missing: the first error
  std::vector<AllowedRule> allowed;        // by comments of a source that is not refused
  // Of a source that is not refused: the kernels that each diagnostic is about (empty: all).
  std::vector<std::vector<std::string>> kernels_of_diagnostics;
};

// Translates a source without linting it. Errors: the source does not compile, or the translator
// does not support one of its constructs.
Result<Translation> translate_unchecked(const Source& source);

inline constexpr Limits default_compile_limits{.seconds = 10};

// Of the process that reads a whole library and joins the texts of its kernels, which other
// processes translate: 2,000 kernels have some hundred MiB of text.
inline constexpr Limits default_library_limits{.seconds = 30, .memory_bytes = std::size_t{3} << 30};

// What is translated of a source, and for which purpose.
struct CompileRequest {
  std::vector<std::string> kernels = {};  // names or patterns of kernels to translate; empty: all
  // Without `kernels`: the kernels that a plan launches. Those that the source lacks are left out.
  std::vector<std::string> launched = {};
  std::vector<std::string> required = {};  // names of the kernels of the task, which lint asks for
  std::map<std::string, std::string> constants = {};  // values of function constants, by name
  TranslationPurpose purpose = TranslationPurpose::running;
  NumericMeaning meaning = {};  // of the purpose `numerics`
  CompileOptions compile = {};
  Limits limits = default_compile_limits;  // of an isolated process
  // For running: how many processes translate kernels at a time, with `limits` for each kernel, as
  // libraries of kernels need it (translate_apart()). 0: one process with one limit for all.
  unsigned apart = 0;
  Limits library_limits = default_library_limits;  // of the isolated process that joins them
  // Of an isolated compilation: called in this process, with such as "12 of 504 kernels".
  std::function<void(std::string_view)> on_progress = nullptr;
};

// Lints and translates a source. Errors: the translator does not support one of its constructs.
Result<Compiled> compile(const Source& source, GateRules rules, const CompileRequest& request = {});

// Lints a source once, and translates it for each purpose that is asked for, in an isolated process
// that keeps the parsed source. What ends that process after its first answer is
// tried once more in a fresh one, which lints nothing. Any thread may ask; other threads may run
// meanwhile, but may not use Clang or LLVM.
class FrontEnd {
 public:
  FrontEnd(Source source, GateRules rules, CompileRequest request = {});

  // Starts on the purpose of the request; finish() waits for the result. Errors: also that no
  // process can be started, a source that exceeds a limit, or on which the process crashes.
  void begin();
  Result<Compiled> finish();
  // For another purpose; `meaning`: of the purpose `numerics`.
  Result<Compiled> compile(TranslationPurpose purpose, const NumericMeaning& meaning = {});

 private:
  bool is_library() const { return request_.apart > 0; }
  Result<IsolatedProcess> start() const;

  const Source source_;
  GateRules rules_;
  CompileRequest request_;
  std::mutex mutex_;
  std::optional<Result<IsolatedProcess>> process_;  // none before the first, and after a failure
};

}  // namespace msci
