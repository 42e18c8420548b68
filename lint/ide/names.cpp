#include "lint/ide/names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <map>

namespace msci {
namespace {

using PlaceVisitor = std::function<void(clang::SourceLocation)>;

class NameWalk : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit NameWalk(NameVisitor visit, PlaceVisitor visit_elements = nullptr)
      : visit_(std::move(visit)), visit_elements_(std::move(visit_elements)) {
    ShouldVisitTemplateInstantiations = true;
  }
  void walk(const Unit& unit) {
    for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
      if (unit.is_users(declaration->getLocation())) TraverseDecl(declaration);
  }

  bool VisitNamedDecl(clang::NamedDecl* declaration) override {
    if (!llvm::isa<clang::UsingDecl>(declaration)) take(declaration->getLocation(), declaration);
    return true;
  }
  // Clang keeps no node for `template void f<Cell>(device Cell*);`, but where f was instantiated.
  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    const auto kind = function->getTemplateSpecializationKind();
    if (kind != clang::TSK_ExplicitInstantiationDefinition &&
        kind != clang::TSK_ExplicitInstantiationDeclaration)
      return true;
    take(function->getPointOfInstantiation(), function);
    take_instantiated_types(*function);
    return true;
  }
  bool VisitUsingDecl(clang::UsingDecl* names) override {
    for (const auto* shadow : names->shadows())
      take(names->getNameInfo().getLoc(), shadow->getTargetDecl());
    return true;
  }
  bool VisitUsingDirectiveDecl(clang::UsingDirectiveDecl* names) override {
    return take(names->getIdentLocation(), names->getNominatedNamespaceAsWritten());
  }
  bool VisitNamespaceAliasDecl(clang::NamespaceAliasDecl* alias) override {
    return take(alias->getTargetNameLoc(), alias->getAliasedNamespace());
  }
  bool VisitDeclRefExpr(clang::DeclRefExpr* reference) override {
    return take(reference->getLocation(), reference->getDecl());
  }
  bool VisitMemberExpr(clang::MemberExpr* member) override {
    return take(member->getMemberLoc(), member->getMemberDecl());
  }
  bool VisitMSPropertyRefExpr(clang::MSPropertyRefExpr* member) override {
    return take(member->getMemberLoc(), member->getPropertyDecl());
  }
  bool VisitExtVectorElementExpr(clang::ExtVectorElementExpr* elements) override {
    if (visit_elements_) visit_elements_(elements->getAccessorLoc());
    return true;
  }
  bool VisitOverloadExpr(clang::OverloadExpr* names) override {
    for (auto each = names->decls_end(); each != names->decls_begin();)
      take(names->getNameLoc(), *--each);  // the first comes last: it is shown
    return true;
  }
  bool VisitSizeOfPackExpr(clang::SizeOfPackExpr* size) override {
    return take(size->getPackLoc(), size->getPack());
  }
  bool VisitDesignatedInitExpr(clang::DesignatedInitExpr* list) override {
    for (const auto& designator : list->designators())
      if (designator.isFieldDesignator()) take(designator.getFieldLoc(), designator.getFieldDecl());
    return true;
  }
  bool TraverseConstructorInitializer(clang::CXXCtorInitializer* initialiser) override {
    if (initialiser->isWritten() && initialiser->isAnyMemberInitializer())
      take(initialiser->getMemberLocation(), initialiser->getAnyMember());
    return clang::DynamicRecursiveASTVisitor::TraverseConstructorInitializer(initialiser);
  }
  bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc prefix) override {
    if (prefix)
      if (const auto name = prefix.getAsNamespaceAndPrefix().Namespace)
        take(prefix.getLocalBeginLoc(), name);
    return clang::DynamicRecursiveASTVisitor::TraverseNestedNameSpecifierLoc(prefix);
  }
  bool VisitTypedefTypeLoc(clang::TypedefTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitUsingTypeLoc(clang::UsingTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl()->getTargetDecl());
  }
  bool VisitTagTypeLoc(clang::TagTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitTemplateTypeParmTypeLoc(clang::TemplateTypeParmTypeLoc type) override {
    return take(type.getNameLoc(), type.getDecl());
  }
  bool VisitTemplateSpecializationTypeLoc(clang::TemplateSpecializationTypeLoc type) override {
    return take(type.getTemplateNameLoc(),
                type.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }
  bool VisitDeducedTemplateSpecializationTypeLoc(
      clang::DeducedTemplateSpecializationTypeLoc type) override {
    return take(type.getTemplateNameLoc(),
                type.getTypePtr()->getTemplateName().getAsTemplateDecl());
  }

 private:
  bool take(clang::SourceLocation name, const clang::NamedDecl* declaration) {
    if (declaration && name.isValid()) visit_(name, *declaration);
    return true;
  }

  using Types = std::map<std::string, const clang::NamedDecl*>;  // by name

  static void add_types(clang::QualType type, Types& types) {
    while (type->isPointerType() || type->isReferenceType()) type = type->getPointeeType();
    const auto* tag = type->getAsTagDecl();
    if (!tag || !types.emplace(tag->getNameAsString(), tag).second) return;
    if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(tag))
      add_types(made->getTemplateArgs(), types);
  }
  static void add_types(const clang::TemplateArgumentList& arguments, Types& types) {
    for (const auto& argument : arguments.asArray())
      if (argument.getKind() == clang::TemplateArgument::Type)
        add_types(argument.getAsType(), types);
  }

  // The structures and enumerations in an explicit instantiation, up to its semicolon.
  void take_instantiated_types(const clang::FunctionDecl& function) {
    Types types;
    if (const auto* arguments = function.getTemplateSpecializationArgs())
      add_types(*arguments, types);
    for (const auto* parameter : function.parameters()) add_types(parameter->getType(), types);
    const auto& ast = function.getASTContext();
    auto place = function.getPointOfInstantiation();
    if (types.empty() || place.isInvalid() || place.isMacroID()) return;
    while (const auto token =
               clang::Lexer::findNextToken(place, ast.getSourceManager(), ast.getLangOpts())) {
      if (token->isOneOf(clang::tok::semi, clang::tok::eof)) return;
      place = token->getLocation();
      if (!token->is(clang::tok::raw_identifier)) continue;
      if (const auto found = types.find(token->getRawIdentifier().str()); found != types.end())
        take(place, found->second);
    }
  }

  NameVisitor visit_;
  PlaceVisitor visit_elements_;
};

// Where a token was written, and whether it came from the body of a macro.
struct Spelling {
  clang::SourceLocation place;
  bool in_macro = false;
};

Spelling spelling_of(clang::SourceLocation location, const clang::SourceManager& sources) {
  Spelling spelling{location};
  while (spelling.place.isMacroID()) {
    if (!sources.isMacroArgExpansion(spelling.place)) spelling.in_macro = true;
    spelling.place = sources.getImmediateSpellingLoc(spelling.place);
  }
  return spelling;
}

// Whether the word stands at this place of a file.
bool is_written_at(clang::SourceLocation place, llvm::StringRef word,
                   const clang::SourceManager& sources) {
  const char* text = sources.getCharacterData(place);
  if (std::strncmp(text, word.data(), word.size()) != 0) return false;
  const auto next = static_cast<unsigned char>(text[word.size()]);
  return !std::isalnum(next) && next != '_' && next != '$';
}

class Gathering {
 public:
  explicit Gathering(const Unit& unit) : unit_(unit), sources_(unit.ast().getSourceManager()) {}

  void take(clang::SourceLocation name, const clang::NamedDecl& declaration) {
    const auto& symbol = symbol_of(declaration);
    if (!symbol.getDeclName().isIdentifier() || symbol.getName().empty()) return;
    const auto [place, in_macro] = spelling_of(name, sources_);
    if (in_macro && sources_.isWrittenInScratchSpace(place))
      return add(in_macros_, unit_.locate(name), symbol);
    if (!unit_.is_users(place) || !is_written_at(place, symbol.getName(), sources_)) return;
    add(in_macro ? in_macros_ : names_, unit_.locate(place), symbol);
  }

  void take_elements(clang::SourceLocation name) { elements_.insert(unit_.locate(name)); }

  WrittenNames names() && {
    return {sorted(std::move(names_)), sorted(std::move(in_macros_)), std::move(elements_)};
  }

 private:
  using ByPlace = std::map<Place, WrittenName>;

  static void add(ByPlace& places, const Place& place, const clang::NamedDecl& symbol) {
    if (!place.is_known()) return;
    auto& name = places.try_emplace(place.start(), WrittenName{place, {}}).first->second;
    if (!name.may_be(symbol)) name.symbols.push_back(&symbol);
  }
  static std::vector<WrittenName> sorted(ByPlace places) {
    std::vector<WrittenName> all;
    for (auto& [place, name] : places) all.push_back(std::move(name));
    return all;
  }

  const Unit& unit_;
  const clang::SourceManager& sources_;
  ByPlace names_;
  ByPlace in_macros_;
  std::set<Place> elements_;
};

const clang::NamedDecl* pattern_of(const clang::NamedDecl& declaration) {
  if (const auto* of_template = llvm::dyn_cast<clang::TemplateDecl>(&declaration))
    return of_template->getTemplatedDecl();
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration)) {
    if (const auto* primary = function->getPrimaryTemplate()) return primary->getTemplatedDecl();
    return function->getInstantiatedFromMemberFunction();
  }
  if (const auto* made = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(&declaration))
    return made->getSpecializedTemplate()->getTemplatedDecl();
  if (const auto* record = llvm::dyn_cast<clang::CXXRecordDecl>(&declaration))
    return record->getInstantiatedFromMemberClass();
  if (const auto* made = llvm::dyn_cast<clang::VarTemplateSpecializationDecl>(&declaration))
    return made->getSpecializedTemplate()->getTemplatedDecl();
  return nullptr;
}

}  // namespace

void for_each_name(const Unit& unit, const NameVisitor& visit) { NameWalk(visit).walk(unit); }

const clang::NamedDecl* declaration_at(const Unit& unit, Location location) {
  const clang::NamedDecl* found = nullptr;  // what is met last lies innermost
  for_each_name(unit, [&](clang::SourceLocation name, const clang::NamedDecl& declaration) {
    const auto [file, range] = unit.locate(name);
    if (file.empty() && range.begin.line != 0 && range.begin <= location && location <= range.end)
      found = &declaration;
  });
  return found;
}

const clang::NamedDecl& symbol_of(const clang::NamedDecl& declaration) {
  const auto* symbol = &declaration;
  if (const auto* shadow = llvm::dyn_cast<clang::UsingShadowDecl>(symbol))
    symbol = shadow->getTargetDecl();
  if (llvm::isa<clang::CXXConstructorDecl, clang::CXXDestructorDecl>(symbol))
    symbol = llvm::cast<clang::CXXMethodDecl>(symbol)->getParent();
  while (const auto* pattern = pattern_of(*symbol)) symbol = pattern;
  return *llvm::cast<clang::NamedDecl>(symbol->getCanonicalDecl());
}

const clang::NamedDecl& definition_of(const clang::NamedDecl& declaration) {
  const clang::NamedDecl* definition = nullptr;
  if (const auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration))
    definition = function->getDefinition();
  if (const auto* tag = llvm::dyn_cast<clang::TagDecl>(&declaration))
    definition = tag->getDefinition();
  return definition ? *definition : declaration;
}

// Clang makes a declaration of its own for each instance of a field or a variable, at one place.
bool is_same_symbol(const clang::NamedDecl& a, const clang::NamedDecl& b) {
  return a.getLocation() == b.getLocation() && a.getDeclName() == b.getDeclName();
}

bool WrittenName::may_be(const clang::NamedDecl& symbol) const {
  return std::any_of(symbols.begin(), symbols.end(),
                     [&](const clang::NamedDecl* each) { return is_same_symbol(*each, symbol); });
}

const WrittenName* WrittenNames::at(const Place& place) const {
  const auto begin = place.start();
  const auto found = std::lower_bound(
      names.begin(), names.end(), begin,
      [](const WrittenName& name, const Place& at) { return name.place.start() < at; });
  return found != names.end() && found->place.start() == begin ? &*found : nullptr;
}

void locate_all_files(const Unit& unit) {
  const auto& sources = unit.ast().getSourceManager();
  for (unsigned i = 0; i < sources.local_sloc_entry_size(); ++i) {
    const auto& entry = sources.getLocalSLocEntry(i);
    if (!entry.isFile()) continue;
    const auto begin = clang::SourceLocation::getFromRawEncoding(entry.getOffset());
    // A header of Metal's says that it is one, but not before its first line.
    const auto end = sources.getLocForEndOfFile(sources.getFileID(begin));
    if (unit.is_users(end)) unit.locate(end);
  }
}

WrittenNames written_names(const Unit& unit) {
  locate_all_files(unit);
  Gathering gathering(unit);
  const NameVisitor take = [&](clang::SourceLocation name, const clang::NamedDecl& declaration) {
    gathering.take(name, declaration);
  };
  const PlaceVisitor take_elements = [&](clang::SourceLocation name) {
    gathering.take_elements(name);
  };
  NameWalk(take, take_elements).walk(unit);
  return std::move(gathering).names();
}

std::vector<Place> references_to(const Unit& unit, const clang::NamedDecl& symbol) {
  std::vector<Place> places;
  for (const auto& name : written_names(unit).names)
    if (name.may_be(symbol)) places.push_back(name.place);
  return places;
}

std::vector<Range> occurrences_of(const Unit& unit, const clang::NamedDecl& declaration) {
  std::vector<Range> ranges;
  for (const auto& place : references_to(unit, symbol_of(declaration)))
    if (place.file.empty()) ranges.push_back(place.range);
  return ranges;
}

}  // namespace msci
