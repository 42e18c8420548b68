// How well predicted times order recorded kernels.
#pragma once

#include <string>
#include <vector>

#include "tests/clock/profiles.h"

namespace msci {

// Two kernels of one run that differ in the same direction at all sizes; the first is the slower.
struct ReproduciblePair {
  std::string task;
  std::vector<std::size_t> slow;  // records, by size
  std::vector<std::size_t> fast;
  double ratio = 1;           // of the times, in the geometric mean
  double least_ratio = 1;     // at one of the sizes
  double profiled_ratio = 1;  // the same of the sizes that have profiles
};
std::vector<ReproduciblePair> reproducible_pairs(const std::vector<ProfiledRecord>& records);

// The mean over the sizes of the logarithm of the ratio of two predictions.
double log_ratio(const ReproduciblePair& pair, const std::vector<double>& seconds);

// What a pair adds to the concordance index (F. E. Harrell et al., "Evaluating the Yield of Medical
// Tests", JAMA 247, 1982), the share of the pairs that the prediction puts in order: 1 if the
// slower kernel has the longer prediction, however little the two differ; 1/2 if they are equal (to
// 1e-9 of their logarithms, as kernels with the same counts are); 0 otherwise. `difference`: of the
// logarithms of the predictions, above 0 if they are in the recorded order.
double concordance_of_pair(double difference);

// Markdown. `predicted`: seconds of each record. The tables have the concordance, and a stricter
// share, in which predictions that differ by less than 1 % are misses; and how many pairs are in
// the wrong order, equal, and nearly equal.
std::string ranking_table(const std::vector<ProfiledRecord>& records,
                          const std::vector<double>& predicted);
// Markdown: the kernel of each run that has the shortest prediction, by its recorded time; and the
// median and the worst of these times.
std::string picks_table(const std::vector<ProfiledRecord>& records,
                        const std::vector<double>& predicted);
// Markdown: how often an interval holds the recorded time if its width comes from the other tasks.
std::string coverage_table(const std::vector<ProfiledRecord>& records,
                           const std::vector<double>& predicted);
// Markdown: the same of the ratio of two kernels of a run, over its sizes in the geometric mean;
// and how many pairs have an interval that leaves out 1.
std::string ratio_coverage_table(const std::vector<ProfiledRecord>& records,
                                 const std::vector<double>& predicted);
// A line for each record, with both times in milliseconds.
void write_residuals(const std::vector<ProfiledRecord>& records,
                     const std::vector<double>& predicted, const std::string& path);

}  // namespace msci
