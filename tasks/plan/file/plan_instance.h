// A plan file at one size: its buffers, textures, samplers and launches.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tasks/plan/file/buffer_contents.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_launches.h"
#include "tasks/plan/plan.h"
#include "tasks/plan/program.h"
#include "tasks/plan/task.h"

namespace msci {

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

}  // namespace msci
