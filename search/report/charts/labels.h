// Names beside the points of a chart.
#pragma once

#include <string_view>
#include <vector>

#include "search/report/charts/axes.h"
#include "search/report/charts/svg.h"

namespace msci {

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
