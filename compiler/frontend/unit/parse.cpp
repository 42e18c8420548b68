#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/Lex/HeaderSearch.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Parse/Parser.h>
#include <clang/Sema/EnterExpressionEvaluationContext.h>
#include <clang/Sema/Sema.h>
#include <clang/Sema/SemaCodeCompletion.h>
#include <clang/Serialization/ASTReader.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compiler/frontend/compiler.h"
#include "compiler/frontend/guarded_files.h"
#include "compiler/frontend/preamble/prebuilt.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "compiler/frontend/tokens/tokens.h"
#include "compiler/frontend/unit/unit_impl.h"

namespace msci {

// Parsing stands between two declarations: at the end of the headers, before the source's first
// token. Last in, first out: the parser goes before what it works on.
struct PrecompiledPreamble::Impl {
  Unit unit{std::make_unique<Unit::Impl>()};
  llvm::IntrusiveRefCntPtr<GuardedFiles> files;
  std::optional<clang::EnterExpressionEvaluationContext> evaluated;
  std::unique_ptr<clang::Parser> parser;
  bool has_prebuilt = false;
  clang::Sema::ModuleImportState imports = clang::Sema::ModuleImportState::FirstDecl;
};

namespace {

// What Clang calls the source, in its folder.
constexpr std::string_view main_file = "program_source";

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

bool set_up(PrecompiledPreamble::Impl& start, const Preamble& preamble, Headers headers) {
  auto& unit = start.unit.impl();
  Beginning beginning{
      .version = preamble.version, .fast_math = preamble.fast_math, .headers = preamble.includes};
  // Those were made with fast math, and keep its macros.
  const bool may_be_prebuilt = headers == Headers::prebuilt && preamble.fast_math;
  const auto prebuilt = may_be_prebuilt ? prebuilt_headers(preamble.version) : std::string_view();
  if (!prebuilt.empty() && std::erase(beginning.headers, prebuilt_header) > 0)
    beginning.prebuilt = prebuilt;
  unit.compiler = compiler_for(beginning);
  if (!unit.compiler) return false;
  auto in_memory = metal_files();
  start.files = llvm::makeIntrusiveRefCnt<GuardedFiles>(in_memory);
  unit.disk = start.files;
  start.has_prebuilt = !beginning.prebuilt.empty();
  if (start.has_prebuilt)
    in_memory->addFile(prebuilt_file, 0,
                       llvm::MemoryBuffer::getMemBuffer(beginning.prebuilt, "", false));
  auto& compiler = *unit.compiler;
  compiler.setVirtualFileSystem(start.files);
  compiler.createDiagnostics(collect_diagnostics(unit).release(), /*ShouldOwnClient=*/true);
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
bool parse_headers(PrecompiledPreamble::Impl& start) {
  auto& unit = start.unit.impl();
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

std::string folder_of(const Unit::Impl& unit) {
  if (!unit.options.reads_files()) return "/metal";
  std::error_code error;
  return std::filesystem::absolute(unit.source.name, error).parent_path().string();
}

void search_in(clang::Preprocessor& preprocessor, const std::vector<std::string>& folders,
               clang::SrcMgr::CharacteristicKind kind) {
  for (const auto& folder : folders)
    if (const auto entry = preprocessor.getFileManager().getOptionalDirectoryRef(folder))
      preprocessor.getHeaderSearchInfo().AddSearchPath(
          clang::DirectoryLookup(*entry, kind, /*isFramework=*/false),
          /*isAngled=*/true);  // Clang searches other folders for #include "…" only
}

// What -D, -U and -include say, as lines before the source.
std::string prefix_of(const CompileOptions& options) {
  std::string text;
  for (const auto& macro : options.macros) {
    const auto end = macro.text.find('=');
    const auto name = macro.text.substr(0, end);
    if (macro.undefines)
      text += fmt::format("#undef {}\n", name);
    else
      text += fmt::format("#undef {0}\n#define {0} {1}\n", name,
                          end == std::string::npos ? "1" : macro.text.substr(end + 1));
  }
  // As for a compiler, relative to the current folder if the file is there.
  const auto include = [&](std::string_view directive, const std::string& file) {
    std::error_code error;
    const auto path = std::filesystem::exists(file, error) ? std::filesystem::absolute(file, error)
                                                           : std::filesystem::path(file);
    text += fmt::format("#{} \"{}\"\n", directive, path.string());
  };
  for (const auto& file : options.prelude) include("import", file);
  for (const auto& file : options.includes) include("include", file);
  return text;
}

// Makes the source the main file, as if it had been so from the start, and lets the preprocessor
// read on there. Where a place is asked about, lexing ends at it.
void enter_source(PrecompiledPreamble::Impl& start, std::optional<Location> asked) {
  auto& unit = start.unit.impl();
  auto& compiler = *unit.compiler;
  auto& sources = compiler.getSourceManager();
  auto& preprocessor = compiler.getPreprocessor();
  const auto& options = unit.options;
  for (const auto* folders : {&options.readable_folders, &options.include_folders,
                              &options.system_folders, &options.prelude, &options.includes})
    start.files->allow(*folders);
  start.files->replace(options.unsaved);
  search_in(preprocessor, options.include_folders, clang::SrcMgr::C_User);
  search_in(preprocessor, options.system_folders, clang::SrcMgr::C_System);

  const auto& text = unit.source.text;
  const auto file = compiler.getFileManager().getVirtualFileRef(
      fmt::format("{}/{}", folder_of(unit), main_file), static_cast<off_t>(text.size()), 0);
  sources.overrideFileContents(file, llvm::MemoryBuffer::getMemBufferCopy(text, main_file));
  if (asked) preprocessor.SetCodeCompletionPoint(file, asked->line, asked->column);
  const auto id = sources.createFileID(file, clang::SourceLocation(), clang::SrcMgr::C_User);
  sources.setMainFileID(id);
  preprocessor.EnterSourceFile(id, nullptr, clang::SourceLocation());
  preprocessor.markIncluded(file);
  if (const auto prefix = prefix_of(options); !prefix.empty()) {
    const auto command_line = compiler.getFileManager().getVirtualFileRef(
        fmt::format("{}/command_line", folder_of(unit)), static_cast<off_t>(prefix.size()), 0);
    sources.overrideFileContents(command_line, llvm::MemoryBuffer::getMemBufferCopy(prefix));
    preprocessor.markIncluded(command_line);  // so that it can include files itself
    preprocessor.EnterSourceFile(
        sources.createFileID(command_line, clang::SourceLocation(), clang::SrcMgr::C_User), nullptr,
        clang::SourceLocation());
  }
}

// Leaves the declarations that are complete, for a source that breaks off.
void drop_unfinished(std::vector<clang::Token>& tokens) {
  std::size_t complete = 0;
  int depth = 0;
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const auto& token = tokens[i];
    if (token.isOneOf(clang::tok::l_paren, clang::tok::l_square, clang::tok::l_brace)) ++depth;
    if (token.isOneOf(clang::tok::r_paren, clang::tok::r_square, clang::tok::r_brace)) --depth;
    const bool ends =
        token.is(clang::tok::semi) ||
        (token.is(clang::tok::r_brace) && i + 1 < tokens.size() && tokens[i + 1].isAtStartOfLine());
    if (depth == 0 && ends) complete = i + 1;
  }
  tokens.resize(complete);
}

// Reports a unit while it is parsed: after each new diagnostic of the compiler up to the 32nd, then
// each time their number has doubled.
class Progress {
 public:
  Progress(Unit& unit, OnDiagnostics tell) : unit_(unit), tell_(std::move(tell)) {}

  void update() {
    const auto& client = unit_.compiler().getDiagnosticClient();
    const auto said = client.getNumErrors() + client.getNumWarnings();
    // The source is parsed again after a refused choice, so these diagnostics may not remain.
    if (!tell_ || said == told_ || (told_ >= each_of && said < 2 * told_) ||
        !unit_.impl().refused_choices.empty())
      return;
    told_ = said;
    tell_(unit_);
    unit_.impl().cache = AnalysisCache();  // it knows half of the source
  }

 private:
  static constexpr unsigned each_of = 32;
  Unit& unit_;
  OnDiagnostics tell_;
  unsigned told_ = 0;
};

// Reads the source to its end, or up to a place that is asked about; a file that cannot be read
// ends it too. What it consists of goes to the parser, in words that the parser knows.
void lex_source(PrecompiledPreamble::Impl& start, std::optional<Location> asked,
                Progress& progress) {
  enter_source(start, asked);
  auto& preprocessor = start.unit.impl().compiler->getPreprocessor();
  auto& diagnostics = preprocessor.getDiagnostics();
  std::vector<clang::Token> tokens;
  clang::Token token;
  do {
    preprocessor.Lex(token);
    tokens.push_back(token);
    progress.update();
  } while (token.isNot(clang::tok::eof) && token.isNot(clang::tok::code_completion) &&
           !diagnostics.hasFatalErrorOccurred());
  if (token.isNot(clang::tok::code_completion)) tokens.pop_back();
  // What stands before a missing file is judged all the same.
  if (diagnostics.hasFatalErrorOccurred()) {
    drop_unfinished(tokens);
    diagnostics.Reset(/*soft=*/true);
  }
  auto rewritten = rewrite_tokens(preprocessor, tokens, start.unit.impl().choices,
                                  start.unit.impl().options.version);
  const auto end = token.getLocation();
  token.startToken();
  token.setKind(clang::tok::eof);
  token.setLocation(end);
  rewritten.insert(rewritten.end(), 2, token);  // recovering from an error, the parser looks ahead
  auto kept = std::make_unique<clang::Token[]>(rewritten.size());
  std::copy(rewritten.begin(), rewritten.end(), kept.get());
  preprocessor.EnterTokenStream(std::move(kept), static_cast<unsigned>(rewritten.size()),
                                /*DisableMacroExpansion=*/true, /*IsReinject=*/true);
  start.parser->ConsumeAnyToken();  // from the end of the headers to the source's first token
}

void take_source(Unit::Impl& unit, Source source, CompileOptions options) {
  unit.source = std::move(source);
  unit.lines = Lines(unit.source.text);
  unit.options = std::move(options);
}

// At the place that was asked about all is known; the work at a source's end is left.
void parse_up_to(PrecompiledPreamble::Impl& start, Location asked) {
  const auto& preprocessor = start.unit.impl().compiler->getPreprocessor();
  Progress silent(start.unit, nullptr);
  lex_source(start, asked, silent);
  clang::Parser::DeclGroupPtrTy group;
  while (!preprocessor.isCodeCompletionReached() &&
         !start.parser->ParseTopLevelDecl(group, start.imports)) {
  }
}

// Parses to the source's end, or only to a choice that is to be written in another way.
void parse_source(PrecompiledPreamble::Impl& start, bool stops_at_choice, Progress& progress) {
  auto& compiler = *start.unit.impl().compiler;
  auto& consumer = compiler.getASTConsumer();
  // Clang has ++ and -- of vectors in this dialect only. Its keywords are those of the headers.
  compiler.getLangOpts().ZVector = 1;
  lex_source(start, std::nullopt, progress);
  clang::Parser::DeclGroupPtrTy group;
  while (!start.parser->ParseTopLevelDecl(group, start.imports)) {
    if (group) consumer.HandleTopLevelDecl(group.get());
    progress.update();
    if (stops_at_choice && !start.unit.impl().refused_choices.empty()) return;
  }
  for (auto* declaration : compiler.getSema().WeakTopLevelDecls())
    consumer.HandleTopLevelDecl(clang::DeclGroupRef(declaration));
  compiler.getDiagnosticClient().EndSourceFile();
}

}  // namespace

PrecompiledPreamble::PrecompiledPreamble(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
PrecompiledPreamble::PrecompiledPreamble(PrecompiledPreamble&&) noexcept = default;
PrecompiledPreamble& PrecompiledPreamble::operator=(PrecompiledPreamble&&) noexcept = default;
PrecompiledPreamble::~PrecompiledPreamble() = default;

Result<PrecompiledPreamble> begin(const Preamble& preamble, Headers headers) {
  auto start = std::make_unique<PrecompiledPreamble::Impl>();
  start->unit.impl().options = {.version = preamble.version, .fast_math = preamble.fast_math};
  if (!set_up(*start, preamble, headers) || !parse_headers(*start))
    return Error{"Clang 22 does not take our options; is another version installed?"};
  return PrecompiledPreamble(std::move(start));
}

static Unit parse_once(PrecompiledPreamble begun, Source source, CompileOptions options,
                       const MixedChoices& choices, bool is_last_attempt,
                       const OnDiagnostics& on_diagnostics) {
  auto& start = begun.impl();
  auto& unit = start.unit.impl();
  take_source(unit, std::move(source), std::move(options));
  unit.choices = choices;
  Progress progress(start.unit, on_diagnostics);
  parse_source(start, !is_last_attempt, progress);
  find_kernels(unit);
  std::stable_sort(
      unit.diagnostics.begin(), unit.diagnostics.end(),
      [](const Diagnostic& a, const Diagnostic& b) { return a.place.start() < b.place.start(); });
  start.parser.reset();
  start.evaluated.reset();
  return std::move(start.unit);
}

// A choice that is refused is known only then. Others like it are written anew with it, so more
// than one attempt is rare.
constexpr int most_attempts = 4;

Unit parse(PrecompiledPreamble begun, Source source, CompileOptions options,
           const OnDiagnostics& on_diagnostics) {
  auto unit = parse_once(std::move(begun), std::move(source), std::move(options), {}, false,
                         on_diagnostics);
  for (int attempt = 2; !unit.impl().refused_choices.empty(); ++attempt) {
    auto choices = unit.impl().choices;
    choices.merge(unit.impl().refused_choices);
    const bool is_last = attempt == most_attempts || choices.size() == unit.impl().choices.size();
    auto start = begin(preamble_of(unit.source().text, unit.impl().options), Headers::prebuilt);
    if (!start) break;
    unit = parse_once(*std::move(start), unit.source(), unit.impl().options, choices, is_last,
                      on_diagnostics);
    if (is_last) break;
  }
  return unit;
}

Result<Unit> parse_again(const Unit& unit) { return parse(unit.source(), unit.impl().options); }

Unit parse(PrecompiledPreamble begun, Source source) {
  const auto options = begun.impl().unit.impl().options;
  return parse(std::move(begun), std::move(source), options);
}

Unit complete(PrecompiledPreamble begun, Source source, CompileOptions options, unsigned offset,
              clang::CodeCompleteConsumer& consumer) {
  auto& start = begun.impl();
  auto& unit = start.unit.impl();
  take_source(unit, std::move(source), std::move(options));
  unit.compiler->getSema().CodeCompletion().CodeCompleter = &consumer;
  parse_up_to(start, unit.lines.at(offset));
  start.parser.reset();
  start.evaluated.reset();
  return std::move(start.unit);
}

Result<Preprocessed> preprocess(Source source, CompileOptions options) {
  auto begun = begin(preamble_of(source.text, options), Headers::prebuilt);
  if (!begun) return begun.error();
  auto& start = begun->impl();
  auto& unit = start.unit.impl();
  take_source(unit, std::move(source), std::move(options));
  enter_source(start, std::nullopt);
  auto& preprocessor = unit.compiler->getPreprocessor();
  Preprocessed made;
  clang::Token token;
  for (preprocessor.Lex(token); token.isNot(clang::tok::eof); preprocessor.Lex(token)) {
    if (token.isAtStartOfLine() && !made.text.empty())
      made.text += '\n';
    else if (token.hasLeadingSpace())
      made.text += ' ';
    made.text += preprocessor.getSpelling(token);
  }
  if (!made.text.empty()) made.text += '\n';
  made.diagnostics = unit.diagnostics;
  start.parser.reset();
  start.evaluated.reset();
  return made;
}

Result<Unit> parse(Source source, CompileOptions options) {
  auto start = begin(preamble_of(source.text, options), Headers::prebuilt);
  if (!start) return start.error();
  return parse(*std::move(start), std::move(source), std::move(options));
}

Result<Unit> parse(Source source, LanguageVersion version) {
  return parse(std::move(source), CompileOptions{.version = version});
}

}  // namespace msci
