#include <fmt/format.h>

#include <filesystem>

#include "base/files/read_file.h"
#include "base/json.h"
#include "base/text.h"
#include "lint/flags/compile_settings.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view database_name = "compile_commands.json";

std::string absolute(const fs::path& folder, const std::string& path) {
  return (folder / path).lexically_normal().string();
}

// The words of a command line as a POSIX shell splits them, without expansions.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words;
  bool in_word = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (!quote && (c == ' ' || c == '\t' || c == '\n')) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    const bool escapes = c == '\\' && quote != '\'' && i + 1 < command.size();
    if (escapes)
      words.back() += command[++i];
    else if (c == quote)
      quote = 0;
    else if (!quote && (c == '"' || c == '\''))
      quote = c;
    else
      words.back() += c;
  }
  return words;
}

// The compiler and the source are words, too, but no flags.
std::vector<std::string> flags_of(const Json& entry) {
  auto words = entry.contains("arguments") ? entry.at("arguments").get<std::vector<std::string>>()
                                           : words_of(entry.at("command").get<std::string>());
  if (!words.empty()) words.erase(words.begin());
  return words;
}

// Whether an entry may be of a Metal source. Databases of other projects have megabytes, and
// looking at each character takes a tenth of the time of linting a kernel.
bool may_name_metal(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n");
  const bool is_list = begin != std::string_view::npos && text[begin] == '[';
  return !is_list || text.find(".metal\"") != std::string_view::npos ||
         text.find("\\u") != std::string_view::npos;
}

}  // namespace

Result<CompileSettings> CompileCommands::of(const std::string& file) {
  std::error_code none;
  const auto source = fs::absolute(file, none).lexically_normal();
  auto entries = of_folder(source.parent_path().string());
  if (!entries) return entries.error();
  const auto found = entries->find(source.string());
  return found == entries->end() ? CompileSettings() : found->second;
}

Result<CompileCommands::Entries> CompileCommands::of_folder(const std::string& folder) {
  if (const auto known = known_.find(folder); known != known_.end()) return known->second;
  const auto parent = fs::path(folder).parent_path().string();
  const auto in_folder = [&]() -> Result<Entries> {
    std::error_code none;
    for (const auto& place : {fs::path(folder), fs::path(folder) / "build"})
      if (const auto path = place / database_name; fs::is_regular_file(path, none))
        return read(path.string());
    return parent == folder ? Result<Entries>(Entries()) : of_folder(parent);
  };
  return known_.emplace(folder, in_folder()).first->second;
}

Result<CompileCommands::Entries> CompileCommands::read(const std::string& path) {
  const auto malformed = [&](std::string_view why) {
    return Error{fmt::format("{}: {}; --no-compile-commands ignores it", path, why)};
  };
  auto text = read_text(path, source_size_limit);
  if (!text) return malformed(text.error().message);
  if (!may_name_metal(*text)) return Entries();
  const auto source = source_from(path, *std::move(text));
  if (!source) return malformed(source.error().message);
  const auto json = parse_json<Json>(source->text);
  if (!json) return malformed(json.error().message);
  Entries entries;
  try {  // the library throws where a member is missing or of another type
    for (const auto& entry : *json) {
      const auto file = entry.at("file").get<std::string>();
      if (!file.ends_with(".metal")) continue;
      const auto folder = fs::path(path).parent_path() / entry.at("directory").get<std::string>();
      CompileSettings settings;
      const auto unknown = take_compiler_flags(flags_of(entry), settings);
      if (!unknown) return malformed(fmt::format("{}: {}", file, unknown.error().message));
      for (const auto& flag : *unknown)
        if (flag.starts_with('-') && told_.insert(flag).second)
          fmt::print(stderr, "msci-lint: {}: the compiler flag {} is ignored\n", path,
                     printable(flag));
      for (auto* paths : {&settings.include_folders, &settings.system_folders, &settings.includes})
        for (auto& each : *paths) each = absolute(folder, each);
      entries.emplace(absolute(folder, file), std::move(settings));
    }
  } catch (const Json::exception&) {
    return malformed("it is not a compilation database");
  }
  return entries;
}

}  // namespace msci
