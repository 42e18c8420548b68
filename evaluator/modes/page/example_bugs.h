// Wrong kernels of tasks that the page offers as examples, with the bugs that people make: files of
// corpus/cheats/.
#pragma once

#include <string_view>
#include <vector>

namespace msci {

struct ExampleBug {
  std::string_view name;  // "both_colours_at_once"
  std::string_view text;  // its first lines name the task and the class of the bug
};
extern const std::vector<ExampleBug> example_bugs;

}  // namespace msci
