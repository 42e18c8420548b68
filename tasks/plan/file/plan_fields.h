// Access to the fields of a plan file, and errors that name the field.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "base/source.h"

namespace msci {

// Comments are allowed.
Result<OrderedJson> parse_plan(const Source& source);

// A value of the file and its JSON pointer, "/launches/0/grid".
struct Field {
  const OrderedJson* json = nullptr;
  std::string pointer;

  bool has(const std::string& key) const { return json->is_object() && json->contains(key); }
};

// What to write instead of a wrong word: "; did you mean \"x\"?" with the nearest of the words, or
// all of them, "; use x, y", where none is near.
std::string hint(std::string_view wrong, std::span<const std::string_view> words,
                 std::string_view introduction = "use");

// Reads fields and keeps the first error. After an error, every value is meaningless: callers check
// failed() before they use one as an index or a size.
class PlanFieldReader {
 public:
  explicit PlanFieldReader(std::string file) : file_(std::move(file)) {}

  void report_error(const Field& field, const std::string& why);
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }

  Field member(const Field& field, const std::string& key);
  std::optional<Field> optional_member(const Field& field, const std::string& key);
  // All members of an object, with their keys.
  static std::vector<std::pair<std::string, Field>> members(const Field& field);
  std::vector<Field> elements(const Field& field, std::string_view what);
  // `what` completes "it must be ...": "a kernel's name".
  std::string text(const Field& field, std::string_view what);
  double real(const Field& field);

  // Reports fields with other keys.
  void check_keys(const Field& field, const std::vector<std::string>& keys);
  // Reports the other keys if `key` is present, too.
  void check_alone(const Field& field, const std::string& key,
                   const std::vector<std::string>& others);

 private:
  std::string file_;
  std::optional<Error> error_;
};

}  // namespace msci
