#include <algorithm>

#include "lint/analysis/sharing.h"
#include "lint/rule.h"

namespace msci {
namespace {

void check_in_place_aliasing(const ThreadFlow& flow, Reporter& report) {
  const auto accesses = accesses_in(flow, Space::device);
  const auto collision = grid_collision(accesses, flow, /*crossing=*/false);
  if (!collision) return;
  const auto& [first, second] = *collision;
  const auto* write = first->writes ? first : second;
  const auto* read = first->writes ? second : first;
  report(write->place->getSourceRange(),
         "writes in place what a neighbouring thread reads, in no fixed order")
      .note(read->place->getSourceRange(), "a neighbour's element is read here");
}

// Whether the kernel has a buffer that it may change: then it may also read it.
bool may_change_a_buffer(const clang::FunctionDecl& kernel) {
  return std::any_of(kernel.param_begin(), kernel.param_end(), [](const auto* parameter) {
    const auto type = parameter->getType();
    return type->isPointerType() && space_of(type->getPointeeType()) == Space::device &&
           !type->getPointeeType().isConstQualified();
  });
}

}  // namespace

extern constinit const Rule in_place_aliasing{
    .check_flow =
        [](const ThreadFlow& flow, Reporter& report) {
          if (may_change_a_buffer(flow.function())) check_in_place_aliasing(flow, report);
        },
};

}  // namespace msci
