// Whether kernels can use the textures that a plan binds to them.
#pragma once

#include <optional>
#include <string>

#include "tasks/plan/program.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// Why Metal does not let a kernel use a texture of that shape as the argument: another kind, or a
// format whose components the type of the argument does not take. None if it can, or if the type is
// none that is known.
std::optional<std::string> refuse_texture(const TextureShape& shape,
                                          const KernelArgument& argument);

}  // namespace msci
