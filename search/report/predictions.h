// Predicted times in a report, beside the device's own.
#pragma once

#include <vector>

#include "search/report/record.h"
#include "search/report/tables.h"

namespace msci {

// The kernels of a task with a prediction for one chip that were timed on one device, too.
struct PredictionCheck {
  std::string task;
  std::string chip;
  std::string device;
  std::size_t kernels = 0;
  // Spearman's, of predicted and measured times, each the geometric mean over the sizes; none for
  // fewer than three kernels, and where all times of one kind are equal.
  std::optional<double> rank_correlation;
  double ratio = 1;  // the median of predicted over measured times
  bool operator==(const PredictionCheck&) const = default;
};

// Compares predicted with measured times, separately for each task, chip and device.
std::vector<PredictionCheck> check_predictions(const std::vector<const ResultRecord*>& records);

// Each size with a prediction of each record.
Table prediction_table(const std::vector<const ResultRecord*>& records);
Table check_table(const std::vector<PredictionCheck>& checks);

}  // namespace msci
