// Parsing in two steps: the Metal headers, and then any source that begins with them.
#pragma once

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

#include "compiler/frontend/compile_options.h"
#include "compiler/frontend/unit.h"

namespace clang {
class CodeCompleteConsumer;
}

namespace msci {

// What of the Metal headers a source begins with: sources that agree in it can share the work of
// reading them.
struct Preamble {
  LanguageVersion version;
  bool fast_math = true;
  std::vector<std::string_view> includes;  // Metal headers, before anything that could change them
  bool operator==(const Preamble&) const = default;
  bool operator<(const Preamble& other) const;
};

// Of a source of this text. Reading its includes first and then the whole text comes to the same as
// reading the text alone: every header keeps itself from being read twice.
Preamble preamble_of(std::string_view metal, const CompileOptions& options);
Preamble preamble_of(std::string_view metal, LanguageVersion version = {});

// A compiler that has read the Metal headers, and waits for the source that begins with them.
class PrecompiledPreamble {
 public:
  struct Impl;
  explicit PrecompiledPreamble(std::unique_ptr<Impl> impl);
  PrecompiledPreamble(PrecompiledPreamble&&) noexcept;
  PrecompiledPreamble& operator=(PrecompiledPreamble&&) noexcept;
  ~PrecompiledPreamble();
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Where the headers come from: <metal_stdlib> prebuilt (prebuilt.h), so that Clang fetches what a
// source names as it meets it; or all read, which takes as long as some fifteen sources, and leaves
// them less to do.
enum class Headers { prebuilt, read };

// Errors: Clang could not be set up.
Result<PrecompiledPreamble> begin(const Preamble& preamble, Headers headers);

// Receives a unit that is still being parsed, whenever the compiler has said more about it.
using OnDiagnostics = std::function<void(const Unit& so_far)>;

// Parses a source that has the preamble which the head start was made for, of the same version and
// kind of mathematics as the options. What is wrong with the source is in diagnostics().
Unit parse(PrecompiledPreamble start, Source source, CompileOptions options,
           const OnDiagnostics& on_diagnostics = nullptr);
// Reads no file.
Unit parse(PrecompiledPreamble start, Source source);

Result<Unit> parse(Source source, CompileOptions options);
// The same source once more, read in the same way.
Result<Unit> parse_again(const Unit& unit);

// A source behind the preprocessor.
struct Preprocessed {
  std::string text;  // without comments, Metal's headers and line markers
  std::vector<Diagnostic> diagnostics;
};
// Errors: Clang could not be set up; what is wrong with the source is in the diagnostics.
Result<Preprocessed> preprocess(Source source, CompileOptions options);

// Parses up to the byte at `offset`, and tells `consumer` what Clang knows that could stand there;
// nothing where none could, as in a comment. What comes back is that part of the source.
Unit complete(PrecompiledPreamble start, Source source, CompileOptions options, unsigned offset,
              clang::CodeCompleteConsumer& consumer);

}  // namespace msci
