#include "search/generate/replay.h"

#include <fmt/format.h>
#include <zlib.h>

#include <filesystem>
#include <memory>

#include "base/json.h"
namespace msci::search {
namespace {

struct Close {
  void operator()(gzFile file) const { gzclose(file); }
};

Result<std::string> read_all(const std::string& path) {
  const std::unique_ptr<gzFile_s, Close> file(gzopen(path.c_str(), "rb"));
  if (!file) return Error{fmt::format("cannot read {}: no such file, or no permission", path)};
  std::string text;
  char chunk[1 << 16];
  int got = 0;
  while ((got = gzread(file.get(), chunk, sizeof chunk)) > 0)
    text.append(chunk, static_cast<std::size_t>(got));
  if (got < 0) return Error{fmt::format("cannot read {}: it is damaged", path)};
  return text;
}

// Only the line with the id is parsed: other lines may hold NaN, which is not JSON.
Result<std::string> source_in(const std::string& lines, const std::string& id) {
  const auto name = '"' + id + '"';
  for (std::size_t begin = 0; begin < lines.size();) {
    const auto end = std::min(lines.find('\n', begin), lines.size());
    const auto line = lines.substr(begin, end - begin);
    begin = end + 1;
    if (line.find(name) == std::string::npos) continue;
    const auto source = line.find("\"source\":");
    if (source == std::string::npos) continue;
    const auto value = parse_json<Json>('{' + line.substr(source));
    if (value && value->is_object() && value->at("source").is_string())
      return value->at("source").get<std::string>();
    return Error{fmt::format("{}: its source is not the line's last field", id)};
  }
  return Error{fmt::format("nothing was recorded for {}", id)};
}

}  // namespace

Result<std::string> recorded_answer(const std::string& from, const std::string& run,
                                    unsigned iteration) {
  if (std::filesystem::is_directory(from))
    return read_all(fmt::format("{}/{:02}_response.md", from, iteration));
  const auto lines = read_all(from);
  if (!lines) return lines.error();
  const auto source = source_in(*lines, fmt::format("{}-{:02}", run, iteration));
  if (!source) return source.error();
  return fmt::format("```metal\n{}\n```\n", *source);
}

}  // namespace msci::search
