#include "runtime/engine/readable_assembly.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <string_view>

namespace msci::engine {
namespace {

std::string print_assembly(llvm::Module& code, llvm::TargetMachine& machine) {
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  llvm::legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::AssemblyFile))
    return "";
  passes.run(code);
  return std::string(text);
}

bool is_label(llvm::StringRef line) {
  return !line.starts_with("\t") && !line.starts_with(" ") && line.contains(':');
}

// Numbers in memory: "\t.long\t1065353216".
bool is_constant(llvm::StringRef line) {
  constexpr std::string_view kinds[] = {".byte",  ".short", ".value", ".long",  ".quad", ".word",
                                        ".hword", ".xword", ".zero",  ".ascii", ".asciz"};
  const auto kind = line.trim().take_until([](char c) { return c == '\t' || c == ' '; });
  return llvm::is_contained(kinds, std::string_view(kind));
}

// The line that a directive ".loc 1 12 0" gives to the instructions after it.
unsigned line_of_directive(llvm::StringRef directive) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(directive, words);
  unsigned line = 0;
  if (words.size() < 3 || words[2].getAsInteger(10, line)) return 0;
  return line;
}

}  // namespace

std::string readable_assembly(llvm::Module& code, llvm::TargetMachine& machine) {
  const auto text = print_assembly(code, machine);
  const auto comment = machine.getMCAsmInfo()->getCommentString().str();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::string readable;
  unsigned line_of_source = 0;
  for (const auto line : lines) {
    const auto words = line.trim();
    if (words.starts_with(".loc\t") || words.starts_with(".loc ")) {
      line_of_source = line_of_directive(words);
    } else if (is_label(line)) {
      if (!line.starts_with(".L")) line_of_source = 0;  // a function
      if (!line.starts_with(".Ltmp") && !line.starts_with(".Lfunc")) readable += line.str() + "\n";
    } else if (words.starts_with(".") ? is_constant(line) : !words.starts_with(comment)) {
      readable += line.str();
      if (line_of_source > 0) readable += fmt::format("  {} line {}", comment, line_of_source);
      readable += "\n";
    }
  }
  return readable;
}

}  // namespace msci::engine
