#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/formats/xml.h"
#include "search/report/charts/charts.h"

namespace msci {
namespace {

constexpr double many_decades = 2.5;

std::string tip_of(std::string_view tip) {
  return tip.empty() ? "" : fmt::format("<title>{}</title>", escape_xml(tip));
}

// The nearest of 1, 2 and 5 times a power of ten that is not below.
double round_up(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1, 2, 5})
    if (factor * power >= step * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

}  // namespace

// --- Scales

Scale::Scale(Kind kind, double low, double high, double first, double last)
    : kind_(kind), low_(low), high_(high), first_(first), last_(last) {
  assert(low < high && (kind == Kind::linear || low > 0));
}

Scale Scale::around(Kind kind, std::vector<double> values, double first, double last) {
  const bool logarithmic = kind == Kind::logarithmic;
  std::erase_if(values, [&](double v) { return !std::isfinite(v) || (logarithmic && v <= 0); });
  if (values.empty()) values = {1};
  double low = *std::min_element(values.begin(), values.end());
  double high = *std::max_element(values.begin(), values.end());
  if (logarithmic) {
    const double room = std::max(std::pow(high / low, 0.06), 1.15);
    return {kind, low / room, high * room, first, last};
  }
  const double room = high > low ? 0.06 * (high - low) : std::max(std::abs(high), 1.0) / 2;
  return {kind, low - room, high + room, first, last};
}

double Scale::operator()(double value) const {
  const auto place = [&](double v) { return kind_ == Kind::linear ? v : std::log(v); };
  const double share = (place(value) - place(low_)) / (place(high_) - place(low_));
  return first_ + share * (last_ - first_);
}

std::vector<double> Scale::ticks() const {
  std::vector<double> values;
  if (kind_ == Kind::linear) {
    const double step = round_up((high_ - low_) / 6);
    for (double i = std::ceil(low_ / step); i * step <= high_; ++i) values.push_back(i * step);
    return values;
  }
  const double decades = std::log10(high_ / low_);
  // A short logarithmic scale is nearly a straight one.
  if (decades < 0.5) return Scale(Kind::linear, low_, high_, first_, last_).ticks();
  for (double power = std::floor(std::log10(low_)); power <= std::log10(high_); ++power)
    for (const double factor : {1, 2, 5}) {
      const double value = factor * std::pow(10, power);
      const bool wanted = factor == 1 || decades < many_decades;
      if (wanted && value >= low_ && value <= high_) values.push_back(value);
    }
  return values;
}

std::string tick_text(double value) {
  return fmt::format("{:.4g}", std::abs(value) < 1e-12 ? 0.0 : value);
}

// --- Shapes

Svg::Svg(double width, double height, std::string_view label)
    : text_(fmt::format("<svg viewBox=\"0 0 {:g} {:g}\" role=\"img\" aria-label=\"{}\" "
                        "xmlns=\"http://www.w3.org/2000/svg\">\n",
                        width, height, escape_xml(label))) {}

void Svg::element(std::string_view tag, const std::string& attributes, std::string_view css,
                  std::string_view content) {
  text_ += fmt::format("<{} {}{}>{}</{}>\n", tag, attributes,
                       css.empty() ? "" : fmt::format(" class=\"{}\"", css), content, tag);
}

void Svg::line(Point from, Point to, std::string_view css) {
  element("line",
          fmt::format("x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"", from.x, from.y,
                      to.x, to.y),
          css, {});
}

void Svg::path(const std::vector<Point>& points, std::string_view css) {
  std::string places;
  for (const auto& point : points) places += fmt::format(" {:.1f},{:.1f}", point.x, point.y);
  if (points.empty()) return;
  element("polyline", fmt::format("points=\"{}\"", places.substr(1)), css, {});
}

void Svg::rectangle(Point corner, double width, double height, std::string_view css,
                    std::string_view tip) {
  element("rect",
          fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\"", corner.x,
                      corner.y, width, height),
          css, tip_of(tip));
}

void Svg::circle(Point centre, double radius, std::string_view css, std::string_view tip) {
  element("circle",
          fmt::format("cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:g}\"", centre.x, centre.y, radius), css,
          tip_of(tip));
}

void Svg::cross(Point centre, double radius, std::string_view css, std::string_view tip) {
  const auto [x, y] = centre;
  element("path",
          fmt::format("d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}M{:.1f} {:.1f}L{:.1f} {:.1f}\"", x - radius,
                      y - radius, x + radius, y + radius, x - radius, y + radius, x + radius,
                      y - radius),
          css, tip_of(tip));
}

void Svg::text(Point at, Anchor anchor, std::string_view words, std::string_view css) {
  const std::string_view side = anchor == Anchor::start    ? "start"
                                : anchor == Anchor::middle ? "middle"
                                                           : "end";
  element("text", fmt::format("x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"", at.x, at.y, side),
          css, escape_xml(words));
}

void Svg::rotated(Point at, double degrees, std::string_view words) {
  element(
      "text",
      fmt::format("transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\" text-anchor=\"middle\"",
                  at.x, at.y, degrees),
      {}, escape_xml(words));
}

std::string Svg::str() const { return text_ + "</svg>\n"; }

}  // namespace msci
