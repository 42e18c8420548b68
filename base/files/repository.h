// The git repository around a file: its top folder, and the files that it ignores.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// The nearest folder above the absolute path that holds ".git"; empty without one.
std::filesystem::path repository_of(const std::filesystem::path& path);

// A line of a .gitignore (gitignore(5)).
struct IgnorePattern {
  std::vector<std::string> names;  // one for each part of the path; "**" fits any number of parts
  bool is_anchored = false;        // to the folder of its file; otherwise it fits at any depth
  bool only_folders = false;
  bool includes_again = false;  // "!": what it fits is not ignored
};

// The patterns of the text of a .gitignore.
std::vector<IgnorePattern> ignore_patterns(std::string_view text);

// Finds what the .gitignore files of a repository and its .git/info/exclude ignore. Reads each file
// once.
class IgnoredFiles {
 public:
  // Whether git ignores this file or folder; false outside a repository. Does not look at the
  // folders above it: a caller that walks folders does not enter ignored ones.
  bool ignores(const std::string& path, bool is_folder);

 private:
  const std::vector<IgnorePattern>& patterns_in(const std::filesystem::path& file);

  std::map<std::string, std::vector<IgnorePattern>> known_;    // by .gitignore
  std::map<std::string, std::filesystem::path> repositories_;  // by folder
};

}  // namespace msci
