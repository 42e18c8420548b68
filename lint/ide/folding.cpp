#include <map>

#include "lint/analysis/raw_tokens.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

bool opens(const RawToken& token) { return token.is("{") || token.is("(") || token.is("["); }
bool closes(const RawToken& token) { return token.is("}") || token.is(")") || token.is("]"); }
bool are_partners(const RawToken& open, const RawToken& close) {
  return (open.is("{") && close.is("}")) || (open.is("(") && close.is(")")) ||
         (open.is("[") && close.is("]"));
}

class Folds {
 public:
  explicit Folds(const Source& source)
      : lines_(source.text), tokens_(raw_tokens(source, Comments::kept)) {}

  std::vector<Fold> find() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) visit();
    end_run();
    std::vector<Fold> folds;
    for (const auto& [line, fold] : folds_) folds.push_back(fold);
    return folds;
  }

 private:
  // Lines of comments, or of includes, that follow each other.
  struct Run {
    unsigned first = 0;
    unsigned last = 0;
    FoldKind kind = FoldKind::comment;
  };

  unsigned line_of(std::size_t offset) const { return lines_.at(offset).line; }

  void visit() {
    const auto& token = tokens_[at_];
    const auto first = line_of(token.offset);
    if (token.is_comment()) {
      if (token.starts_line) extend_run(first, line_of(token.end() - 1), FoldKind::comment);
      return;
    }
    if (token.is("#") && token.starts_line) return directive(first);
    if (is_in_directive_) is_in_directive_ = !token.starts_line;
    if (is_in_directive_) return;
    end_run();
    if (opens(token)) open_.push_back(&token);
    if (closes(token)) close(token);
  }

  void directive(unsigned line) {
    is_in_directive_ = true;
    if (at_ + 1 >= tokens_.size()) return;
    const auto& word = tokens_[at_ + 1];
    if (word.is("include") || word.is("import")) return extend_run(line, line, FoldKind::imports);
    end_run();
    if (word.is("if") || word.is("ifdef") || word.is("ifndef")) return groups_.push_back(line);
    const bool continues = word.is("else") || word.is("elif");
    if ((!continues && !word.is("endif")) || groups_.empty()) return;
    add({groups_.back(), continues ? line - 1 : line, FoldKind::region});
    groups_.pop_back();
    if (continues) groups_.push_back(line);
  }

  void extend_run(unsigned first, unsigned last, FoldKind kind) {
    if (run_.last + 1 < first || run_.kind != kind || run_.last == 0) {
      end_run();
      run_ = {first, last, kind};
    }
    run_.last = last;
  }
  void end_run() {
    add({run_.first, run_.last, run_.kind});
    run_ = {};
  }

  // A bracket that does not fit is left out, and so is what stands open within a closed pair.
  void close(const RawToken& token) {
    for (auto open = open_.rbegin(); open != open_.rend(); ++open) {
      if (!are_partners(**open, token)) continue;
      const auto first = line_of((*open)->offset);
      open_.erase(std::prev(open.base()), open_.end());
      // The line of the closing bracket stays visible: `} else {` begins another fold.
      return add({first, line_of(token.offset) - 1, FoldKind::region});
    }
  }

  // Of several that begin on one line, the longest counts.
  void add(const Fold& fold) {
    if (fold.last <= fold.first) return;
    const auto [known, is_new] = folds_.try_emplace(fold.first, fold);
    if (!is_new && known->second.last < fold.last) known->second = fold;
  }

  const Lines lines_;
  const std::vector<RawToken> tokens_;
  std::size_t at_ = 0;
  bool is_in_directive_ = false;
  std::vector<const RawToken*> open_;
  std::vector<unsigned> groups_;  // lines of #if, #elif and #else without an end yet
  Run run_;
  std::map<unsigned, Fold> folds_;  // by first line
};

}  // namespace

std::vector<Fold> folds_of(const Source& source) { return Folds(source).find(); }

}  // namespace msci
