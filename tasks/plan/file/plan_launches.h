// The launches of a plan file.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// The buffers and textures, or the samplers, that names refer to at one point of a pass.
using BufferNames = std::map<std::string, std::size_t>;  // to indices in Plan::buffers

// What the plan file says about a buffer of the plan, which may be a texture's or a sampler's.
struct BufferKind {
  std::string type;         // of the elements, Metal's scalar; empty if only its file states it
  std::string declaration;  // as a contract has it: "float", "device const uint *", "struct"
  std::string name;         // what a contract calls it
  std::string meaning = {};
  std::optional<TextureShape> texture = {};
  bool is_open_texture = false;  // without contents of its own: zeros
  bool is_read_only = false;     // no kernel may write it
  // Of a table of functions: where the file has each of PlanBuffer::functions.
  std::vector<std::string> function_fields = {};
};

BufferKind kind_of(const FunctionTable& table);

// A pass while its launches are read.
struct PassState {
  Plan& plan;
  BufferNames names;
  const BufferNames& samplers;
  std::vector<BufferKind>& kinds;     // one for each buffer of the plan
  std::vector<std::size_t>& clamped;  // launches whose threadgroup shrinks to the kernel's limit
  std::vector<std::string>& launch_fields;          // where the file has each launch
  std::map<std::string, std::size_t> inlined = {};  // values that a launch binds, by their text
  std::size_t inlined_bytes = 0;                    // of them all
  bool may_overlap = false;  // whether a concurrent launch may overlap the one before it
};

// The index of the buffer or texture that the field names.
std::size_t read_buffer(PlanFieldReader& reader, const Field& field, const BufferNames& names,
                        const std::vector<BufferKind>& kinds);

// More steps than this are an error.
inline constexpr std::size_t most_launches = 1'000'000;

// How many steps the field "launches" takes, repeated for `index` from 0 to below `times`: each
// iteration of each element is a step. Counted before any is made, and at most most_launches + 1.
// Reports an element that alone takes more than most_launches.
std::size_t count_launches(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                           std::string_view index, std::uint64_t times);

// The field "launches": launches, groups of them, and swaps, each with "if", "times" and "index".
void read_launches(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                   PassState& state);

// Swaps the names in each pair of the field "swap".
void swap_names(PlanFieldReader& reader, const Field& swap, PassState& state);

}  // namespace msci
