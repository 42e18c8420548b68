// What somebody who writes a source may want to write next.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lint/metal/head_start.h"

namespace msci {

enum class SuggestionKind {
  attribute,
  enumerator,
  field,
  function,
  header,
  keyword,
  macro,
  method,
  name_space,
  type,
  variable,
};

struct Suggestion {
  std::string name;  // what is to be written: "threadgroup_barrier", "mem_flags::mem_device"
  SuggestionKind kind = SuggestionKind::keyword;
  std::string detail;        // its type, or how it is called; may be empty
  std::string_view meaning;  // of what is Metal's; empty: nobody wrote it down
};

// What may stand at the place, the likeliest first, each name once; takes the place of the word
// that stands there and is not looked at. Nothing in comments, strings and numbers. The source may
// be unfinished everywhere.
std::vector<Suggestion> suggestions_at(HeadStart start, const Source& source, Location place);

}  // namespace msci
