// The field "struct" of a plan file's buffer: members as a compiler lays them out.
#pragma once

#include <cstdint>

#include "tasks/plan/file/buffer_contents.h"

namespace msci {

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
