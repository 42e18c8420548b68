#include "compiler/reading.h"

#include <fmt/format.h>
#include <llvm/IR/AssemblyAnnotationWriter.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/FormattedStream.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <map>

#include "compiler/print/print.h"

namespace msci {
namespace {

// A kernel wraps the function of the source, whose scope it takes over: all of it is inlined.
void give_scope(llvm::Function& kernel) {
  for (const auto& instruction : llvm::instructions(kernel))
    if (const auto& at = instruction.getDebugLoc())
      return kernel.setSubprogram(at->getInlinedAtScope()->getSubprogram());
}

// An inlined instruction gets the line of its own text, or that of the call where it is a function
// of Metal's headers.
void set_line(llvm::Instruction& instruction, const llvm::Function& kernel,
              SourceLocations& locations) {
  const auto number = locations.number(instruction);
  const auto& place = locations.all()[number];
  auto* scope = kernel.getSubprogram();
  if (number == 0 || !place.file.empty() || !scope) return instruction.setDebugLoc({});
  instruction.setDebugLoc(llvm::DILocation::get(kernel.getContext(), place.range.begin.line,
                                                place.range.begin.column, scope));
}

class ReadingPasses final : public InstrumentPasses {
 public:
  explicit ReadingPasses(SourceLocations& locations) : locations_(locations) {}

  void finish(llvm::Module& ir, Translation& translation) override {
    set_lines(ir, locations_);
    translation.text = to_text(print(ir, translation.kernels, LineComments::yes));
  }

 private:
  SourceLocations& locations_;
};

using LineOf = std::map<const llvm::Value*, unsigned>;

// Ends each line of an instruction with the line of its source.
class LineWriter final : public llvm::AssemblyAnnotationWriter {
 public:
  explicit LineWriter(const LineOf& lines) : lines_(lines) {}
  void printInfoComment(const llvm::Value& value, llvm::formatted_raw_ostream& stream) override {
    if (const auto found = lines_.find(&value); found != lines_.end())
      stream << "  ; line " << found->second;
  }

 private:
  const LineOf& lines_;
};

}  // namespace

void set_lines(llvm::Module& ir, SourceLocations& locations) {
  for (auto& function : ir) {
    give_scope(function);
    for (auto& instruction : llvm::instructions(function))
      set_line(instruction, function, locations);
  }
}

std::unique_ptr<InstrumentPasses> reading_passes(SourceLocations& locations) {
  return std::make_unique<ReadingPasses>(locations);
}

Result<std::string> readable_ir(const Translation& translation) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const llvm::MemoryBufferRef bitcode(translation.ir, "kernels");
  const auto ir = llvm::parseIR(bitcode, problem, context);
  if (!ir) return Error{"reading the translated kernels: " + problem.getMessage().str()};
  LineOf lines;
  for (const auto& function : *ir)
    for (const auto& instruction : llvm::instructions(function))
      if (const auto& at = instruction.getDebugLoc()) lines[&instruction] = at.getLine();
  llvm::StripDebugInfo(*ir);
  LineWriter writer(lines);
  std::string text;
  llvm::raw_string_ostream stream(text);
  ir->print(stream, &writer);
  return text;
}

}  // namespace msci
