// msci-clock: profiles recorded kernels, and measures what predictions of their times are worth.
#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "tests/clock/fit.h"
#include "tests/clock/measure.h"
#include "tests/clock/profiles.h"

namespace msci {
namespace {

constexpr const char* examples = R"(
Examples:
  msci-clock profiles.jsonl --records recorded_candidates.jsonl.gz   add profiles that the file lacks
  MSCI_TASK_PATH=zk msci-clock profiles.jsonl --records recorded_candidates.jsonl.gz zk/kernels.jsonl.gz
  msci-clock profiles.jsonl --fit              fit the model, and print the cross-validation
  msci-clock profiles.jsonl                    the same, by the constants of that fit
  msci-clock profiles.jsonl --as-built         the same, by the constants and the calibration of this build
)";

struct Options {
  std::string profiles;
  std::vector<std::string> records;  // files
  std::string constants = "constants.json";
  bool fit = false;
  bool as_built = false;
  bool prints_calibration = false;
  bool prints_wrong = false;
};

int report_error(const Error& error) {
  fmt::print(stderr, "msci-clock: {}\n", error.message);
  return 2;
}

int run(const Options& options) {
  for (const auto& file : options.records)
    if (const auto error = add_profiles(file, options.profiles)) return report_error(*error);
  if (!options.records.empty()) return 0;
  const auto records = read_profiles(options.profiles);
  if (!records) return report_error(records.error());
  if (options.fit) write_constants(fitted_without_each(*records), options.constants);
  TaskConstants constants;
  if (!options.as_built) {
    auto read = read_constants(options.constants);
    if (!read) return report_error(read.error());
    constants = *std::move(read);
    fmt::print("{}\n", constants_table(constants));
  } else {
    for (const auto& record : *records) constants[record.task] = m1_pro_constants;
  }
  if (options.prints_calibration) {
    fmt::print("{}", calibration_text(*records, constants));
    return 0;
  }
  fmt::print("{}", measure_table(*records, constants, options.as_built));
  if (options.prints_wrong) fmt::print("\n{}", wrong_claims(*records, constants));
  return 0;
}

}  // namespace
}  // namespace msci

int main(int argc, char** argv) {
  msci::Options options;
  CLI::App app("Profiles recorded kernels, and measures what predictions of their times are worth.",
               "msci-clock");
  app.footer(msci::examples);
  app.add_option("PROFILES", options.profiles, "a file of profiles")->required();
  app.add_option("--records", options.records,
                 "files of recorded candidates whose profiles to add");
  app.add_flag("--calibration", options.prints_calibration,
               "print the calibration of all tasks, as C++");
  app.add_flag("--wrong", options.prints_wrong, "list the wrong claims, the largest first");
  app.add_option("--constants", options.constants,
                 "the file of the constants that were fitted without each task")
      ->capture_default_str();
  app.add_flag("--fit", options.fit, "fit them, and write that file: takes minutes");
  app.add_flag("--as-built", options.as_built, "do not fit: use the constants of this build");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& problem) {
    return app.exit(problem) == 0 ? 0 : 2;
  }
  return msci::run(options);
}
