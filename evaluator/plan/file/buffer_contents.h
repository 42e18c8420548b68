// The contents of a plan file's buffers: values, files and fills.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "evaluator/plan/file/plan_fields.h"
#include "evaluator/plan/plan.h"
#include "evaluator/plan/task.h"

namespace msci {

struct BufferContents {
  std::string type;  // Metal's scalar
  Bytes bytes;
  bool is_open = false;  // zeros, because the plan says nothing
};

// A field of "buffers", at most `most_bytes` of contents. Relative file names start at `folder`.
BufferContents read_contents(PlanFieldReader& reader, const Field& field, const Size& size,
                             const std::filesystem::path& folder, std::uint64_t most_bytes);

// The file that a field names, at most `most_bytes`; raw bytes have elements of `type`.
BufferContents read_contents_file(PlanFieldReader& reader, const Field& field, const Size& size,
                                  const std::filesystem::path& folder, std::string type,
                                  std::uint64_t most_bytes);

}  // namespace msci
