// What kernels and their parameters are declared to be.
#include <clang/AST/DynamicRecursiveASTVisitor.h>
#include <fmt/format.h>

#include "lint/analysis/expressions.h"
#include "search/rewrite/parsed_text.h"
#include "search/rewrite/transformations.h"

namespace msci::search {
namespace {

bool is_device_pointer_to(const clang::ParmVarDecl& parameter, bool is_const) {
  const auto type = parameter.getType();
  return type->isPointerType() && space_of(type->getPointeeType()) == Space::device &&
         (!is_const || type->getPointeeType().isConstQualified());
}

// How often a function names a variable, and how often it does so to read one of its elements.
class Uses : public clang::DynamicRecursiveASTVisitor {
 public:
  explicit Uses(const clang::VarDecl& variable) : variable_(variable) {}
  unsigned all = 0;
  unsigned reads = 0;
  bool VisitDeclRefExpr(clang::DeclRefExpr* name) override {
    if (name->getDecl() == &variable_) ++all;
    return true;
  }
  bool VisitArraySubscriptExpr(clang::ArraySubscriptExpr* element) override {
    const auto* name =
        llvm::dyn_cast<clang::DeclRefExpr>(element->getBase()->IgnoreParenImpCasts());
    if (name && name->getDecl() == &variable_) ++reads;
    return true;
  }

 private:
  const clang::VarDecl& variable_;
};

// Where a kernel says its limit on threadgroups; behind its name if it says none. None if that is
// not more than `threads`, or not in the source itself.
std::optional<Span> place_of_limit(const Kernel& kernel, const ParsedText& code, unsigned threads) {
  const auto limit =
      code.unit().attribute(*kernel.declaration, "max_total_threads_per_threadgroup");
  if (!limit) {
    const auto name = code.span(kernel.declaration->getLocation());
    return name ? std::optional(Span{name->end, name->end}) : std::nullopt;
  }
  if (!limit->value || *limit->value <= threads || !limit->place.file.empty()) return std::nullopt;
  const auto& source = code.unit().source();
  const auto begin = source.text.find('(', offset_of(source, limit->place.range.begin));
  const auto end = source.text.find(')', begin);
  return end == source.text.npos ? std::nullopt : std::optional(Span{begin + 1, end});
}

// Kernels without a limit on their threadgroups, or with a larger one, each with this one.
std::vector<Rewrite> find_limits(const Unit& unit, unsigned threads) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& kernel : unit.kernels()) {
    const auto place = place_of_limit(kernel, code, threads);
    if (!place) continue;
    const auto form =
        place->begin == place->end ? " [[max_total_threads_per_threadgroup({})]]" : "{}";
    found.push_back(
        {fmt::format("limits the threadgroups of {} to {} threads", kernel.name, threads),
         {code.replace(*place, fmt::format(fmt::runtime(form), threads))}});
  }
  return found;
}

}  // namespace

std::vector<Rewrite> find_restricts(const Unit& unit) {
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& kernel : unit.kernels()) {
    Rewrite rewrite{.about = "declares that the buffers of " + kernel.name + " do not overlap"};
    for (const auto* parameter : kernel.declaration->parameters()) {
      const auto name = code.span(parameter->getLocation());
      if (name && is_device_pointer_to(*parameter, false) &&
          !parameter->getType().isRestrictQualified())
        rewrite.edits.push_back(code.replace({name->begin, name->begin}, "__restrict "));
    }
    if (rewrite.edits.size() > 1) found.push_back(std::move(rewrite));
  }
  return found;
}

std::vector<Rewrite> find_constant_buffers(const Unit& unit) {
  constexpr std::string_view device = "device ";
  const ParsedText code(unit);
  std::vector<Rewrite> found;
  for (const auto& kernel : unit.kernels())
    for (const auto* parameter : kernel.declaration->parameters()) {
      if (!is_device_pointer_to(*parameter, true)) continue;
      Uses uses(*parameter);
      uses.TraverseStmt(kernel.declaration->getBody());
      const auto name = code.span(parameter->getLocation());
      if (!name || uses.all == 0 || uses.all != uses.reads) continue;
      // The word stands before the name, in the parameter's own text.
      const auto& text = unit.source().text;
      const auto before = std::max(text.find_last_of("(,", name->begin) + 1, std::size_t{1});
      const auto at = text.find(device, before);
      if (at == text.npos || at > name->begin) continue;
      found.push_back({fmt::format("reads {} as constant memory", parameter->getNameAsString()),
                       {code.replace({at, at + device.size()}, "constant ")}});
    }
  return found;
}

std::vector<Rewrite> find_narrow_groups(const Unit& unit) { return find_limits(unit, 64); }
std::vector<Rewrite> find_wide_groups(const Unit& unit) { return find_limits(unit, 512); }

}  // namespace msci::search
