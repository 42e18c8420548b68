#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

void check_lost_update(const ThreadFlow& flow, Space space, Reporter& report) {
  const auto accesses = accesses_in(flow, space);
  for (const auto& [access, changes, other] : stores_of_many(accesses, flow)) {
    if (other)
      report(access->place->getSourceRange(),
             "also stores to the element of a neighbouring thread, in no fixed order")
          .note(other->place->getSourceRange(), "each thread stores to its own element here");
    else if (changes)
      report(access->place->getSourceRange(),
             "several threads change this element at once, and changes get lost");
    else
      report(access->place->getSourceRange(),
             "several threads store a value of their own to this element, in no fixed order");
  }
}

}  // namespace

extern constinit const Rule lost_update{
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          check_lost_update(flow, Space::threadgroup, report);
          check_lost_update(flow, Space::device, report);
        },
};

}  // namespace msci
