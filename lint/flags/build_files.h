// Include folders that the files of a build hand to Apple's compiler: CMakeLists.txt, build.rs and
// Xcode's projects.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace msci {

// The folders of the build files beside a source and above it, up to the top of its repository;
// none without a repository. They are found as text: the -I flags of calls of `xcrun … metal`, and
// MTL_HEADER_SEARCH_PATHS. A folder counts if it exists in the repository and its path holds no
// variable but those for the folders of the source and of the project.
class BuildFiles {
 public:
  // Nearest build file first. Each is read once.
  std::vector<std::string> include_folders_of(const std::string& file);

 private:
  const std::vector<std::string>& of_folder(const std::string& folder, const std::string& top);
  // The folder of the nearest project() of CMake, for files in a folder.
  const std::string& project_around(const std::string& folder, const std::string& top);

  // The answers of of_folder() and project_around() so far, by folder.
  std::map<std::string, std::vector<std::string>> known_;
  std::map<std::string, std::string> projects_;
};

// The paths behind -I of the calls of `metal` in a text of CMake, with its variables.
std::vector<std::string> metal_includes_of_cmake(std::string_view text);
// The same in a build script of Rust: the strings of a statement that calls xcrun.
std::vector<std::string> metal_includes_of_rust(std::string_view text);
// MTL_HEADER_SEARCH_PATHS of an Xcode project.
std::vector<std::string> metal_includes_of_xcode(std::string_view text);

}  // namespace msci
