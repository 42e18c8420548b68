#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include "engine/vectors/vectoriser.h"

namespace msci::engine {

llvm::DISubprogram* add_line_table(llvm::Module& to, llvm::StringRef function) {
  to.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  llvm::DIBuilder builder(to);
  auto* file = builder.createFile("kernel.metal", ".");
  builder.createCompileUnit(llvm::DISourceLanguageName(llvm::dwarf::DW_LANG_C_plus_plus_17), file,
                            "msci", /*isOptimized=*/true, "", 0, "",
                            llvm::DICompileUnit::DebugDirectivesOnly);
  auto* type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto* scope =
      builder.createFunction(file, function, function, file, 0, type, 0, llvm::DINode::FlagZero,
                             llvm::DISubprogram::SPFlagDefinition);
  builder.finalize();
  return scope;
}

}  // namespace msci::engine
