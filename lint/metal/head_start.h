// Parsing in two steps: the Metal headers, and then any source that begins with them.
#pragma once

#include <memory>

#include "lint/metal/preamble.h"
#include "lint/metal/unit.h"

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

// Reads the headers, which takes longer than most sources do. Errors: Clang could not be set up.
Result<HeadStart> begin(const Preamble& preamble);

// Parses a source that has the preamble which the head start was made for; reads no file. What is
// wrong with the source is in diagnostics().
Unit parse(HeadStart start, Source source);

}  // namespace msci
