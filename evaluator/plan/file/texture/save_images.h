// Results of a pass as PNG files, for people to look at.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "base/result.h"
#include "evaluator/plan/file/expected_result.h"
#include "evaluator/plan/plan.h"

namespace msci {

// Writes the largest level of each result that is a texture to LABEL_NAME.png in the folder, and
// what it must be, if that is known, to LABEL_NAME_expected.png; layers lie one below the other.
// Leaves out formats that a PNG cannot show (texel_image.h). `names` are those of the results, in
// order. Errors: a file cannot be written.
std::optional<Error> save_images(const std::filesystem::path& folder, const std::string& label,
                                 std::span<const std::string> names,
                                 std::span<const ExpectedResult> expected, const Outputs& outputs);

}  // namespace msci
