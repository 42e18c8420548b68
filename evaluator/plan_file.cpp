#include "evaluator/plan_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <list>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>

#include "evaluator/device/scratch.h"
#include "evaluator/elements.h"
#include "evaluator/npy.h"
#include "lint/metal/read_file.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// A value of the file and where it stands, "/launches/0/grid".
struct Field {
  const Json* json = nullptr;
  std::string pointer;
};

// What must come out of a pass at one size.
struct Expectation {
  std::string type;
  Bytes contents;
};

struct Tolerance {
  double max_abs = 0;
  double relative = 0;
  bool exact = true;
};

// One size, with all that belongs to it.
struct Instance {
  Plan plan;
  std::vector<Expectation> expected;  // by Plan::results
};

double largest(const Expectation& expectation) {
  double largest = 0;
  const auto count = expectation.contents.data.size() / *element_bytes(expectation.type);
  for (std::size_t i = 0; i < count; ++i)
    largest =
        std::max(largest, std::abs(get_element(expectation.type, expectation.contents.data, i)));
  return largest;
}

bool holds_nan(const Expectation& expectation) {
  const auto count = expectation.contents.data.size() / *element_bytes(expectation.type);
  for (std::size_t i = 0; i < count; ++i)
    if (std::isnan(get_element(expectation.type, expectation.contents.data, i))) return true;
  return false;
}

// NaN where an element is NaN.
double largest_difference(const Expectation& expectation, const Bytes& output) {
  double largest = 0;
  const auto count = expectation.contents.data.size() / *element_bytes(expectation.type);
  for (std::size_t i = 0; i < count; ++i) {
    const auto difference = std::abs(get_element(expectation.type, output.data, i) -
                                     get_element(expectation.type, expectation.contents.data, i));
    if (std::isnan(difference)) return difference;
    largest = std::max(largest, difference);
  }
  return largest;
}

double limit_of(const Tolerance& tolerance, const Expectation& expectation) {
  return tolerance.max_abs + tolerance.relative * largest(expectation);
}

// The verdict on the result that is worst by its own limit.
Verdict judge(const Instance& instance, const Tolerance& tolerance, const Outputs& output) {
  Verdict worst{.correct = true, .error_kind = "max_abs"};
  double worst_excess = -1;
  for (std::size_t i = 0; i < output.size(); ++i) {
    const auto& expected = instance.expected[i];
    const double limit = tolerance.exact ? 0 : limit_of(tolerance, expected);
    const double error = largest_difference(expected, output[i]);
    const bool correct =
        tolerance.exact ? output[i] == expected.contents : error <= limit;  // NaN is not
    const double excess = std::isnan(error) ? HUGE_VAL : error - limit;
    worst.correct = worst.correct && correct;
    if (excess <= worst_excess && i > 0) continue;
    worst_excess = excess;
    worst.error_value = error;
    worst.tolerance = limit;
  }
  return worst;
}

class Loaded : public PlanFile {
 public:
  const Task& task() const override { return task_; }

  std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }
  Task& edit() { return task_; }
  // Afterwards the task plans and judges by what was read.
  void finish(std::map<std::string, Instance> instances, Tolerance tolerance) {
    instances_ = std::move(instances);
    task_.plan = [this](const Size& size, const Translation&) -> Result<Plan> {
      return instances_.at(std::string(size.label)).plan;
    };
    task_.judge = [this, tolerance](const Size& size, const Bytes&, const Outputs& output,
                                    const Outputs&) {
      return msci::judge(instances_.at(std::string(size.label)), tolerance, output);
    };
  }

 private:
  std::list<std::string> kept_;
  std::map<std::string, Instance> instances_;
  Task task_;
};

// Reads one plan. The first thing that is wrong stops the rest; what is read after that means
// nothing.
class Reader {
 public:
  Reader(const Json& json, fs::path file, std::chrono::milliseconds limit)
      : root_{&json, ""}, file_(std::move(file)), folder_(file_.parent_path()), limit_(limit) {}

  Result<std::unique_ptr<PlanFile>> read() {
    auto loaded = std::make_unique<Loaded>();
    auto& task = loaded->edit();
    task.name = loaded->keep(file_.filename().string());
    task.title = task.unit = "";
    know(root_, {"sizes", "held_out", "small", "buffers", "launches", "repeat", "swap", "expect",
                 "reference", "tolerance", "work"});
    const auto sizes = member(root_, "sizes");
    std::vector<Size> known;
    const auto named_size = [&](const Field& field) {
      known.push_back(size(field, *loaded));
      check_label(field, known);
      return known.back();
    };
    for (const auto& each : elements(sizes, "a list of sizes"))
      task.sizes.push_back(named_size(each));
    if (task.sizes.empty()) wrong(sizes, "there must be at least one size");
    if (error_) return *error_;
    if (has("held_out")) task.held_out = named_size(member(root_, "held_out"));
    task.small = has("small") ? named_size(member(root_, "small")) : task.sizes.front();
    tolerance();
    read_work(task);
    std::map<std::string, Instance> instances;
    for (const auto& each : task.sizes) read_instance(each, true, instances);
    if (task.held_out) read_instance(*task.held_out, true, instances);
    read_instance(task.small, false, instances);
    if (error_) return *error_;
    read_kernels(instances.at(std::string(task.sizes.front().label)).plan, task, *loaded);
    set_work(task, instances);
    loaded->finish(std::move(instances), tolerance_);
    return std::unique_ptr<PlanFile>(std::move(loaded));
  }

 private:
  // ---- what is wrong

  void wrong(const Field& field, const std::string& why) {
    if (!error_)
      error_ = Error{fmt::format("{}: {}: {}", file_.string(),
                                 field.pointer.empty() ? "/" : field.pointer, why)};
  }

  // ---- fields

  bool has(const std::string& key) const {
    return root_.json->is_object() && root_.json->contains(key);
  }

  Field member(const Field& field, const std::string& key) {
    static const Json nothing;
    if (!field.json->is_object() || !field.json->contains(key)) {
      wrong(field, fmt::format("\"{}\" is missing", key));
      return {&nothing, field.pointer + "/" + key};
    }
    return {&field.json->at(key), field.pointer + "/" + key};
  }

  std::optional<Field> optional_member(const Field& field, const std::string& key) {
    if (!field.json->is_object() || !field.json->contains(key)) return std::nullopt;
    return member(field, key);
  }

  void know(const Field& field, const std::vector<std::string>& keys) {
    if (!field.json->is_object()) return wrong(field, "it must be an object, {...}");
    for (const auto& [key, value] : field.json->items())
      if (std::find(keys.begin(), keys.end(), key) == keys.end())
        wrong({&value, field.pointer + "/" + key},
              fmt::format("no such field; known here are {}", fmt::join(keys, ", ")));
  }

  std::vector<Field> elements(const Field& field, std::string_view what) {
    std::vector<Field> all;
    if (!field.json->is_array()) {
      wrong(field, fmt::format("it must be {}, [...]", what));
      return all;
    }
    for (std::size_t i = 0; i < field.json->size(); ++i)
      all.push_back({&field.json->at(i), fmt::format("{}/{}", field.pointer, i)});
    return all;
  }

  std::string text(const Field& field, std::string_view what) {
    if (field.json->is_string()) return field.json->get<std::string>();
    wrong(field, fmt::format("it must be {}, in quotes", what));
    return {};
  }

  double real(const Field& field) {
    if (field.json->is_number()) return field.json->get<double>();
    wrong(field, "it must be a number");
    return 0;
  }

  // ---- sizes and what depends on them

  Size size(const Field& field, Loaded& loaded) {
    Size size{.label = std::string(loaded.keep(text(member(field, "label"), "the size's name")))};
    if (error_) return size;
    for (const auto& [key, value] : field.json->items()) {
      if (key == "label") continue;
      const bool fits = value.is_number_unsigned() && value.get<std::uint64_t>() <= UINT32_MAX;
      if (!fits)
        wrong({&value, field.pointer + "/" + key},
              "a parameter is an integer from 0 to 4294967295");
      else
        size.parameters.emplace_back(loaded.keep(key), value.get<unsigned>());
    }
    return size;
  }

  static const unsigned* find(const Size& size, std::string_view name) {
    for (const auto& [parameter, value] : size.parameters)
      if (parameter == name) return &value;
    return nullptr;
  }

  // One integer or parameter.
  std::uint64_t factor(const Field& field, std::string word, const Size& size) {
    word.erase(std::remove(word.begin(), word.end(), ' '), word.end());
    if (const auto* value = find(size, word)) return *value;
    const bool digits =
        !word.empty() && word.size() < 19 &&
        std::all_of(word.begin(), word.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits) return std::stoull(word);
    std::vector<std::string_view> known;
    for (const auto& [parameter, value] : size.parameters) known.push_back(parameter);
    wrong(field, fmt::format("'{}' is neither an integer nor a parameter of size {}, which has: {}",
                             word, size.label,
                             known.empty() ? "none" : fmt::format("{}", fmt::join(known, ", "))));
    return 0;
  }

  static std::vector<std::string> split(const std::string& text, char at) {
    std::vector<std::string> parts;
    std::size_t begin = 0;
    for (auto end = text.find(at); end != std::string::npos; end = text.find(at, begin)) {
      parts.push_back(text.substr(begin, end - begin));
      begin = end + 1;
    }
    parts.push_back(text.substr(begin));
    return parts;
  }

  std::uint64_t number(const Field& field, const Size& size) {
    if (field.json->is_number_unsigned()) return field.json->get<std::uint64_t>();
    if (!field.json->is_string()) {
      wrong(field, "it must be a non-negative integer, or a sum of products like \"4*n + 1\"");
      return 0;
    }
    std::uint64_t sum = 0;
    for (const auto& product : split(field.json->get<std::string>(), '+')) {
      std::uint64_t value = 1;
      for (const auto& word : split(product, '*'))
        if (__builtin_mul_overflow(value, factor(field, word, size), &value))
          wrong(field, "the number is too large");
      if (__builtin_add_overflow(sum, value, &sum)) wrong(field, "the number is too large");
    }
    return sum;
  }

  unsigned small_number(const Field& field, const Size& size) {
    const auto value = number(field, size);
    if (value > UINT32_MAX) wrong(field, fmt::format("{} is more than 4294967295", value));
    return static_cast<unsigned>(value);
  }

  // "{label}" and "{n}" stand for the size's.
  static std::string filled(std::string text, const Size& size, const std::string& folder = {}) {
    const auto replace = [&](const std::string& word, const std::string& by) {
      for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + by.size()))
        text.replace(at, word.size(), by);
    };
    replace("{label}", std::string(size.label));
    if (!folder.empty()) replace("{folder}", folder);
    for (const auto& [parameter, value] : size.parameters)
      replace(fmt::format("{{{}}}", parameter), std::to_string(value));
    return text;
  }

  // ---- buffers

  struct Contents {
    std::string type;
    Bytes bytes;
  };

  std::optional<std::vector<std::byte>> file_contents(const Field& field, const fs::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    std::error_code problem;
    if (!file || !fs::is_regular_file(path, problem)) {
      wrong(field, fmt::format("cannot read {}: {}", path.string(),
                               problem ? problem.message() : std::strerror(errno)));
      return std::nullopt;
    }
    std::vector<std::byte> contents(static_cast<std::size_t>(file.tellg()));
    file.seekg(0);
    file.read(reinterpret_cast<char*>(contents.data()),
              static_cast<std::streamsize>(contents.size()));
    if (!file) wrong(field, fmt::format("{} could not be read to its end", path.string()));
    return contents;
  }

  Contents from_file(const Field& field, const Size& size, std::string type) {
    const auto path = folder_ / filled(text(field, "a file's name"), size);
    if (error_) return {};
    auto contents = file_contents(field, path);
    if (!contents) return {};
    if (is_npy(*contents)) {
      auto array = read_npy(*contents);
      if (!array) {
        wrong(field, fmt::format("{}: {}", path.string(), array.error().message));
        return {};
      }
      if (!type.empty() && type != array->type)
        wrong(field, fmt::format("{} holds {}, not {}", path.string(), array->type, type));
      return {array->type, {std::move(array->contents)}};
    }
    if (type.empty()) wrong(field, "raw bytes need a \"type\" beside them");
    return {std::move(type), {std::move(*contents)}};
  }

  std::string type_of(const Field& field) {
    const auto type = optional_member(field, "type");
    if (!type) return {};
    const auto name = text(*type, "a scalar type");
    if (!element_bytes(name))
      wrong(*type, fmt::format("'{}' is no scalar type; known are {}", name, element_types()));
    return name;
  }

  // One way of saying a thing leaves no question which holds.
  void exclude(const Field& field, const std::string& key, const std::vector<std::string>& others) {
    if (!field.json->contains(key)) return;
    for (const auto& other : others)
      if (field.json->contains(other))
        wrong(member(field, other), fmt::format("\"{}\" says already what it is to be", key));
  }

  Contents contents(const Field& field, const Size& size) {
    know(field, {"type", "count", "values", "file", "fill"});
    exclude(field, "file", {"values", "count", "fill"});
    exclude(field, "values", {"count", "fill"});
    auto type = type_of(field);
    if (error_) return {};
    if (const auto file = optional_member(field, "file")) return from_file(*file, size, type);
    if (type.empty()) {
      wrong(field, "\"type\" is missing, or a \"file\" in .npy");
      return {};
    }
    Contents made{.type = type};
    if (const auto values = optional_member(field, "values")) {
      for (const auto& value : elements(*values, "a list of numbers"))
        put(value, value.json->is_number() ? real(value) : static_cast<double>(number(value, size)),
            made);
      return made;
    }
    const auto count = number(member(field, "count"), size);
    if (count * *element_bytes(type) > most_bytes)
      wrong(field, fmt::format("{} elements are more than a buffer may have", count));
    if (!error_) fill(field, count, made);
    return made;
  }

  // Says so where the type cannot hold the value.
  void check_fit(const Field& field, double value, const std::string& type) {
    if (!fits_element(type, value)) wrong(field, fmt::format("{} is no {}", value, type));
  }

  void put(const Field& field, double value, Contents& made) {
    check_fit(field, value, made.type);
    if (!error_) put_element(made.type, value, made.bytes.data);
  }

  void fill(const Field& field, std::uint64_t count, Contents& made) {
    const auto how = optional_member(field, "fill");
    if (!how) return made.bytes.data.resize(count * *element_bytes(made.type));
    know(*how, {"constant", "iota", "uniform", "seed"});
    exclude(*how, "constant", {"iota", "uniform", "seed"});
    exclude(*how, "iota", {"uniform", "seed"});
    if (error_) return;
    if (const auto constant = optional_member(*how, "constant")) {
      const auto value = real(*constant);
      check_fit(*constant, value, made.type);
      for (std::uint64_t i = 0; i < count && !error_; ++i)
        put_element(made.type, value, made.bytes.data);
    } else if (const auto iota = optional_member(*how, "iota")) {
      const auto [first, step] = pair(*iota, "[first, step]");
      for (std::uint64_t i = 0; i < count && !error_; ++i)
        put(*iota, first + step * static_cast<double>(i), made);
    } else {
      fill_uniformly(*how, count, made);
    }
  }

  // Whole types get the numbers' whole parts.
  void fill_uniformly(const Field& how, std::uint64_t count, Contents& made) {
    const auto uniform = member(how, "uniform");
    const auto [low, high] = pair(uniform, "[low, high]");
    for (const double end : {low, high}) check_fit(uniform, std::trunc(end), made.type);
    std::mt19937_64 random(number(member(how, "seed"), {}));
    for (std::uint64_t i = 0; i < count && !error_; ++i)
      put_element(made.type, low + (high - low) * static_cast<double>(random() >> 11) * 0x1p-53,
                  made.bytes.data);
  }

  std::pair<double, double> pair(const Field& field, std::string_view what) {
    const auto both = elements(field, what);
    if (both.size() != 2) wrong(field, fmt::format("it must be {}", what));
    if (error_) return {};
    return {real(both[0]), real(both[1])};
  }

  // ---- launches

  Extent extent(const Field& field, const Size& size) {
    const auto sides = elements(field, "one to three numbers");
    if (sides.empty() || sides.size() > 3) wrong(field, "it must be one to three numbers");
    Extent extent;
    unsigned* const to[] = {&extent.x, &extent.y, &extent.z};
    for (std::size_t i = 0; i < sides.size() && i < 3; ++i) {
      *to[i] = small_number(sides[i], size);
      if (*to[i] == 0) wrong(sides[i], "there must be at least one thread");
    }
    return extent;
  }

  std::optional<unsigned> index(const Field& field, const std::string& key) {
    const bool digits =
        !key.empty() && key.size() < 3 &&
        std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (digits && std::stoul(key) <= 30) return static_cast<unsigned>(std::stoul(key));
    wrong(field, "the index of a binding is a number from 0 to 30, in quotes");
    return std::nullopt;
  }

  using Names = std::map<std::string, std::size_t>;  // of buffers, to their places in the plan

  std::size_t buffer(const Field& field, const Names& names) {
    const auto name = text(field, "a buffer's name");
    if (const auto found = names.find(name); found != names.end()) return found->second;
    std::vector<std::string> known;
    for (const auto& [each, place] : names) known.push_back(each);
    wrong(field,
          fmt::format("there is no buffer '{}'; \"buffers\" has {}", name, fmt::join(known, ", ")));
    return 0;
  }

  Binding binding(const Field& field, unsigned index, const Names& names, const Plan& plan,
                  const Size& size) {
    if (field.json->is_string()) return {.index = index, .buffer = buffer(field, names)};
    know(field, {"buffer", "offset"});
    Binding binding{.index = index, .buffer = buffer(member(field, "buffer"), names)};
    if (const auto offset = optional_member(field, "offset")) {
      binding.offset = number(*offset, size);
      if (!error_ && binding.offset >= plan.buffers[binding.buffer].bytes)
        wrong(*offset,
              fmt::format("the buffer has only {} bytes", plan.buffers[binding.buffer].bytes));
      if (error_) return binding;
      const auto& type = types_.at(member(field, "buffer").json->get<std::string>());
      if (binding.offset % *element_bytes(type) != 0)
        wrong(*offset, fmt::format("no {} begins {} bytes behind the first", type, binding.offset));
    }
    return binding;
  }

  Launch launch(const Field& field, const Names& names, const Plan& plan, const Size& size) {
    know(field, {"kernel", "grid", "threadgroup", "bind", "threadgroup_memory"});
    Launch launch;
    if (error_) return launch;
    launch.kernel = text(member(field, "kernel"), "a kernel's name");
    launch.grid = extent(member(field, "grid"), size);
    launch.threadgroup = extent(member(field, "threadgroup"), size);
    const auto bind = member(field, "bind");
    if (!bind.json->is_object()) wrong(bind, "it must be an object like {\"0\": \"x\"}");
    if (error_) return launch;
    for (const auto& [key, value] : bind.json->items()) {
      const Field each{&value, bind.pointer + "/" + key};
      if (const auto at = index(each, key))
        launch.bindings.push_back(binding(each, *at, names, plan, size));
    }
    if (const auto memory = optional_member(field, "threadgroup_memory"))
      for (const auto& [key, value] : memory->json->items()) {
        const Field each{&value, memory->pointer + "/" + key};
        if (const auto at = index(each, key))
          launch.threadgroup_memory.push_back({.index = *at, .bytes = number(each, size)});
      }
    return launch;
  }

  void swap_names(Names& names) {
    if (!has("swap")) return;
    for (const auto& each : elements(member(root_, "swap"), "a list of pairs of names")) {
      const auto both = elements(each, "a pair of names");
      if (both.size() != 2) wrong(each, "it must be a pair of names, [\"u\", \"v\"]");
      if (error_) return;
      const auto a = buffer(both[0], names), b = buffer(both[1], names);
      if (error_) return;
      if (plan_bytes_[a] != plan_bytes_[b])
        wrong(each, "buffers that change places must be equally long");
      std::swap(names[both[0].json->get<std::string>()], names[both[1].json->get<std::string>()]);
    }
  }

  // A label stands for one size, under which its inputs and its answer are kept.
  void check_label(const Field& field, const std::vector<Size>& known) {
    const auto& last = known.back();
    for (const auto& other : known)
      if (other.label == last.label && other.parameters != last.parameters)
        wrong(field, fmt::format("another size is called \"{}\" already", last.label));
  }

  // ---- one size

  void read_instance(const Size& size, bool judged, std::map<std::string, Instance>& instances) {
    if (error_ || instances.contains(std::string(size.label))) return;
    Instance instance;
    Names names;
    const auto buffers = member(root_, "buffers");
    if (!buffers.json->is_object()) wrong(buffers, "it must be an object of buffers by name");
    if (error_) return;
    plan_bytes_.clear();
    for (const auto& [name, value] : buffers.json->items()) {
      const Field field{&value, buffers.pointer + "/" + name};
      auto made = contents(field, size);
      if (error_) return;
      if (made.bytes.data.empty()) return wrong(field, "the buffer has no bytes");
      plan_bytes_.push_back(made.bytes.data.size());
      names[name] = instance.plan.add(
          {.name = name, .bytes = made.bytes.data.size(), .initial = std::move(made.bytes.data)});
      types_[name] = made.type;
    }
    const auto initial_names = names;
    const auto rounds = has("repeat") ? number(member(root_, "repeat"), size) : 1;
    if (rounds == 0)
      wrong(member(root_, "repeat"),
            fmt::format("at size {} nothing would be launched", size.label));
    const auto launches = elements(member(root_, "launches"), "a list of launches");
    if (launches.empty()) wrong(root_, "\"launches\" must have at least one");
    for (std::uint64_t round = 0; round < rounds && !error_; ++round) {
      for (const auto& each : launches)
        instance.plan.launches.push_back(launch(each, names, instance.plan, size));
      swap_names(names);
    }
    if (error_ || !judged) return void(instances[std::string(size.label)] = std::move(instance));
    read_expected(size, names, initial_names, instance);
    instances[std::string(size.label)] = std::move(instance);
  }

  void read_expected(const Size& size, const Names& names, const Names& initial_names,
                     Instance& instance) {
    const auto expect = member(root_, "expect");
    if (!expect.json->is_object() || expect.json->empty())
      wrong(expect, "it must name at least one buffer, {\"y\": {\"file\": \"expected.npy\"}}");
    if (error_) return;
    std::vector<std::pair<std::size_t, Field>> of_reference;
    for (const auto& [name, value] : expect.json->items()) {
      const Field field{&value, expect.pointer + "/" + name};
      know(field, {"file"});
      const Json as_text = name;
      const auto place = buffer({&as_text, field.pointer}, names);
      if (error_) return;
      Contents wanted{.type = types_.at(name)};
      if (const auto file = optional_member(field, "file"))
        wanted = from_file(*file, size, types_.at(name));
      else
        of_reference.emplace_back(instance.expected.size(), field);
      instance.plan.results.push_back(place);
      instance.expected.push_back({std::move(wanted.type), std::move(wanted.bytes)});
    }
    if (!of_reference.empty()) run_reference(size, initial_names, of_reference, instance);
    for (std::size_t i = 0; i < instance.expected.size() && !error_; ++i)
      certify(expect, size, instance, i);
  }

  // What no kernel could be judged by.
  void certify(const Field& expect, const Size& size, const Instance& instance, std::size_t i) {
    const auto& expected = instance.expected[i];
    const auto& buffer = instance.plan.buffers[instance.plan.results[i]];
    const Field field{
        expect.json,
        fmt::format("{}/{}", expect.pointer,
                    std::next(expect.json->begin(), static_cast<std::ptrdiff_t>(i)).key())};
    if (expected.contents.data.size() != buffer.bytes)
      return wrong(field, fmt::format("{} bytes are expected at size {}, and the buffer has {}",
                                      expected.contents.data.size(), size.label, buffer.bytes));
    if (is_floating(expected.type) && holds_nan(expected))
      return wrong(field, fmt::format("the expected values at size {} hold a NaN: nothing could be "
                                      "compared with it",
                                      size.label));
    if (!tolerance_.exact && limit_of(tolerance_, expected) >= largest(expected))
      wrong(field,
            fmt::format("the tolerance ({:g}) would take zeros for right at size {}, where no "
                        "expected value is larger than {:g}",
                        limit_of(tolerance_, expected), size.label, largest(expected)));
  }

  // ---- the reference command

  void run_reference(const Size& size, const Names& names,
                     const std::vector<std::pair<std::size_t, Field>>& results,
                     Instance& instance) {
    const auto reference = member(root_, "reference");
    const auto fields = elements(reference, "a command and its words");
    if (fields.empty()) wrong(reference, "it must be a command and its words");
    const auto scratch = ScratchFolder::make();
    if (!scratch) wrong(reference, scratch.error().message);
    if (error_) return;
    std::vector<std::string> words;
    for (const auto& each : fields) words.push_back(word(each, size, scratch->path().string()));
    for (const auto& [name, place] : names) {
      const auto& initial = instance.plan.buffers[place].initial;
      std::ofstream(scratch->path() / (name + ".bin"), std::ios::binary)
          .write(reinterpret_cast<const char*>(initial.data()),
                 static_cast<std::streamsize>(initial.size()));
    }
    if (!error_) run_command(reference, words, size);
    for (const auto& [i, field] : results) {
      if (error_) break;
      const auto name = field.pointer.substr(field.pointer.rfind('/') + 1);
      take_result(reference, scratch->path() / (name + ".out"), size,
                  instance.plan.buffers[instance.plan.results[i]].bytes,
                  instance.expected[i].contents);
    }
  }

  // One word of the command. A name in braces that stands for nothing is most likely misspelt, but
  // for texts with spaces: programs on the command line have braces of their own.
  std::string word(const Field& field, const Size& size, const std::string& folder) {
    auto made = filled(text(field, "a word"), size, folder);
    static const std::regex name("\\{[A-Za-z_][A-Za-z_0-9]*\\}");
    std::smatch left;
    if (made.find_first_of(" \n\t") != std::string::npos || !std::regex_search(made, left, name))
      return made;
    std::vector<std::string> known = {"{folder}", "{label}"};
    for (const auto& [parameter, value] : size.parameters)
      known.push_back(fmt::format("{{{}}}", parameter));
    wrong(field, fmt::format("{} stands for nothing at size {}, which has: {}", left.str(),
                             size.label, fmt::join(known, ", ")));
    return made;
  }

  void take_result(const Field& reference, const fs::path& path, const Size& size,
                   std::size_t bytes, Bytes& result) {
    const auto name = path.filename().string();
    std::error_code problem;
    if (!fs::exists(path, problem))
      return wrong(reference, fmt::format("it left no {} at size {}", name, size.label));
    auto made = file_contents(reference, path);
    if (!made) return;
    if (made->size() != bytes)
      wrong(reference, fmt::format("it left {} bytes in {} at size {}, and the buffer has {}",
                                   made->size(), name, size.label, bytes));
    result.data = std::move(*made);
  }

  // In the plan's folder, which fork() can change to without moving us; it and what it started are
  // ended with us, or when it takes too long.
  void run_command(const Field& field, std::vector<std::string>& words, const Size& size) {
    std::vector<char*> arguments;
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const auto folder = folder_.empty() ? fs::path(".") : folder_;
    const auto parent = ::getpid();
    const auto pid = ::fork();
    if (pid < 0) return wrong(field, fmt::format("cannot start it: {}", std::strerror(errno)));
    if (pid == 0) {
      ::setpgid(0, 0);
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != parent) ::_exit(1);  // it died before it could tell us
      ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
      ::dup2(STDERR_FILENO, STDOUT_FILENO);  // ours is for reports
      if (::chdir(folder.c_str()) == 0) ::execvp(arguments[0], arguments.data());
      ::_exit(127);
    }
    ::setpgid(pid, pid);  // the child does so too; whoever comes first
    const auto status = wait_for(pid);
    if (!status)
      return wrong(field, fmt::format("'{}' took more than {:g} s at size {}", words.front(),
                                      std::chrono::duration<double>(limit_).count(), size.label));
    if (WIFEXITED(*status) && WEXITSTATUS(*status) == 127)
      return wrong(field, fmt::format("cannot start '{}'", words.front()));
    if (*status != 0)
      wrong(field, WIFEXITED(*status) ? fmt::format("'{}' ended with status {} at size {}",
                                                    words.front(), WEXITSTATUS(*status), size.label)
                                      : fmt::format("'{}' died of signal {} at size {}",
                                                    words.front(), WTERMSIG(*status), size.label));
  }

  // How a command ended, or nothing where it had to be ended for the time it took.
  std::optional<int> wait_for(pid_t pid) const {
    const Fd process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
    pollfd wait = {.fd = process.get(), .events = POLLIN, .revents = 0};
    const auto end = std::chrono::steady_clock::now() + limit_;
    int ready = 0;
    do {
      const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
          end - std::chrono::steady_clock::now());
      ready = ::poll(&wait, 1, static_cast<int>(std::max<std::int64_t>(0, left.count())));
    } while (ready < 0 && errno == EINTR);
    if (ready <= 0) ::kill(-pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return ready > 0 ? std::optional(status) : std::nullopt;
  }

  // ---- the rest

  void tolerance() {
    if (!has("tolerance")) return;
    const auto field = member(root_, "tolerance");
    know(field, {"max_abs", "relative"});
    const auto part = [&](const std::string& key) {
      const auto value = optional_member(field, key);
      if (!value) return 0.0;
      const auto number = real(*value);
      if (number < 0) wrong(*value, "it must not be negative");
      return number;
    };
    tolerance_ = {.max_abs = part("max_abs"), .relative = part("relative"), .exact = false};
  }

  void read_work(Task& task) {
    task.unit = "GB/s";
    if (!has("work")) return;
    const auto work = member(root_, "work");
    know(work, {"bytes", "flops"});
    if (error_) return;
    exclude(work, "flops", {"bytes"});
    if (error_) return;
    const bool counts_flops = work.json->contains("flops");
    task.ceiling = counts_flops ? Ceiling::compute : Ceiling::bandwidth;
    task.unit = counts_flops ? "GFLOPS" : "GB/s";
    const auto amount = member(work, counts_flops ? "flops" : "bytes");
    auto sizes = task.sizes;
    if (task.held_out) sizes.push_back(*task.held_out);
    for (const auto& size : sizes) {
      const auto work = number(amount, size);
      if (work == 0) wrong(amount, fmt::format("a pass at size {} must be some work", size.label));
      if (error_) return;
      work_[std::string(size.label)] = static_cast<double>(work);
    }
  }

  void set_work(Task& task, const std::map<std::string, Instance>& instances) {
    for (const auto& [label, instance] : instances) {
      double bytes = 0;
      for (const auto& buffer : instance.plan.buffers) bytes += static_cast<double>(buffer.bytes);
      work_.try_emplace(label, bytes);
    }
    task.work = [work = work_](const Size& size) { return work.at(std::string(size.label)); };
  }

  // The kernels that are launched, once each, with what their first launch binds.
  void read_kernels(const Plan& plan, Task& task, Loaded& loaded) const {
    for (const auto& launch : plan.launches) {
      const bool known =
          std::any_of(task.kernels.begin(), task.kernels.end(),
                      [&](const auto& kernel) { return kernel.name == launch.kernel; });
      if (known) continue;
      auto& kernel = task.kernels.emplace_back(KernelContract{.name = loaded.keep(launch.kernel)});
      for (const auto& binding : launch.bindings) {
        const auto& name = plan.buffers[binding.buffer].name;
        kernel.arguments.push_back({.index = binding.index,
                                    .type = loaded.keep(types_.at(name)),
                                    .name = loaded.keep(name)});
      }
    }
  }

  static constexpr std::uint64_t most_bytes = std::uint64_t{1} << 34;

  Field root_;
  fs::path file_;
  fs::path folder_;
  std::chrono::milliseconds limit_;  // of the reference's runs
  Tolerance tolerance_;
  std::map<std::string, double> work_;
  std::vector<std::size_t> plan_bytes_;       // of the buffers of the size being read
  std::map<std::string, std::string> types_;  // of the buffers' elements
  std::optional<Error> error_;
};

Result<Json> parsed(const Source& source) {
  try {
    return Json::parse(source.text, nullptr, true, /*ignore_comments=*/true);
  } catch (const Json::parse_error& broken) {
    const auto before = std::string_view(source.text).substr(0, broken.byte);
    return Error{fmt::format("{}:{}: no JSON from here on; see docs/plan_file.md for an example",
                             source.name, 1 + std::count(before.begin(), before.end(), '\n'))};
  } catch (const Json::out_of_range& broken) {
    return Error{fmt::format("{}: a number is too large; see docs/plan_file.md", source.name)};
  }
}

}  // namespace

Result<std::unique_ptr<PlanFile>> read_plan_file(const std::string& path,
                                                 std::chrono::milliseconds reference_limit) {
  const auto source = read_source(path);
  if (!source) return source.error();
  const auto json = parsed(*source);
  if (!json) return json.error();
  return Reader(*json, path, reference_limit).read();
}

}  // namespace msci
