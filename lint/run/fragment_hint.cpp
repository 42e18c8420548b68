#include <fmt/format.h>
#include <sys/stat.h>

#include <array>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/files/read_file.h"
#include "compiler/frontend/tokens/raw_lexer.h"
#include "lint/run/lint_files.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A folder of more files is not a set of parts.
constexpr std::size_t most_files = 200;
constexpr std::size_t most_entries_of_folder = 4000;
constexpr std::uintmax_t largest_source = 1u << 20;
constexpr int most_depth = 3;

bool is_metal(const fs::path& file) {
  const auto extension = file.extension();
  return extension == ".metal" || extension == ".h" || extension == ".msl";
}

// Folders such as /tmp, to which all users may write and which have the sticky bit: the files there
// need not belong together. On some file systems, all users may write to every folder.
bool is_shared(const fs::path& folder) {
  constexpr auto of_all_users = fs::perms::sticky_bit | fs::perms::others_write;
  std::error_code error;
  return (fs::status(folder, error).permissions() & of_all_users) == of_all_users || error;
}

bool have_one_owner(const fs::path& a, const fs::path& b) {
  struct stat of_a{}, of_b{};
  return ::stat(a.c_str(), &of_a) == 0 && ::stat(b.c_str(), &of_b) == 0 &&
         of_a.st_uid == of_b.st_uid;
}

// Whether the files of a folder may be parts of the sources in `own`. The folder above that one may
// belong to the system, as /home does.
bool may_have_parts(const fs::path& folder, const fs::path& own) {
  return !is_shared(folder) && have_one_owner(folder, own);
}

std::vector<fs::path> metal_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator each(folder, fs::directory_options::skip_permission_denied,
                                        error);
  std::size_t entries = 0;
  for (; !error && each != fs::recursive_directory_iterator() && files.size() < most_files &&
         ++entries < most_entries_of_folder;
       each.increment(error)) {
    std::error_code none;
    if (each->is_symlink(none)) continue;  // nor does the iterator follow it
    if (each->is_directory(none) &&
        (each.depth() >= most_depth || !may_have_parts(each->path(), folder)))
      each.disable_recursion_pending();
    if (each->is_regular_file(none) && is_metal(each->path()) &&
        each->file_size(none) <= largest_source)
      files.push_back(each->path());
  }
  return files;
}

bool is_class_key(const RawToken& word) {
  return word.is("struct") || word.is("class") || word.is("union") || word.is("enum");
}

// The names that a text defines outside of braces: types, macros and functions.
std::vector<std::string_view> names_defined_in(std::string_view text) {
  std::vector<std::string_view> names;
  const auto words = lex_raw(text, Dialect::metal);
  int depth = 0;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const auto& word = words[i];
    const auto& next = words[i + 1];
    if (word.is("{")) ++depth;
    if (word.is("}")) --depth;
    const bool is_macro = word.is("define") && i > 0 && words[i - 1].is("#");
    if (is_macro && next.is_identifier()) names.push_back(next.text);
    if (depth != 0) continue;
    const auto* third = i + 2 < words.size() ? &words[i + 2] : nullptr;
    const bool opens = third && (third->is("{") || third->is(":"));
    const bool is_type =
        (is_class_key(word) && opens) || (word.is("using") && third && third->is("="));
    if (is_type && next.is_identifier()) names.push_back(next.text);
    const bool follows_type = i > 0 && (words[i - 1].is_identifier() || words[i - 1].is("*") ||
                                        words[i - 1].is("&") || words[i - 1].is(">"));
    const bool is_function = word.is_identifier() && next.is("(") && follows_type;
    const bool ends_typedef = word.is_identifier() && next.is(";") && i > 0 &&
                              (words[i - 1].is_identifier() || words[i - 1].is("}"));
    if (is_function || ends_typedef) names.push_back(word.text);
  }
  return names;
}

}  // namespace

std::string unknown_name(std::string_view message) {
  constexpr std::array<std::string_view, 3> starts = {
      "unknown type name '", "use of undeclared identifier '", "no template named '"};
  for (const auto start : starts)
    if (message.starts_with(start)) {
      message.remove_prefix(start.size());
      return std::string(message.substr(0, message.find('\'')));
    }
  return "";
}

const Definitions::ByName& Definitions::of_folder(const std::string& folder) {
  const auto [known, is_new] = known_.try_emplace(folder);
  if (!is_new) return known->second;
  for (const auto& file : metal_files(folder))
    if (const auto source = read_source(file.string()))
      for (const auto name : names_defined_in(source->text))
        known->second.try_emplace(std::string(name), file.string());
  return known->second;
}

std::optional<std::string> Definitions::file_of(const std::string& name, const std::string& near) {
  std::error_code error;
  const auto own = fs::absolute(near, error).lexically_normal();
  const auto folder = own.parent_path();
  for (const auto& each : {folder, folder.parent_path()}) {
    if (each.empty() || each == each.root_path() || !may_have_parts(each, folder)) break;
    const auto& all = of_folder(each.string());
    const auto found = all.find(name);
    if (found != all.end() && found->second != own.string()) return found->second;
  }
  return std::nullopt;
}

void hint_at_fragment(FileReport& report, Definitions& definitions) {
  std::error_code error;
  if (report.compiled || !fs::exists(report.source.name, error)) return;
  for (auto& finding : report.findings) {
    const auto name = unknown_name(finding.message);
    if (name.empty()) continue;
    const auto file = definitions.file_of(name, report.source.name);
    if (!file) continue;
    const auto folder = fs::absolute(report.source.name, error).parent_path();
    const auto shown = fs::relative(*file, folder, error);
    finding.notes.push_back(
        {finding.place,
         fmt::format("'{}' is defined in {}; if a host joins these files, list them in order as "
                     "\"join\" in .msci.json",
                     name, shown.string())});
    return;
  }
}

}  // namespace msci
