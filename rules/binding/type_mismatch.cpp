#include <clang/AST/Decl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lint/analysis/kernel_arguments.h"
#include "lint/rule.h"

namespace msci {
namespace {

std::string_view kind_of(const Scalar& scalar) {
  return scalar.is_floating ? "floating-point" : "whole";
}

// "4-byte floating-point numbers"
std::string described(const Scalar& scalar) {
  return fmt::format("{}-byte {} numbers", scalar.bytes, kind_of(scalar));
}

void check_contract(const ContractArgument& expected, const BufferArgument& argument,
                    Reporter& report) {
  const auto bound = scalar_of(expected.type);
  const auto bytes = bound_value_bytes(expected.type);
  const auto& from = report.contract().from;
  const auto place = argument.parameter->getLocation();
  if (bound && argument.scalar && *bound != *argument.scalar)
    report(place, fmt::format("{} binds '{}' to index {}: {}, but the kernel reads '{}'", from,
                              expected.type, expected.index, described(*bound), argument.spelling));
  else if (bytes && argument.bytes && *argument.bytes > *bytes)  // one value is bound
    report(place, fmt::format("{} binds {} bytes to index {}, but '{}' needs {}", from, *bytes,
                              expected.index, argument.name, *argument.bytes));
}

void check_contract(const KernelContract& contract, const BufferArgument& argument,
                    Reporter& report) {
  for (const auto& expected : contract.arguments)
    if (expected.kind == ArgumentKind::buffer && expected.index == argument.index)
      check_contract(expected, argument, report);
}

// "texture2d" and "float" of "texture2d<float, access::write>".
struct TextureType {
  std::string_view shape;
  std::string_view component;
};

TextureType texture_type(std::string_view spelling) {
  if (spelling.starts_with("metal::")) spelling.remove_prefix(7);
  const auto open = spelling.find('<');
  if (open == std::string_view::npos) return {spelling, {}};
  const auto end = spelling.find_first_of(",>", open);
  return {spelling.substr(0, open), spelling.substr(open + 1, end - open - 1)};
}

bool is_floating(std::string_view component) { return component == "float" || component == "half"; }

bool is_texture(std::string_view shape) {
  return shape.starts_with("texture") || shape.starts_with("depth");
}

// Whether a texture of one shape can be bound to the other: depths can be read as a texture.
bool fits(std::string_view bound, std::string_view taken) {
  return bound == taken || (bound.starts_with("depth") && taken.starts_with("texture") &&
                            bound.substr(5) == taken.substr(7));
}

// Whether a texture can be read as the type says: floats and halves are alike; a width is not part
// of integers.
bool agree(std::string_view bound, std::string_view taken) {
  const auto is_signed = [](std::string_view integer) { return !integer.starts_with('u'); };
  if (is_floating(bound) || is_floating(taken)) return is_floating(bound) == is_floating(taken);
  return is_signed(bound) == is_signed(taken);
}

void check_contract(const KernelContract& contract, const TextureArgument& argument,
                    Reporter& report) {
  if (argument.kind != ArgumentKind::texture) return;
  for (const auto& expected : contract.arguments) {
    if (expected.kind != argument.kind || expected.index != argument.index) continue;
    const auto bound = texture_type(expected.type), taken = texture_type(argument.spelling);
    if (!is_texture(taken.shape) ||
        (fits(bound.shape, taken.shape) && agree(bound.component, taken.component)))
      continue;
    report(argument.parameter->getLocation(),
           fmt::format("{} binds a {}<{}> to texture {}, but the kernel takes a {}<{}>",
                       report.contract().from, bound.shape, bound.component, expected.index,
                       taken.shape, taken.component));
  }
}

// The name of a member as hosts spell it: without case and underscores.
std::string plain(std::string_view name) {
  std::string letters;
  for (const char c : name)
    if (c != '_') letters += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return letters;
}

// Where the structs of the host and the kernel differ, as far as their members have the same names;
// empty where they do not.
std::string difference_of_structs(const HostBinding& binding, const BufferArgument& argument,
                                  const Kernel& kernel) {
  std::size_t common = 0;
  for (std::size_t i = 0; i < argument.members.size(); ++i) {
    const auto& taken = argument.members[i];
    const auto bound = std::ranges::find(binding.members, plain(taken.name),
                                         [](const HostMember& each) { return plain(each.name); });
    if (bound == binding.members.end()) continue;
    ++common;
    if (bound->offset == taken.offset) continue;
    const bool follows_three =
        i > 0 && argument.members[i - 1].spelling.ends_with('3') && bound->offset < taken.offset;
    return fmt::format(
        "member '{}' of the value for index {} lies at byte {}, but '{}' reads it at "
        "byte {}{}",
        bound->name, binding.index, bound->offset, kernel.name, taken.offset,
        follows_three
            ? fmt::format("; {} takes the room of four numbers", argument.members[i - 1].spelling)
            : "");
  }
  const bool is_same = common == argument.members.size() && common == binding.members.size();
  const bool repeats = binding.is_buffer && !argument.is_reference;
  if (!is_same || common == 0 || !repeats || !binding.bytes || !argument.bytes ||
      *binding.bytes == *argument.bytes)
    return "";
  return fmt::format(
      "the structs in the buffer for index {} lie {} bytes apart, but '{}' reads "
      "them {} bytes apart",
      binding.index, *binding.bytes, kernel.name, *argument.bytes);
}

void check_binding(const HostBinding& binding, const BufferArgument& argument, const Kernel& kernel,
                   Reporter& report) {
  if (const auto why = difference_of_structs(binding, argument, kernel); !why.empty()) {
    report.in_host(binding.range, why);
    return;
  }
  const bool too_few = binding.bytes && !binding.is_buffer && argument.is_reference &&
                       argument.bytes && *binding.bytes < *argument.bytes;
  if (too_few) {
    report.in_host(
        binding.range,
        fmt::format("{} bytes are bound to index {}, but '{}' needs {} for '{}'", *binding.bytes,
                    binding.index, kernel.name, *argument.bytes, argument.name));
    return;
  }
  const auto bound = scalar_of(binding.type);
  // Of an integer of no stated size, which is Python's, a kernel reads as many bytes as it likes.
  const bool is_cut = bound && argument.scalar && !binding.is_buffer && !binding.bytes &&
                      !bound->is_floating && !argument.scalar->is_floating;
  if (bound && argument.scalar && *bound != *argument.scalar && !is_cut)
    report.in_host(binding.range, fmt::format("{} are bound to index {}, but '{}' reads '{}' as {}",
                                              described(*bound), binding.index, kernel.name,
                                              argument.name, described(*argument.scalar)));
}

// Whether kernels read these bytes as numbers of different types.
bool is_read_as_several(const HostBinding& binding, const Host& host, const Unit& unit) {
  std::optional<Scalar> first;
  for (const auto& dispatch : host.dispatched)
    for (const auto& other : dispatch.bindings) {
      if (binding.memory == 0 || other.memory != binding.memory) continue;
      const auto kernel = std::ranges::find(unit.kernels(), dispatch.kernel, &Kernel::name);
      if (kernel == unit.kernels().end()) continue;
      for (const auto& argument : buffer_arguments(*kernel, unit)) {
        if (argument.index != other.index || !argument.scalar) continue;
        if (first && *first != *argument.scalar) return true;
        first = argument.scalar;
      }
    }
  return false;
}

void check_host(const Host& host, const Kernel& kernel, const BufferArgument& argument,
                const Unit& unit, Reporter& report) {
  for (const auto& dispatch : host.dispatched)
    if (dispatch.kernel == kernel.name)
      for (const auto& binding : dispatch.bindings)
        if (binding.index == argument.index && !is_read_as_several(binding, host, unit))
          check_binding(binding, argument, kernel, report);
}

}  // namespace

extern constinit const Rule type_mismatch{
    .severity = Severity::warning,
    .check =
        [](const Unit& unit, Reporter& report) {
          const auto& contract = report.contract();
          for (const auto& kernel : unit.kernels()) {
            for (const auto& expected : contract.kernels) {
              if (expected.name != kernel.name) continue;
              for (const auto& argument : buffer_arguments(kernel, unit))
                check_contract(expected, argument, report);
              for (const auto& argument : texture_arguments(kernel, unit))
                check_contract(expected, argument, report);
            }
            if (!contract.host) continue;
            for (const auto& argument : buffer_arguments(kernel, unit))
              check_host(*contract.host, kernel, argument, unit, report);
          }
        },
};

}  // namespace msci
