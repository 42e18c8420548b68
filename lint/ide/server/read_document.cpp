#include <cstring>

#include "compiler/frontend/guarded_files.h"
#include "lint/ide/server/documents.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// Of a file or folder that does not exist, too.
fs::file_time_type last_change(const std::string& path) {
  std::error_code error;
  return fs::last_write_time(path, error);
}

}  // namespace

// The process that answers is a copy of this one, where the function has the same address.
std::string question_text(Answer answer, const Json& params) {
  std::string text(sizeof answer, 0);
  std::memcpy(text.data(), &answer, sizeof answer);
  return text + to_line(params);
}

std::string ReadDocument::answer(std::string_view question) {
  if (unit_ && has_changed()) return "";
  if (!unit_) read();
  Answer answer = nullptr;
  std::memcpy(&answer, question.data(), sizeof answer);
  const auto params = parse_json<Json>(question.substr(sizeof answer));
  if (!unit_ || !params) return "null";
  try {  // the library throws where a parameter is missing or of another type
    return to_line(
        answer({*params, *unit_, converter_, text_.uri, text_.open, text_.request, text_.tasks}));
  } catch (const Json::exception& error) {
    return to_line(Json{{"error", error.what()}});
  }
}

void ReadDocument::read() {
  // The clock of a file system lags behind.
  constexpr std::chrono::milliseconds lag(20);
  begun_ = fs::file_time_type::clock::now() - lag;
  auto start = preambles_.take(preamble_of(text_.source.text, text_.request.compile));
  if (!start) return;
  unit_.emplace(parse(*std::move(start), text_.source, text_.request.compile));
  // A folder changes with each file that is written to it. What the compiler looked for there and
  // did not find is a lookup of its own.
  for (const auto& lookup : file_lookups(*unit_))
    if (std::error_code error; !fs::is_directory(lookup.path, error))
      files_.emplace(lookup.path, last_change(lookup.path));
}

// A file that was written while the unit was read may be older there.
bool ReadDocument::has_changed() const {
  return std::ranges::any_of(files_, [&](const auto& file) {
    return file.second >= begun_ || last_change(file.first) != file.second;
  });
}

}  // namespace msci
