#include "tests/real_kernels/projects.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/process/run_command.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Folders to include from, relative to the project.
const std::map<std::string, std::vector<std::string>>& include_folders() {
  static const std::map<std::string, std::vector<std::string>> table{
      {"ggml", {"src", "include"}},
      {"mlx", {"."}},
      {"candle", {"candle-metal-kernels/src/metal_src"}}};
  return table;
}

Project read_project(const fs::path& folder) {
  Project project{.name = folder.filename().string(), .folder = folder, .compile = {}, .files = {}};
  project.compile.version = LanguageVersion{320};
  project.compile.readable_folders = {folder.string()};
  if (const auto known = include_folders().find(project.name); known != include_folders().end())
    for (const auto& each : known->second)
      project.compile.include_folders.push_back((folder / each).lexically_normal().string());
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".metal") project.files.push_back(entry.path());
  std::sort(project.files.begin(), project.files.end());
  return project;
}

}  // namespace

CompileOptions options_for(const Project& project, const fs::path& file) {
  auto options = project.compile;
  // Kernels for the tensor units: mlx builds them as metal4.0 only.
  if (file.stem().string().ends_with("_nax")) options.version = LanguageVersion{400};
  // It calls a function of that file, which the build puts before it.
  if (file.filename() == "gather_kv_cache.metal")
    options.includes.push_back((file.parent_path() / "float8.metal").string());
  return options;
}

fs::path default_archive() { return MSCI_PROJECTS; }

Result<Projects> unpack_projects(const fs::path& archive) {
  if (!fs::exists(archive))
    return Error{fmt::format("cannot read {}: no such file", archive.string())};
  auto folder = TemporaryFolder::make();
  if (!folder) return folder.error();
  const auto unpacked =
      run_command({.arguments = {"tar", "-xJf", archive.string(), "-C", folder->path().string()}});
  if (!unpacked) return unpacked.error();
  if (!unpacked->succeeded()) return Error{"tar: " + unpacked->err};
  Projects projects{*std::move(folder), {}};
  for (const auto& entry : fs::directory_iterator(projects.folder.path() / "projects"))
    projects.all.push_back(read_project(entry.path()));
  std::sort(projects.all.begin(), projects.all.end(),
            [](const Project& a, const Project& b) { return a.name < b.name; });
  return projects;
}

}  // namespace msci
