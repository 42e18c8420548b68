#include "search/report/charts/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "search/report/summary.h"

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

// --- Cascade

struct Bar {
  std::string_view name;
  std::optional<double> rate;  // none: not tried
  std::string words = {};      // in the place of the rate
  std::string text() const {
    if (!rate) return "not tried";
    return words.empty() ? fmt::format("{:.1f} %", 100 * *rate) : words;
  }
};

std::array<Bar, 4> bars_of(const CascadeRates& rates) {
  return {Bar{"STX: compiles", rates.syntax}, Bar{"DEG: no stand-in", rates.degeneracy},
          Bar{"FNC: right", rates.function},
          // Where not all were tried, the share of those that were.
          Bar{"GEN: right held out",
              rates.generalisation || rates.tried == 0
                  ? rates.generalisation
                  : std::optional(static_cast<double>(rates.generalised) /
                                  static_cast<double>(rates.tried)),
              rates.generalisation ? "" : fmt::format("{} of {}", rates.generalised, rates.tried)}};
}

constexpr double bar_height = 14;
constexpr double bar_pitch = 18;

// Whether a gate refuses some candidate of the group.
bool warns(const GroupSummary& group) {
  return std::any_of(group.gates.begin(), group.gates.end(),
                     [](const auto& gate) { return gate.first != GateVerdict::generalises; });
}

double height_of(const GroupSummary& group) {
  return (group.gates.empty() ? 4 : 5) * bar_pitch + 30;
}

// One group's four bars, and the verdicts of its gates, from `top` down.
void draw_cascade(Svg& svg, const GroupSummary& group, double top) {
  svg.text({8, top + 10}, Anchor::start,
           fmt::format("{} ({}, {})", group.name, plural(group.at_1.samples, "candidate"),
                       plural(group.at_1.problems, "task")),
           "strong");
  constexpr double left = 122;  // behind the names of the stages
  const Scale share(Kind::linear, 0, 1, left, 330);
  double y = top + 18;
  for (const auto& bar : bars_of(group.at_1)) {
    svg.text({left - 6, y + 11}, Anchor::end, bar.name);
    svg.rectangle({share(0), y}, share(1) - share(0), bar_height, "track");
    const auto words = bar.text();
    if (bar.rate)
      svg.rectangle({share(0), y}, share(*bar.rate) - share(0), bar_height, "bar",
                    fmt::format("{} {}", bar.name, words));
    svg.text({share(1) + 6, y + 11}, Anchor::start, words);
    y += bar_pitch;
  }
  if (group.gates.empty()) return;
  svg.text({left - 6, y + 11}, Anchor::end, "gate");
  svg.text({left, y + 11}, Anchor::start, gates_text(group), warns(group) ? "warn" : "");
}

// --- Convergence

std::string draw_convergence(const std::string& task,
                             const std::vector<const Convergence*>& searches) {
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
  draw(svg, axes);
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
  if (summary.total.at_1.samples < 2) return std::nullopt;  // the table says it
  std::vector<GroupSummary> groups = {summary.total};
  const auto& generators = summary.by_generator;
  if (generators.size() > 1)
    groups.insert(
        groups.end(), generators.begin(),
        generators.begin() + static_cast<std::ptrdiff_t>(std::min(generators.size(), most_groups)));
  double height = 0;
  for (const auto& group : groups) height += height_of(group);
  Svg svg(width, height, "Share of candidates that pass each stage");
  double top = 4;
  for (const auto& group : groups) {
    draw_cascade(svg, group, top);
    top += height_of(group);
  }
  return svg.str();
}

std::vector<ConvergenceChart> convergence_charts(const Summary& summary) {
  std::map<std::string, std::vector<const Convergence*>> searches;
  for (const auto& search : summary.searches) searches[search.task].push_back(&search);
  std::vector<ConvergenceChart> charts;
  const auto has_points = [](const Convergence* search) { return search->steps.size() > 1; };
  for (const auto& [task, list] : searches)
    if (std::ranges::any_of(list, has_points))
      charts.push_back({task, draw_convergence(task, list)});
  return charts;
}

std::optional<std::string> held_out_chart(const Summary& summary, ChartWidth chart_width) {
  std::vector<double> values = {1};
  for (const auto& candidate : summary.candidates)
    if (candidate.speed_up && candidate.held_out_speed_up) {
      values.push_back(candidate.speed_up->median);
      values.push_back(candidate.held_out_speed_up->median);
    }
  constexpr std::size_t two_points = 5;  // with the 1
  if (values.size() < two_points) return std::nullopt;
  const auto frame = frame_of(chart_width);
  const auto x = Scale::around(Kind::logarithmic, values, frame.left, frame.right);
  const auto y = Scale::around(Kind::logarithmic, values, frame.bottom, frame.top);
  Svg svg(frame.width, frame.height,
          "Speed-up at the held-out size over the speed-up at the tuned sizes");
  draw(svg, {x, y, "speed-up at the tuned sizes", "speed-up at the held-out size"});
  svg.line({x(x.low()), y(y.low())}, {x(x.high()), y(y.high())}, "diagonal");
  svg.line({x(1), y.first()}, {x(1), y.last()}, "one");
  svg.line({x.first(), y(1)}, {x.last(), y(1)}, "one");
  Labels labels(svg, frame);
  for (const auto& candidate : summary.candidates) {
    if (!candidate.speed_up || !candidate.held_out_speed_up) continue;
    const Point at{x(candidate.speed_up->median), y(candidate.held_out_speed_up->median)};
    const bool silent = candidate.is_silent_regression();
    svg.circle(at, silent ? 5 : 3.5, silent ? "silent" : "candidate",
               fmt::format("{} {}: {} tuned, {} held out", candidate.record.name,
                           candidate.record.task, with_interval(*candidate.speed_up),
                           with_interval(*candidate.held_out_speed_up)));
    if (silent) labels.place(at, candidate.record.task, "warn name");
  }
  return svg.str();
}

std::optional<std::string> diagnostics_chart(const Summary& summary) {
  if (summary.diagnostics.size() < 2) return std::nullopt;  // the table says it
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
