// The last step: LLVM IR → OpenCL C 1.2 text. A plain walk that makes no decisions.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ir/lane_functions.h"
#include "tasks/plan/program.h"

namespace llvm {
class Module;
}

namespace msci {

// The parts of a text. Parts of several modules of one source make one text together.
struct TextParts {
  std::set<std::string> helpers;              // helper functions that kernels call
  LaneFunctions lane_functions;               // that kernels call
  bool has_resumable = false;                 // whether a kernel has that form (kernel_printer.h)
  std::map<std::string, std::string> tables;  // program-scope constants by their names
  std::string kernels;
};

// Adds the kernels of other parts, and what they need.
void append(TextParts& parts, const TextParts& more);

std::string to_text(const TextParts& parts);

// Prints each kernel's function (named by its symbol) with one label and goto for each basic block,
// and completes its signature: the bytes of threadgroup memory that are left, the use of simdgroup
// functions. Integers are unsigned, signedness stands at the operations. Halves are floats, rounded
// after each operation, so that no device needs fp16.
// With line comments, each statement ends with the line of its debug location: "// line 12".
// first_unsupported() must have found nothing in any kernel, and none has checks or counters.
enum class LineComments { no, yes };
TextParts print(llvm::Module& ir, std::vector<KernelSignature>& kernels,
                LineComments comments = LineComments::no);

// Functions that the printed text may call, in OpenCL C.

// The definition of the helper with that name, which must exist.
std::string_view helper_source(std::string_view name);

}  // namespace msci
