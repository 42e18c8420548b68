#include "base/formats/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace msci {
namespace {

constexpr std::size_t context = 3;

using Lines = std::vector<std::string_view>;

// The lines with their line feeds; the last one may have none.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

// One line of the diff, with its positions in both texts.
struct Step {
  char mark = ' ';  // ' ' stays, '-' goes, '+' comes
  std::size_t before = 0;
  std::size_t after = 0;
};

// The shortest edit script: Myers, "An O(ND) difference algorithm" (1986). On
// diagonal k = x - y, reach[k] is the furthest x that d changes lead to.
class Way {
 public:
  Way(const Lines& before, const Lines& after) : before_(before), after_(after) {}

  std::vector<Step> steps() {
    find();
    return walk_back();
  }

 private:
  using Reach = std::vector<std::ptrdiff_t>;

  std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(before_.size()); }
  std::ptrdiff_t height() const { return static_cast<std::ptrdiff_t>(after_.size()); }

  // Whether the path to diagonal k comes from above, by an added line.
  static bool comes_down(const Reach& reach, std::ptrdiff_t k, std::ptrdiff_t d) {
    const auto at = [&](std::ptrdiff_t i) { return reach[static_cast<std::size_t>(i + d + 1)]; };
    return k == -d || (k != d && at(k - 1) < at(k + 1));
  }

  // Fills history_: for each d, the reach before the d-th change, from diagonal -d-1 to d+1.
  void find() {
    Reach reach{0, 0, 0};
    for (std::ptrdiff_t d = 0;; ++d) {
      history_.push_back(reach);
      Reach next(static_cast<std::size_t>(2 * d + 5), 0);
      for (auto k = -d; k <= d; k += 2) {
        const auto at = [&](std::ptrdiff_t i) {
          return reach[static_cast<std::size_t>(i + d + 1)];
        };
        auto x = comes_down(reach, k, d) ? at(k + 1) : at(k - 1) + 1;
        while (x < width() && x - k < height() && equal(x, x - k)) ++x;
        next[static_cast<std::size_t>(k + d + 2)] = x;
        if (x >= width() && x - k >= height()) return;
      }
      reach = std::move(next);
    }
  }

  bool equal(std::ptrdiff_t x, std::ptrdiff_t y) const {
    return before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)];
  }

  std::vector<Step> walk_back() const {
    std::vector<Step> steps;
    auto x = width();
    auto y = height();
    const auto step = [&](char mark) {
      steps.push_back({mark, static_cast<std::size_t>(x), static_cast<std::size_t>(y)});
    };
    for (auto d = static_cast<std::ptrdiff_t>(history_.size()) - 1; d >= 0; --d) {
      const auto& reach = history_[static_cast<std::size_t>(d)];
      const auto k = x - y;
      const bool down = comes_down(reach, k, d);
      const auto from_k = down ? k + 1 : k - 1;
      const auto from_x = d == 0 ? 0 : reach[static_cast<std::size_t>(from_k + d + 1)];
      const auto from_y = d == 0 ? 0 : from_x - from_k;
      while (x > from_x && y > from_y) {
        --x, --y;
        step(' ');
      }
      if (d == 0) break;
      x = from_x;
      y = from_y;
      step(down ? '+' : '-');
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Lines& before_;
  const Lines& after_;
  std::vector<Reach> history_;
};

// Steps [begin, end) that are shown together.
struct Hunk {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::vector<Hunk> hunks_of(const std::vector<Step>& steps) {
  std::vector<Hunk> hunks;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (steps[i].mark == ' ') continue;
    const auto begin = i - std::min(i, context);
    const auto end = std::min(i + context + 1, steps.size());
    if (!hunks.empty() && begin <= hunks.back().end)
      hunks.back().end = end;
    else
      hunks.push_back({begin, end});
  }
  return hunks;
}

// "12,3": the first line, counted from 1, and the number of lines; for no lines, the line before.
std::string extent(std::size_t begin, std::size_t count) {
  return fmt::format("{},{}", count == 0 ? begin : begin + 1, count);
}

std::string hunk_text(const std::vector<Step>& steps, const Hunk& hunk, const Lines& before,
                      const Lines& after) {
  std::string body;
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  for (auto i = hunk.begin; i < hunk.end; ++i) {
    const auto& step = steps[i];
    const auto line = step.mark == '+' ? after[step.after] : before[step.before];
    body += fmt::format("{}{}", step.mark, line);
    if (!line.ends_with('\n')) body += "\n\\ No newline at end of file\n";
    old_count += step.mark != '+';
    new_count += step.mark != '-';
  }
  const auto& first = steps[hunk.begin];
  return fmt::format("@@ -{} +{} @@\n{}", extent(first.before, old_count),
                     extent(first.after, new_count), body);
}

// Names with special characters are quoted, as git quotes them.
std::string quoted_name(std::string_view name) {
  const auto is_plain = [](unsigned char c) {
    return c > 0x20 && c < 0x7f && c != '"' && c != '\\';
  };
  if (std::all_of(name.begin(), name.end(), is_plain)) return std::string(name);
  std::string text = "\"";
  for (const unsigned char c : name)
    if (is_plain(c) || c == ' ')
      text += static_cast<char>(c);
    else
      text += fmt::format("\\{:03o}", c);
  return text + "\"";
}

}  // namespace

std::string unified_diff(std::string_view name, std::string_view before, std::string_view after) {
  if (before == after) return {};
  const auto old_lines = lines_of(before);
  const auto new_lines = lines_of(after);
  const auto steps = Way(old_lines, new_lines).steps();
  auto text = fmt::format("--- {}\n+++ {}\n", quoted_name(fmt::format("a/{}", name)),
                          quoted_name(fmt::format("b/{}", name)));
  for (const auto& hunk : hunks_of(steps)) text += hunk_text(steps, hunk, old_lines, new_lines);
  return text;
}

}  // namespace msci
