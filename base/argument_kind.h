// The kinds of things that a host binds to a kernel's parameters.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace msci {

// Each kind has its own indices: [[buffer(n)]], [[threadgroup(n)]], [[texture(n)]], [[sampler(n)]].
enum class ArgumentKind { buffer, threadgroup, texture, sampler };

// As Metal's attributes spell them, in the order of the enumerators.
constexpr std::array<std::string_view, 4> argument_kind_names = {"buffer", "threadgroup", "texture",
                                                                 "sampler"};

constexpr std::string_view to_string(ArgumentKind kind) {
  return argument_kind_names[static_cast<std::size_t>(kind)];
}

constexpr std::optional<ArgumentKind> argument_kind_from(std::string_view name) {
  // A loop: most sources include this, and <algorithm> takes each of them 0.1 s to compile.
  for (std::size_t i = 0; i < argument_kind_names.size(); ++i)
    if (argument_kind_names[i] == name) return static_cast<ArgumentKind>(i);
  return std::nullopt;
}

// A texture and a sampler lie in device memory, as a buffer does, so devices treat the three alike.
constexpr bool is_device_memory(ArgumentKind kind) { return kind != ArgumentKind::threadgroup; }

}  // namespace msci
