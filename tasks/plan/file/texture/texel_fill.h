// The fills of a plan file's textures.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/texture/texel_format.h"

namespace msci {

// Makes the texels, in the format, those of the field "fill" of the texture `name`: {"constant": c}
// or a list of a number for each component, {"iota": [first, step]} or {"uniform": [low, high],
// "seed": s}. Numbers are what a kernel reads, component by component of those that the format has:
// 0 to 1 in unorm formats, linear in sRGB formats.
void fill_texels(PlanFieldReader& reader, const std::string& name, const Field& field,
                 const Filling& filling, TexelFormat format, std::vector<std::byte>& texels);

}  // namespace msci
