#include <filesystem>

#include "lint/analysis/raw_tokens.h"
#include "lint/ide/names.h"
#include "lint/ide/protocol/replies.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// The file that the unit read for this name; empty if it read none.
std::string file_for(const Unit& unit, std::string_view name) {
  const auto beside = (fs::path(unit.source().name).parent_path() / name).lexically_normal();
  for (const auto* file : unit.included_files())
    if (file->name == beside) return file->name;
  const auto end = "/" + fs::path(name).lexically_normal().string();
  for (const auto* file : unit.included_files())
    if (file->name.ends_with(end)) return file->name;
  return "";
}

}  // namespace

std::vector<IncludeLink> include_links(const Unit& unit) {
  locate_all_files(unit);
  const auto& source = unit.source();
  const auto& tokens = raw_tokens(unit);
  std::vector<IncludeLink> links;
  for (std::size_t i = 0; i + 2 < tokens.size(); ++i) {
    if (!tokens[i].is("#") || !tokens[i].starts_line) continue;
    if (!tokens[i + 1].is("include") && !tokens[i + 1].is("import")) continue;
    auto last = i + 2;
    if (tokens[last].is("<"))
      while (last + 1 < tokens.size() && !tokens[last].is(">") && !tokens[last + 1].starts_line)
        ++last;
    const auto begin = tokens[i + 2].offset;
    const auto name = std::string_view(source.text).substr(begin, tokens[last].end() - begin);
    if (name.size() < 3) continue;
    if (auto path = file_for(unit, name.substr(1, name.size() - 2)); !path.empty())
      links.push_back({range_of(source, tokens[i + 2], tokens[last]), std::move(path)});
  }
  return links;
}

}  // namespace msci
