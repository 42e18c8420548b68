#include <fmt/format.h>

#include "lint/analysis/indices/lane_stride.h"
#include "lint/rule.h"

namespace msci {
namespace {

// Threadgroup memory gives a simdgroup one word of four bytes from each of 32 banks at a time.
constexpr std::int64_t bytes_of_all_banks = 32 * 4;

void check_bank_conflict(const ThreadFlow& flow, Reporter& report) {
  std::set<const clang::VarDecl*> said;
  for (const auto& access : accesses_in(flow, Space::threadgroup).all) {
    const auto offset = offset_form(access, flow);
    const auto stride = offset ? lane_stride(*offset, flow) : std::nullopt;
    if (!stride || !stride->is_constant() || stride->constant() == 0 || is_for_few(access, flow))
      continue;
    const auto bytes = stride->constant() * element_bytes(access, flow);
    if (bytes % bytes_of_all_banks != 0 || !said.insert(access.memory).second) continue;
    report(access.place->getSourceRange(),
           fmt::format("neighbouring threads are {} bytes apart in '{}', all in one bank",
                       std::abs(bytes), access.memory->getNameAsString()));
  }
}

}  // namespace

extern constinit const Rule bank_conflict{
    .severity = Severity::note,
    .check_cooperative_flow = check_bank_conflict,
};

}  // namespace msci
