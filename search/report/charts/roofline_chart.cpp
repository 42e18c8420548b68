#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include "analysis/profile/chip.h"
#include "evaluator/measure/roofline.h"
#include "search/report/charts/charts.h"

namespace msci {
namespace {

using Kind = Scale::Kind;

struct RooflinePoint {
  double intensity = 0;
  double gflops = 0;
  std::string css;
  std::string tip;
  std::string name;  // empty: the tip alone names it
};

// A size that counts bytes has its operations by the intensity.
std::optional<RooflinePoint> point_of(const ResultRecord& record, const SizeResult& size) {
  if (!size.correct() || !size.timing || size.timing->intensity.value_or(0) <= 0)
    return std::nullopt;
  const auto& timing = *size.timing;
  const double gflops =
      size.ceiling_unit == "GFLOPS" ? timing.achieved : timing.achieved * *timing.intensity;
  if (!(gflops > 0)) return std::nullopt;
  return RooflinePoint{.intensity = *timing.intensity,
                       .gflops = gflops,
                       .tip = fmt::format("{} {} {}: {:.4g} {}", record.name, record.task,
                                          size.label, timing.achieved, size.ceiling_unit)};
}

// The size as a chip would run it, by the prediction; the time that was measured tells the work.
std::optional<SizeResult> on_chip(const SizeResult& size) {
  if (!size.predicted || !size.timing || size.predicted->seconds <= 0) return std::nullopt;
  auto predicted = size;
  predicted.timing->achieved *= size.timing->seconds / size.predicted->seconds;
  return predicted;
}

struct Roofline {
  std::vector<RooflinePoint> points;  // the later ones lie on top
  double gflops = 0;
  double gbps = 0;

  bool is_complete() const { return !points.empty() && gflops > 0 && gbps > 0; }

  // `name_of` gives the name at a size.
  template <typename NameOf>
  void add(const ResultRecord& record, std::string_view css, NameOf name_of) {
    if (record.ceilings) {
      gflops = record.ceilings->gflops;
      gbps = record.ceilings->gbps;
    }
    for (const auto& size : record.sizes()) add(record, size, css, name_of(size));
  }

  // The same on the chip of the record's predictions.
  template <typename NameOf>
  void add_predicted(const ResultRecord& record, std::string_view css, NameOf name_of) {
    const auto chip = find_chip(record.chip);
    if (!chip) return;
    const auto ceilings = ceilings_of(**chip);
    gflops = ceilings.gflops;
    gbps = ceilings.gbps;
    for (const auto& size : record.sizes())
      if (const auto predicted = on_chip(size)) add(record, *predicted, css, name_of(size));
  }

 private:
  void add(const ResultRecord& record, const SizeResult& size, std::string_view css,
           std::string name) {
    auto point = point_of(record, size);
    if (!point) return;
    point->css = css;
    point->name = std::move(name);
    points.push_back(*std::move(point));
  }
};

// The roof, and along it the names of its parts: the slope of the memory, and the peak of the
// arithmetic.
void draw_roof(Svg& svg, const Axes& axes, const Roofline& roofline, Labels& labels) {
  const auto& [x, y, x_title, y_title] = axes;
  const double ridge = std::clamp(roofline.gflops / roofline.gbps, x.low(), x.high());
  const double start = std::max(x.low(), y.low() / roofline.gbps);
  const auto roof = [&](double intensity) {
    return Point{x(intensity), y(std::min(roofline.gflops, intensity * roofline.gbps))};
  };
  svg.path({roof(start), roof(ridge), roof(x.high())}, "roof");
  const auto peak = fmt::format("arithmetic: {:.4g} GFLOPS", roofline.gflops);
  const Point end = roof(x.high());
  svg.text({end.x - 4, end.y - 5}, Svg::Anchor::end, peak);
  labels.reserve({end.x - 4 - Labels::width_of(peak), end.y - 5}, {end.x, end.y - 5});
  if (ridge <= start) return;
  // Above the middle of the slope, at its angle.
  const Point low = roof(start), high = roof(ridge);
  const double length = std::hypot(high.x - low.x, high.y - low.y);
  const auto slope = fmt::format("memory: {:.4g} GB/s", roofline.gbps);
  const double half = Labels::width_of(slope) / 2;
  if (length < 2 * half) return;
  const double across = (high.x - low.x) / length, up = (high.y - low.y) / length;
  const Point middle{(low.x + high.x) / 2 + 5 * up, (low.y + high.y) / 2 - 5 * across};
  svg.rotated(middle, std::atan2(up, across) * 180 / std::numbers::pi, slope);
  labels.reserve({middle.x - half * across, middle.y - half * up},
                 {middle.x + half * across, middle.y + half * up});
}

std::string draw_roofline(const Roofline& roofline, const std::string& title, ChartWidth width) {
  const auto frame = frame_of(width);
  // Wide enough for both parts of the roof and their names, wherever the points are.
  constexpr double slope_shown = 8;
  const double ridge = roofline.gflops / roofline.gbps;
  std::vector<double> intensities = {ridge / slope_shown, ridge * 2};
  std::vector<double> speeds = {roofline.gflops / slope_shown, roofline.gflops};
  for (const auto& point : roofline.points) {
    intensities.push_back(point.intensity);
    speeds.push_back(point.gflops);
  }
  const Axes axes{Scale::around(Kind::logarithmic, intensities, frame.left, frame.right),
                  Scale::around(Kind::logarithmic, speeds, frame.bottom, frame.top + 10),
                  "operations per byte", "GFLOPS"};
  Svg svg(frame.width, frame.height, title);
  draw(svg, axes);
  Labels labels(svg, frame);
  draw_roof(svg, axes, roofline, labels);
  const auto at = [&](const RooflinePoint& point) {
    return Point{axes.x(point.intensity), axes.y(point.gflops)};
  };
  for (const auto& point : roofline.points) svg.circle(at(point), 3.5, point.css, point.tip);
  // Those on top first, each name once.
  std::set<std::string> named;
  for (auto point = roofline.points.rbegin(); point != roofline.points.rend(); ++point)
    if (!point->name.empty() && !named.contains(point->name) &&
        labels.place(at(*point), point->name, "name"))
      named.insert(point->name);
  return svg.str();
}

std::string no_name(const SizeResult&) { return {}; }

}  // namespace

std::vector<RooflineChart> roofline_charts(const Summary& summary, ChartWidth width) {
  std::map<std::string, Roofline> rooflines;
  const auto add = [&](const ResultRecord& record, std::string_view css, const auto& name_of) {
    rooflines[record.device].add(record, css, name_of);
    if (!record.chip.empty())
      rooflines[record.chip + ", as predicted"].add_predicted(record, css, name_of);
  };
  std::set<std::size_t> best;
  for (const auto& task : summary.tasks)
    if (task.best) best.insert(*task.best);
  // The best and the seeds come last, so that they lie on top of the many.
  for (std::size_t i = 0; i < summary.candidates.size(); ++i)
    if (!best.contains(i)) add(summary.candidates[i].record, "candidate", no_name);
  for (const auto i : best) {
    const auto& record = summary.candidates[i].record;
    add(record, "candidate", [&](const auto&) { return record.name; });
  }
  for (const auto& seed : summary.seeds) add(seed, "seed", [&](const auto&) { return seed.task; });
  std::vector<RooflineChart> charts;
  for (const auto& [device, roofline] : rooflines)
    if (roofline.is_complete())
      charts.push_back({device, draw_roofline(roofline, "Roofline of " + device, width)});
  return charts;
}

std::optional<std::string> roofline_chart(const ResultRecord& candidate, const ResultRecord* seed,
                                          ChartWidth width) {
  Roofline roofline;
  if (seed) roofline.add(*seed, "seed", no_name);
  const auto seed_points = roofline.points.size();
  roofline.add(candidate, "candidate", [](const SizeResult& size) { return size.label; });
  if (!roofline.is_complete() || roofline.points.size() == seed_points) return std::nullopt;
  return draw_roofline(
      roofline, fmt::format("Roofline of {} with {}", candidate.device, candidate.name), width);
}

}  // namespace msci
