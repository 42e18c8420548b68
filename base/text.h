// Small questions about text.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace msci {

// The line of this number, counted from 1, without its end; empty past the last one.
std::string_view line_at(std::string_view text, unsigned line);

// Without white space at both ends.
std::string_view trimmed(std::string_view text);

// With the letters A to Z in lower case.
std::string lower_case(std::string_view text);

// The word or number that the place stands in or touches; an empty range without one.
Range word_around(const Source& source, Location location);

// How many insertions, deletions and replacements of one byte turn one word into the other
// (Levenshtein, 1966).
unsigned edit_distance(std::string_view from, std::string_view to);

// The word that differs least from this one, or nothing where a third of it would have to change.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

// The ids, such as "hazard.threadgroup_race", that a word may stand for, at most three: those with
// the same name behind the dot, else the nearest, else those with a near name, else those with all
// words of that name, in the same family if any is.
std::vector<std::string> nearest_ids(std::string_view word, std::span<const std::string_view> ids);

// "; did you mean \"x\" or \"y\"?", or nothing without words.
std::string did_you_mean(std::span<const std::string> words);
std::string did_you_mean(std::string_view word);

// The text with every byte that is not UTF-8, and every control character but tab and line feed,
// replaced by U+FFFD.
std::string valid_utf8(std::string_view text);

// The text as it may be shown: a terminal must obey neither its control characters nor those that
// turn the direction of writing. Tabs stay.
std::string printable(std::string_view text);

// How many characters (code points) the text holds; a byte that is not UTF-8 counts as one.
std::size_t characters_in(std::string_view text);

}  // namespace msci
