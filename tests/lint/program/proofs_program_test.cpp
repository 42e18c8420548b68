// What msci-lint says where proofs are missing, and that kernels do not change each other's proofs.
#include <filesystem>
#include <map>

#include "tests/lint/program/lint_program.h"

namespace msci {
namespace {

using Json = nlohmann::json;

const std::string corpus = MSCI_CORPUS;
const std::string faulty = corpus + "/faults/atomic_room_read_plainly.metal";

// Runs with a cache of their own, with Z3 or without it.
class LintProofs : public LintProgram {
 protected:
  ProgramResult run(const std::string& arguments) const {
    return run_command(environment() + program_path("msci-lint") + " --no-config " + arguments,
                       folder_);
  }
  // The dynamic linker finds a file that is no library before Z3.
  ProgramResult run_without_z3(const std::string& arguments) const {
    write("no_z3/libz3.so.4", "");
    return run_command("LD_LIBRARY_PATH=" + (folder_ / "no_z3") + " " + environment() +
                           program_path("msci-lint") + " --no-config " + arguments,
                       folder_);
  }
  std::string environment() const { return "XDG_CACHE_HOME=" + (folder_ / "cache") + " "; }

  std::string write_joined(const std::string& name, const std::vector<std::string>& files) const {
    std::string text;
    for (const auto& file : files) text += contents(corpus + "/" + file);
    return write(name, text);
  }

  Json proofs_of(const std::string& file) const {
    return Json::parse(run("--json --no-cache " + file).out)["proofs"];
  }
};

constexpr const char* off = "proofs are off: libz3.so.4 cannot be loaded: ";

// No affine answer knows a product of two unknown numbers.
constexpr const char* products =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void products(device float* x [[buffer(0)]], uint2 p [[thread_position_in_grid]],\n"
    "                     uint2 n [[threads_per_grid]]) {\n"
    "  x[p.x * p.y] = x[p.y * n.x + p.x] + 1.0f;\n}\n";

TEST_F(LintProofs, says_that_they_are_off_and_forgets_it_with_z3) {
  const auto file = write("products.metal", products);
  const auto without = run_without_z3(file);
  EXPECT_EQ(without.status, 0);
  EXPECT_TRUE(has(without.out, std::string("1 file: nothing found; ") + off));
  EXPECT_EQ(run_without_z3(file).out, without.out) << "also from the cache";
  EXPECT_TRUE(has(run_without_z3("--statistics " + file).out,
                  "not proved: " + file + ": products: proofs are off\n"));
  const auto proofs = Json::parse(run_without_z3("--json " + file).out)["proofs"];
  EXPECT_EQ(proofs["kernels"], 1) << proofs;
  EXPECT_EQ(proofs["unproved"].size(), 1u) << proofs;
  EXPECT_TRUE(has(proofs["off"].get<std::string>(), "libz3.so.4 cannot be loaded: "));
  EXPECT_TRUE(has(run_without_z3("--format sarif " + file).out, off));
  EXPECT_FALSE(has(run(file).out, "proofs are off"));
  EXPECT_EQ(proofs_of(file)["off"], nullptr);
}

TEST_F(LintProofs, need_no_z3_for_affine_indices) {
  for (const auto& result : {run(faulty), run_without_z3(faulty)}) {
    EXPECT_TRUE(has(result.out, "[hazard.device_race]"));
    EXPECT_TRUE(has(result.out, "1 file: 0 errors, 1 warning, 0 notes\n"));
  }
  EXPECT_EQ(proofs_of(faulty),
            Json({{"kernels", 2}, {"unproved", Json::array()}, {"off", nullptr}}));
}

TEST_F(LintProofs, can_be_required) {
  const auto file = write("products.metal", products);
  const auto without = run_without_z3("--require-proofs " + file);
  EXPECT_EQ(without.status, 2);
  EXPECT_TRUE(has(without.err, std::string("msci-lint: ") + off));
  EXPECT_EQ(run("--require-proofs " + faulty).status, 0);
  EXPECT_EQ(run_without_z3("--require-proofs --ignore hazard " + file).status, 0)
      << "no rule asks for proofs";
}

TEST_F(LintProofs, are_off_in_the_list_of_rules) {
  const auto with = run("--list-rules").out, without = run_without_z3("--list-rules").out;
  EXPECT_FALSE(has(with, "proofs are off"));
  std::size_t marked = 0;
  for (std::size_t at = 0; (at = without.find(off, at)) != without.npos; ++at) ++marked;
  EXPECT_EQ(marked, 4u);
}

TEST_F(LintProofs, find_a_fault_behind_other_kernels) {
  const std::vector<std::string> good = {"good/attention.metal", "good/gemm_simdgroup.metal",
                                         "good/softmax.metal", "good/transpose.metal"};
  const auto found = [&](const std::string& file) {
    const auto out = Json::parse(run("--json --no-cache --select hazard.device_race " + file).out);
    std::vector<std::string> messages;
    for (const auto& each : out["diagnostics"])
      messages.push_back(each["message"].get<std::string>());
    return messages;
  };
  const std::string last = "faults/atomic_room_read_plainly.metal";
  const auto alone = found(write_joined("alone.metal", {last}));
  ASSERT_EQ(alone.size(), 1u);
  EXPECT_EQ(found(write_joined("behind_one.metal", {good[0], last})), alone);
  EXPECT_EQ(found(write_joined("before_one.metal", {last, good[0]})), alone);
  auto all = good;
  all.push_back(last);
  EXPECT_EQ(found(write_joined("behind_four.metal", all)), alone);
}

// The reason of each kernel that is not proved.
std::map<std::string, std::string> reasons_of(const Json& proofs) {
  std::map<std::string, std::string> reasons;
  for (const auto& each : proofs["unproved"]) reasons[each["kernel"]] = each["reason"];
  return reasons;
}

TEST_F(LintProofs, come_to_the_same_end_behind_other_kernels) {
  const std::vector<std::string> files = {"good/attention.metal", "good/gemm_simdgroup.metal",
                                          "good/softmax.metal", "good/transpose.metal"};
  std::map<std::string, std::string> alone;
  std::size_t kernels = 0;
  for (const auto& file : files) {
    const auto proofs = proofs_of(corpus + "/" + file);
    kernels += proofs["kernels"].get<std::size_t>();
    alone.merge(reasons_of(proofs));
  }
  const auto together = proofs_of(write_joined("together.metal", files));
  EXPECT_EQ(reasons_of(together), alone);
  EXPECT_EQ(together["kernels"], kernels);
}

// A line is reversed in threadgroup memory by threads that come to the barrier if `i < n`.
constexpr const char* returns_early =
    "#include <metal_stdlib>\nusing namespace metal;\n"
    "kernel void f(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],\n"
    "              uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {\n"
    "  threadgroup float line[64];\n"
    "  if (i >= n) return;\n"
    "  line[t] = x[i];\n"
    "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
    "  x[i] = line[63 - t];\n}\n";

std::string plan_for(const std::string& n, const std::string& sizes) {
  return R"({"sizes": [)" + sizes + R"(], "buffers": {"x": {"type": "float", "count": "threads"},
      "n": {"type": "uint", "values": [")" +
         n + R"("]}},
      "launches": [{"kernel": "f", "grid": ["threads"], "threadgroup": [64],
                    "bind": {"0": "x", "1": "n"}}]})";
}

TEST_F(LintProofs, with_a_plan_withdraw_a_warning_that_its_launches_exclude) {
  const auto file = write("k.metal", returns_early);
  const std::string warning = "[hazard.barrier_divergence]";
  const auto warns = [&](const std::string& n, const std::string& sizes) {
    const auto plan = write("plan.json", plan_for(n, sizes));
    const auto result = run("--select hazard.barrier_divergence --plan " + plan + " " + file);
    EXPECT_EQ(result.status, 0) << result.err;
    return result.out.find(warning) != std::string::npos;
  };
  const std::string one = R"({"label": "a", "threads": 256})";
  EXPECT_TRUE(has(run("--select hazard.barrier_divergence " + file).out, warning));
  EXPECT_FALSE(warns("threads", one));
  EXPECT_FALSE(warns("300", one));
  EXPECT_TRUE(warns("threads - 1", one));
  EXPECT_TRUE(warns("300", one + R"(, {"label": "b", "threads": 320})"))
      << "the second size shows it";
}

TEST_F(LintProofs, let_a_kernel_for_one_threadgroup_use_its_position_in_the_grid) {
  const auto file =
      write("one.metal",
            "#include <metal_stdlib>\nusing namespace metal;\n"
            "[[max_total_threads_per_threadgroup(256)]]\n"
            "kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
            "  threadgroup float line[256];\n"
            "  line[i] = x[i];\n"
            "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
            "  x[i] = line[255 - i];\n}\n");
  EXPECT_EQ(run("--select hazard " + file).out, "1 file: nothing found\n");
}

TEST_F(LintProofs, name_a_kernel_that_is_too_large) {
  std::string text =
      "kernel void large(device float* x, uint i [[thread_index_in_threadgroup]]) {\n";
  for (int i = 0; i < 1000; ++i) text += "  x[i + 1] = x[i] + 1.0f;\n";
  const auto file = write("large.metal", "#include <metal_stdlib>\n" + text + "}\n");
  EXPECT_TRUE(has(run("--select hazard.device_race " + file).out,
                  "; not proved: 1 of 1 kernel: too large\n"));
}

}  // namespace
}  // namespace msci
