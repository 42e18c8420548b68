#include <clang/AST/DeclCXX.h>
#include <clang/Basic/CharInfo.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/tokens/tokens.h"
#include "lint/analysis/raw_tokens.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

// "line 3", or "common.h:3".
std::string short_place_text(const Place& place) {
  const auto line = place.range.begin.line;
  return place.file.empty()
             ? fmt::format("line {}", line)
             : fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), line);
}

// Why no symbol can have this name; nothing if it can.
std::optional<Error> objection_to(const std::string& name, const Unit& unit) {
  if (!clang::isValidAsciiIdentifier(name)) return Error{fmt::format("\"{}\" is not a name", name)};
  if (name.starts_with("__"))
    return Error{fmt::format("'{}' is reserved: it begins with __", name)};
  auto& preprocessor = unit.compiler().getPreprocessor();
  const auto* word = preprocessor.getIdentifierInfo(name);
  if (is_metal_keyword(name) || word->isKeyword(preprocessor.getLangOpts()))
    return Error{fmt::format("'{}' is a keyword", name)};
  if (preprocessor.getMacroInfo(word)) return Error{fmt::format("'{}' is a macro", name)};
  return std::nullopt;
}

// What a word of a file is, apart from a name that Clang resolves.
enum class Context { code, directive, macro_name, macro_parameter, macro_body };

// The words of a file that are spelt like `name`, in order.
struct Word {
  Range range;
  std::size_t offset = 0;
  Context context = Context::code;
  bool is_member = false;  // behind "." or "->"
};

class WordsOf {
 public:
  WordsOf(const Source& source, std::string_view name)
      : source_(source), name_(name), tokens_(raw_tokens(source)) {}

  std::vector<Word> find() {
    for (at_ = 0; at_ < tokens_.size(); ++at_) {
      if (tokens_[at_].starts_line) enter_line();
      const auto context = context_of(at_);
      const auto& token = tokens_[at_];
      if (!token.is_identifier() || spelling_of(token) != name_) continue;
      words_.push_back({range_of(source_, token), token.offset, context, is_behind_dot()});
    }
    return std::move(words_);
  }

 private:
  void enter_line() {
    context_ = tokens_[at_].is("#") ? Context::directive : Context::code;
    parameters_.clear();
    name_at_ = 0;
    if (context_ == Context::code || at_ + 2 >= tokens_.size() || !tokens_[at_ + 1].is("define"))
      return;
    name_at_ = at_ + 2;
    body_at_ = name_at_ + 1;
    if (body_at_ >= tokens_.size() || !tokens_[body_at_].is("(") ||
        tokens_[body_at_].offset != tokens_[name_at_].end())
      return;
    while (body_at_ < tokens_.size() && !tokens_[body_at_].is(")"))
      parameters_.insert(spelling_of(tokens_[body_at_++]));
  }
  Context context_of(std::size_t at) const {
    if (context_ == Context::code || name_at_ == 0 || at < name_at_) return context_;
    if (at == name_at_) return Context::macro_name;
    return parameters_.contains(name_) ? Context::macro_parameter : Context::macro_body;
  }
  bool is_behind_dot() const {
    return at_ > 0 && (tokens_[at_ - 1].is(".") || tokens_[at_ - 1].is("->"));
  }

  const Source& source_;
  const std::string name_;
  const std::vector<RawToken> tokens_;
  std::size_t at_ = 0;
  Context context_ = Context::code;
  std::size_t name_at_ = 0;  // of a macro that this line defines
  std::size_t body_at_ = 0;
  std::set<std::string> parameters_;
  std::vector<Word> words_;
};

// Finds the places to change in one unit, or what forbids it.
class Search {
 public:
  Search(const Unit& unit, const WrittenNames& names, const clang::NamedDecl& symbol)
      : unit_(unit), names_(names), symbol_(symbol), word_(symbol.getNameAsString()) {}

  Result<std::vector<Place>> run() {
    for (const auto& name : names_.in_macros)
      if (name.may_be(symbol_))
        return Error{fmt::format("'{}' is used in a macro ({}), which rename does not change",
                                 word_, short_place_text(name.place))};
    visit(unit_.source(), "");
    for (const auto* file : unit_.included_files()) visit(*file, file->name);
    if (objection_) return *objection_;
    return std::move(places_);
  }

 private:
  void visit(const Source& source, const std::string& file) {
    for (const auto& word : WordsOf(source, word_).find()) visit(word, {file, word.range}, source);
  }

  void visit(const Word& word, const Place& place, const Source& source) {
    switch (word.context) {
      case Context::directive:
      case Context::macro_name:
      case Context::macro_parameter:
        return;
      case Context::macro_body:
        if (!is_known_in_macro(place))
          object(place, "stands in a macro that this source does not use");
        return;
      case Context::code:
        break;
    }
    if (const auto* name = names_.at(place)) {
      if (!name->may_be(symbol_)) return;
      if (name->symbols.size() > 1)
        return object(place,
                      "may refer to other declarations, too, depending on a template's "
                      "arguments");
      return places_.push_back(place);
    }
    if (names_.elements.contains(place)) return;
    if (word.is_member && !symbol_.isCXXClassMember()) return;
    if (names_attribute(source.text, static_cast<unsigned>(word.offset))) return;
    object(place,
           "stands where the compiler cannot resolve it: in code that is left out, in a "
           "template without instances, or beside an error");
  }

  bool is_known_in_macro(const Place& place) const {
    return std::any_of(
        names_.in_macros.begin(), names_.in_macros.end(),
        [&](const WrittenName& name) { return name.place.start() == place.start(); });
  }

  void object(const Place& place, std::string_view why) {
    if (!objection_)
      objection_ = Error{fmt::format("{}: '{}' {}", short_place_text(place), word_, why)};
  }

  const Unit& unit_;
  const WrittenNames& names_;
  const clang::NamedDecl& symbol_;
  const std::string word_;
  std::vector<Place> places_;
  std::optional<Error> objection_;
};

// Where places of a unit begin after the edits.
class Moves {
 public:
  Moves(const std::vector<Place>& places, std::size_t old_length, std::size_t new_length)
      : difference_(static_cast<long>(new_length) - static_cast<long>(old_length)) {
    for (const auto& [file, range] : places)
      by_line_[{file, range.begin.line}].push_back(range.begin.column);
  }
  Place operator()(const Place& place) const {
    auto moved = place.start();
    auto& [line, column] = moved.range.begin;
    const auto found = by_line_.find({place.file, line});
    if (found == by_line_.end()) return moved;
    const auto before = std::count_if(found->second.begin(), found->second.end(),
                                      [&](unsigned each) { return each < column; });
    column = static_cast<unsigned>(column + difference_ * before);
    return moved.start();
  }

 private:
  long difference_;
  std::map<std::pair<std::string, unsigned>, std::vector<unsigned>> by_line_;
};

// What names refer to: places of declarations, and names of Metal's.
using Meanings = std::map<Place, std::set<std::string>>;

template <typename Move>
Meanings meanings_of(const Unit& unit, const std::vector<WrittenName>& names, const Move& move) {
  Meanings meanings;
  for (const auto& name : names)
    for (const auto* symbol : name.symbols) {
      const auto place = move(unit.locate(symbol->getLocation()));
      const auto& [line, column] = place.range.begin;
      meanings[move(name.place)].insert(place.is_known()
                                            ? fmt::format("{}:{}:{}", place.file, line, column)
                                            : symbol->getNameAsString());
    }
  return meanings;
}

// The first place that has another meaning in one of both.
std::optional<Place> first_difference(const Meanings& a, const Meanings& b) {
  for (const auto& [one, other] : {std::pair(&a, &b), std::pair(&b, &a)})
    for (const auto& [place, meaning] : *one)
      if (const auto found = other->find(place); found == other->end() || found->second != meaning)
        return place;
  return std::nullopt;
}

// The messages of the unit's errors, sorted.
std::vector<std::string> errors_of(const Unit& unit) {
  std::vector<std::string> errors;
  for (const auto& each : unit.diagnostics())
    if (each.severity == Severity::error) errors.push_back(each.message);
  std::sort(errors.begin(), errors.end());
  return errors;
}

// The unit with the new name at these places, which are in order.
Result<Unit> parse_edited(const Unit& unit, CompileOptions options,
                          const std::vector<Place>& places, std::string_view new_name) {
  std::map<std::string, std::string> texts;  // by file
  for (auto place = places.rbegin(); place != places.rend(); ++place) {
    const auto& source = unit.source_of(*place);
    auto& text = texts.try_emplace(place->file, source.text).first->second;
    const auto begin = offset_of(source, place->range.begin);
    text.replace(begin, offset_of(source, place->range.end) - begin, new_name);
  }
  auto source = unit.source();
  for (auto& [file, text] : texts) {
    if (file.empty())
      source.text = std::move(text);
    else
      options.unsaved[std::filesystem::absolute(file).string()] = std::move(text);
  }
  return parse(std::move(source), std::move(options));
}

// Why the new name would change what the unit means; nothing if it would not.
std::optional<Error> change_of_meaning(const Unit& unit, const WrittenNames& names,
                                       const CompileOptions& options,
                                       const std::vector<Place>& places,
                                       const std::string& old_name, const std::string& new_name) {
  const auto after = parse_edited(unit, options, places, new_name);
  if (!after) return after.error();
  const auto names_after = written_names(*after);
  const Moves move(places, old_name.size(), new_name.size());
  const auto stay = [](const Place& place) { return place.start(); };
  const auto errors_before = errors_of(unit);
  const auto errors_after = errors_of(*after);
  std::vector<std::string> errors;
  std::set_difference(errors_after.begin(), errors_after.end(), errors_before.begin(),
                      errors_before.end(), std::back_inserter(errors));
  if (errors_after.size() > errors_before.size())
    return Error{fmt::format("with the name '{}', the source has another error: {}", new_name,
                             errors.front())};
  const auto kernels = [&](const Unit& each) {
    return std::count_if(each.kernels().begin(), each.kernels().end(),
                         [&](const Kernel& kernel) { return kernel.name == new_name; });
  };
  if (kernels(unit) > 0 && kernels(*after) > kernels(unit))
    return Error{fmt::format("another kernel is called '{}'", new_name)};
  for (const auto& [before, now] : {std::pair(&names.names, &names_after.names),
                                    std::pair(&names.in_macros, &names_after.in_macros)})
    if (const auto place =
            first_difference(meanings_of(unit, *before, move), meanings_of(*after, *now, stay)))
      return Error{fmt::format("'{}' is taken: the name in {} would refer to something else",
                               new_name, short_place_text(*place))};
  return std::nullopt;
}

// Who finds a kernel by its name and is not changed; empty if nothing is known to.
std::string caller_of(const clang::NamedDecl& symbol, const Unit& unit, const Contract& contract) {
  for (const auto& kernel : unit.kernels()) {
    if (!is_same_symbol(symbol_of(*kernel.declaration), symbol) ||
        kernel.name != symbol.getNameAsString())
      continue;
    if (contract.has_kernel(kernel.name)) return contract.from;
    if (!contract.host) continue;
    for (const auto& fetch : contract.host->fetched)
      if (fetch.kernel == kernel.name) return "the host";
  }
  return "";
}

}  // namespace

Result<Renamable> renamable_at(const Unit& unit, const Contract& contract, Location location) {
  const auto word = word_around(unit.source(), location);
  if (word.begin == word.end) return Error{"no name stands here"};
  const auto text = std::string(text_of(unit.source(), word));
  const auto names = written_names(unit);
  const auto* name = names.at({"", word});
  if (!name) {
    auto& preprocessor = unit.compiler().getPreprocessor();
    if (preprocessor.getMacroInfo(preprocessor.getIdentifierInfo(text)) && !is_metal_keyword(text))
      return Error{fmt::format("'{}' is a macro, which rename does not change", text)};
    return Error{fmt::format("'{}' is not a name that this source declares", text)};
  }
  if (name->symbols.size() > 1)
    return Error{fmt::format("'{}' may refer to several declarations here", text)};
  const auto& symbol = *name->symbols.front();
  auto place = place_of(unit, symbol);
  if (place.file.empty()) return Error{fmt::format("'{}' is declared by the Metal headers", text)};
  if (const auto caller = caller_of(symbol, unit, contract); !caller.empty())
    return Error{fmt::format("{} finds the kernel '{}' by its name", caller, text)};
  return Renamable{word, std::move(place)};
}

Result<std::vector<Place>> rename(const Unit& unit, const CompileOptions& options,
                                  const SymbolPlace& symbol, const std::string& new_name) {
  if (auto objection = objection_to(new_name, unit)) return *std::move(objection);
  const auto names = written_names(unit);
  const auto* found = symbol_at(unit, names, symbol);
  if (!found || symbol.name == new_name) return std::vector<Place>();
  auto places = Search(unit, names, *found).run();
  if (!places) return places;
  if (auto change = change_of_meaning(unit, names, options, *places, symbol.name, new_name))
    return *std::move(change);
  return places;
}

}  // namespace msci
