// Just enough SVG for charts: shapes, text, and scales with round ticks. Colours are classes, which
// the page's style sheet gives for light and for dark.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace msci {

struct Point {
  double x = 0;
  double y = 0;
};

// From data to pixels, straight or by the logarithm.
class Scale {
 public:
  enum class Kind { linear, logarithmic };

  // Data from `low` to `high`, which differ and, on a logarithmic scale, are above 0; pixels from
  // `first` to `last`, which may run backwards.
  Scale(Kind kind, double low, double high, double first, double last);

  // A scale with room for every value; any finite values, and any number of them.
  static Scale around(Kind kind, std::vector<double> values, double first, double last);

  double operator()(double value) const;
  double first() const { return first_; }
  double last() const { return last_; }
  double low() const { return low_; }
  double high() const { return high_; }

  // Round values within the scale: 1, 2 or 5 times a power of ten; on a long logarithmic scale
  // powers of ten alone.
  std::vector<double> ticks() const;

 private:
  Kind kind_;
  double low_;
  double high_;
  double first_;
  double last_;
};

// "0.05", "2", "1000", "1e+06".
std::string tick_text(double value);

class Svg {
 public:
  enum class Anchor { start, middle, end };

  // `label` says what the picture shows to those who do not see it.
  Svg(double width, double height, std::string_view label);

  void line(Point from, Point to, std::string_view css);
  void path(const std::vector<Point>& points, std::string_view css);
  void rectangle(Point corner, double width, double height, std::string_view css,
                 std::string_view tip = {});
  void circle(Point centre, double radius, std::string_view css, std::string_view tip = {});
  void cross(Point centre, double radius, std::string_view css, std::string_view tip = {});
  void text(Point at, Anchor anchor, std::string_view words, std::string_view css = {});
  void rotated(Point at, double degrees, std::string_view words);  // clockwise; centred

  std::string str() const;

 private:
  void element(std::string_view tag, const std::string& attributes, std::string_view css,
               std::string_view content);
  std::string text_;
};

}  // namespace msci
