#include "base/json.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace msci {
namespace {

// The library quotes the text that it could not read, however long that is.
constexpr std::size_t longest_message = 200;

// The library's message without the number of its error: "parse error at line 1, column 2: ...".
std::string message_of(std::string_view what) {
  if (const auto end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
  return valid_utf8(what.size() > longest_message
                        ? std::string(what.substr(0, longest_message)) + "..."
                        : std::string(what));
}

// Builds a value from the events of the library's parser, which calls these functions by name.
// Returning false stops it. Nothing here throws or recurses.
template <typename Value>
class Builder : public nlohmann::json_sax<Value> {
 public:
  explicit Builder(const JsonOptions& options) : options_(options) {}

  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(typename Value::number_integer_t value) override { return add(value); }
  bool number_unsigned(typename Value::number_unsigned_t value) override { return add(value); }
  bool number_float(typename Value::number_float_t value,
                    const typename Value::string_t&) override {
    return add(value);
  }
  bool string(typename Value::string_t& value) override { return add(std::move(value)); }
  bool binary(typename Value::binary_t& value) override { return add(Value(std::move(value))); }

  bool start_object(std::size_t) override { return open(Value::object()); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open(Value::array()); }
  bool end_array() override { return close(); }

  bool key(typename Value::string_t& name) override {
    auto& object = *open_.back();
    if (object.size() >= options_.max_members)
      return report_error(fmt::format("an object has more than {} members", options_.max_members));
    member_ = &object[name];
    return true;
  }

  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception& error) override {
    return report_error(message_of(error.what()));
  }

  Result<Value> finish() && {
    if (error_) return *error_;
    return std::move(root_);
  }

 private:
  // Where the next value goes. Containers that are open do not move: only the innermost one grows.
  Value& next_place() {
    if (open_.empty()) return root_;
    if (!open_.back()->is_array()) return *member_;
    return open_.back()->emplace_back(nullptr);
  }

  bool add(Value value) {
    next_place() = std::move(value);
    return true;
  }

  bool open(Value container) {
    if (open_.size() >= options_.max_depth)
      return report_error(
          fmt::format("values are nested more than {} levels deep", options_.max_depth));
    auto& place = next_place();
    place = std::move(container);
    open_.push_back(&place);
    return true;
  }

  bool close() {
    open_.pop_back();
    return true;
  }

  bool report_error(std::string message) {
    if (!error_) error_ = Error{std::move(message)};
    return false;
  }

  const JsonOptions& options_;
  Value root_;
  std::vector<Value*> open_;  // arrays and objects, from the outermost to the innermost
  Value* member_ = nullptr;   // of the innermost object, whose value comes next
  std::optional<Error> error_;
};

template <typename Value>
Result<Value> parse(std::string_view text, nlohmann::detail::input_format_t format,
                    const JsonOptions& options) {
  if (text.size() > options.max_bytes)
    return Error{fmt::format("the JSON text is longer than {} MiB", options.max_bytes >> 20)};
  Builder<Value> builder(options);
  Value::sax_parse(text, &builder, format, /*strict=*/true, options.allow_comments);
  return std::move(builder).finish();
}

}  // namespace

template <typename Value>
Result<Value> parse_json(std::string_view text, const JsonOptions& options) {
  return parse<Value>(text, nlohmann::detail::input_format_t::json, options);
}

template <typename Value>
Result<Value> parse_msgpack(std::string_view bytes, const JsonOptions& options) {
  return parse<Value>(bytes, nlohmann::detail::input_format_t::msgpack, options);
}

template Result<Json> parse_json(std::string_view text, const JsonOptions& options);
template Result<OrderedJson> parse_json(std::string_view text, const JsonOptions& options);
template Result<Json> parse_msgpack(std::string_view bytes, const JsonOptions& options);
template Result<OrderedJson> parse_msgpack(std::string_view bytes, const JsonOptions& options);

bool JsonKind<std::vector<std::string>>::matches(const OrderedJson& value) {
  return value.is_array() && std::all_of(value.begin(), value.end(),
                                         [](const OrderedJson& each) { return each.is_string(); });
}

ObjectReader::ObjectReader(const OrderedJson& json, std::string what)
    : json_(json), what_(std::move(what)) {
  if (!json_.is_object()) error_ = Error{fmt::format("{} must be a JSON object", what_)};
}

const OrderedJson* ObjectReader::find(std::string_view key) {
  if (std::find(known_.begin(), known_.end(), key) == known_.end()) known_.emplace_back(key);
  if (!json_.is_object()) return nullptr;
  const auto found = json_.find(std::string(key));
  return found == json_.end() ? nullptr : &*found;
}

bool ObjectReader::report_error(std::string_view key, std::string_view message) {
  if (!error_) error_ = Error{fmt::format("\"{}\": {}", key, message)};
  return false;
}

bool ObjectReader::report_kind(std::string_view key, std::string_view kind) {
  return report_error(key, fmt::format("expected {}", kind));
}

std::optional<Error> ObjectReader::finish() {
  if (error_) return *error_;
  const std::vector<std::string_view> known(known_.begin(), known_.end());
  for (const auto& [key, value] : json_.items()) {
    if (std::find(known.begin(), known.end(), key) != known.end()) continue;
    const auto near = nearest(key, known);
    return Error{fmt::format("unknown key \"{}\" in {}{}", printable(key), what_,
                             near.empty() ? fmt::format("; the keys are {}", fmt::join(known, ", "))
                                          : did_you_mean(near))};
  }
  return std::nullopt;
}

}  // namespace msci
