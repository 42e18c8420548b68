// Runs the fenced blocks of a Markdown page as tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace msci {

// What one block must bring about in one of its lines.
struct ExpectedFinding {
  unsigned line = 0;
  std::string message;  // a part of it is enough
};

// A ```metal block of a page. Words behind `metal` say how it is read: a language version
// (metal3.2), a kernel that must be there (kernel=f), what it has to run on (target=apple7), a task
// whose kernels it holds (task=saxpy). A
// ```cpp host, ```objc host or ```swift host block behind it is the host that runs it.
struct Example {
  unsigned page_line = 0;  // of its first line
  std::string section;     // "Flagged"
  std::vector<std::string> words;
  std::string text;
  std::vector<ExpectedFinding> expected;
  std::string host;           // empty where there is none
  std::string host_language;  // "cpp", "swift"
  std::vector<ExpectedFinding> expected_of_host;
  std::string fixed;        // the ```metal fixed block behind it; empty where there is none
  bool fix_is_safe = true;  // false: the block is ```metal fixed unsafe
};

// Whether the block is a host with Metal in its strings: ```swift embedded.
bool is_embedded(const Example& example);

// The findings that comments of a text expect: `// expect: message` applies to its line or, on a
// line of its own, to the next.
std::vector<ExpectedFinding> expected_findings_in(const std::string& text);

// The blocks of a page, in order.
std::vector<Example> examples_in(std::string_view page);

}  // namespace msci
