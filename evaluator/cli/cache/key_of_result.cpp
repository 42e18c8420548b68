#include "evaluator/cli/cache/key_of_result.h"

#include <fmt/format.h>

#include "base/files/install_paths.h"
#include "evaluator/cli/open_devices.h"

namespace msci {
namespace {

// Of the options that a result depends on.
class Settings {
 public:
  template <typename T>
  void add(std::string_view name, const T& value) {
    words_.push_back(fmt::format("{}={}", name, value));
  }
  void add_all(std::string_view name, const std::vector<std::string>& values) {
    for (const auto& value : values) add(name, value);
  }
  std::vector<std::string> take() { return std::move(words_); }

 private:
  std::vector<std::string> words_;
};

void add(Settings& settings, const CompileOptions& compile) {
  settings.add("std", compile.version.number);
  settings.add("fast_math", compile.fast_math);
  settings.add_all("include_folder", compile.include_folders);
  settings.add_all("system_folder", compile.system_folders);
  settings.add_all("readable_folder", compile.readable_folders);
  settings.add_all("include", compile.includes);
  for (const auto& macro : compile.macros)
    settings.add(macro.undefines ? "undefine" : "define", macro.text);
}

std::vector<std::string> settings_of(const EvaluatorOptions& options) {
  Settings settings;
  add(settings, options.compile_options);
  settings.add_all("kernel", options.kernels);
  settings.add_all("constant", options.constants);
  settings.add("time_limit", options.time_limit.value_or(0));
  settings.add("memory_limit", options.memory_limit.value_or(0));
  settings.add("order", to_string(options.execution));
  settings.add("held_out", options.held_out);
  settings.add("stop_at_wrong", options.stop_at_wrong);
  settings.add("strict", options.is_strict());
  settings.add("fuzz_sizes", options.fuzz_sizes);
  settings.add("nonce", options.nonce);
  settings.add("predict", options.predict);
  if (!options.verify_only) {
    settings.add("protocol", options.protocol);
    settings.add("cold", options.cold);
  }
  return settings.take();
}

bool may_share(const EvaluatorOptions& options) {
  const bool is_timed = !options.verify_only && !counts_work(options);
  return !options.no_cache && !is_timed && !options.is_program && !options.files.empty() &&
         options.rival.empty() && options.save_images.empty() && options.verify_result.empty() &&
         options.perf_result.empty() && !options.compile_options.reads_files();
}

}  // namespace

std::optional<ResultKey> key_of_result(const EvaluatorOptions& options,
                                       std::span<const Task* const> tasks,
                                       const std::vector<const Device*>& devices) {
  ResultKey key{.program = program_identity(), .settings = settings_of(options)};
  for (const auto* device : devices)
    key.devices.push_back(fmt::format("{} {}", device->info().name, device->info().driver));
  for (const auto* task : tasks) {
    const auto version = task_version(*task);
    if (!version) return std::nullopt;
    key.tasks[std::string(task->name)] = *version;
  }
  return key;
}

std::optional<ResultKey> key_of_batch(const EvaluatorOptions& options,
                                      std::span<const Task* const> tasks,
                                      std::span<const EvaluationContext> contexts) {
  if (!may_share(options)) return std::nullopt;
  std::vector<const Device*> devices;
  for (const auto& context : contexts) devices.push_back(&context.device);
  return key_of_result(options, tasks, devices);
}

}  // namespace msci
