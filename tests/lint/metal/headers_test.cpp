#include "lint/metal/headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lint/metal/unit.h"

namespace msci {
namespace {

// What a user may include: names that begin with an underscore are ours.
std::vector<std::string> header_names() {
  std::vector<std::string> names;
  for (const auto& header : metal_headers())
    if (!header.name.starts_with('_')) names.emplace_back(header.name);
  return names;
}

std::string all_words() {
  std::string words;
  for (const auto word : deciding_words()) words.append(" ").append(word);
  return words;
}

void expect_compiles(const std::string& text, LanguageVersion version) {
  const auto unit = parse({"header", text}, version);
  ASSERT_TRUE(unit) << unit.error().message;
  for (const auto& diagnostic : unit->diagnostics())
    ADD_FAILURE() << "metal " << version.number << ": " << diagnostic.message << "\n" << text;
}

class Header : public testing::TestWithParam<std::string> {};

TEST_P(Header, can_be_included_alone_and_twice) {
  for (const unsigned version : {200u, 310u, 400u})
    expect_compiles(fmt::format("#include <{0}>\n#include <{0}>\n", GetParam()), {version});
}

TEST_P(Header, compiles_in_all_its_parts) {
  expect_compiles(fmt::format("#include <{}>\n//{}\n", GetParam(), all_words()), {});
}

INSTANTIATE_TEST_SUITE_P(Metal, Header, testing::ValuesIn(header_names()), [](const auto& info) {
  std::string name = info.param;
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return name;
});

TEST(Headers, know_no_name_without_an_include) {
  const auto unit = parse({"source", "using namespace metal;\nmetal::float4 v;\n"});
  ASSERT_TRUE(unit);
  EXPECT_FALSE(unit->compiled());
}

}  // namespace
}  // namespace msci
