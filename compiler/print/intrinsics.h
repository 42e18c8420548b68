// How OpenCL C spells LLVM's intrinsics that are one expression.
#pragma once

#include <optional>
#include <string_view>

namespace msci {

// The pattern for an intrinsic (intrinsics.def), empty where the text needs nothing; none where the
// intrinsic has no pattern.
std::optional<std::string_view> intrinsic_pattern(unsigned id);

}  // namespace msci
