// A plan file at one size: its buffers, textures, samplers and launches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/task.h"
#include "tasks/plan/texture/texture_memory.h"

namespace msci {

// The launches of a plan file.

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

// The text of a plan file.
struct PlanDocument {
  OrderedJson json;
  std::filesystem::path file;

  Field root() const { return {&json, ""}; }
  std::filesystem::path folder() const { return file.parent_path(); }
};

struct PlanInstance {
  Plan plan;
  std::vector<BufferKind> kinds;     // one for each buffer
  std::vector<std::size_t> clamped;  // launches whose threadgroup shrinks to the kernel's limit
  std::vector<std::string> launch_fields;  // where the file has each launch: "/launches/0"
  BufferNames first_names;                 // before the first launch
  BufferNames last_names;                  // after the last one
  BufferNames samplers;

  // Bytes of a buffer as files and commands know it: of a texture, of its texels in its format.
  std::size_t data_bytes(std::size_t buffer) const;
};

// Without contents, buffers have their sizes where these are known, else 0 bytes.
PlanInstance read_instance(PlanFieldReader& reader, const PlanDocument& document, const Size& size,
                           const Filling& filling);

// The plan for a program: threadgroups that may shrink have at most the threads that their kernel
// allows. Reports a texture or a function that its kernel cannot use.
Plan plan_for(PlanFieldReader& reader, const PlanInstance& instance, const Translation& program);

// How many bytes the buffers and textures of a plan may have together: they exist twice, here and
// on the device.
std::uint64_t most_buffer_bytes();

// Whether kernels can call the functions that a plan puts into tables.

// "float(float)": the type of the functions that a table holds; none if the argument is not a
// table.
std::optional<std::string> type_in_table(const KernelArgument& argument);

// Why a table cannot hold a function of that name, with the remedy: the source has no such function
// or does not mark it, or its type is another. None if it can. `types` are those of the parameters
// that the table is bound to; if empty, structs lead to it, and any type of the source's tables
// fits.
std::optional<std::string> refuse_function(const std::string& name,
                                           const std::vector<std::string>& types,
                                           const FunctionTables& tables);

// The field "struct" of a plan file's buffer: members as a compiler lays them out.

// Each member lies at a multiple of its own alignment:
//   ["uint", "n"], ["int", 1, 2]           numbers of one type
//   {"buffer": "x", "offset": 64}          a pointer; the offset is optional
//   {"buffer": null}                       a null pointer
//   {"texture": "image"}                   a texture; null is a null texture
//   {"sampler": "smooth"}                  a sampler, or the fields of one: {"filter": "linear"}
//   {"functions": ["f", null]}             a table of functions; null is an empty entry
//   {"struct": [...], "times": "n", "index": "i"}   a nested struct, or an array of them
//   [{"buffer": "x"}, {"buffer": "y"}]     several of them, one after another
BufferContents read_struct(PlanFieldReader& reader, const Field& field, const NumberScope& scope,
                           std::uint64_t most_bytes);

// A table of [[visible]] functions, {"functions": ["f", "g"]}, as it lies in memory: their count,
// and a number for each.
FunctionTable read_function_table(PlanFieldReader& reader, const Field& field);

}  // namespace msci
