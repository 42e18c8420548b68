#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>
#include <utility>

#include "base/append.h"
#include "base/files/path_patterns.h"
#include "base/files/read_file.h"
#include "base/files/repository.h"
#include "base/text.h"
#include "lint/flags/compile_settings.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::size_t most_bytes = std::size_t{4} << 20;
// Words between `xcrun` and `metal`: "-sdk macosx".
constexpr std::size_t most_between = 6;
constexpr std::size_t most_entries = 200;
// No person writes more include folders into a build file; what follows them is left out.
constexpr std::size_t most_includes = 500;

// The flags of one command, if it calls xcrun for the compiler.
Words includes_in(const Words& command) {
  Words found;
  const auto xcrun = std::ranges::find_if(
      command, [](const std::string& word) { return word == "xcrun" || word.ends_with("/xcrun"); });
  const auto metal = std::find(xcrun, command.end(), "metal");
  if (metal == command.end() || static_cast<std::size_t>(metal - xcrun) > most_between)
    return found;
  for (auto each = metal + 1; each != command.end(); ++each) {
    if (*each == "-I" && each + 1 != command.end())
      found.push_back(*++each);
    else if (each->starts_with("-I") && each->size() > 2)
      found.push_back(each->substr(2));
  }
  return found;
}

// The words of CMake's text: without comments and quotes, parentheses as words.
Words cmake_words(std::string_view text) {
  Words words;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) words.push_back(std::exchange(word, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#') i = std::min(text.find('\n', i), text.size());
    if (c == '(' || c == ')') {
      end_word();
      words.emplace_back(1, c);
    } else if (c == '#' || c == '"' || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return words;
}

// The strings of a text in Rust up to each semicolon.
std::vector<Words> rust_statements(std::string_view text) {
  std::vector<Words> statements(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with("//")) {
      i = std::min(text.find('\n', i), text.size());
    } else if (text[i] == ';') {
      statements.emplace_back();
    } else if (text[i] == '"') {
      const auto end = text.find('"', i + 1);
      if (end == text.npos) break;
      statements.back().emplace_back(text.substr(i + 1, end - i - 1));
      i = end;
    }
  }
  return statements;
}

bool has_project(const fs::path& folder) {
  const auto text = read_text((folder / "CMakeLists.txt").string(), most_bytes);
  return text && text->find("project(") != std::string::npos;
}

constexpr std::string_view project_variable = "${PROJECT_SOURCE_DIR}";

// A path without the variables that stand for these folders; nothing if others are left.
std::optional<fs::path> resolved(std::string path, const fs::path& folder, const fs::path& project,
                                 const fs::path& top) {
  const std::array<std::pair<std::string_view, const fs::path*>, 7> variables = {
      {{project_variable, &project},
       {"${CMAKE_CURRENT_SOURCE_DIR}", &folder},
       {"${CMAKE_CURRENT_LIST_DIR}", &folder},
       {"${CMAKE_SOURCE_DIR}", &top},
       {"$(SRCROOT)", &folder},
       {"$(PROJECT_DIR)", &folder},
       {"${SRCROOT}", &folder}}};
  for (const auto& [variable, value] : variables)
    if (path.starts_with(variable)) path.replace(0, variable.size(), value->string());
  while (path.ends_with('*') || path.ends_with('/')) path.pop_back();
  if (path.empty() || path.find_first_of("${}()") != std::string::npos) return std::nullopt;
  return (folder / path).lexically_normal();
}

std::vector<fs::path> xcode_projects(const fs::path& folder) {
  std::vector<fs::path> projects;
  std::error_code error;
  std::size_t entries = 0;
  for (fs::directory_iterator each(folder, error);
       !error && each != fs::directory_iterator() && ++entries < most_entries;
       each.increment(error))
    if (each->path().extension() == ".xcodeproj")
      projects.push_back(each->path() / "project.pbxproj");
  std::ranges::sort(projects);
  return projects;
}

}  // namespace

std::vector<std::string> metal_includes_of_cmake(std::string_view text) {
  std::vector<std::string> found;
  Words command;
  const auto end_command = [&] { append(found, includes_in(std::exchange(command, {}))); };
  for (auto& word : cmake_words(text)) {
    const bool ends = word == "COMMAND" || word == "DEPENDS" || word == "(" || word == ")";
    if (ends)
      end_command();
    else
      command.push_back(std::move(word));
  }
  end_command();
  return found;
}

std::vector<std::string> metal_includes_of_rust(std::string_view text) {
  std::vector<std::string> found;
  for (const auto& each : rust_statements(text)) append(found, includes_in(each));
  return found;
}

std::vector<std::string> metal_includes_of_xcode(std::string_view text) {
  constexpr std::string_view key = "MTL_HEADER_SEARCH_PATHS";
  std::vector<std::string> found;
  for (auto at = text.find(key); at != text.npos;) {
    const auto rest = text.substr(at + key.size());
    const auto end = std::min(rest.find(';'), rest.size());
    at = text.find(key, at + key.size() + end);
    std::string word;
    for (const char c : rest.substr(0, end)) {
      const bool is_part = std::string_view("\",\n\t =").find(c) == std::string_view::npos;
      if (is_part) word += c;
      if (is_part || word.empty()) continue;
      if (word != "(" && word != ")") found.push_back(word);
      word.clear();
    }
    if (!word.empty() && word != ")") found.push_back(word);
  }
  return found;
}

const std::string& BuildFiles::project_around(const std::string& folder, const std::string& top) {
  const auto known = projects_.find(folder);
  if (known != projects_.end()) return known->second;
  const auto above = fs::path(folder).parent_path().string();
  auto project =
      folder == top || folder == above || has_project(folder) ? folder : project_around(above, top);
  return projects_[folder] = std::move(project);
}

const std::vector<std::string>& BuildFiles::of_folder(const std::string& folder,
                                                      const std::string& top) {
  const auto [known, is_new] = known_.try_emplace(folder);
  if (!is_new) return known->second;
  const auto add = [&](const fs::path& file, auto includes_of) {
    const auto text = read_text(file.string(), most_bytes);
    if (!text) return;
    std::set<std::string> seen;
    for (const auto& each : includes_of(*text)) {
      if (seen.size() >= most_includes) break;
      if (!seen.insert(each).second) continue;
      std::error_code none;
      const auto& project = each.starts_with(project_variable) ? project_around(folder, top) : top;
      const auto path = resolved(each, folder, project, top);
      if (path && is_below(*path, top) && fs::is_directory(*path, none))
        known->second.push_back(path->string());
    }
  };
  add(fs::path(folder) / "CMakeLists.txt", metal_includes_of_cmake);
  add(fs::path(folder) / "build.rs", metal_includes_of_rust);
  for (const auto& project : xcode_projects(folder)) add(project, metal_includes_of_xcode);
  return known->second;
}

std::vector<std::string> BuildFiles::include_folders_of(const std::string& file) {
  std::error_code none;
  const auto source = fs::absolute(file, none).lexically_normal();
  const auto top = fs::path(repository_of(source));
  std::vector<std::string> folders;
  if (top.empty()) return folders;
  for (auto folder = source.parent_path(); is_below(folder, top); folder = folder.parent_path()) {
    for (const auto& each : of_folder(folder.string(), top.string()))
      if (std::ranges::find(folders, each) == folders.end()) folders.push_back(each);
    if (folder == folder.parent_path()) break;
  }
  return folders;
}

}  // namespace msci
