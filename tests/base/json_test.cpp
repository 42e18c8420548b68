#include "base/json.h"

#include <gtest/gtest.h>

#include "base/msgpack_result.h"

namespace msci {
namespace {

std::string parse_error(std::string_view text, const JsonOptions& options = {}) {
  const auto json = parse_json<OrderedJson>(text, options);
  return json ? "none" : json.error().message;
}

std::string repeated(std::string_view text, std::size_t times) {
  std::string all;
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

TEST(ParseJson, builds_the_values_that_the_library_builds) {
  for (const std::string_view text :
       {"null", "true", "-3", "18446744073709551615", "1.5e3", "\"a\\u00e4\\n\"", "[]", "{}",
        R"([1, [2, {"a": [], "b": {}}], "x"])",
        R"({"z": 1, "a": {"k": [null, false]}, "m": []})"}) {
    const auto ordered = parse_json<OrderedJson>(text);
    ASSERT_TRUE(ordered) << text << ": " << ordered.error().message;
    EXPECT_EQ(ordered->dump(), OrderedJson::parse(text).dump()) << text;
    const auto sorted = parse_json<Json>(text);
    ASSERT_TRUE(sorted) << text;
    EXPECT_EQ(*sorted, Json::parse(text)) << text;
  }
}

TEST(ParseJson, takes_the_last_of_equal_keys) {
  EXPECT_EQ((*parse_json<OrderedJson>(R"({"a": [1, 2], "a": 3})")).dump(), R"({"a":3})");
}

TEST(ParseJson, names_the_place_of_a_syntax_error) {
  EXPECT_TRUE(parse_error("{\n  \"select\": [\n}").starts_with("parse error at line 3, column 1: "))
      << parse_error("{\n  \"select\": [\n}");
  EXPECT_TRUE(parse_error("").starts_with("parse error at line 1, column 1: "));
  EXPECT_NE(parse_error("{} {}"), "none");
  EXPECT_NE(parse_error("[1, 2"), "none");
  EXPECT_NE(parse_error("\"\xff\""), "none");
}

TEST(ParseJson, refuses_numbers_that_are_too_large) {
  EXPECT_TRUE(parse_error("[4e544]").starts_with("number overflow")) << parse_error("[4e544]");
}

TEST(ParseJson, allows_comments_only_on_request) {
  EXPECT_NE(parse_error("[1 /* one */]"), "none");
  EXPECT_EQ(parse_error("[1 /* [[[ */] // \"", {.allow_comments = true}), "none");
}

TEST(ParseJson, limits_the_depth) {
  EXPECT_EQ(parse_error(repeated("[", 512) + repeated("]", 512)), "none");
  EXPECT_EQ(parse_error(repeated("[", 513) + repeated("]", 513)),
            "values are nested more than 512 levels deep");
  EXPECT_EQ(parse_error(repeated("{\"a\":", 513) + "1" + repeated("}", 513)),
            "values are nested more than 512 levels deep");
  EXPECT_EQ(parse_error("\"" + repeated("[", 1000) + "\""), "none");
}

TEST(ParseJson, survives_three_million_brackets) {
  EXPECT_EQ(parse_error(std::string(3'000'000, '[')),
            "values are nested more than 512 levels deep");
  EXPECT_EQ(parse_error(repeated("{\"a\":", 3'000'000)),
            "values are nested more than 512 levels deep");
  EXPECT_NE(parse_error(std::string(3'000'000, ']')), "none");
}

TEST(ParseJson, limits_the_size) {
  EXPECT_EQ(parse_error("\"" + std::string(3 << 20, 'x') + "\"", {.max_bytes = 2 << 20}),
            "the JSON text is longer than 2 MiB");
}

TEST(ParseJson, limits_the_members_of_an_object) {
  std::string text = "{";
  for (int i = 0; i < 10'001; ++i) text += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
  EXPECT_EQ(parse_error(text + "}"), "an object has more than 10000 members");
}

TEST(ParseJson, quotes_little_of_a_broken_text) {
  EXPECT_LT(parse_error("\"" + std::string(1 << 20, 'x')).size(), 250u);
  EXPECT_EQ(parse_error(std::string("[\"\x01\x02") + "\xff").find('\x01'), std::string::npos);
}

TEST(ParseMsgpack, reads_what_was_written_and_limits_the_depth) {
  const Json json = {{"bytes", "any: \xff\xfe"}, {"list", {1, -2, 2.5, nullptr}}};
  std::string bytes;
  Json::to_msgpack(json, bytes);
  EXPECT_EQ(*parse_msgpack<Json>(bytes), json);
  EXPECT_FALSE(parse_msgpack<Json>(bytes.substr(0, bytes.size() - 1)));
  EXPECT_FALSE(parse_msgpack<Json>(""));
  EXPECT_FALSE(parse_msgpack<Json>("\xc1"));
  EXPECT_FALSE(parse_msgpack<Json>(std::string(3'000'000, '\x91')));  // lists of one element
  EXPECT_FALSE(parse_msgpack<Json>("\xdd\xff\xff\xff\xff"));          // a list of 2^32 - 1 elements
}

TEST(MsgpackResult, carries_values_and_errors) {
  using List = std::vector<std::string>;
  const auto value = from_msgpack<List>(to_msgpack(Result<List>(List{"a", "\xff"})));
  ASSERT_TRUE(value);
  EXPECT_EQ(*value, (List{"a", "\xff"}));
  EXPECT_EQ(from_msgpack<List>(to_msgpack(Result<List>(Error{"no way"}))).error().message,
            "no way");
  EXPECT_FALSE(from_msgpack<List>("nonsense"));
  EXPECT_FALSE(from_msgpack<List>(to_msgpack(Result<int>(3))));
  EXPECT_FALSE(from_msgpack<List>("\x80"));  // an object without members
}

struct Options {
  std::string name;
  std::vector<std::string> words;
  std::uint64_t count = 0;
  double share = 0;
  bool loud = false;
};

std::string read_error(std::string_view text) {
  const auto json = parse_json<OrderedJson>(text);
  if (!json) return json.error().message;
  Options options;
  ObjectReader reader(*json, "a recipe");
  reader.require("name", options.name);
  reader.read("words", options.words);
  reader.read("count", options.count);
  reader.read("share", options.share);
  reader.read("loud", options.loud);
  const auto error = reader.finish();
  return error ? error->message : "none";
}

TEST(ObjectReader, reads_members_of_their_kinds) {
  const auto json = *parse_json<OrderedJson>(
      R"({"name": "n", "words": ["a", "b"], "count": 3, "share": 0.5, "loud": true})");
  Options options;
  ObjectReader reader(json, "a recipe");
  EXPECT_TRUE(reader.require("name", options.name));
  EXPECT_TRUE(reader.read("words", options.words));
  EXPECT_TRUE(reader.read("count", options.count));
  EXPECT_TRUE(reader.read("share", options.share));
  EXPECT_TRUE(reader.read("loud", options.loud));
  EXPECT_FALSE(reader.read("other", options.loud));
  EXPECT_FALSE(reader.finish());
  EXPECT_EQ(options.name, "n");
  EXPECT_EQ(options.words, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(options.count, 3u);
  EXPECT_EQ(options.share, 0.5);
  EXPECT_TRUE(options.loud);
}

TEST(ObjectReader, says_what_is_wrong_and_what_to_do) {
  EXPECT_EQ(read_error(R"({"name": "n"})"), "none");
  EXPECT_EQ(read_error("[]"), "a recipe must be a JSON object");
  EXPECT_EQ(read_error("{}"), "\"name\": is missing");
  EXPECT_EQ(read_error(R"({"name": 1})"), "\"name\": expected a string");
  EXPECT_EQ(read_error(R"({"name": "n", "words": ["a", 1]})"),
            "\"words\": expected a list of strings");
  EXPECT_EQ(read_error(R"({"name": "n", "words": "a"})"), "\"words\": expected a list of strings");
  EXPECT_EQ(read_error(R"({"name": "n", "count": -1})"),
            "\"count\": expected a non-negative integer");
  EXPECT_EQ(read_error(R"({"name": "n", "share": "1"})"), "\"share\": expected a number");
  EXPECT_EQ(read_error(R"({"name": "n", "loud": 1})"), "\"loud\": expected true or false");
  EXPECT_EQ(read_error(R"({"name": "n", "word": []})"),
            "unknown key \"word\" in a recipe; did you mean \"words\"?");
  EXPECT_EQ(read_error(R"({"name": "n", "else": []})"),
            "unknown key \"else\" in a recipe; the keys are name, words, count, share, loud");
  EXPECT_EQ(read_error(R"({"name": "n", "\u001b[2J": 1})").find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace msci
