// The charts of a report, each an SVG; none without data to draw.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "search/report/charts/axes.h"
#include "search/report/summary.h"

namespace msci {

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

}  // namespace msci
