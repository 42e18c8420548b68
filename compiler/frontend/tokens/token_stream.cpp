#include "compiler/frontend/tokens/token_stream.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>

#include "compiler/frontend/compiler.h"

namespace msci {
namespace {

namespace tok = clang::tok;

// Names, keywords and punctuation have a text that lives on; the preprocessor keeps the text of
// literals, unless a line break or the like has to be removed from it.
std::string_view token_text(const clang::Token& token, clang::Preprocessor& preprocessor) {
  if (token.isAnnotation()) return {};
  if (const auto* name = token.getIdentifierInfo()) return name->getName();
  if (const char* punctuation = tok::getPunctuatorSpelling(token.getKind())) return punctuation;
  llvm::SmallString<64> buffer;
  const auto text = preprocessor.getSpelling(token, buffer);
  if (!text.empty() && text.data() != buffer.data()) return text;
  auto* kept = preprocessor.getPreprocessorAllocator().Allocate<char>(text.size());
  std::copy(text.begin(), text.end(), kept);
  return {kept, text.size()};
}

// Answers for one file after the other: tokens of one file come in long runs.
class MetalHeaders {
 public:
  explicit MetalHeaders(const clang::SourceManager& sources) : sources_(sources) {}
  bool contain(clang::SourceLocation location) {
    const auto file = sources_.getFileID(location);  // of a macro, its expansion
    if (file != last_) {
      last_ = file;
      answer_ = is_in_metal_header(sources_, location);
    }
    return answer_;
  }

 private:
  const clang::SourceManager& sources_;
  clang::FileID last_;
  bool answer_ = false;
};

}  // namespace

bool is_in_metal_header(const clang::SourceManager& sources, clang::SourceLocation location) {
  const auto place = sources.getExpansionLoc(location);
  return sources.isInSystemHeader(place) &&
         sources.getFilename(place).starts_with(metal_include_folder);
}

TokenStream::TokenStream(clang::Preprocessor& preprocessor, const std::vector<clang::Token>& tokens)
    : speller_(preprocessor) {
  MetalHeaders headers(preprocessor.getSourceManager());
  end_.raw.startToken();
  tokens_.reserve(tokens.size());
  for (const auto& token : tokens)
    tokens_.push_back({token.getKind(), token_text(token, preprocessor), token,
                       headers.contain(token.getLocation())});
  if (!tokens_.empty()) end_.raw.setLocation(tokens_.back().raw.getLocation());
  pair_brackets();
}

// A bracket that does not match closes all up to its own kind, or nothing.
void TokenStream::pair_brackets() {
  partners_.assign(tokens_.size(), 0);
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (opens(at(i))) {
      partners_[i] = tokens_.size();
      open.push_back(i);
    } else if (closes(at(i)) && !open.empty()) {
      partners_[open.back()] = i;
      partners_[i] = open.back();
      open.pop_back();
    }
  }
}

bool TokenStream::opens(const Token& token) {
  return token.kind == tok::l_paren || token.kind == tok::l_brace || token.kind == tok::l_square;
}
bool TokenStream::closes(const Token& token) {
  return token.kind == tok::r_paren || token.kind == tok::r_brace || token.kind == tok::r_square;
}

std::size_t TokenStream::closing(std::size_t open) const {
  return open < size() && opens(at(open)) ? partners_[open] : size();
}
std::size_t TokenStream::opening(std::size_t close) const {
  return close < size() && closes(at(close)) ? partners_[close] : 0;
}

std::optional<std::size_t> TokenStream::closing_angle(std::size_t open) const {
  int depth = 0;
  for (std::size_t i = open; i < size(); ++i) {
    const auto& token = at(i);
    if (token.is("<")) ++depth;
    if (token.is(">") && --depth == 0) return i;
    if (token.is(">>")) {
      depth -= 2;
      if (depth <= 0) return i;
    }
    if (token.kind == tok::l_paren) i = closing(i);
    if (token.is(";") || token.kind == tok::l_brace || token.is("&&") || token.is("||"))
      return std::nullopt;
  }
  return std::nullopt;
}

std::size_t TokenStream::list_size(std::size_t open, std::size_t close) const {
  if (close <= open + 1) return 0;
  std::size_t size = 1;
  for (auto i = open + 1; i < close; ++i) {
    if (opens(at(i))) i = closing(i);
    if (at(i).is(",") && i + 1 < close) ++size;
  }
  return size;
}

bool TokenStream::begins_attributes(std::size_t index) const {
  return at(index).kind == tok::l_square && at(index + 1).kind == tok::l_square &&
         opening(closing(index) - 1) == index + 1;
}

std::vector<clang::Token> Speller::words(std::string_view text, clang::SourceLocation location) {
  auto known = known_.find(text);
  if (known == known_.end()) {
    auto* kept = preprocessor_.getPreprocessorAllocator().Allocate<char>(text.size() + 1);
    *std::copy(text.begin(), text.end(), kept) = 0;
    clang::Lexer lexer(clang::SourceLocation(), preprocessor_.getLangOpts(), kept, kept,
                       kept + text.size());
    std::vector<clang::Token> tokens;
    for (clang::Token token; !lexer.LexFromRawLexer(token) || token.isNot(tok::eof);) {
      if (token.is(tok::eof)) break;
      if (token.is(tok::raw_identifier)) {
        auto* name = preprocessor_.getIdentifierInfo(token.getRawIdentifier());
        token.setIdentifierInfo(name);
        token.setKind(name->getTokenID());
      }
      token.clearFlag(clang::Token::StartOfLine);
      tokens.push_back(token);
    }
    known = known_.emplace(text, std::move(tokens)).first;
  }
  auto tokens = known->second;
  if (tokens.empty()) return tokens;
  // The first one stands at the place itself. The others have locations of their own, as of a macro
  // that is expanded there: the parser finds tokens by location when it goes back.
  auto& sources = preprocessor_.getSourceManager();
  auto next = location;
  if (tokens.size() > 1)
    next = sources.createExpansionLoc(sources.getSpellingLoc(location), location, location,
                                      static_cast<unsigned>(tokens.size()));
  for (auto& token : tokens) {
    token.setLocation(&token == &tokens.front() ? location : next);
    next = next.getLocWithOffset(1);
  }
  return tokens;
}

std::vector<clang::Token> TokenStream::copy(std::size_t first, std::size_t last) const {
  std::vector<clang::Token> tokens;
  for (auto i = first; i <= last && i < size(); ++i) tokens.push_back(at(i).raw);
  return tokens;
}

void TokenStream::replace(std::size_t first, std::size_t last, std::string_view text) {
  replace(first, last, words(text, at(first)));
}
void TokenStream::replace(std::size_t first, std::size_t last, std::vector<clang::Token> tokens) {
  changes_.push_back({first, last + 1, std::move(tokens)});
}
void TokenStream::insert_before(std::size_t index, std::string_view text) {
  insert_before(index, words(text, index < size() ? at(index) : end_));
}
void TokenStream::insert_before(std::size_t index, std::vector<clang::Token> tokens) {
  changes_.push_back({index, index, std::move(tokens)});
}
void TokenStream::remove(std::size_t first, std::size_t last) {
  if (last >= size() || last < first) return;
  std::erase_if(changes_, [&](const Change& change) {
    return change.begin >= first && change.end <= last + 1;
  });
  changes_.push_back({first, last + 1, {}});
}

std::vector<clang::Token> TokenStream::changed() const {
  std::vector<const Change*> sorted;
  for (const auto& change : changes_) sorted.push_back(&change);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Change* a, const Change* b) {
    // What is inserted before a token comes before what replaces the token.
    return std::pair(a->begin, a->end > a->begin) < std::pair(b->begin, b->end > b->begin);
  });
  std::vector<clang::Token> result;
  result.reserve(size() + size() / 4);
  std::size_t next = 0;
  const auto copy_until = [&](std::size_t end) {
    for (; next < end && next < size(); ++next) result.push_back(at(next).raw);
  };
  for (const auto* change : sorted) {
    if (change->begin < next) continue;
    copy_until(change->begin);
    result.insert(result.end(), change->tokens.begin(), change->tokens.end());
    next = change->end;
  }
  copy_until(size());
  return result;
}

}  // namespace msci
