// Parsing in two steps: the Metal headers, and then any source that begins with them.
#pragma once

#include <memory>

#include "lint/metal/preamble.h"
#include "lint/metal/unit.h"

namespace clang {
class CodeCompleteConsumer;
}

namespace msci {

// A compiler that has read the Metal headers, and waits for the source that begins with them.
class HeadStart {
 public:
  struct Impl;
  explicit HeadStart(std::unique_ptr<Impl> impl);
  HeadStart(HeadStart&&) noexcept;
  HeadStart& operator=(HeadStart&&) noexcept;
  ~HeadStart();
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// Where the headers come from: <metal_stdlib> prebuilt (prebuilt.h), so that Clang fetches what a
// source names as it meets it; or all read, which takes as long as some fifteen sources, and leaves
// them less to do.
enum class Headers { prebuilt, read };

// Errors: Clang could not be set up.
Result<HeadStart> begin(const Preamble& preamble, Headers headers);

// Parses a source that has the preamble which the head start was made for; reads no file. What is
// wrong with the source is in diagnostics().
Unit parse(HeadStart start, Source source);

// Parses up to the byte at `offset`, and tells `consumer` what Clang knows that could stand there;
// nothing where none could, as in a comment. What comes back is that part of the source.
Unit complete(HeadStart start, Source source, unsigned offset,
              clang::CodeCompleteConsumer& consumer);

}  // namespace msci
