#include "lint/words.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

const Source source{"s.metal",
                    "kernel /* no word */ void\n  f(device float* x [[buffer(0)]]); // end\n"};

TEST(Words, are_the_tokens_without_comments) {
  std::vector<std::string_view> texts;
  for (const auto& word : words_of(source)) texts.push_back(word.text);
  const std::vector<std::string_view> expected{"kernel", "void", "f", "(", "device", "float",
                                               "*",      "x",    "[", "[", "buffer", "(",
                                               "0",      ")",    "]", "]", ")",      ";"};
  EXPECT_EQ(texts, expected);
}

TEST(Words, know_their_places) {
  const auto words = words_of(source);
  EXPECT_EQ(range_of(source, words[4]), (Range{{2, 5}, {2, 11}}));
  EXPECT_TRUE(words[2].starts_line);
  EXPECT_FALSE(words[3].starts_line);
  EXPECT_EQ(word_at(words, source, {2, 7}), 4u);   // within `device`
  EXPECT_EQ(word_at(words, source, {1, 10}), 1u);  // in the comment: the next one
  EXPECT_EQ(word_at(words, source, {9, 1}), words.size());
}

TEST(Words, close_their_brackets) {
  const auto words = words_of(source);
  EXPECT_EQ(closing_word(words, 3), 16u);
  EXPECT_EQ(closing_word(words, 8), 15u);
  const Source open{"s.metal", "f(a"};
  EXPECT_EQ(closing_word(words_of(open), 1), 3u);
}

}  // namespace
}  // namespace msci
