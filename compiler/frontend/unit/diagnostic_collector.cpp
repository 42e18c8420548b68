#include <clang/AST/Type.h>
#include <clang/Basic/DiagnosticSema.h>
#include <fmt/format.h>

#include "base/text.h"
#include "compiler/frontend/clang_messages.h"
#include "compiler/frontend/unit/unit_impl.h"

namespace msci {
namespace {

// Whether Clang refuses `c ? a : b` and one of both lies in an address space of its own.
bool is_mixed_choice(const clang::Diagnostic& info) {
  if (info.getID() != clang::diag::err_typecheck_cond_incompatible_operands &&
      info.getID() != clang::diag::err_conditional_ambiguous &&
      info.getID() != clang::diag::err_conditional_ambiguous_ovl)
    return false;
  for (unsigned i = 0; i < info.getNumArgs(); ++i)
    if (info.getArgKind(i) == clang::DiagnosticsEngine::ak_qualtype &&
        clang::QualType::getFromOpaquePtr(reinterpret_cast<void*>(info.getRawArg(i)))
            .hasAddressSpace())
      return true;
  return false;
}

class Collector : public clang::DiagnosticConsumer {
 public:
  explicit Collector(Unit::Impl& unit) : unit_(unit) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic& info) override {
    clang::DiagnosticConsumer::HandleDiagnostic(level, info);
    if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark)
      return;
    if (level == clang::DiagnosticsEngine::Note) return note(info);
    if (is_mixed_choice(info))
      unit_.refused_choices.insert(choice_at(info.getLocation(), info.getSourceManager()));
    const bool error = level >= clang::DiagnosticsEngine::Error;
    const auto place = place_of(info);
    Diagnostic diagnostic{.severity = error ? Severity::error : Severity::warning,
                          .id = diagnostic_id(info),
                          .place = place,
                          .message = message_of(info, place),
                          .edits = edits(info)};
    add_refusal(info, diagnostic);
    unit_.diagnostics.push_back(std::move(diagnostic));
  }

 private:
  // A fault inside a Metal header is the fault of the line that used it. A template's twin for
  // vectors of bool (tokens/bool_vectors.h) says nothing more than the template.
  void note(const clang::Diagnostic& info) {
    const auto place = place_of(info);
    if (unit_.diagnostics.empty() || !place.is_known() || is_of_twin(info)) return;
    auto& last = unit_.diagnostics.back();
    if (!last.place.is_known()) last.place = place;
    last.notes.push_back({place, message_of(info, place)});
  }

  static bool is_of_twin(const clang::Diagnostic& info) {
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    return text.str().contains("$B") || text.str().contains("type-parameter-");
  }

  // Says why an existing file was not read.
  void add_refusal(const clang::Diagnostic& info, Diagnostic& diagnostic) const {
    if (!diagnostic.message.ends_with("file not found") || info.getNumArgs() == 0 || !unit_.disk)
      return;
    std::string name;
    if (info.getArgKind(0) == clang::DiagnosticsEngine::ak_std_string)
      name = info.getArgStdStr(0);
    else if (info.getArgKind(0) == clang::DiagnosticsEngine::ak_c_string)
      name = info.getArgCStr(0);
    if (const auto why = unit_.disk->refusal_of(name); why && !name.empty())
      diagnostic.notes.push_back({diagnostic.place, fmt::format("it was not read: {}", *why)});
  }

  Place place_of(const clang::Diagnostic& info) const {
    if (info.getLocation().isInvalid() || !info.hasSourceManager()) return {};
    return locate(unit_, info.getLocation());
  }

  std::string message_of(const clang::Diagnostic& info, const Place& place) const {
    llvm::SmallString<256> text;
    info.FormatDiagnostic(text);
    // A message may quote a string of the source, which can hold anything.
    return printable(
        to_metal_terms(std::string(text), text_of(source_of(unit_, place), place.range)));
  }

  // Clang's fix-its, where every part of them lies in the user's text.
  std::vector<Edit> edits(const clang::Diagnostic& info) const {
    std::vector<Edit> edits;
    for (const auto& hint : info.getFixItHints()) {
      if (hint.RemoveRange.getBegin().isMacroID() ||
          hint.CodeToInsert.find('$') != std::string::npos)
        return {};
      auto place = locate(unit_, hint.RemoveRange.getAsRange());
      if (!place.is_known()) return {};
      const bool inserts = hint.RemoveRange.isCharRange() &&
                           hint.RemoveRange.getBegin() == hint.RemoveRange.getEnd();
      edits.push_back({inserts ? place.start() : place, hint.CodeToInsert});
    }
    return edits;
  }

  Unit::Impl& unit_;
};

}  // namespace

std::unique_ptr<clang::DiagnosticConsumer> collect_diagnostics(Unit::Impl& unit) {
  return std::make_unique<Collector>(unit);
}

}  // namespace msci
