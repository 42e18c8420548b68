#include "engine/readable_assembly.h"

#include <fmt/format.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/MC/MCAsmInfo.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <vector>

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

// Whether what follows a directive is code or data; neither for one that names no section.
std::optional<bool> begins_code(llvm::StringRef directive) {
  if (directive.consume_front(".section")) {
    const auto section = directive.trim();
    return section.starts_with(".text") || section.starts_with(".ltext");  // of a large program
  }
  const auto name = directive.take_until([](char c) { return c == '\t' || c == ' '; });
  if (name == ".text") return true;
  if (name == ".data" || name == ".bss") return false;
  return std::nullopt;
}

// A function.
struct FunctionText {
  std::string text = {};
  bool has_lines = false;
};

}  // namespace

std::string readable_assembly(llvm::Module& code, llvm::TargetMachine& machine) {
  const auto text = print_assembly(code, machine);
  const auto comment = machine.getMCAsmInfo()->getCommentString().str();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
  std::vector<FunctionText> functions(1);  // the first is what comes before them
  std::string constants;
  bool is_code = true;
  unsigned line_of_source = 0;
  const auto add = [&](const std::string& text) {
    (is_code ? functions.back().text : constants) += text + "\n";
  };
  for (const auto line : lines) {
    const auto words = line.trim();
    if (words.starts_with(".loc\t") || words.starts_with(".loc ")) {
      line_of_source = line_of_directive(words);
    } else if (const auto section = begins_code(words)) {
      is_code = *section;
    } else if (is_label(line)) {
      const bool is_function = is_code && !line.starts_with(".L");
      if (is_function) {
        line_of_source = 0;
        functions.emplace_back();
      }
      if (!line.starts_with(".Ltmp") && !line.starts_with(".Lfunc")) add(line.str());
    } else if (words.starts_with(".") ? is_constant(line) : !words.starts_with(comment)) {
      const bool has_line = is_code && line_of_source > 0;
      functions.back().has_lines |= has_line;
      add(line.str() + (has_line ? fmt::format("  {} line {}", comment, line_of_source) : ""));
    }
  }
  std::ranges::stable_partition(functions, &FunctionText::has_lines);
  std::string readable;
  for (const auto& function : functions) readable += function.text;
  return readable + constants;
}

}  // namespace msci::engine
