// The Metal sources of real projects, which are test data of their own licences: an archive beside
// the project, if it is present.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "base/process/temporary_folder.h"
#include "base/result.h"
#include "compiler/frontend/compile_options.h"

namespace msci {

// One project, unpacked.
struct Project {
  std::string name;
  std::filesystem::path folder;
  CompileOptions compile;                    // of most files: options_for()
  std::vector<std::filesystem::path> files;  // .metal, sorted
};

// How the project's build compiles one of its files.
CompileOptions options_for(const Project& project, const std::filesystem::path& file);

// The archive that holds the projects, and its default place.
std::filesystem::path default_archive();

// The unpacked projects live as long as the folder.
struct Projects {
  TemporaryFolder folder;
  std::vector<Project> all;  // by name
};

// Errors: the archive cannot be read.
Result<Projects> unpack_projects(const std::filesystem::path& archive);

}  // namespace msci
