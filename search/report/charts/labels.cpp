#include <algorithm>
#include <array>
#include <cmath>

#include "base/text.h"
#include "search/report/charts/charts.h"

namespace msci {
namespace {

constexpr double letter_width = 6.4;  // the mean of a sans-serif font of 11 pixels, rounded up
constexpr double above = 10;          // from the base line of a text to its top
constexpr double below = 3;
constexpr double gap = 7;  // from a point to its name

}  // namespace

double Labels::width_of(std::string_view name) {
  return letter_width * static_cast<double>(characters_in(name));
}

bool Labels::is_free(const Box& box) const {
  if (box.left < frame_.left || box.right > frame_.right || box.top < frame_.top ||
      box.bottom > frame_.bottom)
    return false;
  return std::none_of(taken_.begin(), taken_.end(), [&](const Box& other) {
    return box.left < other.right && other.left < box.right && box.top < other.bottom &&
           other.top < box.bottom;
  });
}

bool Labels::place(Point at, std::string_view name, std::string_view css) {
  const double width = width_of(name);
  struct Side {
    Point text;
    Svg::Anchor anchor;
    double left;
  };
  const std::array sides = {
      Side{{at.x + gap, at.y + 4}, Svg::Anchor::start, at.x + gap},
      Side{{at.x - gap, at.y + 4}, Svg::Anchor::end, at.x - gap - width},
      Side{{at.x, at.y - gap}, Svg::Anchor::middle, at.x - width / 2},
      Side{{at.x, at.y + gap + above}, Svg::Anchor::middle, at.x - width / 2},
  };
  for (const auto& side : sides) {
    const Box box{side.left, side.left + width, side.text.y - above, side.text.y + below};
    if (!is_free(box)) continue;
    svg_.text(side.text, side.anchor, name, css);
    taken_.push_back(box);
    return true;
  }
  return false;
}

void Labels::reserve(Point from, Point to) {
  const double length = std::hypot(to.x - from.x, to.y - from.y);
  for (double way = 0; way <= length; way += above) {
    const double share = length > 0 ? way / length : 0;
    const Point at{from.x + share * (to.x - from.x), from.y + share * (to.y - from.y)};
    taken_.push_back({at.x - above, at.x + above, at.y - above, at.y + above});
  }
}

}  // namespace msci
