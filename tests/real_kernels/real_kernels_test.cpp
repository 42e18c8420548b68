// Kernels of real projects give the results of our references. Each file plans/PROJECT/NAME.json is
// a plan (docs/reference/plan_file.md) whose first line names the Metal source, relative to the
// project. A second comment line says why PoCL takes long; such a case has "slow" in its name. The
// kernels run on the processor, or on the device that the environment variable MSCI_DEVICE names.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <set>

#include "analysis/instruments.h"
#include "base/files/read_file.h"
#include "compiler/frontend/preamble/precompiled_preamble.h"
#include "engine/device/worker.h"
#include "evaluator/check/checked_run.h"
#include "evaluator/evaluate.h"
#include "tasks/plan/plan_file.h"
#include "tests/real_kernels/projects.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> plans() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(MSCI_REAL_PLANS))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

// The text of the n-th line, if it is a comment.
std::string comment_of(const fs::path& plan, unsigned n) {
  std::ifstream file(plan);
  std::string line;
  for (unsigned i = 0; i <= n; ++i) std::getline(file, line);
  return line.starts_with("// ") ? line.substr(3) : "";
}

std::string source_of(const fs::path& plan) { return comment_of(plan, 0); }
bool is_slow(const fs::path& plan) { return !comment_of(plan, 1).empty(); }

std::string_view device_name() {
  const char* name = std::getenv("MSCI_DEVICE");
  return name ? name : cpu_device_name;
}

// What all cases of one process share: projects are unpacked, and sources are parsed, once.
class RealKernel : public testing::TestWithParam<fs::path> {
 protected:
  static void SetUpTestSuite() {
    projects_ = new Result<Projects>(unpack_projects(default_archive()));
    device_ = new Result<std::unique_ptr<Device>>(
        open_worker_device(device_name(), {.run = std::chrono::minutes(10)}));
  }
  static void TearDownTestSuite() {
    units_.clear();
    delete device_;
    delete projects_;
  }

  static const Project* find_project(const std::string& name) {
    for (const auto& project : (*projects_)->all)
      if (project.name == name) return &project;
    return nullptr;
  }

  static Unit* parsed(const Project& project, const std::string& file) {
    const auto path = (project.folder / file).string();
    if (const auto known = units_.find(path); known != units_.end()) return &known->second;
    const auto source = read_source(path);
    EXPECT_TRUE(source) << source.error().message;
    if (!source) return nullptr;
    auto unit = parse(*source, options_for(project, path));
    EXPECT_TRUE(unit && unit->compiled()) << path;
    if (!unit || !unit->compiled()) return nullptr;
    return &units_.emplace(path, *std::move(unit)).first->second;
  }

  static inline Result<Projects>* projects_ = nullptr;
  static inline Result<std::unique_ptr<Device>>* device_ = nullptr;
  static inline std::map<std::string, Unit> units_;
};

KernelNames kernels_of(const Task& task) {
  KernelNames names;
  for (const auto& kernel : task.kernels) names.push_back(kernel.name);
  return names;
}

// Faults of the projects that are true (docs/reports/findings.md).
std::set<std::string> true_faults_of(const fs::path& plan) {
  static const std::map<std::string, std::set<std::string>> known = {
      {"candle/soft_max", {"check.race"}},
      {"ggml/soft_max", {"check.race"}},
      {"mistral.rs/topk_logits", {"check.race"}},
      {"mlx/layer_norm", {"check.out_of_bounds"}}};
  const auto found =
      known.find(plan.parent_path().filename().string() + "/" + plan.stem().string());
  return found == known.end() ? std::set<std::string>() : found->second;
}

// Whether a plain run stopped because of a true fault: guards keep a kernel within its memory.
bool is_stopped_by_true_fault(const fs::path& plan, const Outcome& outcome) {
  return true_faults_of(plan).contains("check.out_of_bounds") &&
         fail_reason(outcome).value_or("").find("outside its private arrays") != std::string::npos;
}

TEST_P(RealKernel, gives_the_results_of_its_reference) {
  ASSERT_TRUE(*projects_) << projects_->error().message;
  ASSERT_TRUE(*device_) << device_->error().message;
  const auto* project = find_project(GetParam().parent_path().filename().string());
  ASSERT_TRUE(project);
  auto* unit = parsed(*project, source_of(GetParam()));
  ASSERT_TRUE(unit);
  const auto plan = read_plan_file(GetParam().string());
  ASSERT_TRUE(plan) << plan.error().message;
  const auto& task = (*plan)->task();
  const auto error = task.load({});
  ASSERT_FALSE(error) << error->message;
  const auto translation = translate(*unit, kernels_of(task), task.constants);
  ASSERT_TRUE(translation) << translation.error().message;
  const auto folder = TemporaryFolder::make();
  ASSERT_TRUE(folder) << folder.error().message;
  Cache cache(folder->path());
  const EvaluationContext context{.device = ***device_, .ceilings = std::nullopt, .cache = cache};
  const auto evaluation = evaluate(task, *translation, context, {.repeats = verify_only});
  ASSERT_TRUE(evaluation) << evaluation.error().message;
  EXPECT_TRUE(std::holds_alternative<Scored>(evaluation->outcome) ||
              is_stopped_by_true_fault(GetParam(), evaluation->outcome))
      << fail_reason(evaluation->outcome).value_or("");
}

// A kernel of the projects under the checked mode on the device cpu, which must say nothing of
// most.
class CheckedRealKernel : public RealKernel {};

TEST_P(CheckedRealKernel, has_no_false_fault) {
  ASSERT_TRUE(*projects_) << projects_->error().message;
  auto device = open_worker_device("cpu", {.run = std::chrono::minutes(10)});
  ASSERT_TRUE(device) << device.error().message;
  const auto* project = find_project(GetParam().parent_path().filename().string());
  ASSERT_TRUE(project);
  auto* unit = parsed(*project, source_of(GetParam()));
  ASSERT_TRUE(unit);
  const auto plan_file = read_plan_file(GetParam().string());
  ASSERT_TRUE(plan_file) << plan_file.error().message;
  const auto& task = (*plan_file)->task();
  const auto translation =
      translate(*unit, kernels_of(task), task.constants, TranslationPurpose::checking);
  ASSERT_TRUE(translation) << translation.error().message;
  const auto plan = task.plan(task.small, *translation);
  ASSERT_TRUE(plan) << plan.error().message;
  const auto checked = check(*plan, *translation, **device);
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_FALSE(checked->failure) << checked->failure->message;
  std::set<std::string> found;
  std::string findings;
  for (const auto& finding : checked->findings) {
    if (finding.severity != Severity::error) continue;
    found.insert(finding.id);
    findings += one_line(finding, "the kernel") + "\n";
  }
  EXPECT_EQ(found, true_faults_of(GetParam())) << findings;
}

std::string name_of(const testing::TestParamInfo<fs::path>& info) {
  auto name = info.param.parent_path().filename().string() + "_" + info.param.stem().string() +
              (is_slow(info.param) ? "_slow" : "");
  std::replace_if(name.begin(), name.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Real, RealKernel, testing::ValuesIn(plans()), name_of);
INSTANTIATE_TEST_SUITE_P(Checked, CheckedRealKernel, testing::ValuesIn(plans()), name_of);

}  // namespace
}  // namespace msci
