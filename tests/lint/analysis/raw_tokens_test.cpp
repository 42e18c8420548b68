#include "lint/analysis/raw_tokens.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

const Source source{"s.metal",
                    "kernel /* no word */ void\n  f(device float* x [[buffer(0)]]); // end\n"};

TEST(RawTokens, are_the_tokens_without_comments) {
  std::vector<std::string_view> texts;
  for (const auto& word : raw_tokens(source)) texts.push_back(word.text);
  const std::vector<std::string_view> expected{"kernel", "void", "f", "(", "device", "float",
                                               "*",      "x",    "[", "[", "buffer", "(",
                                               "0",      ")",    "]", "]", ")",      ";"};
  EXPECT_EQ(texts, expected);
}

TEST(RawTokens, know_their_places) {
  const auto words = raw_tokens(source);
  EXPECT_EQ(range_of(source, words[4]), (Range{{2, 5}, {2, 11}}));
  EXPECT_TRUE(words[2].starts_line);
  EXPECT_FALSE(words[3].starts_line);
  EXPECT_EQ(token_at(words, source, {2, 7}), 4u);   // within `device`
  EXPECT_EQ(token_at(words, source, {1, 10}), 1u);  // in the comment: the next one
  EXPECT_EQ(token_at(words, source, {9, 1}), words.size());
}

TEST(RawTokens, close_their_brackets) {
  const auto words = raw_tokens(source);
  EXPECT_EQ(closing_token(words, 3), 16u);
  EXPECT_EQ(closing_token(words, 8), 15u);
  const Source open{"s.metal", "f(a"};
  EXPECT_EQ(closing_token(raw_tokens(open), 1), 3u);
}

}  // namespace
}  // namespace msci
