#include "tests/agreement/records.h"

#include <fmt/format.h>
#include <zlib.h>

#include <charconv>
#include <memory>
#include <regex>

#include "base/json.h"

namespace msci {
namespace {

using Json = nlohmann::json;

struct Close {
  void operator()(gzFile file) const { gzclose(file); }
};
using File = std::unique_ptr<gzFile_s, Close>;

Result<std::string> read_all(const std::string& path) {
  const File file(gzopen(path.c_str(), "rb"));
  if (!file) return Error{fmt::format("cannot read {}: no such file, or not ours to read", path)};
  std::string text;
  char chunk[1 << 16];
  int got = 0;
  while ((got = gzread(file.get(), chunk, sizeof chunk)) > 0)
    text.append(chunk, static_cast<std::size_t>(got));
  if (got < 0) return Error{fmt::format("cannot read {}: it is damaged", path)};
  return text;
}

// The records were written by Python, whose JSON has NaN and Infinity; they become null.
std::string without_odd_numbers(std::string_view line) {
  std::string plain;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto rest = line.substr(i);
    const auto odd = rest.starts_with("NaN")         ? 3
                     : rest.starts_with("Infinity")  ? 8
                     : rest.starts_with("-Infinity") ? 9
                                                     : 0;
    if (!in_string && odd > 0) {
      plain += "null";
      i += static_cast<std::size_t>(odd) - 1;
      continue;
    }
    if (line[i] == '"') in_string = !in_string;
    plain += line[i];
    if (in_string && line[i] == '\\' && i + 1 < line.size()) plain += line[++i];
  }
  return plain;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

// "program_source:9:21: error: ..."
void find_error(const std::string& compiler_log, Record& record) {
  static const std::regex error(R"(program_source:(\d+):\d+: (error: .*))");
  std::smatch found;
  if (!std::regex_search(compiler_log, found, error)) {
    record.reason = first_line(compiler_log);
    return;
  }
  record.error_line = static_cast<unsigned>(std::stoul(found[1]));
  record.reason = found[2];
}

std::string text_or_empty(const Json& json) {
  return json.is_string() ? json.get<std::string>() : "";
}

// With the sizes, or by their labels.
std::vector<RecordedTime> times_from(const Json& json) {
  std::vector<RecordedTime> times;
  if (json.contains("seconds"))
    for (const auto& [label, seconds] : json.at("seconds").items())
      times.push_back({label, seconds});
  else
    for (const auto& size : json.at("sizes"))
      times.push_back({size.at("label"), size.at("gpu_seconds")});
  return times;
}

Record candidate_from(const Json& json) {
  Record record{.id = json.at("id"), .task = json.at("task"), .source = json.at("source")};
  record.run = json.value("run", record.id.substr(0, record.id.rfind('-')));
  if (!json.at("compile_ok").get<bool>()) {
    record.fate = Fate::refused_by_compiler;
    find_error(text_or_empty(json.at("compiler_log")), record);
    return record;
  }
  record.reason = first_line(text_or_empty(json.value("fail_reason", Json())));
  record.fate = !json.value("pipeline_ok", true) ? Fate::refused_at_pipeline
                : json.at("correct").get<bool>() ? Fate::right
                                                 : Fate::wrong;
  if (record.fate == Fate::right) record.times = times_from(json);
  if (record.fate == Fate::wrong)
    for (const auto& size : json.at("sizes"))
      if (!size.at("correct").get<bool>() && !record.wrong_size)
        record.wrong_size = size.at("label").get<std::string>();
  return record;
}

Record accepted_from(const Json& json) {
  return {.id = json.at("id"),
          .task = "accepted",
          .source = json.at("source"),
          .language = json.value("language", ""),
          .fate = Fate::accepted};
}

Record rejected_from(const Json& json) {
  Record record{.id = json.at("id"),
                .task = "rejected",
                .source = json.at("source"),
                .language = json.value("language", ""),
                .fate = Fate::refused_by_compiler};
  if (json.at("errors").empty()) return record;
  const auto& error = json.at("errors")[0];
  record.error_line = error.at("line").get<unsigned>();
  record.reason = "error: " + error.at("message").get<std::string>();
  return record;
}

Result<std::vector<Record>> read(const std::string& path, Record (*record_from)(const Json&)) {
  const auto text = read_all(path);
  if (!text) return text.error();
  std::vector<Record> records;
  unsigned number = 0;
  for (std::size_t begin = 0; begin < text->size();) {
    const auto end = std::min(text->find('\n', begin), text->size());
    const auto line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.empty()) continue;
    try {
      records.push_back(record_from(Json::parse(without_odd_numbers(line))));
    } catch (const Json::exception& broken) {
      return Error{fmt::format("{}:{}: not a record: {}", path, number, broken.what())};
    }
  }
  return records;
}

}  // namespace

std::string to_string(Fate fate) {
  switch (fate) {
    case Fate::refused_by_compiler:
      return "refused by compiler";
    case Fate::refused_at_pipeline:
      return "refused at pipeline";
    case Fate::wrong:
      return "wrong";
    case Fate::right:
      return "right";
    case Fate::accepted:
      return "accepted";
    case Fate::unchecked:
      return "unchecked";
  }
  return "unchecked";
}

Result<std::vector<Record>> read_candidates(const std::string& path) {
  return read(path, candidate_from);
}
Result<std::vector<Record>> read_accepted(const std::string& path) {
  return read(path, accepted_from);
}
Result<std::vector<Record>> read_rejected(const std::string& path) {
  return read(path, rejected_from);
}

}  // namespace msci
