#include "lint/metal/unit.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Lex/Lexer.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCodeCompletion.h>
#include <clang/Serialization/ASTReader.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/metal/compiler.h"
#include "lint/metal/head_start.h"
#include "lint/metal/messages.h"
#include "lint/metal/prebuilt.h"
#include "lint/metal/unit_impl.h"

namespace msci {

// Parsing stands between two declarations: at the end of the headers, before the source's first
// token. Last in, first out: the parser goes before what it works on.
struct HeadStart::Impl {
  std::unique_ptr<Unit::Impl> unit;
  Files files;
  std::optional<clang::EnterExpressionEvaluationContext> evaluated;
  std::unique_ptr<clang::Parser> parser;
  bool has_prebuilt = false;
  clang::Sema::ModuleImportState imports = clang::Sema::ModuleImportState::FirstDecl;
};

namespace {

constexpr const char* main_file = "/metal/program_source";

// Keeps what Sema hands out, so that code can be generated from it later, or not at all. What is
// prebuilt comes as it is named for the first time, which may be while code is generated.
class Recorder : public clang::ASTConsumer {
 public:
  explicit Recorder(Unit::Impl& unit) : unit_(unit) {}
  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    unit_.declarations.push_back(group);
    if (unit_.generator) unit_.generator->HandleTopLevelDecl(group);
    return true;
  }
  void HandleCXXStaticMemberVarInstantiation(clang::VarDecl* member) override {
    unit_.static_members.push_back(member);
    if (unit_.generator) unit_.generator->HandleCXXStaticMemberVarInstantiation(member);
  }

 private:
  Unit::Impl& unit_;
};

// Turns Clang's diagnostics into ours: Metal's words, the user's places, notes below what they
// explain.
class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(Unit::Impl& unit) : unit_(unit) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark)
      return;
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    const Range range = place(info);
    if (level == clang::DiagnosticsEngine::Note) return note(range, std::string(text));
    const bool error = level >= clang::DiagnosticsEngine::Error;
    unit_.diagnostics.push_back({.severity = error ? Severity::error : Severity::warning,
                                 .id = diagnostic_id(info),
                                 .range = range,
                                 .message = metal_words(std::string(text), spelling(range)),
                                 .edits = edits(info)});
  }

 private:
  // A fault inside a Metal header is the fault of the line that used it.
  void note(const Range& range, std::string text) {
    if (unit_.diagnostics.empty() || range.begin.line == 0) return;
    auto& last = unit_.diagnostics.back();
    if (last.range.begin.line == 0) last.range = range;
    last.notes.push_back({range, metal_words(std::move(text), spelling(range))});
  }

  Range place(const clang::Diagnostic& info) const {
    if (info.getLocation().isInvalid() || !info.hasSourceManager()) return {};
    const auto& sources = info.getSourceManager();
    const auto file = sources.getFileLoc(info.getLocation());
    if (!sources.isInMainFile(file)) return {};
    return locate(clang::SourceRange(file));
  }

  // Clang's fix-its, where every part of them lies in the user's text.
  std::vector<Edit> edits(const clang::Diagnostic& info) const {
    std::vector<Edit> edits;
    for (const auto& hint : info.getFixItHints()) {
      if (hint.RemoveRange.getBegin().isMacroID() ||
          hint.CodeToInsert.find('$') != std::string::npos)
        return {};
      auto range = locate(hint.RemoveRange.getAsRange());
      if (range.begin.line == 0) return {};
      const bool inserts = hint.RemoveRange.isCharRange() &&
                           hint.RemoveRange.getBegin() == hint.RemoveRange.getEnd();
      if (inserts) range.end = range.begin;
      edits.push_back({range, hint.CodeToInsert});
    }
    return edits;
  }

  Range locate(clang::SourceRange range) const;
  std::string_view spelling(const Range& range) const;

  Unit::Impl& unit_;
};

Range locate_in(const Unit::Impl& unit, clang::SourceRange range) {
  const auto& sources = unit.compiler->getSourceManager();
  const auto begin = sources.getFileLoc(range.getBegin());
  const auto end = sources.getFileLoc(range.getEnd());
  if (!begin.isValid() || !sources.isInMainFile(begin)) return {};
  const auto length = clang::Lexer::MeasureTokenLength(end, sources, unit.compiler->getLangOpts());
  const auto original = [&](unsigned offset) {
    return unit.lines.at(unit.rewritten->original_offset(offset));
  };
  const auto begin_offset = sources.getFileOffset(begin);
  const auto end_offset =
      sources.isInMainFile(end) ? sources.getFileOffset(end) + length : begin_offset;
  return {original(begin_offset), original(std::max(end_offset, begin_offset))};
}

Range Collector::locate(clang::SourceRange range) const { return locate_in(unit_, range); }

std::string_view Collector::spelling(const Range& range) const {
  return text_of(unit_.source, range);
}

std::vector<Attribute> attributes_of(const Unit::Impl& unit, const clang::Decl& declaration);

bool is_kernel(const Unit::Impl& unit, const clang::FunctionDecl& function) {
  for (const auto& attribute : attributes_of(unit, function))
    if (attribute.name == "kernel") return true;
  return false;
}

// Finds kernels, instantiated ones too.
class KernelFinder : public clang::RecursiveASTVisitor<KernelFinder> {
 public:
  explicit KernelFinder(Unit::Impl& unit) : unit_(unit) {}
  bool shouldVisitTemplateInstantiations() const { return true; }
  bool VisitFunctionDecl(clang::FunctionDecl* function) {
    if (!function->doesThisDeclarationHaveABody() || function->isTemplated()) return true;
    if (!is_kernel(unit_, *function)) return true;
    // An instantiation is met below its template, and again as a declaration of its own.
    const bool known =
        std::any_of(unit_.kernels.begin(), unit_.kernels.end(),
                    [&](const Kernel& kernel) { return kernel.declaration == function; });
    if (known) return true;
    auto name = function->getNameAsString();
    for (const auto& attribute : attributes_of(unit_, *function))
      if (attribute.name == "host_name") name = attribute.text;
    unit_.kernels.push_back({std::move(name), function});
    return true;
  }

 private:
  Unit::Impl& unit_;
};

// The Metal headers have no kernels, and are long.
void find_kernels(Unit::Impl& unit) {
  const auto& sources = unit.compiler->getSourceManager();
  KernelFinder finder(unit);
  for (const auto& group : unit.declarations)
    for (auto* declaration : group)
      if (sources.isInMainFile(sources.getFileLoc(declaration->getLocation())))
        finder.TraverseDecl(declaration);
}

Attribute attribute_from(const Unit::Impl& unit, const clang::AnnotateAttr& annotation) {
  Attribute attribute{.name = annotation.getAnnotation().str(),
                      .range = locate_in(unit, annotation.getRange())};
  if (annotation.args_size() == 0) return attribute;
  const clang::Expr* argument = *annotation.args_begin();
  if (argument->isValueDependent()) return attribute;
  clang::Expr::EvalResult value;
  if (const auto* text =
          llvm::dyn_cast<clang::StringLiteral>(argument->IgnoreParenImpCasts()->IgnoreImplicit()))
    attribute.text = text->getString().str();
  else if (const auto* constant = llvm::dyn_cast<clang::ConstantExpr>(argument);
           constant &&
           llvm::isa<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts()))
    attribute.text = llvm::cast<clang::StringLiteral>(constant->getSubExpr()->IgnoreParenImpCasts())
                         ->getString()
                         .str();
  else if (argument->EvaluateAsInt(value, unit.compiler->getASTContext()))
    attribute.value = value.Val.getInt().getExtValue();
  return attribute;
}

std::vector<Attribute> attributes_of(const Unit::Impl& unit, const clang::Decl& declaration) {
  std::vector<Attribute> attributes;
  for (const auto* annotation : declaration.specific_attrs<clang::AnnotateAttr>())
    attributes.push_back(attribute_from(unit, *annotation));
  return attributes;
}

bool set_up(HeadStart::Impl& start, const Preamble& preamble, Headers headers) {
  auto& unit = *start.unit;
  Beginning beginning{.version = preamble.version, .headers = preamble.includes};
  if (headers == Headers::prebuilt && std::erase(beginning.headers, prebuilt_header) > 0)
    beginning.prebuilt = prebuilt_headers(preamble.version);
  unit.compiler = compiler_for(beginning);
  if (!unit.compiler) return false;
  start.files = metal_files();
  start.has_prebuilt = !beginning.prebuilt.empty();
  if (start.has_prebuilt)
    start.files->addFile(prebuilt_file, 0,
                         llvm::MemoryBuffer::getMemBuffer(beginning.prebuilt, "", false));
  auto& compiler = *unit.compiler;
  compiler.setVirtualFileSystem(start.files);
  compiler.createDiagnostics(new Collector(unit), /*ShouldOwnClient=*/true);
  compiler.createFileManager();
  compiler.createSourceManager();
  return compiler.createTarget();
}

// Nothing of it is compared with what there is: the build made it of the same headers.
bool load_prebuilt(clang::CompilerInstance& compiler) {
  compiler.createPCHExternalASTSource(prebuilt_file, clang::DisableValidationForModuleKind::All,
                                      /*AllowPCHWithCompilerErrors=*/false, nullptr, false);
  return compiler.getASTContext().getExternalSource() != nullptr;
}

// What clang::ParseAST() does, in two halves: up to the end of the headers, where it could only go
// on to the end of all; and from the source's first token.
bool parse_headers(HeadStart::Impl& start) {
  auto& unit = *start.unit;
  auto& compiler = *unit.compiler;
  compiler.InitializeSourceManager(compiler.getFrontendOpts().Inputs.front());
  compiler.createPreprocessor(clang::TU_Complete);
  auto& preprocessor = compiler.getPreprocessor();
  preprocessor.getBuiltinInfo().initializeBuiltins(preprocessor.getIdentifierTable(),
                                                   compiler.getLangOpts());
  compiler.createASTContext();
  compiler.setASTConsumer(std::make_unique<Recorder>(unit));
  if (start.has_prebuilt && !load_prebuilt(compiler)) return false;
  compiler.createSema(clang::TU_Complete, nullptr);
  compiler.getDiagnosticClient().BeginSourceFile(compiler.getLangOpts(), &preprocessor);
  auto& sema = compiler.getSema();
  start.parser = std::make_unique<clang::Parser>(preprocessor, sema, /*SkipFunctionBodies=*/false);
  preprocessor.EnterMainSourceFile();
  if (auto* prebuilt = compiler.getASTContext().getExternalSource())
    prebuilt->StartTranslationUnit(&compiler.getASTConsumer());
  start.parser->Initialize();
  start.evaluated.emplace(sema, clang::Sema::ExpressionEvaluationContext::PotentiallyEvaluated);
  sema.ActOnStartOfTranslationUnit();
  clang::Parser::DeclGroupPtrTy group;
  while (start.parser->getCurToken().isNot(clang::tok::eof)) {
    start.parser->ParseTopLevelDecl(group, start.imports);
    if (group) compiler.getASTConsumer().HandleTopLevelDecl(group.get());
  }
  return true;
}

// Makes the source the main file, as if it had been so from the start, and lets the preprocessor
// read on there. Where a place is asked about, parsing ends at it.
void enter_source(HeadStart::Impl& start, std::optional<Location> asked) {
  auto& unit = *start.unit;
  auto& compiler = *unit.compiler;
  auto& sources = compiler.getSourceManager();
  start.files->addFile(
      main_file, 0,
      llvm::MemoryBuffer::getMemBuffer(unit.rewritten->text(), "program_source", true));
  const auto file = llvm::cantFail(compiler.getFileManager().getFileRef(main_file));
  auto& preprocessor = compiler.getPreprocessor();
  if (asked) preprocessor.SetCodeCompletionPoint(file, asked->line, asked->column);
  const auto id = sources.createFileID(file, clang::SourceLocation(), clang::SrcMgr::C_User);
  sources.setMainFileID(id);
  preprocessor.EnterSourceFile(id, nullptr, clang::SourceLocation());
  preprocessor.markIncluded(file);
}

void take_source(Unit::Impl& unit, Source source) {
  unit.source = std::move(source);
  unit.lines = Lines(unit.source.text);
  unit.rewritten = std::make_unique<Rewritten>(rewrite_tokens(unit.source.text));
}

// At the place that was asked about all is known; the work at a source's end is left.
void parse_up_to(HeadStart::Impl& start, Location asked) {
  const auto& preprocessor = start.unit->compiler->getPreprocessor();
  enter_source(start, asked);
  start.parser->ConsumeAnyToken();
  clang::Parser::DeclGroupPtrTy group;
  while (!preprocessor.isCodeCompletionReached() &&
         !start.parser->ParseTopLevelDecl(group, start.imports)) {
  }
}

void parse_source(HeadStart::Impl& start) {
  auto& compiler = *start.unit->compiler;
  auto& consumer = compiler.getASTConsumer();
  enter_source(start, std::nullopt);
  start.parser->ConsumeAnyToken();  // from the end of the headers to the source's first token
  clang::Parser::DeclGroupPtrTy group;
  while (!start.parser->ParseTopLevelDecl(group, start.imports))
    if (group) consumer.HandleTopLevelDecl(group.get());
  for (auto* declaration : compiler.getSema().WeakTopLevelDecls())
    consumer.HandleTopLevelDecl(clang::DeclGroupRef(declaration));
  compiler.getDiagnosticClient().EndSourceFile();
}

}  // namespace

Unit::Unit(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Unit::Unit(Unit&&) noexcept = default;
Unit& Unit::operator=(Unit&&) noexcept = default;
Unit::~Unit() = default;

const Source& Unit::source() const { return impl_->source; }
LanguageVersion Unit::version() const { return impl_->version; }
const std::vector<Diagnostic>& Unit::diagnostics() const { return impl_->diagnostics; }
const std::vector<Kernel>& Unit::kernels() const { return impl_->kernels; }

bool Unit::compiled() const {
  return std::none_of(impl_->diagnostics.begin(), impl_->diagnostics.end(),
                      [](const Diagnostic& each) { return each.severity == Severity::error; });
}

std::vector<Attribute> Unit::attributes(const clang::Decl& declaration) const {
  return attributes_of(*impl_, declaration);
}

std::optional<Attribute> Unit::attribute(const clang::Decl& declaration,
                                         std::string_view name) const {
  for (auto& attribute : attributes(declaration))
    if (attribute.name == name) return std::move(attribute);
  return std::nullopt;
}

Location Unit::locate(clang::SourceLocation location) const {
  return locate(clang::SourceRange(location)).begin;
}
Range Unit::locate(clang::SourceRange range) const { return locate_in(*impl_, range); }

bool Unit::is_users(clang::SourceLocation location) const {
  const auto& sources = impl_->compiler->getSourceManager();
  return location.isValid() && sources.isInMainFile(sources.getFileLoc(location));
}

std::string_view Unit::text(Range range) const { return text_of(impl_->source, range); }

clang::ASTContext& Unit::ast() const { return impl_->compiler->getASTContext(); }
clang::CompilerInstance& Unit::compiler() const { return *impl_->compiler; }
Memo& Unit::memo() const { return impl_->memo; }

HeadStart::HeadStart(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
HeadStart::HeadStart(HeadStart&&) noexcept = default;
HeadStart& HeadStart::operator=(HeadStart&&) noexcept = default;
HeadStart::~HeadStart() = default;

Result<HeadStart> begin(const Preamble& preamble, Headers headers) {
  auto start = std::make_unique<HeadStart::Impl>();
  start->unit = std::make_unique<Unit::Impl>();
  start->unit->version = preamble.version;
  if (!set_up(*start, preamble, headers) || !parse_headers(*start))
    return Error{"Clang 22 does not take our options; is another version installed?"};
  return HeadStart(std::move(start));
}

Unit parse(HeadStart begun, Source source) {
  auto& start = begun.impl();
  auto& unit = *start.unit;
  take_source(unit, std::move(source));
  parse_source(start);
  find_kernels(unit);
  std::stable_sort(
      unit.diagnostics.begin(), unit.diagnostics.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return a.range.begin < b.range.begin; });
  start.parser.reset();
  start.evaluated.reset();
  return Unit(std::move(start.unit));
}

Unit complete(HeadStart begun, Source source, unsigned offset,
              clang::CodeCompleteConsumer& consumer) {
  auto& start = begun.impl();
  auto& unit = *start.unit;
  take_source(unit, std::move(source));
  unit.compiler->getSema().CodeCompletion().CodeCompleter = &consumer;
  const auto& text = unit.rewritten->text();
  parse_up_to(start, Lines(text).at(unit.rewritten->rewritten_offset(offset)));
  start.parser.reset();
  start.evaluated.reset();
  return Unit(std::move(start.unit));
}

Result<Unit> parse(Source source, LanguageVersion version) {
  auto start = begin(preamble_of(source.text, version), Headers::prebuilt);
  if (!start) return start.error();
  return parse(*std::move(start), std::move(source));
}

}  // namespace msci
