// Fits the constants of the model to recorded times.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/profile/predict.h"
#include "tests/clock/profiles.h"

namespace msci {

// Seconds of each record.
std::vector<double> predictions(const std::vector<ProfiledRecord>& records,
                                const ModelConstants& constants);

// Constants that were fitted without each task, by its name; and on all of them.
using TaskConstants = std::map<std::string, ModelConstants>;
constexpr std::string_view no_task_left_out = "all";
TaskConstants fitted_without_each(const std::vector<ProfiledRecord>& records);

// Markdown: the constants of all tasks, and how far they vary where one is left out.
std::string constants_table(const TaskConstants& constants);

// A file of them. Errors: no such file, or none of these.
Result<TaskConstants> read_constants(const std::string& path);
void write_constants(const TaskConstants& constants, const std::string& path);

}  // namespace msci
