// Recorded kernels as JSON, between the processes of one build.
#pragma once

#include "analysis/history/recorded_kernel.h"
#include "base/json.h"
#include "tasks/plan/translation_json.h"

namespace msci::history {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node::Operand, node, bits, is_previous)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Node, kind, line, bits, is_real, object, byte, loop,
                                   stores_ahead, operands)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Object, kind, argument)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Loop, outer, line)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(RecordedKernel, translation, binding, nodes, objects, loops)

}  // namespace msci::history
