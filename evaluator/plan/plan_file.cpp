#include "evaluator/plan/plan_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <regex>

#include "base/files/read_file.h"
#include "base/process/memory_size.h"
#include "base/process/temporary_folder.h"
#include "evaluator/plan/elements.h"
#include "evaluator/plan/file/buffer_contents.h"
#include "evaluator/plan/file/expected_result.h"
#include "evaluator/plan/file/plan_fields.h"
#include "evaluator/plan/file/plan_launches.h"
#include "evaluator/plan/file/plan_numbers.h"
#include "evaluator/plan/file/reference_command.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t most_launches = 1'000'000;

// Buffers exist twice, here and on the device.
std::uint64_t most_buffer_bytes() {
  return std::min(std::uint64_t{physical_memory()} / 2, std::uint64_t{1} << 34);
}

// A reference command finds buffers in files of their names, so a name must not be a path.
bool is_buffer_name(const std::string& name) {
  static const std::regex pattern("[A-Za-z_][A-Za-z0-9_.-]{0,63}");
  return std::regex_match(name, pattern);
}

// The plan at one size.
struct Instance {
  Plan plan;
  std::vector<ExpectedResult> expected;  // in the order of Plan::results
};

using Instances = std::map<std::string, Instance>;  // by the size's label

class LoadedPlan : public PlanFile {
 public:
  const Task& task() const override { return task_; }

  // A copy that lives as long as the plan.
  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
  Task& edit() { return task_; }
  void finish(Instances instances, Tolerance tolerance) {
    instances_ = std::move(instances);
    task_.plan = [this](const Size& size, const Translation&) -> Result<Plan> {
      return instances_.at(size.label).plan;
    };
    task_.judge = [this, tolerance](const Size& size, const Bytes&, const Outputs& outputs,
                                    const Outputs&) {
      return msci::judge(instances_.at(size.label).expected, tolerance, outputs);
    };
  }

 private:
  std::list<std::string> kept_;
  Instances instances_;
  Task task_;
};

// Reads one plan. The first error ends the reading.
class PlanReader {
 public:
  PlanReader(const OrderedJson& json, fs::path file, std::chrono::milliseconds reference_limit,
             Judging judging)
      : fields_(file.string()),
        root_{&json, ""},
        file_(std::move(file)),
        folder_(file_.parent_path()),
        reference_limit_(reference_limit),
        judging_(judging) {}

  Result<std::unique_ptr<PlanFile>> read() {
    auto loaded = std::make_unique<LoadedPlan>();
    auto& task = loaded->edit();
    task.name = loaded->keep(file_.filename().string());
    task.title = "";
    fields_.check_keys(root_, {"sizes", "held_out", "small", "buffers", "launches", "repeat",
                               "swap", "expect", "reference", "tolerance", "work", "constants"});
    read_sizes(*loaded);
    if (fields_.failed()) return fields_.error();
    read_constants(task);
    read_tolerance();
    read_work(task);
    Instances instances;
    const bool judged = judging_ == Judging::yes;
    for (const auto& each : task.sizes) read_instance(each, judged, instances);
    if (task.held_out) read_instance(*task.held_out, judged, instances);
    read_instance(task.small, false, instances);
    if (fields_.failed()) return fields_.error();
    add_kernels(instances.at(task.sizes.front().label).plan, task);
    set_work(task, instances);
    loaded->finish(std::move(instances), tolerance_);
    return std::unique_ptr<PlanFile>(std::move(loaded));
  }

 private:
  // ---- sizes

  void read_sizes(LoadedPlan& loaded) {
    auto& task = loaded.edit();
    const auto sizes = fields_.member(root_, "sizes");
    std::vector<Size> known;
    const auto read = [&](const Field& field) {
      known.push_back(read_size(field, loaded));
      check_label(field, known);
      return known.back();
    };
    for (const auto& each : fields_.elements(sizes, "a list of sizes"))
      task.sizes.push_back(read(each));
    if (task.sizes.empty()) fields_.report_error(sizes, "there must be at least one size");
    if (fields_.failed()) return;
    if (const auto held_out = fields_.optional_member(root_, "held_out"))
      task.held_out = read(*held_out);
    const auto small = fields_.optional_member(root_, "small");
    task.small = small ? read(*small) : task.sizes.front();
  }

  Size read_size(const Field& field, LoadedPlan& loaded) {
    Size size{.label = fields_.text(fields_.member(field, "label"), "the size's name")};
    if (fields_.failed()) return size;
    for (const auto& [key, parameter] : PlanFieldReader::members(field)) {
      if (key == "label") continue;
      const auto& value = *parameter.json;
      if (value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX)
        size.parameters.emplace_back(loaded.keep(key), value.get<unsigned>());
      else
        fields_.report_error(parameter, "a parameter is an integer from 0 to 4294967295");
    }
    return size;
  }

  // Inputs and results are kept by the label.
  void check_label(const Field& field, const std::vector<Size>& known) {
    const auto& last = known.back();
    for (const auto& other : known)
      if (other.label == last.label && other.parameters != last.parameters)
        fields_.report_error(
            field,
            fmt::format("another size with the label \"{}\" has other parameters", last.label));
  }

  // ---- function constants

  void read_constants(Task& task) {
    const auto field = fields_.optional_member(root_, "constants");
    if (!field) return;
    if (!field->json->is_object())
      fields_.report_error(*field, "it must be an object like {\"width\": 3}");
    for (const auto& [name, value] : PlanFieldReader::members(*field)) {
      if (!value.json->is_boolean() && !value.json->is_number())
        fields_.report_error(value, "a function constant is true, false or a number");
      if (fields_.failed()) return;
      task.constants[name] = value.json->dump();
    }
  }

  // ---- tolerance and work

  void read_tolerance() {
    const auto field = fields_.optional_member(root_, "tolerance");
    if (!field) return;
    fields_.check_keys(*field, {"max_abs", "relative"});
    const auto part = [&](const std::string& key) {
      const auto value = fields_.optional_member(*field, key);
      if (!value) return 0.0;
      const auto number = fields_.real(*value);
      if (number < 0) fields_.report_error(*value, "it must not be negative");
      return number;
    };
    tolerance_ = {.max_abs = part("max_abs"), .relative = part("relative"), .exact = false};
  }

  void read_work(Task& task) {
    task.unit = "GB/s";
    const auto field = fields_.optional_member(root_, "work");
    if (!field) return;
    fields_.check_keys(*field, {"bytes", "flops"});
    fields_.check_alone(*field, "flops", {"bytes"});
    if (fields_.failed()) return;
    const bool counts_flops = field->has("flops");
    task.ceiling = counts_flops ? Ceiling::compute : Ceiling::bandwidth;
    task.unit = counts_flops ? "GFLOPS" : "GB/s";
    const auto amount = fields_.member(*field, counts_flops ? "flops" : "bytes");
    auto sizes = task.sizes;
    if (task.held_out) sizes.push_back(*task.held_out);
    for (const auto& size : sizes) {
      const auto work = read_number(fields_, amount, size);
      if (work == 0)
        fields_.report_error(amount,
                             fmt::format("it is 0 at size {}; it must be positive", size.label));
      if (fields_.failed()) return;
      work_[size.label] = static_cast<double>(work);
    }
  }

  void set_work(Task& task, const Instances& instances) {
    for (const auto& [label, instance] : instances) {
      double bytes = 0;
      for (const auto& buffer : instance.plan.buffers) bytes += static_cast<double>(buffer.bytes);
      work_.try_emplace(label, bytes);
    }
    task.work = [work = work_](const Size& size) { return work.at(size.label); };
  }

  // ---- one size

  // Without `judged`, the expected results are not read.
  void read_instance(const Size& size, bool judged, Instances& instances) {
    if (fields_.failed() || instances.contains(size.label)) return;
    Instance instance;
    const auto initial_names = read_buffers(size, instance.plan);
    if (fields_.failed()) return;
    const auto names = read_launches(size, initial_names, instance.plan);
    if (judged && !fields_.failed()) read_expected(size, names, initial_names, instance);
    instances[size.label] = std::move(instance);
  }

  BufferNames read_buffers(const Size& size, Plan& plan) {
    BufferNames names;
    const auto buffers = fields_.member(root_, "buffers");
    if (!buffers.json->is_object())
      fields_.report_error(buffers, "it must be an object of buffers by name");
    if (fields_.failed()) return names;
    auto bytes_left = most_buffer_bytes();
    for (const auto& [name, field] : PlanFieldReader::members(buffers)) {
      if (!is_buffer_name(name))
        fields_.report_error(field, fmt::format("'{}' is not a buffer's name; a name has up to 64 "
                                                "letters, digits, '_', '-' and '.', and begins "
                                                "with a letter or '_'",
                                                name));
      if (fields_.failed()) return names;
      auto made = read_contents(fields_, field, size, folder_, bytes_left);
      if (fields_.failed()) return names;
      bytes_left -= std::min<std::uint64_t>(bytes_left, made.bytes.data.size());
      if (made.bytes.data.empty()) fields_.report_error(field, "the buffer has no bytes");
      names[name] = plan.add({.name = name,
                              .bytes = made.bytes.data.size(),
                              .initial = std::move(made.bytes.data),
                              .open_type = made.is_open ? made.type : std::string()});
      types_[name] = made.type;
    }
    return names;
  }

  // The names after all launches and swaps.
  BufferNames read_launches(const Size& size, BufferNames names, Plan& plan) {
    const auto repeat = fields_.optional_member(root_, "repeat");
    const auto rounds = repeat ? read_number(fields_, *repeat, size) : 1;
    if (rounds == 0)
      fields_.report_error(*repeat,
                           fmt::format("it is 0 at size {}; it must be positive", size.label));
    const auto launches = fields_.elements(fields_.member(root_, "launches"), "a list of launches");
    if (launches.empty()) fields_.report_error(root_, "\"launches\" must have at least one");
    if (!fields_.failed() && rounds > most_launches / launches.size())
      fields_.report_error(repeat.value_or(root_),
                           fmt::format("{} iterations of {} launches at size {} are more than {} "
                                       "launches",
                                       rounds, launches.size(), size.label, most_launches));
    const auto swap = fields_.optional_member(root_, "swap");
    for (std::uint64_t round = 0; round < rounds && !fields_.failed(); ++round) {
      for (const auto& each : launches)
        plan.launches.push_back(read_launch(fields_, each, plan, names, types_, size));
      if (swap) swap_names(fields_, *swap, plan, names);
    }
    return names;
  }

  // ---- expected results

  void read_expected(const Size& size, const BufferNames& names, const BufferNames& initial_names,
                     Instance& instance) {
    const auto expect = fields_.member(root_, "expect");
    if (!expect.json->is_object() || expect.json->empty())
      fields_.report_error(
          expect, "it must name at least one buffer, {\"y\": {\"file\": \"expected.npy\"}}");
    if (fields_.failed()) return;
    const auto results = PlanFieldReader::members(expect);
    std::vector<std::size_t> of_reference;
    for (const auto& [name, field] : results) {
      fields_.check_keys(field, {"file"});
      const OrderedJson as_text = name;
      const auto index = read_buffer(fields_, {&as_text, field.pointer}, names);
      if (fields_.failed()) return;
      BufferContents wanted{.type = types_.at(name)};
      if (const auto file = fields_.optional_member(field, "file"))
        wanted =
            read_contents_file(fields_, *file, size, folder_, types_.at(name), most_buffer_bytes());
      else
        of_reference.push_back(instance.expected.size());
      instance.plan.results.push_back(index);
      instance.expected.push_back({std::move(wanted.type), std::move(wanted.bytes)});
    }
    if (!of_reference.empty()) read_reference(size, initial_names, results, of_reference, instance);
    for (std::size_t i = 0; i < results.size() && !fields_.failed(); ++i)
      if (const auto why = why_useless(instance.expected[i], tolerance_,
                                       instance.plan.buffers[instance.plan.results[i]], size))
        fields_.report_error(results[i].second, *why);
  }

  // ---- the reference command

  // Sets the expected results whose indices are in `of_reference`.
  void read_reference(const Size& size, const BufferNames& names,
                      const std::vector<std::pair<std::string, Field>>& results,
                      const std::vector<std::size_t>& of_reference, Instance& instance) {
    const auto field = fields_.member(root_, "reference");
    const auto words = fields_.elements(field, "a command and its arguments");
    if (words.empty()) fields_.report_error(field, "it must be a command and its arguments");
    const auto data = TemporaryFolder::make();
    if (!data) fields_.report_error(field, data.error().message);
    if (fields_.failed()) return;
    ReferenceCommand command{.working_folder = folder_,
                             .data_folder = data->path(),
                             .limit = reference_limit_,
                             .size = size.label};
    for (const auto& each : words) command.words.push_back(read_word(each, size, data->path()));
    if (fields_.failed()) return;
    std::vector<ReferenceInput> inputs;
    for (const auto& [name, index] : names)
      inputs.push_back({name, instance.plan.buffers[index].initial});
    std::vector<ReferenceOutput> outputs;
    for (const auto i : of_reference)
      outputs.push_back({results[i].first, instance.plan.buffers[instance.plan.results[i]].bytes});
    auto made = run_reference(command, inputs, outputs);
    if (!made) return fields_.report_error(field, made.error().message);
    for (std::size_t i = 0; i < of_reference.size(); ++i)
      instance.expected[of_reference[i]].contents = std::move((*made)[i]);
  }

  // One word of the command. Reports an unknown placeholder, but not in words with spaces: programs
  // on the command line have braces of their own.
  std::string read_word(const Field& field, const Size& size, const std::string& folder) {
    auto word = substitute(fields_.text(field, "a word"), size, folder);
    static const std::regex placeholder("\\{[A-Za-z_][A-Za-z_0-9]*\\}");
    std::smatch left;
    if (word.find_first_of(" \n\t") != std::string::npos ||
        !std::regex_search(word, left, placeholder))
      return word;
    std::vector<std::string> known = {"{folder}", "{label}"};
    for (const auto& [parameter, value] : size.parameters)
      known.push_back(fmt::format("{{{}}}", parameter));
    fields_.report_error(field, fmt::format("unknown placeholder {}; size {} has {}", left.str(),
                                            size.label, fmt::join(known, ", ")));
    return word;
  }

  // ---- kernels

  // Each launched kernel once, with what its first launch binds.
  void add_kernels(const Plan& plan, Task& task) const {
    auto& kernels = task.kernels;
    for (const auto& launch : plan.launches) {
      const bool known = std::any_of(kernels.begin(), kernels.end(), [&](const auto& kernel) {
        return kernel.name == launch.kernel;
      });
      if (known) continue;
      auto& kernel = kernels.emplace_back(KernelContract{.name = launch.kernel});
      for (const auto& binding : launch.bindings) {
        const auto& name = plan.buffers[binding.buffer].name;
        kernel.arguments.push_back({.index = binding.index, .type = types_.at(name), .name = name});
      }
    }
  }

  PlanFieldReader fields_;
  Field root_;
  fs::path file_;
  fs::path folder_;
  std::chrono::milliseconds reference_limit_;
  Judging judging_;
  Tolerance tolerance_;
  std::map<std::string, double> work_;  // by the size's label
  BufferTypes types_;
};

}  // namespace

Result<std::unique_ptr<PlanFile>> read_plan_file(const std::string& path,
                                                 std::chrono::milliseconds reference_limit,
                                                 Judging judging) {
  const auto source = read_source(path);
  if (!source) return source.error();
  const auto json = parse_plan(*source);
  if (!json) return json.error();
  return PlanReader(*json, path, reference_limit, judging).read();
}

}  // namespace msci
