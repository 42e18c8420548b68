// The one door from Metal to what runs: only builds with a front end (MSCI_FRONTEND) have it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluator/program.h"
#include "lint/apart.h"
#include "lint/metal/diagnostic.h"
#include "lint/metal/result.h"
#include "lint/metal/source.h"

namespace msci {

// A Metal source after the gate and the translator.
struct Prepared {
  std::vector<Diagnostic> diagnostics;     // in the source's order
  std::optional<Translation> translation;  // none where the source is refused
  std::string rejection;                   // why there is none: the first error
};

// The translation of a source that no rule is asked about. Errors: no Metal, or a construct that
// the translator does not know yet.
Result<Translation> translate_unchecked(const Source& source);

// Errors are what we cannot do: a construct that the translator does not know yet.
Result<Prepared> prepare(const Source& source);

// The same with the checks of the checked mode in the translation.
Result<Prepared> prepare_checked(const Source& source);

// One of these two at work in a process of its own: a source that drives the compiler to a limit,
// or makes it crash, is refused for it (security.limit). Started by the main thread, whose stack
// may grow; other threads may run meanwhile, as long as none of them uses Clang or LLVM.
class PreparingApart {
 public:
  // Errors: no process can be had.
  static Result<PreparingApart> start(const Source& source,
                                      Result<Prepared> (*prepare)(const Source&));
  Result<Prepared> finish();

 private:
  PreparingApart(Source source, Apart copy);
  Source source_;
  Apart copy_;
};

}  // namespace msci
