// The axes of a chart of points.
#pragma once

#include <string>

#include "search/report/charts/svg.h"

namespace msci {

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

}  // namespace msci
