#include "base/command_line/option_table.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "base/command_line/parse.h"

namespace msci {
namespace {

struct Values {
  std::vector<std::string> files;
  std::vector<std::string> names;
  bool quick = false;
  unsigned sizes = 0;
  std::optional<unsigned> rounds;
  std::optional<double> limit;
  std::string mode = "plain";
  std::string nonce;
  bool lists = false;
};

OptionTable table_of(Values& values) {
  return {
      {"",
       {{"FILE", &values.files, "files", {.is_local = true}},
        {"--name,--names",
         &values.names,
         "names",
         {.value = "NAME", .splits_commas = true, .in_key = true}}}},
      {"Judging",
       {{"--quick", &values.quick, "less", {.kind = "judging", .in_key = true}, {"quick", "Less."}},
        {"--sizes",
         &values.sizes,
         "more",
         {.value = "N",
          .check = OptionRange{0, 9},
          .kind = "judging",
          .excludes = {{.what = "--quick", .unless = "--limit"}},
          .in_key = true},
         {"sizes", "More."}},
        {"--rounds",
         &values.rounds,
         "again",
         {.value = "N", .check = OptionRange{1, 5}},
         {"rounds", "Again."}},
        {"--limit",
         &values.limit,
         "at most",
         {.value = "SECONDS", .check = OptionRange{0.5, 10}, .in_key = true}},
        {"--mode",
         &values.mode,
         "how",
         {.value = "MODE",
          .check = OneOf{"plain", "fancy"},
          .shows_default = true,
          .needs = "--limit"},
         {"mode", "How.", "timed"}},
        {"--nonce",
         &values.nonce,
         "digits",
         {.value = "HEX",
          .check = [](const std::string& text) { return text == "1f" ? "" : "must be 1f"; }},
         {.name = "nonce", .about = "Digits.", .pattern = "^1f$"}}}},
      {"Modes",
       {{"--list",
         &values.lists,
         "list",
         {.excludes = {{"judging"}, {.what = "FILE", .message = "--list reads no FILE"}}}}}}};
}

// The values of a command line, or the error.
Result<Values> parsed(std::vector<std::string> words, std::vector<std::string>* shared = nullptr) {
  Values values;
  CLI::App app("A test.", "test");
  declare(app, table_of(values));
  words.insert(words.begin(), "test");
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  const auto done = parse_command_line(app, static_cast<int>(argv.size()), argv.data());
  if (!done) return done.error();
  if (shared) *shared = shared_words(app, table_of(values));
  return values;
}

std::string error_of(std::vector<std::string> words) {
  const auto values = parsed(std::move(words));
  return values ? "" : values.error().message;
}

TEST(OptionTable, the_command_line_fills_the_targets) {
  const auto values =
      parsed({"a", "b", "--names", "x,y", "--quick", "--limit", "2", "--mode=fancy"});
  ASSERT_TRUE(values) << values.error().message;
  EXPECT_EQ(values->files, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(values->names, (std::vector<std::string>{"x", "y"}));
  EXPECT_TRUE(values->quick);
  EXPECT_EQ(values->limit, 2);
  EXPECT_EQ(values->mode, "fancy");
}

TEST(OptionTable, values_out_of_their_range_are_refused) {
  EXPECT_NE(error_of({"--sizes", "10"}), "");
  EXPECT_NE(error_of({"--sizes", "-1"}), "");
  EXPECT_NE(error_of({"--limit", "0.1"}), "");
  EXPECT_NE(error_of({"--limit", "1", "--mode", "other"}), "");
  EXPECT_NE(error_of({"--nonce", "2"}).find("must be 1f"), std::string::npos);
}

TEST(OptionTable, a_number_with_a_unit_is_named_as_no_number) {
  EXPECT_EQ(error_of({"--limit", "10s"}), "--limit: 10s is not a number of seconds; see --help");
  EXPECT_EQ(error_of({"--sizes", "2k"}), "--sizes: 2k is not a whole number; see --help");
  EXPECT_EQ(error_of({"--rounds", "1.5"}), "--rounds: 1.5 is not a whole number; see --help");
  EXPECT_NE(error_of({"--limit", "11"}).find("not in range"), std::string::npos);
}

TEST(OptionTable, an_unknown_option_names_the_nearest_one_or_one_that_begins_so) {
  EXPECT_EQ(error_of({"--qick"}),
            "The following argument was not expected: --qick; did you mean \"--quick\"?");
  EXPECT_EQ(error_of({"--nam"}),
            "The following argument was not expected: --nam; did you mean \"--name\"?");
  EXPECT_EQ(error_of({"--non=1"}),
            "The following argument was not expected: --non=1; did you mean \"--nonce\"?");
  EXPECT_EQ(error_of({"--n"}), "The following argument was not expected: --n; see --help");
}

TEST(OptionTable, excluded_options_are_refused) {
  EXPECT_EQ(error_of({"--list", "--sizes", "2"}), "--list excludes --sizes; see --help");
  EXPECT_EQ(error_of({"--list", "--quick"}), "--list excludes --quick; see --help");
  EXPECT_EQ(error_of({"--list", "a"}), "--list reads no FILE; see --help");
  EXPECT_EQ(error_of({"--sizes", "2", "--quick"}), "--sizes excludes --quick; see --help");
  EXPECT_EQ(error_of({"--sizes", "2", "--quick", "--limit", "1"}), "");
  EXPECT_EQ(error_of({"--mode", "plain"}), "--mode requires --limit; see --help");
}

TEST(OptionTable, a_key_has_the_values_on_which_results_depend) {
  Values values{.files = {"a"}, .names = {"x"}, .sizes = 3, .mode = "fancy"};
  EXPECT_EQ(to_line(key_of(table_of(values))),
            R"({"--name":["x"],"--quick":false,"--sizes":3,"--limit":null})");
}

TEST(OptionTable, shared_words_leave_out_local_options) {
  std::vector<std::string> words;
  ASSERT_TRUE(parsed({"a", "--quick", "--limit", "2", "--names", "x,y"}, &words));
  EXPECT_EQ(words, (std::vector<std::string>{"--name=x", "--name=y", "--quick", "--limit=2"}));
}

// The error of a request, or an empty text; the targets are set.
std::string read_request(const char* text, Values& values) {
  const auto json = parse_json<OrderedJson>(text);
  ObjectReader reader(*json, "a request");
  for (const auto& group : table_of(values)) read_fields(reader, group.rows);
  const auto error = reader.finish();
  return error ? error->message : "";
}

TEST(OptionTable, the_fields_of_a_request_fill_the_targets) {
  Values values;
  EXPECT_EQ(
      read_request(R"({"quick": true, "sizes": 3, "rounds": 2, "mode": "fancy", "nonce": "1f"})",
                   values),
      "");
  EXPECT_TRUE(values.quick);
  EXPECT_EQ(values.sizes, 3u);
  EXPECT_EQ(values.nonce, "1f");
  EXPECT_EQ(values.rounds, 2u);
  EXPECT_EQ(values.mode, "fancy");
}

TEST(OptionTable, a_request_is_held_to_the_same_values) {
  Values values;
  for (const auto& [request, part] :
       {std::pair(R"({"sizes": 10})", "at most 9"),
        std::pair(R"({"sizes": 99999999999})", "at most"),
        std::pair(R"({"rounds": 0})", "at least 1"),
        std::pair(R"({"mode": "other"})", "expected one of plain, fancy"),
        std::pair(R"({"nonce": "2"})", "must be 1f"), std::pair(R"({"quick": 1})", "true or false"),
        std::pair(R"({"limit": 1})", "limit")})
    EXPECT_NE(read_request(request, values).find(part), std::string::npos)
        << request << ": " << read_request(request, values);
  EXPECT_EQ(values.sizes, 0u);
}

TEST(OptionTable, the_schema_describes_the_fields) {
  Values values;
  EXPECT_EQ(to_line(schema_of_fields(table_of(values)[1].rows)),
            R"({"quick":{"type":"boolean","description":"Less."},)"
            R"("sizes":{"type":"integer","minimum":0,"maximum":9,"description":"More."},)"
            R"("rounds":{"type":"integer","minimum":1,"maximum":5,"description":"Again."},)"
            R"("mode":{"enum":["plain","fancy"],"description":"How."},)"
            R"("nonce":{"type":"string","pattern":"^1f$","description":"Digits."}})");
}

}  // namespace
}  // namespace msci
