#include <fmt/format.h>

#include <string_view>

#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

// The parts of "texture2d_array<half, access::read>" that matter here.
struct DeclaredTexture {
  std::string_view kind;       // as plans name it: "2d_array"
  std::string_view component;  // "half"
};

std::optional<DeclaredTexture> declared_texture(std::string_view type) {
  const auto open = type.find('<'), end = type.find_first_of(",>");
  if (open == std::string_view::npos || end == std::string_view::npos || end < open)
    return std::nullopt;
  auto kind = type.substr(0, open);
  for (const std::string_view family : {"texture_", "texture", "depth"})
    if (kind.starts_with(family))
      return DeclaredTexture{kind.substr(family.size()), type.substr(open + 1, end - open - 1)};
  return std::nullopt;
}

// The components that kernels declare for the texels of an encoding, and a word for them.
struct ComponentNames {
  std::string_view narrow, wide, word;
};
ComponentNames components_of(TexelEncoding encoding) {
  if (encoding == TexelEncoding::uint) return {"ushort", "uint", "unsigned integers"};
  if (encoding == TexelEncoding::sint) return {"short", "int", "signed integers"};
  return {"half", "float", "floats"};
}

bool is_component(std::string_view name) {
  for (const auto encoding : {TexelEncoding::floating, TexelEncoding::uint, TexelEncoding::sint}) {
    const auto each = components_of(encoding);
    if (name == each.narrow || name == each.wide) return true;
  }
  return name == "ulong";
}

}  // namespace

std::optional<std::string> refuse_texture(const TextureShape& shape,
                                          const KernelArgument& argument) {
  const auto declared = declared_texture(argument.type);
  if (!declared || !texture_kind_from(declared->kind) || !is_component(declared->component))
    return std::nullopt;
  if (declared->kind != to_string(shape.kind))
    return fmt::format("its kind is {}", to_string(shape.kind));
  // Atomic operations of 64 bits alone take both components of a texel as one.
  if (declared->component == "ulong" && shape.format == TexelFormat::rg32uint) return std::nullopt;
  const auto& format = layout_of(shape.format);
  const auto held = components_of(format.encoding);
  if (declared->component == held.narrow || declared->component == held.wide) return std::nullopt;
  return fmt::format("its format {} holds {}", format.name, held.word);
}

}  // namespace msci
