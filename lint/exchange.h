// What the server and its clients say to each other: JSON, one object a line (docs/server.md).
#pragma once

#include <string>
#include <string_view>

#include "lint/check.h"

namespace msci {

// What a client asks for.
struct Asked {
  std::string id = "null";  // as JSON; an answer carries it back
  Result<Question> question;
};

// `wishes` and `configs` hold where the request says nothing. Errors: no JSON, an unknown or a
// missing field, a wrong value, a file that cannot be read.
Asked asked_by(std::string_view line, const Wishes& wishes, const Configs& configs);

// The answer, with its line's end.
std::string answer_to(const std::string& id, const Result<Examination>& examination);

}  // namespace msci
