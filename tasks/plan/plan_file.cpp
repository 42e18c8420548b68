#include "tasks/plan/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/files/read_file.h"
#include "base/sha256.h"
#include "tasks/plan/elements.h"
#include "tasks/plan/file/plan_description.h"
#include "tasks/plan/file/plan_fields.h"
#include "tasks/plan/file/plan_instance.h"
#include "tasks/plan/file/plan_numbers.h"
#include "tasks/plan/file/plan_results.h"
#include "tasks/plan/file/texture/texture_contents.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// A plan at one size, with its contents.
struct LoadedSize {
  PlanInstance instance;
  std::vector<ExpectedResult> expected;  // in the order of Plan::results; empty if not judged
};

// Each launched kernel once, with all that its launches bind.
void add_kernels(const PlanInstance& instance, std::vector<KernelContract>& kernels) {
  const auto& plan = instance.plan;
  for (const auto& launch : plan.launches) {
    auto kernel = std::ranges::find(kernels, launch.kernel, &KernelContract::name);
    if (kernel == kernels.end())
      kernel = kernels.insert(kernels.end(), KernelContract{.name = launch.kernel});
    for (const auto& binding : launch.bindings) {
      const bool is_known = std::ranges::any_of(kernel->arguments, [&](const auto& each) {
        return each.kind == binding.kind && each.index == binding.index;
      });
      if (is_known) continue;
      const auto& kind = instance.kinds[binding.buffer];
      kernel->arguments.push_back(
          {binding.index, kind.declaration, kind.name, kind.meaning, binding.kind});
    }
  }
}

Expected strictly_a_texture(const ExpectedResult& result, bool is_exact) {
  const auto shape = *result.texture;
  return {.element = is_exact && !is_rounded(shape.format) ? Expected::Element::exact
                                                           : Expected::Element::typed,
          .values = texel_numbers(shape.format, result.contents),
          .numbers = [shape](const Bytes& memory) { return texel_numbers(shape, memory); },
          .rounding = texel_rounding(shape.format),
          .place = [shape](std::size_t i) { return texel_place(shape, i); }};
}

// Every element of a strict result counts.
Expected strictly(const ExpectedResult& result, bool is_exact) {
  if (result.texture) return strictly_a_texture(result, is_exact);
  if (is_exact)
    return {.element = Expected::Element::exact,
            .values = {},
            .type = result.type,
            .contents = result.contents};
  Expected expected{.element = Expected::Element::typed, .values = {}, .type = result.type};
  const auto count = result.contents.size() / *element_bytes(result.type);
  expected.values.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    expected.values.push_back(get_element(result.type, result.contents, i));
  return expected;
}

class LoadedPlan : public PlanFile {
 public:
  LoadedPlan(PlanDocument document, std::string path)
      : document_(std::move(document)), path_(std::move(path)) {}

  const Task& task() const override { return task_; }

  // Reads all but the contents.
  std::optional<Error> read() {
    auto reader = fields();
    description_ = read_description(reader, document_);
    if (reader.failed()) return reader.error();
    for (const auto& size : declared_sizes()) {
      const auto instance = read_instance(reader, document_, size,
                                          {.contents = Filling::Contents::none, .must_fit = false});
      if (reader.failed()) return reader.error();
      add_kernels(instance, task_.kernels);
    }
    describe_task();
    return std::nullopt;
  }

 private:
  PlanFieldReader fields() const { return PlanFieldReader(document_.file.string()); }

  std::vector<Size> declared_sizes() const {
    auto sizes = description_.sizes;
    if (description_.held_out) sizes.push_back(*description_.held_out);
    sizes.push_back(description_.small);
    if (description_.stress)
      sizes.insert(sizes.end(), description_.stress->sizes.begin(),
                   description_.stress->sizes.end());
    return sizes;
  }

  void describe_task() {
    task_.name = description_.name;
    task_.title = description_.title;
    task_.data = describe_data(document_);
    task_.launches = describe_launches(document_);
    task_.constants = description_.constants;
    task_.sizes = description_.sizes;
    task_.held_out = description_.held_out;
    task_.small = description_.small;
    task_.ceiling = description_.ceiling;
    task_.unit = description_.unit;
    task_.best_rate = description_.best_rate;
    task_.plan_file = path_;
    task_.seed = description_.seed;
    task_.page = description_.page;
    task_.load = [this](const Loading& loading) { return load(loading); };
    task_.digest = [this] { return digest(); };
    task_.plan = [this](const Size& size, const Translation& program) -> Result<Plan> {
      if (const auto loaded = loaded_.find(size.label); loaded != loaded_.end())
        return fitting(loaded->second.instance, program);
      const auto instance = instance_of(size, {});
      if (!instance) return instance.error();
      return fitting(*instance, program);
    };
    task_.judge = [this](const Size& size, const Bytes&, const Outputs& outputs, const Outputs&) {
      return judge(size, outputs);
    };
    task_.work = [this](const Size& size) { return work_at(size); };
    if (description_.stress) describe_stress();
  }

  void describe_stress() {
    const auto& stress = *description_.stress;
    task_.derivation = stress.derivation;
    task_.stress = {.sizes = stress.sizes, .steps = stress.steps};
    if (!stress.random.empty()) {
      task_.stress.random_size = [this](KeyedRandom& draws) { return drawn_size(draws); };
      task_.stress.complete = [this](Size& size, const std::vector<std::string_view>& chosen,
                                     KeyedRandom& draws) { return complete(size, chosen, draws); };
    }
    task_.stress.plan = [this](const Size& size, const Translation& program,
                               Key key) -> Result<Plan> {
      auto instance = keyed(size, key);
      if (!instance) return instance.error();
      auto plan = fitting(*instance, program);
      for (std::size_t i = 0; plan && i < plan->buffers.size(); ++i) {
        auto& buffer = plan->buffers[i];
        if (const auto& kind = instance->kinds[i]; kind.is_open_texture)
          buffer.initial = with_poisoned_texels(*kind.texture, buffer.initial);
        if (buffer.open_type.empty()) continue;
        buffer.initial = {};
        buffer.poison = true;
      }
      return plan;
    };
    task_.stress.reference = [this](const Size& size, Key key) {
      return stress_reference(size, key);
    };
    if (document_.root().has("check"))
      task_.stress.check = [this](const Size& size, Key key, const Outputs& outputs) {
        return stress_check(size, key, outputs);
      };
  }

  // ---- files

  // The files of all texts in the plan that name one, at each size: contents, the seed, scripts.
  void add_files(const OrderedJson& json, std::set<fs::path>& files) const {
    if (json.is_structured())
      for (const auto& each : json) add_files(each, files);
    if (!json.is_string()) return;
    for (const auto& size : declared_sizes()) {
      const auto file = document_.folder() / substitute(json.get<std::string>(), size);
      std::error_code none;
      if (fs::is_regular_file(file, none)) files.insert(file);
    }
  }

  Result<std::string> digest() const {
    std::set<fs::path> files;
    add_files(document_.json, files);
    auto all = document_.json.dump(-1, ' ', false, OrderedJson::error_handler_t::replace);
    for (const auto& file : files) {
      const auto bytes = read_bytes(file, most_buffer_bytes());
      if (!bytes) return bytes.error();
      all += fmt::format("\n{} {}", file.lexically_relative(document_.folder()).string(),
                         sha256_of({reinterpret_cast<const char*>(bytes->data()), bytes->size()}));
    }
    return sha256_of(all);
  }

  // ---- contents

  Result<PlanInstance> instance_of(const Size& size, const Filling& filling) const {
    auto reader = fields();
    auto instance = read_instance(reader, document_, size, filling);
    if (reader.failed()) return reader.error();
    return instance;
  }

  Result<Plan> fitting(const PlanInstance& instance, const Translation& program) const {
    auto reader = fields();
    auto plan = plan_for(reader, instance, program);
    if (reader.failed()) return reader.error();
    return plan;
  }

  Result<PlanInstance> keyed(const Size& size, Key key) const {
    return instance_of(size, {.contents = Filling::Contents::keyed, .key = key});
  }

  PlanRun run_of(const Size& size, const PlanInstance& instance, Cache* cache = nullptr) const {
    return {document_, size, instance, loading_.reference_limit, cache};
  }

  std::optional<Error> load(const Loading& loading) {
    loading_ = loading;
    loaded_.clear();
    const auto load_one = [&](const Size& size, bool is_judged) -> std::optional<Error> {
      if (loaded_.contains(size.label)) return std::nullopt;
      auto instance = instance_of(size, {});
      if (!instance) return instance.error();
      LoadedSize loaded{*std::move(instance), {}};
      auto reader = fields();
      if (is_judged)
        loaded.expected = read_expected(reader, run_of(size, loaded.instance, loading.cache),
                                        description_.tolerance);
      if (reader.failed()) return reader.error();
      loaded_.emplace(size.label, std::move(loaded));
      return std::nullopt;
    };
    auto judged_sizes = description_.sizes;
    if (description_.held_out) judged_sizes.push_back(*description_.held_out);
    for (const auto& size : judged_sizes)
      if (auto error = load_one(size, loading.is_judged)) return error;
    return load_one(description_.small, false);
  }

  double work_at(const Size& size) const {
    if (const auto known = description_.work.find(size.label); known != description_.work.end())
      return known->second;
    double bytes = 0;
    if (const auto loaded = loaded_.find(size.label); loaded != loaded_.end())
      for (std::size_t i = 0; i < loaded->second.instance.kinds.size(); ++i)
        bytes += static_cast<double>(loaded->second.instance.data_bytes(i));
    return bytes;
  }

  // ---- verdicts

  Result<Verdict> judge(const Size& size, const Outputs& outputs) const {
    const auto& loaded = loaded_.at(size.label);
    if (loading_.images) loading_.images->save(size.label, loaded.expected, outputs);
    auto verdict = msci::judge(loaded.expected, description_.tolerance, outputs);
    if (!verdict.correct || !document_.root().has("check")) return verdict;
    auto reader = fields();
    const bool is_right =
        run_check(reader, run_of(size, loaded.instance), loaded.expected, outputs);
    if (reader.failed()) return reader.error();
    return Verdict{.correct = is_right, .error_value = is_right ? 0.0 : 1.0, .error_kind = "check"};
  }

  // Not every size of the ranges need be one at which the plan can be read.
  Size drawn_size(KeyedRandom& draws) const {
    constexpr unsigned most_tries = 64;
    for (unsigned tries = 0; tries < most_tries; ++tries) {
      auto size = random_size(*description_.stress, draws);
      if (instance_of(size, {.contents = Filling::Contents::none})) return size;
    }
    return description_.stress->sizes.front();
  }

  // Draws the other parameters until the plan can be read with them.
  bool complete(Size& size, const std::vector<std::string_view>& chosen, KeyedRandom& draws) const {
    constexpr unsigned most_tries = 1 << 12;
    for (unsigned tries = 0; tries < most_tries; ++tries) {
      auto drawn = random_size(*description_.stress, draws);
      for (auto& [name, value] : drawn.parameters)
        if (std::ranges::find(chosen, name) != chosen.end()) value = size[name];
      if (!instance_of(drawn, {.contents = Filling::Contents::none})) continue;
      size = std::move(drawn);
      return true;
    }
    return false;
  }

  Result<std::vector<ExpectedResult>> expected_at(const Size& size,
                                                  const PlanInstance& instance) const {
    auto reader = fields();
    auto expected = read_expected(reader, run_of(size, instance), description_.tolerance);
    if (reader.failed()) return reader.error();
    return expected;
  }

  Result<std::vector<Expected>> stress_reference(const Size& size, Key key) const {
    const auto instance = keyed(size, key);
    if (!instance) return instance.error();
    const auto results = expected_at(size, *instance);
    if (!results) return results.error();
    std::vector<Expected> expected;
    for (const auto& each : *results)
      if (each.is_compared) expected.push_back(strictly(each, description_.tolerance.exact));
    return expected;
  }

  Result<double> stress_check(const Size& size, Key key, const Outputs& outputs) const {
    const auto instance = keyed(size, key);
    if (!instance) return instance.error();
    const auto expected = expected_at(size, *instance);
    if (!expected) return expected.error();
    auto reader = fields();
    const bool is_right = run_check(reader, run_of(size, *instance), *expected, outputs);
    if (reader.failed()) return reader.error();
    return is_right ? 0.0 : 1.0;
  }

  PlanDocument document_;
  std::string path_;
  PlanDescription description_;
  Loading loading_;
  std::map<std::string, LoadedSize> loaded_;  // by the size's label
  Task task_;
};

// The formulas of a plan file that name a parameter.
class GrowingNumbers {
 public:
  GrowingNumbers(const Size& size, std::size_t parameter)
      : size_(size), name_(size.parameters[parameter].first) {}

  void collect(const OrderedJson& json) {
    if (json.is_string()) return add(json.get_ref<const std::string&>());
    if (!json.is_structured()) return;
    for (const auto& [key, value] : json.items())
      if (key == "times" || key == "if" || key == "repeat")
        require_same(value);
      else if (key != "meaning")
        collect(value);
  }
  std::optional<std::vector<SizedNumber>> all() && {
    if (!is_certain_) return std::nullopt;
    return std::move(all_);
  }

 private:
  // How many launches or members there are must not depend on the parameter.
  void require_same(const OrderedJson& json) {
    if (json.is_string() && names_in_formula(json.get_ref<const std::string&>(), name_))
      is_certain_ = false;
  }
  void add(const std::string& text) {
    if (!names_in_formula(text, name_)) return;
    const auto number =
        growth_of_formula(text, name_, [&](std::string_view name) { return value_of(name); });
    is_certain_ = is_certain_ && number;
    if (number && number->factor > 0) all_.push_back(*number);
    if (number && number->factor < 0) is_certain_ = false;
  }
  Result<std::int64_t> value_of(std::string_view name) const {
    for (const auto& [parameter, value] : size_.parameters)
      if (parameter == name) return std::int64_t{value};
    return Error{"the index of a loop"};
  }

  const Size& size_;
  std::string name_;
  bool is_certain_ = true;
  std::vector<SizedNumber> all_;
};

Result<OrderedJson> read_document(const std::string& path) {
  const auto source = read_source(path);
  if (!source) return source.error();
  return parse_plan(*source);
}

}  // namespace

Result<Plan> plan_to_prove(const Task& task, const Size& size, const Translation& program) {
  if (task.plan_file.empty()) return task.plan(size, program);
  const std::string path(task.plan_file);
  auto json = read_document(path);
  if (!json) return json.error();
  const PlanDocument document{*std::move(json), path};
  PlanFieldReader reader(path);
  const auto instance = read_instance(reader, document, size,
                                      {.contents = Filling::Contents::small, .must_fit = false});
  if (reader.failed()) return reader.error();
  auto plan = plan_for(reader, instance, program);
  if (reader.failed()) return reader.error();
  return plan;
}

std::optional<std::vector<SizedNumber>> growing_numbers(const Task& task, const Size& size,
                                                        std::size_t parameter) {
  if (task.plan_file.empty()) return std::nullopt;
  const auto json = read_document(std::string(task.plan_file));
  // The rows of textures are padded.
  if (!json || json->contains("textures")) return std::nullopt;
  GrowingNumbers numbers(size, parameter);
  auto pass = OrderedJson::object();
  for (const char* key : {"buffers", "launches", "repeat"})
    if (json->contains(key)) pass[key] = (*json)[key];
  numbers.collect(pass);
  return std::move(numbers).all();
}

Result<std::unique_ptr<PlanFile>> read_plan_file(const std::string& path) {
  auto json = read_document(path);
  if (!json) return json.error();
  std::error_code problem;
  const auto absolute = fs::absolute(path, problem);
  auto loaded = std::make_unique<LoadedPlan>(PlanDocument{*std::move(json), path},
                                             problem ? path : absolute.string());
  if (auto error = loaded->read()) return *error;
  return std::unique_ptr<PlanFile>(std::move(loaded));
}

}  // namespace msci
