#include "compiler/translate.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>
#include <llvm/Support/GlobPattern.h>

#include <algorithm>
#include <deque>

#include "base/json.h"
#include "base/optional_json.h"
#include "base/process/isolated_result.h"
#include "compiler/line_text.h"
#include "compiler/translate_kernels.h"
#include "tasks/plan/translation_json.h"

namespace msci {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TextParts, helpers, lane_functions, has_resumable, tables,
                                   kernels)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(TranslatedKernels, translation, parts)

namespace {

// ---- names of the translation

// Also the declarations within functions.
class LabelFinder : public clang::DynamicRecursiveASTVisitor {
 public:
  bool VisitDecl(clang::Decl* declaration) override {
    const auto* label = declaration->getAttr<clang::AsmLabelAttr>();
    if (label && label->getLabel().starts_with("msci.")) found = label;
    return !found;
  }
  const clang::AsmLabelAttr* found = nullptr;
};

// An error if the source gives a declaration an assembler name that begins with "msci.". Such a
// function would replace one that the checked mode calls, or be called with arguments of other
// types.
std::optional<Error> refuse_own_names(const Unit& unit) {
  LabelFinder finder;
  for (auto* declaration : unit.ast().getTranslationUnitDecl()->noload_decls())
    if (unit.is_users(declaration->getLocation()) && !finder.TraverseDecl(declaration)) break;
  if (!finder.found) return std::nullopt;
  return Error{fmt::format("{}: the assembler name '{}' is one of msci's own; remove it",
                           line_text(unit.locate(finder.found->getRange())),
                           finder.found->getLabel().str())};
}

// ---- which kernels

bool matches_name(std::string_view kernel, const std::string& name) {
  auto pattern = llvm::GlobPattern::create(name);
  if (pattern) return pattern->match(kernel);
  llvm::consumeError(pattern.takeError());
  return kernel == name;
}

Result<std::vector<Kernel>> select(const Unit& unit, const KernelNames& names) {
  if (names.empty()) return std::vector(unit.kernels().begin(), unit.kernels().end());
  std::vector<Kernel> selected;
  for (const auto& name : names)
    if (std::none_of(unit.kernels().begin(), unit.kernels().end(),
                     [&](const Kernel& kernel) { return matches_name(kernel.name, name); }))
      return Error{fmt::format("kernel '{}' not found in this source", name)};
  for (const auto& kernel : unit.kernels())
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return matches_name(kernel.name, name); }))
      selected.push_back(kernel);
  return selected;
}

// The first refusal that leaves a name without a kernel.
std::optional<Error> refusal_of_name(const Translation& translation, const KernelNames& names) {
  const auto& kernels = translation.kernels;
  const auto& refused = translation.refused;
  for (const auto& name : names) {
    const auto is_named = [&](const auto& kernel) { return matches_name(kernel.name, name); };
    const auto first = std::find_if(refused.begin(), refused.end(), is_named);
    if (first != refused.end() && std::none_of(kernels.begin(), kernels.end(), is_named))
      return Error{first->reason};
  }
  return std::nullopt;
}

// What a translation begins with.
struct Selected {
  std::vector<Kernel> kernels;
  std::vector<ConstantValue> constants;
};

Result<Selected> select(const Unit& unit, const KernelNames& names,
                        const ConstantValues& constants) {
  if (auto refusal = refuse_own_names(unit)) return *std::move(refusal);
  auto kernels = select(unit, names);
  if (!kernels) return kernels.error();
  auto values = constant_values(unit, constants);
  if (!values) return values.error();
  return Selected{*std::move(kernels), *std::move(values)};
}

// ---- kernels apart

// Code generation looks at every declaration of a source, so several kernels share a process. A
// fixed number, because the same source gives the same bytes.
constexpr std::size_t kernels_together = 8;

RefusedKernel refused(const Kernel& kernel, const std::string& reason) {
  return {kernel.name, fmt::format("cannot translate kernel '{}': {}", kernel.name, reason)};
}

// Kernels first to first + count of those that are selected.
struct Batch {
  std::size_t first = 0, count = 0;
};

class ApartTranslation {
 public:
  ApartTranslation(Unit& unit, const Selected& selected, const Apart& apart)
      : unit_(unit), selected_(selected), apart_(apart), translated_(selected.kernels.size()) {
    for (std::size_t i = 0; i < translated_.size(); i += kernels_together)
      waiting_.push_back({i, std::min(kernels_together, translated_.size() - i)});
  }

  // In the order of the kernels, whichever process ends first; a batch stands where it begins.
  std::vector<TranslatedKernels> run() {
    IsolatedPool pool;
    std::vector<Batch> started;
    const auto on_done = [&](std::size_t i, const Result<IsolatedOutcome>& outcome) {
      finish(started[i], outcome);
    };
    while (!waiting_.empty() || pool.running() > 0) {
      while (!waiting_.empty() && pool.running() < apart_.at_once) {
        started.push_back(waiting_.front());
        waiting_.pop_front();
        const auto number = started.size() - 1;
        if (auto error = pool.start(number, work_of(started.back()), apart_.limits))
          on_done(number, *error);
      }
      pool.wait(on_done);
    }
    return std::move(translated_);
  }

 private:
  Work work_of(Batch batch) {
    return [this, batch] {
      const auto begin = selected_.kernels.begin() + static_cast<std::ptrdiff_t>(batch.first);
      const std::vector kernels(begin, begin + static_cast<std::ptrdiff_t>(batch.count));
      auto translated = translate_kernels(unit_, kernels, selected_.constants);
      if (translated) translated->translation.ir.clear();
      return to_msgpack<TranslatedKernels>(translated);
    };
  }

  // Kernels whose batch fails are translated one by one.
  void finish(const Batch& batch, const Result<IsolatedOutcome>& outcome) {
    auto translated = result_in<TranslatedKernels>(outcome, {});
    if (translated) {
      translated_[batch.first] = *std::move(translated);
    } else if (batch.count == 1) {
      translated_[batch.first].translation.refused.push_back(
          refused(selected_.kernels[batch.first], translated.error().message));
    } else {
      for (std::size_t i = 0; i < batch.count; ++i) waiting_.push_back({batch.first + i, 1});
      return;
    }
    done_ += batch.count;
    if (apart_.on_progress) apart_.on_progress(done_, selected_.kernels.size());
  }

  Unit& unit_;
  const Selected& selected_;
  const Apart& apart_;
  std::vector<TranslatedKernels> translated_;
  std::deque<Batch> waiting_;
  std::size_t done_ = 0;
};

}  // namespace

Result<Translation> translate(Unit& unit, const KernelNames& names, const ConstantValues& constants,
                              const Instrument& instrument) {
  auto selected = select(unit, names, constants);
  if (!selected) return selected.error();
  auto translated =
      translate_kernels(unit, selected->kernels, std::move(selected->constants), instrument);
  if (!translated) return translated.error();
  auto& translation = translated->translation;
  if (auto refusal = refusal_of_name(translation, names)) return *std::move(refusal);
  if (translation.kernels.empty() && !translation.refused.empty())
    return Error{translation.refused.front().reason};
  if (translated->parts) translation.text = to_text(*translated->parts);
  return std::move(translation);
}

Result<Translation> translate_apart(Unit& unit, const KernelNames& names,
                                    const ConstantValues& constants, const Apart& apart) {
  const auto selected = select(unit, names, constants);
  if (!selected) return selected.error();
  Translation translation{.source_name = unit.source().name};
  TextParts parts;
  for (auto&& [kernel, text] : ApartTranslation(unit, *selected, apart).run()) {
    if (text) append(parts, *text);
    std::move(kernel.kernels.begin(), kernel.kernels.end(),
              std::back_inserter(translation.kernels));
    std::move(kernel.refused.begin(), kernel.refused.end(),
              std::back_inserter(translation.refused));
    if (!kernel.kernels.empty()) translation.tables = std::move(kernel.tables);  // the same in all
  }
  if (auto refusal = refusal_of_name(translation, names)) return *std::move(refusal);
  translation.text = to_text(parts);
  return translation;
}

}  // namespace msci
