#include "compiler/ir/source_locations.h"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace msci {
namespace {

// Without line breaks, and of a readable length.
std::string one_line(llvm::StringRef text) {
  constexpr std::size_t longest = 120;
  std::string line;
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  for (const auto word : words) line += (line.empty() ? "" : " ") + word.str();
  if (line.size() <= longest) return line;
  auto end = longest;
  while (end > 0 && (line[end] & 0xc0) == 0x80) --end;  // between two characters
  return line.substr(0, end) + "...";
}

bool is_in_main_file(const llvm::DILocation& at) {
  return at.getFilename().ends_with("program_source");
}

// Where debug information points; invalid for a file that the compiler has not read.
clang::SourceLocation location_of(const llvm::DILocation& at, const clang::SourceManager& sources) {
  const auto column = std::max(1U, at.getColumn());
  if (is_in_main_file(at))
    return sources.translateLineCol(sources.getMainFileID(), at.getLine(), column);
  llvm::SmallString<256> path = at.getDirectory();
  llvm::sys::path::append(path, at.getFilename());
  if (llvm::sys::path::is_absolute(at.getFilename())) path = at.getFilename();
  const auto file = sources.getFileManager().getOptionalFileRef(path);
  return file ? sources.translateFileLineCol(*file, at.getLine(), column) : clang::SourceLocation();
}

}  // namespace

// The innermost location outside the Metal headers.
Place SourceLocations::place_of(const llvm::Instruction& instruction) const {
  const auto& sources = unit_.ast().getSourceManager();
  for (const llvm::DILocation* at = instruction.getDebugLoc(); at; at = at->getInlinedAt()) {
    if (at->getLine() > 0)
      if (auto place = unit_.locate(location_of(*at, sources)); place.is_known()) return place;
    if (is_in_main_file(*at)) return {};  // the optimiser has merged what stood there
  }
  return {};
}

unsigned SourceLocations::number(const llvm::Instruction& instruction) {
  const auto place = place_of(instruction);
  if (!place.is_known()) return 0;
  const auto [known, is_new] = numbers_.try_emplace(place.start(), all_.size());
  if (!is_new) return known->second;
  if (all_.size() == most_locations) return known->second = 0;
  all_.push_back(place);
  return known->second;
}

unsigned SourceLocations::number_marked(const llvm::Instruction& instruction) {
  const auto number = this->number(instruction);
  if (number > 0) marked_.insert(number);
  return number;
}

unsigned SourceLocations::line_in_source(const llvm::Instruction& instruction) {
  for (const llvm::DILocation* at = instruction.getDebugLoc(); at; at = at->getInlinedAt())
    if (is_in_main_file(*at)) return at->getLine();
  return 0;
}

bool SourceLocations::is_in_users_text(const llvm::Instruction& instruction) {
  const llvm::DILocation* at = instruction.getDebugLoc();
  return at && is_in_main_file(*at) && at->getLine() > 0;
}

unsigned SourceLocations::keep(DebugCall call) {
  const auto known = std::find(debug_calls_.begin(), debug_calls_.end(), call);
  const auto number = static_cast<unsigned>(known - debug_calls_.begin());
  if (known == debug_calls_.end()) debug_calls_.push_back(std::move(call));
  return number;
}

llvm::StringRef SourceLocations::text_from(unsigned number) const {
  if (number == 0) return "";
  const auto& source = unit_.source_of(all_[number]);
  return llvm::StringRef(source.text).substr(offset_of(source, all_[number].range.begin));
}

std::string SourceLocations::condition_at(unsigned number) const {
  if (number == 0) return "";
  const auto& source = unit_.source_of(all_[number]);
  const auto begin = offset_of(source, all_[number].range.begin);
  if (begin >= source.text.size()) return "";
  const auto* text = source.text.c_str();
  clang::Lexer lexer({}, unit_.ast().getLangOpts(), text, text + begin, text + source.text.size());
  const auto next = [&] {
    clang::Token token;
    lexer.LexFromRawLexer(token);
    return token;
  };
  const auto name = next();
  if (!name.is(clang::tok::raw_identifier) || name.getRawIdentifier() != "assert") return "";
  if (!next().is(clang::tok::l_paren)) return "";
  const auto* first = lexer.getBufferLocation();
  for (unsigned open = 1;;) {
    const auto token = next();
    if (token.is(clang::tok::eof)) return "";
    if (token.is(clang::tok::l_paren)) ++open;
    if (token.is(clang::tok::r_paren) && --open == 0) break;
  }
  return one_line(llvm::StringRef(first, lexer.getBufferLocation() - 1 - first));
}

bool SourceLocations::casts_to_narrow(unsigned line) {
  if (!narrow_casts_) narrow_casts_ = lines_of_narrow_casts(unit_);
  return narrow_casts_->contains(line);
}

unsigned SourceLocations::keep_operation(const std::string& words) {
  const auto known = std::find(operations_.begin(), operations_.end(), words);
  if (known != operations_.end()) return static_cast<unsigned>(known - operations_.begin());
  operations_.push_back(words);
  return static_cast<unsigned>(operations_.size() - 1);
}

}  // namespace msci
