// The contents of a plan file's buffers: values, files and fills.
#pragma once

#include <filesystem>
#include <string>

#include "evaluator/plan/plan.h"
#include "evaluator/plan/plan_fields.h"
#include "evaluator/plan/task.h"

namespace msci {

struct BufferContents {
  std::string type;  // Metal's scalar
  Bytes bytes;
};

// A field of "buffers". Relative file names start at `folder`.
BufferContents read_contents(PlanFieldReader& reader, const Field& field, const Size& size,
                             const std::filesystem::path& folder);

// The file that a field names; raw bytes have elements of `type`.
BufferContents read_contents_file(PlanFieldReader& reader, const Field& field, const Size& size,
                                  const std::filesystem::path& folder, std::string type);

// All bytes of a file.
Result<std::vector<std::byte>> read_bytes(const std::filesystem::path& path);

}  // namespace msci
