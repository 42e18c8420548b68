#include "tests/clock/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <future>
#include <set>
#include <sstream>

#include "base/json.h"
#include "tests/clock/calibrate.h"

namespace msci {
namespace {

const Chip& m1_pro() { return **find_chip("m1-pro"); }

// Where each fit begins: published figures, and guesses. Not the constants of this build, which
// were fitted on all tasks.
const ModelConstants first_guess{
    {8, 2, 100, 300, 70, 30, 4, 10, 1, 1.4, 2, 0.8, 40, 0.85, 20, 4, 20, 0.6, 1}};

double huber(double x) {
  constexpr double bend = 0.3;
  return std::abs(x) < bend ? x * x / 2 : bend * (std::abs(x) - bend / 2);
}

// What the fit makes small: over the tasks, the mean of how wrong the order of pairs is and of how
// wrong the times are; and how far the constants are from where they began.
class Loss {
 public:
  explicit Loss(const std::vector<ProfiledRecord>& records)
      : records_(records), pairs_(pairs_of(records)) {}

  double of(const ModelConstants& constants) const {
    const auto predicted = predictions(records_, constants);
    std::map<std::string, std::pair<double, unsigned>> times, orders;
    for (std::size_t i = 0; i < records_.size(); ++i) {
      auto& [sum, count] = times[records_[i].task];
      sum += huber(std::log(predicted[i] / records_[i].seconds));
      ++count;
    }
    for (const auto& pair : pairs_) {
      if (!pair.is_reproducible || std::abs(pair.recorded) < std::log(least_ratio)) continue;
      double error = 0;
      for (std::size_t i = 0; i < pair.first.size(); ++i) {
        const auto first = pair.first[i], second = pair.second[i];
        error += std::log(predicted[second] / predicted[first]) -
                 std::log(records_[second].seconds / records_[first].seconds);
      }
      auto& [sum, count] = orders[pair.task];
      sum += huber(error / static_cast<double>(pair.first.size()));
      ++count;
    }
    double loss = time_weight * mean(times) + mean(orders);
    for (std::size_t i = 0; i < constant_count; ++i) {
      const double moved = std::log(constants.values[i] / first_guess.values[i]);
      loss += prior_weight * moved * moved;
    }
    return loss;
  }

 private:
  static constexpr double least_ratio = 1.25;
  static constexpr double time_weight = 1;
  static constexpr double prior_weight = 0.01;

  static double mean(const std::map<std::string, std::pair<double, unsigned>>& by_task) {
    double sum = 0;
    for (const auto& [task, each] : by_task) sum += each.first / each.second;
    return sum / static_cast<double>(by_task.size());
  }

  const std::vector<ProfiledRecord>& records_;
  std::vector<KernelPair> pairs_;
};

// Pattern search: multiplies one constant after another, in ever smaller steps.
ModelConstants fitted(const std::vector<ProfiledRecord>& records) {
  const Loss loss(records);
  auto best = first_guess;
  double least = loss.of(best);
  for (double step = 2; step > 1.03;) {
    bool improved = false;
    for (std::size_t i = 0; i < constant_count; ++i)
      for (const double factor : {step, 1 / step}) {
        auto tried = best;
        tried.values[i] *= factor;
        const double now = loss.of(tried);
        if (now >= least) continue;
        least = now;
        best = tried;
        improved = true;
        break;
      }
    if (!improved) step = std::sqrt(step);
  }
  return best;
}

}  // namespace

std::vector<double> predictions(const std::vector<ProfiledRecord>& records,
                                const ModelConstants& constants) {
  std::vector<double> seconds;
  for (const auto& record : records)
    seconds.push_back(predict(record.profile, m1_pro(), constants).seconds);
  return seconds;
}

TaskConstants fitted_without_each(const std::vector<ProfiledRecord>& records) {
  std::set<std::string> tasks{std::string(no_task_left_out)};
  for (const auto& record : records) tasks.insert(record.task);
  // A fit takes minutes.
  std::map<std::string, std::future<ModelConstants>> fits;
  for (const auto& task : tasks)
    fits[task] = std::async(std::launch::async, [&records, task] {
      std::vector<ProfiledRecord> others;
      for (const auto& record : records)
        if (record.task != task) others.push_back(record);
      return fitted(others);
    });
  TaskConstants constants;
  for (auto& [task, fit] : fits) constants[task] = fit.get();
  return constants;
}

std::string constants_table(const TaskConstants& constants) {
  std::string text =
      "| constant | fitted on all | least and most without a task |\n|---|---|---|\n";
  for (std::size_t i = 0; i < constant_count; ++i) {
    double least = INFINITY, most = 0;
    for (const auto& [task, each] : constants) {
      if (task == no_task_left_out) continue;
      least = std::min(least, each.values[i]);
      most = std::max(most, each.values[i]);
    }
    text += fmt::format("| {} | {:.3g} | {:.3g} to {:.3g} |\n", to_string(static_cast<Constant>(i)),
                        constants.at(std::string(no_task_left_out)).values[i], least, most);
  }
  return text;
}

Result<TaskConstants> read_constants(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  const auto json = parse_json<Json>(text.str());
  if (!json) return Error{path + ": " + json.error().message};
  TaskConstants constants;
  for (const auto& [task, values] : json->items()) values.get_to(constants[task].values);
  return constants;
}

void write_constants(const TaskConstants& constants, const std::string& path) {
  Json json;
  for (const auto& [task, each] : constants) json[task] = each.values;
  std::ofstream(path) << json.dump(1) << "\n";
}

}  // namespace msci
