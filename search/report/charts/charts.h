// The charts of a report, each an SVG; none without data to draw.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "search/report/summary.h"

namespace msci {

// Just enough SVG for charts: shapes, text, and scales with round ticks. Colours are classes, which
// the page's style sheet gives for light and for dark.
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

// The axes of a chart of points.
struct Axes {
  Scale x;
  Scale y;
  std::string x_title;
  std::string y_title;
};

// Grid lines, ticks with their values, and titles.
void draw(Svg& svg, const Axes& axes);

// Charts come in two widths, so that letters have a readable size on a phone and on a desk.
enum class ChartWidth { narrow, wide };

// The frame of a chart of points, in pixels.
struct Frame {
  double width = 0;  // of the whole picture
  double height = 0;
  double left = 0;  // of what lies between the axes
  double right = 0;
  double top = 0;
  double bottom = 0;
};
Frame frame_of(ChartWidth width);

// The share of candidates that pass each stage, of all and of each generator, with the verdicts of
// the gates.
std::optional<std::string> cascade_chart(const Summary& summary);

// Operations per second over operations per byte, with the device's ceilings: one point for each
// size of each seed and candidate that is right. Seeds have the names of their tasks beside them,
// and the best candidate of each task its own name. One chart a device, and one a chip of Apple for
// timed results with predictions.
struct RooflineChart {
  std::string device;
  std::string svg;
};
std::vector<RooflineChart> roofline_charts(const Summary& summary, ChartWidth width);

// The same for one candidate and its seed, which may be null; the names are those of the sizes.
std::optional<std::string> roofline_chart(const ResultRecord& candidate, const ResultRecord* seed,
                                          ChartWidth width);

// Best score so far over the iterations of each search of a task, failed iterations marked.
struct ConvergenceChart {
  std::string task;
  std::string svg;
};
std::vector<ConvergenceChart> convergence_charts(const Summary& summary);

// Speed-up at the held-out size over the speed-up where candidates were tuned: below the diagonal
// lies what does not carry over.
std::optional<std::string> held_out_chart(const Summary& summary, ChartWidth width);

// In how many files the commonest rules spoke.
std::optional<std::string> diagnostics_chart(const Summary& summary);

// Names beside the points of a chart.

// Places names so that none covers another or leaves the frame.
class Labels {
 public:
  Labels(Svg& svg, const Frame& frame) : svg_(svg), frame_(frame) {}

  // Draws the name at the first free side of the point: right, left, above or below it. False
  // where none is free.
  bool place(Point at, std::string_view name, std::string_view css = {});

  // Keeps names away from a text that is drawn along the line from `from` to `to`.
  void reserve(Point from, Point to);

  // The width of a text, in pixels, as far as one can tell without the font.
  static double width_of(std::string_view name);

 private:
  struct Box {
    double left = 0, right = 0, top = 0, bottom = 0;
  };
  bool is_free(const Box& box) const;

  Svg& svg_;
  Frame frame_;
  std::vector<Box> taken_;
};

}  // namespace msci
