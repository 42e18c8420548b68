// Operations on thread positions that vary less than their parts do.
#pragma once

#include "lint/analysis/flow/thread_flow.h"

namespace msci {

// How an operation on thread positions varies, where its shape tells: `thread / 32` and `thread <
// threads_per_simdgroup` are the same throughout a simdgroup, `position - thread` and `position /
// threads_per_threadgroup` throughout a threadgroup. Nothing for all other operations.
std::optional<Divergence> divergence_by_shape(const clang::BinaryOperator& operation,
                                              const ThreadFlow& flow);

}  // namespace msci
