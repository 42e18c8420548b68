// Metal files with known answers. Comments before each kernel, or at the beginning of the file,
// give its launch, its inputs and its expected outputs:
//
//   // language: metal3.2   the version of Metal's language, in the whole file
//   // set width: 3         the value of a function constant, in the whole file
//   // kernel: name         begins a launch; a file with one launch may leave it out
//   // grid: 8 2 1          in threads; what is left out is 1
//   // threadgroup: 4 2
//   // in 1: float 1 2 3    a buffer's first contents; more such lines of one buffer are appended
//   // in 1 at 8: …         the same, bound that many bytes from its beginning
//   // in 2: pointer 0 1+8  addresses: of buffer 0, and of the byte 8 of buffer 1
//   // in 3: functions f -  a table of functions; '-' is an empty entry
//   // in 4: texture {"format": "r32float", "width": 2, "height": 2, "fill": {"iota": [1, 1]}}
//   // in 5: sampler {"filter": "linear"}    memory of them, with the fields of a plan file; `out`,
//                        too; pointers lead to textures as to buffers
//   // launches: 2 concurrent    the launch that many times, in a concurrent encoder
//   // shared 0: 64         bytes of threadgroup memory that the host declares
//   // out 0: uint 0..6 2*7 what the buffer must hold afterwards: 0 1 2 3 4 5 6 7 7
//   // out 0 within 1e-6: … likewise, up to that error: relative, or absolute below 1
//
// `// expect: race` at the end of a line says what the checked mode finds there
// (tests/check/check_test.cpp). A buffer whose index no parameter has is not bound: only pointers
// lead there. An `out` buffer without an `in` line starts with bytes that are not the answer. A
// file that cannot be translated yet has `// gap: …` only, with a part of the error message.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/source.h"
#include "compiler/frontend/version.h"
#include "tasks/plan/plan.h"

namespace msci {

// Some elements of one type, as they lie in a buffer, one after another.
struct Elements {
  std::string type;  // a Metal scalar: "uint", "half"
  std::vector<std::byte> bytes;
  std::optional<double> within;  // the allowed error; none: exact
};

// What one buffer must hold after a launch.
struct ExpectedOutput {
  unsigned index = 0;              // Metal's binding index
  std::vector<Elements> elements;  // in the buffer's order
};

// One launch, and its answers in the order of the plan's results.
struct Case {
  Plan plan;
  std::vector<ExpectedOutput> answers;
};

struct Fixture {
  Source source;
  std::vector<Case> cases;
  LanguageVersion language;
  std::map<std::string, std::string> constants;  // values of function constants
  std::optional<std::string> gap;
};

// Errors name the line that is not understood.
Result<Fixture> read_fixture(const std::string& path);

// The first difference, as "out 0, float 3: 1.5 instead of 2"; none where the answer is right. NaNs
// are equal, and so are zeros.
std::optional<std::string> first_difference(const ExpectedOutput& answer, const Bytes& output);

}  // namespace msci
