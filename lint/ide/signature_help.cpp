#include <clang/AST/DeclTemplate.h>
#include <clang/Sema/CodeCompleteConsumer.h>
#include <clang/Sema/Sema.h>
#include <fmt/format.h>

#include <algorithm>

#include "lint/ide/declarations.h"
#include "lint/ide/features.h"

namespace msci {
namespace {

// More do not fit on a screen.
constexpr std::size_t most_signatures = 16;

class SignatureCollector : public clang::CodeCompleteConsumer {
 public:
  SignatureCollector() : CodeCompleteConsumer({}), names_(std::make_shared<Allocator>()) {}

  SignatureHelp help() && {
    if (help_.signatures.empty()) help_.signatures = std::move(sketches_);
    return std::move(help_);
  }

  void ProcessOverloadCandidates(clang::Sema& sema, unsigned current, OverloadCandidate* candidates,
                                 unsigned count, clang::SourceLocation, bool) override {
    help_ = {.signatures = {}, .active_parameter = current};
    sketches_.clear();
    for (unsigned i = 0; i < count && help_.signatures.size() < most_signatures; ++i)
      if (const auto* function = function_of(candidates[i])) add(*function, sema);
  }
  clang::CodeCompletionAllocator& getAllocator() override { return names_.getAllocator(); }
  clang::CodeCompletionTUInfo& getCodeCompletionTUInfo() override { return names_; }

 private:
  using Allocator = clang::GlobalCodeCompletionAllocator;

  static const clang::FunctionDecl* function_of(const OverloadCandidate& candidate) {
    const auto kind = candidate.getKind();
    const bool is_function =
        kind == OverloadCandidate::CK_Function || kind == OverloadCandidate::CK_FunctionTemplate;
    const auto* function = is_function ? candidate.getFunction() : nullptr;
    const bool is_implicit = function && function->isImplicit();
    return is_implicit ? nullptr : function;
  }

  void add(const clang::FunctionDecl& function, clang::Sema& sema) {
    const auto name = function.getNameAsString();
    if (!is_shown(name)) return;  // one of ours
    const bool is_metals = !is_users(sema.getSourceManager(), function.getLocation());
    auto signature = signature_of(function, is_metals, /*with_types=*/true);
    if (is_shown(signature.label)) return add(std::move(signature), help_.signatures);
    add(signature_of(function, is_metals, /*with_types=*/false), sketches_);
  }
  static void add(Signature signature, std::vector<Signature>& signatures) {
    if (std::find(signatures.begin(), signatures.end(), signature) == signatures.end())
      signatures.push_back(std::move(signature));
  }

  // Our headers implement some functions of Metal's with templates of theirs.
  static bool is_shown(std::string_view text) {
    return !text.starts_with("__") && text.find('$') == text.npos &&
           text.find("type-parameter") == text.npos;
  }

  static Signature signature_of(const clang::FunctionDecl& function, bool is_metals,
                                bool with_types) {
    const auto name = function.getNameAsString();
    Signature signature;
    if (with_types && !llvm::isa<clang::CXXConstructorDecl>(function))
      signature.label = fmt::format("{} ", type_name(function.getReturnType()));
    signature.label += name + "(";
    for (const auto* parameter : function.parameters()) {
      if (parameter->isExplicitObjectParameter()) continue;
      if (!signature.parameters.empty()) signature.label += ", ";
      const auto begin = signature.label.size();
      const auto type = is_metals ? type_name(parameter->getType()) : type_of(*parameter);
      const auto own = parameter->getName().str();
      const bool is_tight = own.empty() || type.ends_with(" *") || type.ends_with(" &");
      if (with_types || own.empty())
        signature.label += fmt::format("{}{}{}", type, is_tight ? "" : " ", own);
      else
        signature.label += own;
      signature.parameters.emplace_back(begin, signature.label.size());
    }
    signature.label += ")";
    if (is_metals) signature.meaning = meaning_of(name);
    return signature;
  }

  clang::CodeCompletionTUInfo names_;
  SignatureHelp help_;
  std::vector<Signature> sketches_;  // without types that a person could read
};

}  // namespace

SignatureHelp signatures_at(PrecompiledPreamble start, const Source& source,
                            const CompileOptions& options, Location place) {
  SignatureCollector collector;
  const auto unit = complete(std::move(start), source, options,
                             static_cast<unsigned>(offset_of(source, place)), collector);
  return std::move(collector).help();
}

}  // namespace msci
