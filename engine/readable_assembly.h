// The assembly of generated code, for people to read.
#pragma once

#include <string>

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace msci::engine {

// Instructions, labels and constants, without other directives. An instruction that belongs to a
// line of the source ends with a comment that names it: "# line 12". The functions with lines come
// first, then those that they call, then the constants of all.
std::string readable_assembly(llvm::Module& code, llvm::TargetMachine& machine);

}  // namespace msci::engine
