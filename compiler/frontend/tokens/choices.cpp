#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>

#include "compiler/frontend/tokens/token_stream.h"

namespace msci {
namespace {

namespace tok = clang::tok;
using Tokens = std::vector<clang::Token>;

bool ends_operand(const Token& token) {
  return TokenStream::closes(token) || token.is(",") || token.is(";") || token.is(":") ||
         token.kind == tok::eof;
}

// The operands of the `?` at an index: [question + 1, colon) and [colon + 1, end).
struct Operands {
  std::size_t colon = 0;
  std::size_t end = 0;
};

// The token behind an operand that begins at `first`; choices in it are skipped with their ':'.
std::size_t operand_end(const TokenStream& stream, std::size_t first, bool is_middle) {
  int choices = 0;
  for (auto i = first; i < stream.size(); ++i) {
    const auto& token = stream.at(i);
    if (TokenStream::opens(token)) {
      i = stream.closing(i);
      continue;
    }
    if (token.is("<") && stream.before(i).is_name())
      if (const auto close = stream.closing_angle(i)) i = *close;
    if (token.is("?")) ++choices;
    if (token.is(":") && choices > 0) {
      --choices;
      continue;
    }
    if (ends_operand(token) && !(is_middle && token.is(","))) return i;
  }
  return stream.size();
}

std::optional<Operands> operands_of(const TokenStream& stream, std::size_t question) {
  Operands operands;
  operands.colon = operand_end(stream, question + 1, /*is_middle=*/true);
  if (!stream.at(operands.colon).is(":") || operands.colon == question + 1) return std::nullopt;
  operands.end = operand_end(stream, operands.colon + 1, /*is_middle=*/false);
  return operands;
}

// Whether an operand may name an object, such as `x[i]`, `T::init` or `T(0)`: no literal, and
// nothing that computes.
bool may_be_object(const TokenStream& stream, std::size_t first, std::size_t end) {
  bool named = false;
  for (auto i = first; i < end; ++i) {
    const auto& token = stream.at(i);
    if (token.is_name()) {
      named = true;
    } else if (TokenStream::opens(token)) {
      if (!named && !token.is("(")) return false;
      i = stream.closing(i);
    } else if (token.is("<")) {
      const auto close = stream.closing_angle(i);
      if (!close) return false;
      i = *close;
    } else if (!token.is(".") && !token.is("->") && !token.is("::") && !token.is("*")) {
      return false;
    }
  }
  return named;
}

// Whether an object is more than a variable of its own: an element, a member, what a name leads to.
bool lies_elsewhere(const TokenStream& stream, std::size_t first, std::size_t end) {
  for (auto i = first; i < end; ++i) {
    const auto& token = stream.at(i);
    if (token.is("[") || token.is(".") || token.is("->") || token.is("::") || token.is("*"))
      return true;
  }
  return false;
}

// The `=` that assigns what a choice gives, or initialises something with it.
std::optional<std::size_t> assignment(const TokenStream& stream, std::size_t question) {
  for (auto i = question; i-- > 0;) {
    const auto& token = stream.at(i);
    if (token.is("=")) return i;
    if (token.is(")") || token.is("]"))
      i = stream.opening(i);
    else if (TokenStream::opens(token) || ends_operand(token))
      return std::nullopt;
  }
  return std::nullopt;
}

// `T& x = …`
bool binds_reference(const TokenStream& stream, std::size_t assignment) {
  return assignment > 1 && stream.before(assignment - 1).is("&");
}

// Writes tokens again, with values as the operands of choices.
class Unification {
 public:
  Unification(clang::Preprocessor& preprocessor, const std::vector<clang::Token>& tokens,
              const MixedChoices& choices)
      : sources_(preprocessor.getSourceManager()),
        stream_(preprocessor, tokens),
        choices_(choices) {}

  Tokens run() {
    for (std::size_t i = 0; i < stream_.size(); ++i)
      if (stream_.at(i).is("template") && stream_.at(i + 1).is("<")) i = add_template(i);
    return united(0, stream_.size());
  }

 private:
  Tokens united(std::size_t first, std::size_t end) {
    Tokens result;
    for (auto i = first; i < end; ++i) {
      result.push_back(stream_.at(i).raw);
      const auto operands = is_choice(i) ? operands_of(stream_, i) : std::nullopt;
      if (!operands || operands->end > end || !is_mixed(i, *operands)) continue;
      append(result, value(i + 1, operands->colon));
      result.push_back(stream_.at(operands->colon).raw);
      // A choice of values is a value.
      const bool ends_in_choice = has_mixed_choice(operands->colon + 1, operands->end);
      append(result, ends_in_choice ? united(operands->colon + 1, operands->end)
                                    : value(operands->colon + 1, operands->end));
      i = operands->end - 1;
    }
    return result;
  }
  Tokens value(std::size_t first, std::size_t end) {
    const auto operand = united(first, end);
    auto result = stream_.words("static_cast<$plain_of<decltype((", stream_.at(first));
    append(result, operand);
    append(result, stream_.words("))>>(", stream_.at(first)));
    append(result, operand);
    append(result, stream_.words(")", stream_.at(first)));
    return result;
  }

  // Until the end of what it is a template of; its last token.
  std::size_t add_template(std::size_t first) {
    auto last = stream_.closing_angle(first + 1).value_or(first + 1);
    while (last < stream_.size() && !stream_.at(last).is("{") && !stream_.at(last).is(";")) ++last;
    if (stream_.at(last).is("{")) last = stream_.closing(last);
    templates_[last] = first;
    return last;
  }
  bool is_in_template(std::size_t index) const {
    const auto ends_behind = templates_.lower_bound(index);
    return ends_behind != templates_.end() && ends_behind->second < index;
  }

  bool is_choice(std::size_t i) const {
    return stream_.at(i).kind == tok::question && !stream_.at(i).is_system;
  }
  // One of those that were refused, or one like them; or one that some instance may refuse. To
  // meet that instance first would cost a parse of all before it.
  bool is_mixed(std::size_t question, const Operands& operands) const {
    if (choices_.contains(choice_at(stream_.at(question).raw.getLocation(), sources_))) return true;
    if (!may_be_object(stream_, question + 1, operands.colon) ||
        !may_be_object(stream_, operands.colon + 1, operands.end))
      return false;
    const auto assigns = assignment(stream_, question);
    if (assigns && binds_reference(stream_, *assigns)) return false;
    return !choices_.empty() || (assigns && is_in_template(question) &&
                                 (lies_elsewhere(stream_, question + 1, operands.colon) ||
                                  lies_elsewhere(stream_, operands.colon + 1, operands.end)));
  }
  bool has_mixed_choice(std::size_t first, std::size_t end) const {
    for (auto i = first; i < end; ++i) {
      if (TokenStream::opens(stream_.at(i))) i = stream_.closing(i);
      if (!is_choice(i)) continue;
      const auto operands = operands_of(stream_, i);
      return operands && is_mixed(i, *operands);
    }
    return false;
  }
  static void append(Tokens& tokens, const Tokens& more) {
    tokens.insert(tokens.end(), more.begin(), more.end());
  }

  const clang::SourceManager& sources_;
  TokenStream stream_;
  const MixedChoices& choices_;
  std::map<std::size_t, std::size_t> templates_;  // by the last token: the first one
};

}  // namespace

std::pair<std::string, unsigned> choice_at(clang::SourceLocation question,
                                           const clang::SourceManager& sources) {
  const auto place = sources.getFileLoc(question);
  const auto file = sources.getFileEntryRefForID(sources.getFileID(place));
  return {file ? file->getName().str() : std::string(), sources.getFileOffset(place)};
}

std::vector<clang::Token> unite_choices(clang::Preprocessor& preprocessor,
                                        std::vector<clang::Token> tokens,
                                        const MixedChoices& choices) {
  if (std::none_of(tokens.begin(), tokens.end(),
                   [](const clang::Token& token) { return token.is(tok::question); }))
    return tokens;
  return Unification(preprocessor, tokens, choices).run();
}

}  // namespace msci
