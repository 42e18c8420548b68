// Which instructions of generated code belong to which line of the source: for people who read it.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace llvm {
class DISubprogram;
class Module;
}  // namespace llvm

namespace msci::engine {

// The scope of locations in a function of the module. Its assembly then has directives (.loc) that
// name the lines; its machine code does not change.
llvm::DISubprogram* add_line_table(llvm::Module& to, llvm::StringRef function);

}  // namespace msci::engine
