#include "evaluator/report/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "evaluator/report/svg.h"

namespace msci {
namespace {

using Anchor = Svg::Anchor;
using Kind = Scale::Kind;

// Drawn at the width of a telephone, so that letters keep their size there.
constexpr double width = 400;
constexpr double plot_left = 48;
constexpr double plot_right = 388;
constexpr double plot_top = 12;
constexpr std::size_t most_groups = 8;  // of generators in the cascade
constexpr std::size_t most_diagnostics = 12;
constexpr std::size_t line_styles = 5;  // classes .s0 to .s4

// --- Axes
// --------------------------------------------------------------------------------------------

struct Axes {
  Scale x;
  Scale y;
  std::string x_title;
  std::string y_title;
};

void draw_axes(Svg& svg, const Axes& axes) {
  const double bottom = axes.y.first();
  for (const double tick : axes.x.ticks()) {
    svg.line({axes.x(tick), bottom}, {axes.x(tick), axes.y.last()}, "grid");
    svg.text({axes.x(tick), bottom + 14}, Anchor::middle, tick_text(tick));
  }
  for (const double tick : axes.y.ticks()) {
    svg.line({axes.x.first(), axes.y(tick)}, {axes.x.last(), axes.y(tick)}, "grid");
    svg.text({axes.x.first() - 5, axes.y(tick) + 4}, Anchor::end, tick_text(tick));
  }
  svg.line({axes.x.first(), bottom}, {axes.x.last(), bottom}, "axis");
  svg.line({axes.x.first(), bottom}, {axes.x.first(), axes.y.last()}, "axis");
  svg.text({(axes.x.first() + axes.x.last()) / 2, bottom + 30}, Anchor::middle, axes.x_title);
  svg.sideways({12, (bottom + axes.y.last()) / 2}, axes.y_title);
}

// --- Cascade
// -----------------------------------------------------------------------------------------

struct Bar {
  std::string_view name;
  std::optional<double> rate;
  std::string without_rate = "not tried";
};

std::array<Bar, 4> bars_of(const CascadeRates& rates) {
  return {
      Bar{short_name(Stage::syntax), rates.syntax},
      Bar{short_name(Stage::degeneracy), rates.degeneracy},
      Bar{short_name(Stage::function), rates.function},
      Bar{short_name(Stage::generalisation), rates.generalisation,
          rates.tried > 0 ? fmt::format("{} of {}", rates.generalised, rates.tried) : "not tried"}};
}

constexpr double bar_height = 14;
constexpr double bar_pitch = 18;

// One group's four bars from `top` down.
void draw_cascade(Svg& svg, const GroupSummary& group, double top) {
  svg.text({8, top + 10}, Anchor::start,
           fmt::format("{} ({} candidates, {} tasks)", group.name, group.at_1.samples,
                       group.at_1.problems),
           "strong");
  const Scale share(Kind::linear, 0, 1, plot_left, 330);
  double y = top + 18;
  for (const auto& bar : bars_of(group.at_1)) {
    svg.text({plot_left - 6, y + 11}, Anchor::end, bar.name);
    svg.rectangle({share(0), y}, share(1) - share(0), bar_height, "track");
    const auto words = bar.rate ? fmt::format("{:.1f} %", 100 * *bar.rate) : bar.without_rate;
    if (bar.rate)
      svg.rectangle({share(0), y}, share(*bar.rate) - share(0), bar_height, "bar",
                    fmt::format("{} {}", bar.name, words));
    svg.text({share(1) + 6, y + 11}, Anchor::start, words);
    y += bar_pitch;
  }
}

// Whether a label at `at` would lie over one of those.
bool lies_near(const std::vector<Point>& labels, Point at) {
  return std::any_of(labels.begin(), labels.end(), [&](Point label) {
    return std::abs(label.x - at.x) < 45 && std::abs(label.y - at.y) < 11;
  });
}

// --- Roofline
// ----------------------------------------------------------------------------------------

struct RooflinePoint {
  double intensity = 0;
  double gflops = 0;
  std::string css;
  std::string tip;
  std::string task;
};

// A size that counts bytes has its operations by the intensity.
std::optional<RooflinePoint> point_of(const ResultRecord& record, const SizeResult& size,
                                      bool is_seed) {
  if (!size.correct() || !size.timing || size.timing->intensity.value_or(0) <= 0)
    return std::nullopt;
  const auto& timing = *size.timing;
  const double gflops =
      size.ceiling_unit == "GFLOPS" ? timing.achieved : timing.achieved * *timing.intensity;
  if (!(gflops > 0)) return std::nullopt;
  return RooflinePoint{*timing.intensity, gflops, is_seed ? "seed" : "candidate",
                       fmt::format("{} {} {}: {:.4g} {}", record.name, record.task, size.label,
                                   timing.achieved, size.ceiling_unit),
                       record.task};
}

struct Roofline {
  std::vector<RooflinePoint> points;
  double gflops = 0;
  double gbps = 0;

  void add(const ResultRecord& record, bool is_seed) {
    if (record.ceilings) {
      gflops = record.ceilings->gflops;
      gbps = record.ceilings->gbps;
    }
    for (const auto& size : record.sizes())
      if (auto point = point_of(record, size, is_seed)) points.push_back(*std::move(point));
  }
};

// Where the slope of the bandwidth meets the roof of the arithmetic.
void draw_roof(Svg& svg, const Axes& axes, const Roofline& roofline) {
  const auto& [x, y, x_title, y_title] = axes;
  const double ridge = std::clamp(roofline.gflops / roofline.gbps, x.low(), x.high());
  const double start = std::max(x.low(), y.low() / roofline.gbps);
  const auto roof = [&](double intensity) {
    return std::min(roofline.gflops, intensity * roofline.gbps);
  };
  svg.path(
      {{x(start), y(roof(start))}, {x(ridge), y(roof(ridge))}, {x(x.high()), y(roof(x.high()))}},
      "roof");
  svg.text({x.last() - 4, y(roof(x.high())) - 5}, Anchor::end,
           fmt::format("{:.4g} GFLOPS", roofline.gflops));
  // Beside the slope, below its middle on both logarithmic scales.
  const double middle = std::sqrt(start * ridge);
  if (ridge > start)
    svg.text({x(middle) + 8, y(roof(middle)) + 12}, Anchor::start,
             fmt::format("{:.4g} GB/s", roofline.gbps));
}

std::string draw(const Roofline& roofline, const std::string& device) {
  constexpr double bottom = 290;
  std::vector<double> intensities = {roofline.gflops / roofline.gbps * 2};
  std::vector<double> speeds = {roofline.gflops};
  for (const auto& point : roofline.points) {
    intensities.push_back(point.intensity);
    speeds.push_back(point.gflops);
  }
  const Axes axes{Scale::around(Kind::logarithmic, intensities, plot_left, plot_right),
                  Scale::around(Kind::logarithmic, speeds, bottom, plot_top + 10),
                  "operations per byte", "GFLOPS"};
  Svg svg(width, 330, "Roofline of " + device);
  draw_axes(svg, axes);
  draw_roof(svg, axes, roofline);
  for (const auto& point : roofline.points)
    svg.circle({axes.x(point.intensity), axes.y(point.gflops)}, 3.5, point.css, point.tip);
  // Each task once, beside a seed's ring; tips name the others.
  std::set<std::string> named;
  std::vector<Point> labels;
  for (const auto& point : roofline.points) {
    const Point at{axes.x(point.intensity), axes.y(point.gflops) + 4};
    if (point.css != "seed" || lies_near(labels, at) || !named.insert(point.task).second) continue;
    const bool left_half = at.x < (plot_left + plot_right) / 2;
    svg.text({at.x + (left_half ? 8 : -8), at.y}, left_half ? Anchor::start : Anchor::end,
             point.task);
    labels.push_back(at);
  }
  return svg.str();
}

// --- Convergence
// -------------------------------------------------------------------------------------

std::string draw(const std::string& task, const std::vector<const Convergence*>& searches) {
  constexpr double bottom = 170;
  std::vector<double> scores;
  unsigned last = 1;
  for (const auto* search : searches)
    for (const auto& step : search->steps) {
      last = std::max(last, step.iteration);
      if (step.score) scores.push_back(*step.score);
    }
  const Axes axes{Scale(Kind::linear, -0.3, last + 0.3, plot_left + 8, plot_right),
                  Scale::around(Kind::linear, scores, bottom - 10, plot_top), "iteration",
                  "best score"};
  Svg svg(width, 226 + 14 * static_cast<double>(searches.size()), "Best score of " + task);
  draw_axes(svg, axes);
  double key_y = bottom + 44;
  std::size_t style = 0;
  for (const auto* search : searches) {
    const auto css = fmt::format("s{}", style++ % line_styles);
    std::vector<Point> line;
    for (const auto& step : search->steps) {
      const double x = axes.x(step.iteration);
      if (step.best) {
        if (!line.empty()) line.push_back({x, line.back().y});
        line.push_back({x, axes.y(*step.best)});
      }
      const auto tip = fmt::format("{} iteration {}: {}", search->run, step.iteration,
                                   step.score ? fmt::format("{:.4f}", *step.score) : "failed");
      if (step.score)
        svg.circle({x, axes.y(*step.score)}, 2.5, css + " dot", tip);
      else
        svg.cross({x, bottom - 16}, 3.5, css + " failed", tip);
    }
    svg.path(line, css + " line");
    svg.line({plot_left, key_y - 4}, {plot_left + 18, key_y - 4}, css + " line");
    svg.text({plot_left + 24, key_y}, Anchor::start,
             search->generator.empty() ? search->run
                                       : fmt::format("{} ({})", search->run, search->generator));
    key_y += 14;
  }
  return svg.str();
}

}  // namespace

std::optional<std::string> cascade_chart(const Summary& summary) {
  if (summary.total.at_1.samples == 0) return std::nullopt;
  std::vector<GroupSummary> groups = {summary.total};
  const auto& generators = summary.by_generator;
  if (generators.size() > 1)
    groups.insert(
        groups.end(), generators.begin(),
        generators.begin() + static_cast<std::ptrdiff_t>(std::min(generators.size(), most_groups)));
  constexpr double group_height = 4 * bar_pitch + 30;
  Svg svg(width, group_height * static_cast<double>(groups.size()),
          "Share of candidates that pass each stage");
  double top = 4;
  for (const auto& group : groups) {
    draw_cascade(svg, group, top);
    top += group_height;
  }
  return svg.str();
}

std::vector<RooflineChart> roofline_charts(const Summary& summary) {
  std::map<std::string, Roofline> rooflines;
  // Seeds last, so that they lie on top of the many.
  for (const auto& candidate : summary.candidates)
    rooflines[candidate.record.device].add(candidate.record, false);
  for (const auto& seed : summary.seeds) rooflines[seed.device].add(seed, true);
  std::vector<RooflineChart> charts;
  for (const auto& [device, roofline] : rooflines)
    if (!roofline.points.empty() && roofline.gflops > 0 && roofline.gbps > 0)
      charts.push_back({device, draw(roofline, device)});
  return charts;
}

std::vector<ConvergenceChart> convergence_charts(const Summary& summary) {
  std::map<std::string, std::vector<const Convergence*>> searches;
  for (const auto& search : summary.searches) searches[search.task].push_back(&search);
  std::vector<ConvergenceChart> charts;
  for (const auto& [task, list] : searches) charts.push_back({task, draw(task, list)});
  return charts;
}

std::optional<std::string> held_out_chart(const Summary& summary) {
  std::vector<double> values = {1};
  for (const auto& candidate : summary.candidates)
    if (candidate.speed_up && candidate.held_out_speed_up) {
      values.push_back(*candidate.speed_up);
      values.push_back(candidate.held_out_speed_up->median);
    }
  if (values.size() == 1) return std::nullopt;
  constexpr double bottom = 340;
  const auto x = Scale::around(Kind::logarithmic, values, plot_left, plot_right);
  const auto y = Scale::around(Kind::logarithmic, values, bottom, plot_top);
  Svg svg(width, 380, "Speed-up at the held-out size over the speed-up at the tuned sizes");
  draw_axes(svg, {x, y, "speed-up at the tuned sizes", "speed-up at the held-out size"});
  svg.line({x(x.low()), y(y.low())}, {x(x.high()), y(y.high())}, "diagonal");
  svg.line({x(1), y.first()}, {x(1), y.last()}, "one");
  svg.line({x.first(), y(1)}, {x.last(), y(1)}, "one");
  std::vector<Point> labels;
  for (const auto& candidate : summary.candidates) {
    if (!candidate.speed_up || !candidate.held_out_speed_up) continue;
    const Point at{x(*candidate.speed_up), y(candidate.held_out_speed_up->median)};
    const bool silent = candidate.is_silent_regression();
    svg.circle(at, silent ? 5 : 3.5, silent ? "silent" : "candidate",
               fmt::format("{} {}: {:.2f} tuned, {:.2f} held out", candidate.record.name,
                           candidate.record.task, *candidate.speed_up,
                           candidate.held_out_speed_up->median));
    if (!silent || lies_near(labels, at)) continue;
    svg.text({at.x - 7, at.y + 12}, Anchor::end, candidate.record.task, "warn");
    labels.push_back(at);
  }
  return svg.str();
}

std::optional<std::string> diagnostics_chart(const Summary& summary) {
  if (summary.diagnostics.empty()) return std::nullopt;
  const auto shown = std::min(summary.diagnostics.size(), most_diagnostics);
  const Scale files(Kind::linear, 0, static_cast<double>(summary.diagnostics.front().files), 200,
                    352);
  Svg svg(width, bar_pitch * static_cast<double>(shown) + 8, "Rules by the files they speak of");
  double y = 4;
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& count = summary.diagnostics[i];
    svg.text({194, y + 11}, Anchor::end, count.id);
    svg.rectangle(
        {files(0), y}, files(static_cast<double>(count.files)) - files(0), bar_height,
        count.severity == "error" ? "bar bad" : "bar",
        fmt::format("{}: {} findings in {} files", count.id, count.findings, count.files));
    svg.text({files(static_cast<double>(count.files)) + 5, y + 11}, Anchor::start,
             std::to_string(count.files));
    y += bar_pitch;
  }
  return svg.str();
}

}  // namespace msci
