#include <fmt/format.h>

#include "lint/analysis/indices/lane_stride.h"
#include "lint/rule.h"

namespace msci {
namespace {

// "'gid.y'"
std::string name_of(const Atom& atom) {
  const auto name = atom.variable->getNameAsString();
  return atom.text.empty() ? name : name + "." + atom.text;
}

// Whether the step is a row, or several: a product with a size, the same for all threads.
bool is_by_rows(const IndexForm& stride) {
  return stride.constant() == 0 && !stride.terms.empty() && stride.is_fixed() &&
         stride.varying().terms.empty();
}

void check_uncoalesced(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::VarDecl*> said;
  for (const auto& access : accesses_in(flow, Space::device).all) {
    const auto offset = offset_form(access, flow);
    const auto stride = offset ? lane_stride(*offset, flow) : std::nullopt;
    const auto axis = offset ? consecutive_axis(*offset, flow) : std::nullopt;
    if (!stride || !axis || !is_by_rows(*stride) || is_for_few(access, flow)) continue;
    if (!said.insert(access.memory).second) continue;
    report(access.place->getSourceRange(),
           fmt::format("neighbouring threads are rows apart in '{}', but '{}' has stride one",
                       access.memory->getNameAsString(), name_of(*axis)));
  }
}

}  // namespace

extern constinit const Rule uncoalesced{
    .severity = Severity::note,
    .check_flow = check_uncoalesced,
};

}  // namespace msci
