#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/CodeCompleteConsumer.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <span>
#include <tuple>

#include "base/text.h"
#include "compiler/frontend/attributes.h"
#include "compiler/frontend/tokens/tokens.h"
#include "lint/ide/declarations.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

using Kind = CompletionKind;

// A source without the word at the place: Clang cannot resolve half a word, and every completion
// replaces it.
struct Unfinished {
  Source source;
  unsigned offset = 0;     // where the word was
  bool is_number = false;  // the word was a number
};

Unfinished without_word(const Source& source, Location place) {
  const auto word = word_around(source, place);
  const auto begin = offset_of(source, word.begin);
  const auto length = offset_of(source, word.end) - begin;
  auto text = source.text;
  text.erase(begin, length);
  const bool is_number = length > 0 && std::isdigit(static_cast<unsigned char>(source.text[begin]));
  return {{source.name, std::move(text)}, static_cast<unsigned>(begin), is_number};
}

// Keywords of C++ that Metal does not have.
bool is_foreign(std::string_view keyword) {
  static const std::set<std::string_view> words{
      "asm",      "catch",     "char16_t",     "char32_t", "char8_t", "co_await",
      "co_yield", "co_return", "concept",      "delete",   "double",  "dynamic_cast",
      "export",   "goto",      "import",       "module",   "new",     "requires",
      "throw",    "try",       "thread_local", "typeid",   "virtual", "wchar_t"};
  return words.contains(keyword) || keyword.starts_with('_');
}

// Names that only our implementation of the headers has.
bool is_hidden(std::string_view name) {
  return name.empty() || name.starts_with("__") || name.starts_with("MSCI_") ||
         name.find('$') != std::string_view::npos;
}

Kind completion_kind(const clang::NamedDecl& declaration) {
  if (llvm::isa<clang::NamespaceDecl, clang::NamespaceAliasDecl>(declaration))
    return Kind::name_space;
  if (llvm::isa<clang::EnumConstantDecl>(declaration)) return Kind::enumerator;
  if (llvm::isa<clang::FieldDecl, clang::MSPropertyDecl>(declaration)) return Kind::field;
  if (const auto* function = declaration.getAsFunction())
    return llvm::isa<clang::CXXMethodDecl>(function) ? Kind::method : Kind::function;
  return llvm::isa<clang::ValueDecl, clang::VarTemplateDecl>(declaration) ? Kind::variable
                                                                          : Kind::type;
}

// Collects the completions that Clang reports.
class CompletionCollector : public clang::CodeCompleteConsumer {
 public:
  CompletionCollector() : CodeCompleteConsumer(options()), names_(std::make_shared<Allocator>()) {}

  std::vector<Completion> completions() && {
    std::sort(ranked_.begin(), ranked_.end(), [](const Ranked& a, const Ranked& b) {
      return std::tie(a.rank, a.completion.name) < std::tie(b.rank, b.completion.name);
    });
    std::vector<Completion> sorted;
    for (auto& each : ranked_) sorted.push_back(std::move(each.completion));
    return sorted;
  }

  void ProcessCodeCompleteResults(clang::Sema& sema, clang::CodeCompletionContext context,
                                  clang::CodeCompletionResult* results, unsigned count) override {
    add_swizzles(context.getBaseType());
    for (const auto& result : std::span(results, count))
      if (!result.Hidden) add(result, sema);
  }
  clang::CodeCompletionAllocator& getAllocator() override { return names_.getAllocator(); }
  clang::CodeCompletionTUInfo& getCodeCompletionTUInfo() override { return names_; }

 private:
  using Allocator = clang::GlobalCodeCompletionAllocator;
  using Result = clang::CodeCompletionResult;

  struct Ranked {
    unsigned rank = 0;  // Clang's priority: less is likelier
    Completion completion;
  };

  static clang::CodeCompleteOptions options() {
    clang::CodeCompleteOptions options;
    options.IncludeMacros = 1;
    options.IncludeCodePatterns = 1;  // Clang reports the keywords of statements only as patterns
    return options;
  }

  void add(const Result& result, clang::Sema& sema) {
    switch (result.Kind) {
      case Result::RK_Declaration:
        return add_declaration(result, sema);
      case Result::RK_Macro:
        return add_macro(result, sema);
      case Result::RK_Keyword:
        return add_keyword(result.Priority, result.Keyword);
      case Result::RK_Pattern:
        return add_pattern(result.Priority, result.Pattern->getAllTypedText());
    }
  }

  void add_declaration(const Result& result, clang::Sema& sema) {
    const auto& declaration = *result.Declaration->getUnderlyingDecl();
    const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration);
    const bool is_inner = record && record->isInjectedClassName();
    if (!declaration.getDeclName().isIdentifier() || is_inner) return;
    std::string name;
    llvm::raw_string_ostream out(name);
    if (result.Qualifier && !result.QualifierIsInformative)
      result.Qualifier.print(out, sema.getPrintingPolicy());
    out << declaration.getName();
    const auto kind = completion_kind(declaration);
    const bool is_metals = !is_users(sema.getSourceManager(), declaration.getLocation());
    if (is_hidden(name) || (is_metals && name.starts_with('_'))) return;
    if (auto* known = find(name, kind)) {
      if (is_metals && declaration.getAsFunction())
        known->detail = sketched(*declaration.getAsFunction());
      return;
    }
    add(result.Priority, {.name = name,
                          .kind = kind,
                          .detail = detail_of(declaration, is_metals),
                          .meaning = is_metals ? meaning_of(name) : std::string_view()});
  }

  static std::string detail_of(const clang::NamedDecl& declaration, bool is_metals) {
    const auto* function = declaration.getAsFunction();
    if (function && is_metals)
      return function->isTemplated() ? sketched(*function) : called(*function);
    if (const auto* value = llvm::dyn_cast<clang::ValueDecl>(&declaration); value && !function)
      return type_of(*value);
    return is_metals ? "" : written(declaration);
  }

  // For each of Metal's keywords that C++ does not have, the headers have a macro: $device.
  void add_macro(const Result& result, clang::Sema& sema) {
    auto name = result.Macro->getName();
    if (!result.MacroDefInfo) return;
    const auto& sources = sema.getSourceManager();
    const auto file = sources.getFilename(result.MacroDefInfo->getDefinitionLoc());
    const bool is_keyword = file.ends_with("/__keywords");
    if (is_keyword) name = name.drop_front();
    if (is_hidden(name) || name.starts_with('_')) return;
    add(is_keyword ? unsigned{clang::CCP_Type} : result.Priority,
        {.name = name.str(), .kind = is_keyword ? Kind::keyword : Kind::macro});
  }

  void add_keyword(unsigned rank, std::string_view keyword) {
    if (!is_foreign(keyword)) add(rank, {.name = std::string(keyword), .kind = Kind::keyword});
  }

  // A keyword with what follows it, or a header with what closes its name.
  void add_pattern(unsigned rank, std::string text) {
    const bool is_header = text.ends_with('>') || text.ends_with('/');
    if (!is_header) return add_keyword(rank, text);
    if (!is_hidden(text)) add(rank, {.name = std::move(text), .kind = Kind::header});
  }

  // The swizzles in the order of the elements: x, y, xy, …
  void add_swizzles(clang::QualType base) {
    if (base.isNull()) return;
    const auto* vector = base.getNonReferenceType()->getAs<clang::ExtVectorType>();
    if (!vector) return;
    const auto width = std::min(vector->getNumElements(), 4u);
    const auto element = type_name(vector->getElementType());
    for (const std::string_view elements : {"xyzw", "rgba"})
      for (unsigned length = 1; length <= width; ++length)
        for (unsigned first = 0; first + length <= width; ++first)
          add(clang::CCP_MemberDeclaration + length,
              {.name = std::string(elements.substr(first, length)),
               .kind = Kind::field,
               .detail = length > 1 ? fmt::format("{}{}", element, length) : element});
  }

  Completion* find(const std::string& name, Kind kind) {
    const auto found = places_.find({name, kind});
    return found == places_.end() ? nullptr : &ranked_[found->second].completion;
  }
  void add(unsigned rank, Completion completion) {
    const auto [_, is_new] =
        places_.try_emplace({completion.name, completion.kind}, ranked_.size());
    if (is_new) ranked_.push_back({rank, std::move(completion)});
  }

  clang::CodeCompletionTUInfo names_;
  std::vector<Ranked> ranked_;
  std::map<std::pair<std::string, Kind>, std::size_t> places_;  // in ranked_
};

std::vector<Completion> attributes() {
  std::vector<Completion> all;
  for (const auto& each : metal_attributes())
    all.push_back({.name = std::string(each.name),
                   .kind = Kind::attribute,
                   .detail = fmt::format("[[{}{}]]", each.name,
                                         each.form == AttributeForm::flag ? "" : "(…)"),
                   .meaning = each.meaning});
  // Attributes of compute kernels come first.
  std::stable_partition(all.begin(), all.end(),
                        [](const auto& each) { return !each.meaning.empty(); });
  return all;
}

}  // namespace

std::vector<Completion> completions_at(PrecompiledPreamble start, const Source& source,
                                       const CompileOptions& options, Location place) {
  const auto unfinished = without_word(source, place);
  if (unfinished.is_number) return {};
  if (names_attribute(unfinished.source.text, unfinished.offset)) return attributes();
  CompletionCollector collector;
  const auto unit =
      complete(std::move(start), unfinished.source, options, unfinished.offset, collector);
  return std::move(collector).completions();
}

}  // namespace msci
