#include "lint/mend.h"

namespace msci {
namespace {

// Two rules that undo each other's fixes must not keep us for ever.
constexpr int most_rounds = 10;

}  // namespace

Result<Examination> examine_and_mend(const Source& source, std::span<const ListedRule> rules,
                                     const Request& request, Fixes which, HeadStarts* head_starts) {
  auto first = examine(source, rules, request, head_starts);
  if (!first) return first.error();
  Examination made{.report = *first};
  auto now = *std::move(first);
  for (int round = 0; round < most_rounds; ++round) {
    auto changed = fix(now.source, now.findings, which);
    if (changed.text == now.source.text) break;
    auto next = examine({source.name, std::move(changed.text)}, rules, request);
    if (!next) return next.error();
    if (now.compiled && !next->compiled) break;
    made.fixes += changed.fixes;
    now = *std::move(next);
    made.mended = now;
  }
  return made;
}

}  // namespace msci
