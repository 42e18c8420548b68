#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <cassert>
#include <filesystem>

#include "compiler/frontend/unit/unit_impl.h"

namespace msci {
namespace {

// As the user would name it: seen from here, if the source is.
std::string included_name(const std::string& path, const std::string& source) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto plain = fs::path(path).lexically_normal();
  if (fs::path(source).is_absolute()) return plain.string();
  const auto near = plain.lexically_proximate(fs::current_path(error)).string();
  return near.starts_with("..") ? plain.string() : near;
}

// The included file of this number, known from now on. A file that is included twice has two
// numbers.
const IncludedFile& included_file(Unit::Impl& unit, clang::FileID id) {
  auto*& file = unit.included_by_id[id];
  if (file) return *file;
  const auto& sources = unit.compiler->getSourceManager();
  auto name = included_name(sources.getFileEntryRefForID(id)->getName().str(), unit.source.name);
  auto& all = unit.included;
  auto known = std::find_if(all.begin(), all.end(),
                            [&](const IncludedFile& each) { return each.source.name == name; });
  if (known == all.end())
    known = all.insert(all.end(), {.source = {std::move(name), sources.getBufferData(id).str()}});
  return *(file = &*known);
}

Range range_in(const Unit::Impl& unit, const Lines& lines, clang::SourceRange range) {
  const auto& sources = unit.compiler->getSourceManager();
  const auto begin = sources.getFileLoc(range.getBegin());
  const auto end = sources.getFileLoc(range.getEnd());
  const auto begin_offset = sources.getFileOffset(begin);
  auto end_offset = begin_offset;
  if (end.isValid() && sources.getFileID(end) == sources.getFileID(begin))
    end_offset = sources.getFileOffset(end) +
                 clang::Lexer::MeasureTokenLength(end, sources, unit.compiler->getLangOpts());
  return {lines.at(begin_offset), lines.at(std::max(end_offset, begin_offset))};
}

}  // namespace

Place locate(Unit::Impl& unit, clang::SourceRange range) {
  const auto& sources = unit.compiler->getSourceManager();
  const auto begin = sources.getFileLoc(range.getBegin());
  if (!is_users(sources, begin)) return {};
  if (sources.isInMainFile(begin)) return {"", range_in(unit, unit.lines, range)};
  const auto& file = included_file(unit, sources.getFileID(begin));
  return {file.source.name, range_in(unit, file.lines, range)};
}

const Source& source_of(const Unit::Impl& unit, const Place& place) {
  if (place.file.empty()) return unit.source;
  const auto& all = unit.included;
  const auto found = std::find_if(all.begin(), all.end(), [&](const IncludedFile& each) {
    return each.source.name == place.file;
  });
  assert(found != all.end() &&
         "a place of a unit lies in its source or in a file that it includes");
  return found == all.end() ? unit.source : found->source;
}

bool is_users(const clang::SourceManager& sources, clang::SourceLocation location) {
  if (location.isInvalid()) return false;
  const auto place = sources.getFileLoc(location);
  if (sources.isLoadedSourceLocation(place)) return false;
  if (sources.isInMainFile(place)) return true;
  return !sources.isInSystemHeader(place) &&
         sources.getFileEntryRefForID(sources.getFileID(place)).has_value();
}

}  // namespace msci
