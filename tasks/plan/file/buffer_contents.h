// The contents of a plan file's buffers: values, files and fills.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/keyed_random.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/npy.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/task.h"

namespace msci {

// What buffers hold.
struct Filling {
  enum class Contents {
    none,      // only types and sizes are read, and no files
    small,     // what the plan says, but nothing of large buffers
    recorded,  // what the plan says
    keyed,     // the same, but numbers of a "uniform" fill follow from `key`
  };
  Contents contents = Contents::recorded;
  Key key = {};
  bool must_fit = true;  // into the memory of this machine
};

// A member of a struct that names a buffer, a texture or a sampler: the file may declare it later.
struct NamedMember {
  std::size_t at = 0;
  ArgumentKind kind = ArgumentKind::buffer;
  std::string name;
  Field field;               // of the name
  std::uint64_t offset = 0;  // into a buffer
  Field offset_field = {};
};

// A table of functions, and where the file has the name of each.
struct FunctionTable {
  PlanBuffer buffer;
  std::vector<std::string> fields;
};

struct BufferContents {
  std::string type;  // Metal's scalar; empty without contents for a file that states its own
  std::vector<std::byte> bytes = {};
  std::optional<std::uint64_t> count = {};  // of bytes, where `bytes` is empty and it is known
  bool is_left_out = false;  // `bytes` is empty, although the plan says what the buffer holds
  bool is_filled = true;     // otherwise zeros by default, which a strict verdict may replace
  bool is_struct = false;    // `type` is then uchar
  std::vector<NamedMember> named_members = {};  // of a struct
  // Of a struct, with the place of the pointer to each.
  std::vector<std::pair<std::size_t, FunctionTable>> tables = {};

  // How many bytes the buffer has, if that is known.
  std::optional<std::uint64_t> size() const {
    return bytes.empty() ? count : std::optional<std::uint64_t>(bytes.size());
  }
};

// Where contents come from, and how much they may be.
struct ContentsLimits {
  const std::filesystem::path& folder;  // where relative file names start
  std::uint64_t most_bytes = 0;
};

// The key of the numbers of one buffer or texture: each has numbers of its own.
Key key_of_contents(Key key, const std::string& name);

// A field of "buffers".
BufferContents read_contents(PlanFieldReader& reader, const std::string& name, const Field& field,
                             const NumberScope& scope, const Filling& filling,
                             const ContentsLimits& limits);

// The file that a field names; raw bytes have elements of `type`.
BufferContents read_contents_file(PlanFieldReader& reader, const Field& field, const Size& size,
                                  std::string type, const ContentsLimits& limits);

// The .npy file that a field names, read from that path. None, and a reported error: it is wrong.
std::optional<NpyArray> read_array(PlanFieldReader& reader, const Field& field,
                                   const std::filesystem::path& path,
                                   std::span<const std::byte> file);

// A type and its numbers in one list, ["uint", "n"].
BufferContents read_elements(PlanFieldReader& reader, const Field& field, const NumberScope& scope);

// How a contract declares so many numbers that lie side by side: "uint", "packed_uint3", "uint *".
std::string type_of_values(const std::string& type, std::size_t count);

// The contents of a buffer that has "values" alone: a type and numbers.
BufferContents read_values(PlanFieldReader& reader, const Field& field, const NumberScope& scope);

}  // namespace msci
