#include "search/report/charts/charts.h"

namespace msci {

void draw(Svg& svg, const Axes& axes) {
  const double bottom = axes.y.first();
  for (const double tick : axes.x.ticks()) {
    svg.line({axes.x(tick), bottom}, {axes.x(tick), axes.y.last()}, "grid");
    svg.text({axes.x(tick), bottom + 14}, Svg::Anchor::middle, tick_text(tick));
  }
  for (const double tick : axes.y.ticks()) {
    svg.line({axes.x.first(), axes.y(tick)}, {axes.x.last(), axes.y(tick)}, "grid");
    svg.text({axes.x.first() - 5, axes.y(tick) + 4}, Svg::Anchor::end, tick_text(tick));
  }
  svg.line({axes.x.first(), bottom}, {axes.x.last(), bottom}, "axis");
  svg.line({axes.x.first(), bottom}, {axes.x.first(), axes.y.last()}, "axis");
  svg.text({(axes.x.first() + axes.x.last()) / 2, bottom + 30}, Svg::Anchor::middle, axes.x_title);
  svg.rotated({12, (bottom + axes.y.last()) / 2}, -90, axes.y_title);
}

Frame frame_of(ChartWidth width) {
  // The narrow one is drawn at the width of a phone.
  if (width == ChartWidth::narrow)
    return {.width = 400, .height = 340, .left = 48, .right = 388, .top = 14, .bottom = 300};
  return {.width = 880, .height = 520, .left = 56, .right = 864, .top = 16, .bottom = 480};
}

}  // namespace msci
