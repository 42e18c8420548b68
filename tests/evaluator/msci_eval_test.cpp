// msci-eval as its users meet it: arguments in; output and exit status out.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include "base/json.h"
#include "tasks/plan/program.h"
#include "tests/support/run_program.h"

namespace msci {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A file of NumPy's with a row of floats.
std::string npy_of(const std::vector<float>& values) {
  auto header = "{'descr': '<f4', 'fortran_order': False, 'shape': (" +
                std::to_string(values.size()) + ",), }";
  header.resize(117, ' ');
  header += '\n';
  const auto length = static_cast<char>(header.size());
  return std::string("\x93NUMPY\x01\0", 8) + length + '\0' + header +
         std::string(reinterpret_cast<const char*>(values.data()), sizeof(float) * values.size());
}

class MsciEval : public testing::Test {
 protected:
  // Runs msci-eval in a shell. The tests share a cache, so that the devices are measured once.
  ProgramResult eval(const std::string& arguments, const std::string& environment = "") const {
    return run_command("XDG_CACHE_HOME=" MSCI_TEST_CACHE " " + environment + " " +
                           program_path("msci-eval") + " " + arguments,
                       folder_);
  }

  // The same for translated programs.
  ProgramResult eval_program(const std::string& arguments,
                             const std::string& environment = "") const {
    return eval("--program " + arguments, environment);
  }

  // The answer about a kernel that does not end, once it has this part: the kernel's time limit
  // grows until a slow machine has come that far.
  ProgramResult eval_to_the_limit(const std::string& arguments, const std::string& part) const {
    for (int limit = 1;; limit *= 2) {
      auto result = eval(arguments + " --time-limit " + std::to_string(limit));
      if (limit > 100 || (result.out + result.err).find(part) != std::string::npos) return result;
    }
  }

  // A copy of one of the programs, with one text replaced by another.
  std::string variant(const std::string& name, const std::string& from,
                      const std::string& to) const {
    auto translation = from_program_file(contents(program(name)));
    EXPECT_TRUE(translation);
    const auto at = translation->text.find(from);
    EXPECT_NE(at, std::string::npos);
    translation->text.replace(at, from.size(), to);
    return write(name + "_variant.cl", to_program_file(*translation));
  }

  std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }

  static std::string program(const std::string& name) { return MSCI_PROGRAMS "/" + name + ".cl"; }
  // The text of a task's seed kernel.
  static std::string seed(const std::string& task) {
    return contents(MSCI_DOCS "/../tasks/" + task + "/" + task + ".metal");
  }

  static void expect_one_line(const ProgramResult& result, const std::string& part) {
    EXPECT_EQ(result.status, 2);
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(result.out, "");
  }

  Folder folder_;
};

TEST_F(MsciEval, scores_a_program_that_is_right) {
  const auto result = eval_program(program("heat2d") + " --task heat2d --json --held-out");
  EXPECT_EQ(result.status, 0) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["correct"], true);
  EXPECT_EQ(json["ceiling_source"], "measured");
  EXPECT_GT(json["score"], 0);
  ASSERT_EQ(json["sizes"].size(), 3u);
  for (const auto& size : json["sizes"]) EXPECT_GT(size["gpu_seconds"], 0);
  EXPECT_EQ(json["held_out"]["label"], "768x768_75");
  EXPECT_EQ(json["held_out"]["correct"], true);
}

TEST_F(MsciEval, verifies_without_timing) {
  for (const std::string name : {"nbody", "heat2d"}) {
    const auto result = eval_program(program(name) + " --task " + name + " --verify-only");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_NE(result.out.find("all sizes right"), std::string::npos) << result.out;
  }
}

TEST_F(MsciEval, has_colours_where_they_are_asked_for) {
  const auto command = program("nbody") + " --task nbody --verify-only";
  EXPECT_EQ(eval_program(command).out.find('\033'), std::string::npos);
  EXPECT_NE(eval_program(command + " --color always").out.find("\033[32mright"), std::string::npos);
  EXPECT_NE(eval_program(command, "FORCE_COLOR=1").out.find("\033[32mright"), std::string::npos);
  EXPECT_EQ(eval_program(command + " --color never", "FORCE_COLOR=1").out.find('\033'),
            std::string::npos);
}

TEST_F(MsciEval, a_wrong_program_is_an_answer) {
  const auto wrong = variant("heat2d", "4.0f * c", "3.9f * c");
  const auto result = eval_program(wrong + " --task heat2d --verify-only");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "");
  EXPECT_NE(result.out.find("correctness failed at size 256x256_50: max_abs="), std::string::npos)
      << result.out;
  EXPECT_TRUE(std::regex_search(
      result.out,
      std::regex(R"(WRONG  max_abs \S+ \(at most \S+\); \d+ of 65536 elements differ by )"
                 R"(more; A\[\d+\] is [-.e\d]+, not [-.e\d]+\n)")))
      << result.out;
}

TEST_F(MsciEval, a_wrong_held_out_size_is_not_all_right) {
  const auto wrong = variant("heat2d", "i >= width ||", "width == 768 || i >= width ||");
  EXPECT_EQ(eval_program(wrong + " --task heat2d --verify-only").status, 0);
  const auto result = eval_program(wrong + " --task heat2d --verify-only --held-out --json");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(Json::parse(result.out)["correct"], true);
  EXPECT_EQ(Json::parse(result.out)["held_out"]["correct"], false);
}

TEST_F(MsciEval, the_gate_tells_what_the_shown_sizes_hide) {
  const auto gate = [&](const std::string& incumbent) {
    return eval_program(incumbent + " --task nbody --gate --verdict compatible --json --vs " +
                        program("nbody"));
  };
  const auto itself = gate(program("nbody"));
  EXPECT_EQ(itself.status, 0) << itself.err;
  EXPECT_EQ(Json::parse(itself.out)["verdict"], "generalises");
  EXPECT_EQ(Json::parse(itself.out)["size"], "512_10");
  EXPECT_EQ(Json::parse(itself.out)["same_program"], true);
  EXPECT_EQ(Json::parse(itself.out)["speedup"], nullptr);

  const auto wrong = gate(variant("nbody", "i >= n", "n == 512 || i >= n"));
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  EXPECT_EQ(Json::parse(wrong.out)["verdict"], "silent-incorrect");
  EXPECT_EQ(Json::parse(wrong.out)["speedup"], nullptr);

  const auto early = gate(variant("nbody", "masses[j]", "2 * masses[j]"));
  EXPECT_EQ(early.status, 1) << early.err;
  EXPECT_EQ(Json::parse(early.out)["verdict"], "incorrect");
  EXPECT_EQ(Json::parse(early.out)["seed"], nullptr);
  EXPECT_EQ(std::string(Json::parse(early.out)["incumbent"]["fail_reason"])
                .rfind("correctness failed at size 256_10", 0),
            0u)
      << early.out;
  const auto stranger =
      eval_program(program("heat2d") + " --task nbody --gate --vs " + program("nbody"));
  EXPECT_EQ(stranger.status, 1) << stranger.err;
  EXPECT_NE(stranger.out.find("pipeline error: kernel nbody_step not found"), std::string::npos)
      << stranger.out;

  expect_one_line(eval("--task nbody --gate"), "--gate needs one FILE");
}

TEST_F(MsciEval, an_option_that_would_change_nothing_is_refused) {
  const auto kernel = program("heat2d") + " --task heat2d ";
  for (const std::string options :
       {"--check --gate", "--check --strict", "--check --vs seed", "--check --fuzz-sizes 3",
        "--check --verify-result v.json", "--check --perf-result p.json", "--check --cold",
        "--strict --verdict strict", "--gate --fuzz-sizes 3", "--gate --verify-result v.json",
        "--gate --perf-result p.json", "--verify-only --vs seed", "--verify-only --cold",
        "--strict --no-certificate --require-executed", "--list-devices"}) {
    const auto result = eval_program(kernel + options);
    EXPECT_EQ(result.status, 2) << options;
    EXPECT_NE(result.err.find(" excludes "), std::string::npos) << options << ": " << result.err;
    EXPECT_EQ(result.out, "") << options;
  }
  expect_one_line(eval_program(kernel + "--skip-gate"), "--skip-gate requires --perf-result");
  for (const std::string option : {"--no-certificate", "--require-executed"})
    expect_one_line(eval_program(kernel + option), option + " needs --strict or --gate");
  expect_one_line(eval_program(kernel + "--emit opencl"),
                  "--emit translates the FILE that you name and runs no task: leave --task and "
                  "--plan out");
}

TEST_F(MsciEval, a_crash_or_an_endless_loop_is_an_answer) {
  const auto crash = variant("heat2d", "to[at] = ", "to[at - 1000000000000L] = ");
  EXPECT_EQ(eval_program(crash + " --task heat2d --verify-only").status, 1);
  const auto endless =
      variant("heat2d", "to[at] = ", "for (volatile uint k = 1; k; k |= 1) ; to[at] = ");
  const auto result =
      eval_program(endless + " --task heat2d --verify-only --time-limit 1.5 --json");
  EXPECT_EQ(result.status, 1);
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["fail_reason"],
            "runtime error at size 256x256_50: no result after 1.5 s of running");
  EXPECT_EQ(json["sizes"].size(), 1u) << "each further size would wait for the limit again";
}

TEST_F(MsciEval, a_program_for_another_task_is_refused) {
  const auto result = eval_program(program("nbody") + " --task heat2d --verify-only");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(
      result.out.find("pipeline error: kernel heat_step not found; the source has: nbody_step"),
      std::string::npos)
      << result.out;
}

TEST_F(MsciEval, several_files_give_a_line_each_in_their_order) {
  const auto result = eval_program(program("nbody") + " no_such_file " + program("heat2d") +
                                   " --task nbody --verify-only --json");
  EXPECT_EQ(result.status, 2);
  std::istringstream lines(result.out);
  std::vector<Json> reports;
  for (std::string line; std::getline(lines, line);) reports.push_back(Json::parse(line));
  ASSERT_EQ(reports.size(), 3u);
  EXPECT_EQ(reports[0]["correct"], true);
  EXPECT_EQ(reports[1]["error"], "cannot read no_such_file: no such file");
  EXPECT_EQ(reports[2]["correct"], false);
  EXPECT_NE(result.err.find("2 kernels judged in "), std::string::npos) << result.err;
}

// The device twice, so that two kernels are judged at once wherever the test runs.
TEST_F(MsciEval, a_batch_on_two_devices_keeps_the_files_order) {
  const auto wrong = variant("heat2d", "4.0f * c", "3.9f * c");
  const auto files = program("heat2d") + " " + wrong + " " + (folder_ / "missing.cl") + " " +
                     program("nbody") + " " + wrong + " " + program("heat2d");
  const auto result = eval_program(
      files + " --task nbody,heat2d --verify-only --json --device opencl,opencl --stop-at-wrong");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("missing.cl: no such file"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("msci-eval: 5 kernels judged in "), std::string::npos) << result.err;
  const std::tuple<std::string, std::string, bool> expected[] = {
      {"heat2d.cl", "heat2d", true},
      {"heat2d_variant.cl", "heat2d", false},
      {"missing.cl", "", false},
      {"nbody.cl", "nbody", true},
      {"heat2d_variant.cl", "heat2d", false},
      {"heat2d.cl", "heat2d", true}};
  std::istringstream lines(result.out);
  for (const auto& [file, task, right] : expected) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    const auto json = Json::parse(line);
    EXPECT_EQ(fs::path(std::string(json["file"])).filename(), file);
    EXPECT_EQ(json["task"].is_null() ? "" : std::string(json["task"]), task);
    EXPECT_EQ(json["correct"] == true, right) << line;
  }
  expect_one_line(eval_program(program("nbody") + " --task nbody --check --device opencl,opencl"),
                  "--check, --prove, --numerics, --gate and --perf-result need one --device");
  const auto timed = eval_program(program("nbody") + " --task nbody --device opencl,opencl");
  EXPECT_EQ(timed.status, 2);
  EXPECT_NE(timed.err.find("name one --device, or add --verify-only"), std::string::npos)
      << timed.err;
}

TEST_F(MsciEval, of_several_tasks_a_file_is_judged_on_those_it_is_written_for) {
  for (const std::string tasks : {"all", "heat2d,nbody"}) {
    const auto result =
        eval_program(program("nbody") + " --tasks " + tasks + " --verify-only --json");
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_EQ(Json::parse(result.out)["task"], "nbody");
  }
  const auto other = eval_program(program("nbody") + " --task saxpy,hmc --verify-only --json");
  EXPECT_EQ(other.status, 1);
  EXPECT_EQ(Json::parse(other.out)["task"], nullptr);
  EXPECT_EQ(Json::parse(other.out)["fail_reason"],
            "pipeline error: none of the tasks dispatches a kernel of this source");
  expect_one_line(eval_program(program("nbody") + " --task nbody,hmk"),
                  "no task is called \"hmk\"");
}

TEST_F(MsciEval, shows_no_progress_where_standard_error_is_no_terminal) {
  EXPECT_EQ(eval_program(program("nbody") + " --task nbody --verify-only").err, "");
}

TEST_F(MsciEval, shows_its_progress_through_the_sizes_of_one_file) {
  const auto command = "TERM=xterm XDG_CACHE_HOME=" MSCI_TEST_CACHE " script -qec '" +
                       program_path("msci-eval") + " --program " + program("nbody") +
                       " --task nbody --verify-only --no-cache' " + folder_ / "typescript" + " >" +
                       folder_ / "seen" + " 2>&1";
  ASSERT_EQ(std::system(command.c_str()), 0) << contents(folder_ / "seen");
  const auto seen = contents(folder_ / "seen");
  EXPECT_NE(seen.find("[--------------------] 0/3 "), std::string::npos) << seen;
  EXPECT_NE(seen.find("[#############-------] 2/3 "), std::string::npos) << seen;
}

TEST_F(MsciEval, reads_standard_input) {
  EXPECT_EQ(eval_program("- --task nbody --verify-only <" + program("nbody")).status, 0);
}

TEST_F(MsciEval, bad_input_gets_one_clear_line) {
  const std::string options = " --task nbody --verify-only";
  expect_one_line(eval("no_such_file" + options), "cannot read no_such_file: no such file");
  expect_one_line(eval(folder_.path().string() + options), "it is a directory");
  expect_one_line(eval(write("empty", "") + options), "empty is empty; write the text into it");
  expect_one_line(eval(write("binary", std::string("\0\1\2", 3)) + options),
                  "binary is not text but binary");
  expect_one_line(eval(write("large", std::string(50 << 20, 'x')) + options), "larger than 16 MiB");
  expect_one_line(eval_program(write("cut.cl", "/* msci-program 1\n{") + options), "truncated");
  expect_one_line(
      eval_program(program("nbody") + " --task nbodi"),
      "no task is called \"nbodi\"; did you mean \"nbody\"? The tasks are adi3d, fft3d, ");
  expect_one_line(eval("--emit opencl"), "--emit needs one FILE");
  expect_one_line(eval_program(program("nbody")), "no --task given");
}

TEST_F(MsciEval, an_unknown_device_lists_the_known) {
  const auto result = eval_program(program("nbody") + " --task nbody --device radeon");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("no device matches \"radeon\"; known devices:\n  0  0:0  "),
            std::string::npos)
      << result.err;
}

TEST_F(MsciEval, an_unknown_device_tells_why_back_ends_have_none) {
  const auto result = eval_program(program("nbody") + " --task nbody --device radeon",
                                   "OCL_ICD_VENDORS=" + folder_.path().string() + "/");
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.err.find("\n  back ends without devices: no OpenCL platform is installed; "),
            std::string::npos)
      << result.err;
}

TEST_F(MsciEval, says_which_package_gives_a_platform_where_none_is_installed) {
  expect_one_line(eval_program(program("nbody") + " --task nbody",
                               "OCL_ICD_VENDORS=" + folder_.path().string() + "/"),
                  "apt-get install pocl-opencl-icd");
}

TEST_F(MsciEval, works_on_where_nothing_can_be_cached) {
  const auto blocked = write("blocked", "a file");
  const auto result =
      eval_program(program("nbody") + " --task nbody --verify-only", "XDG_CACHE_HOME=" + blocked);
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.err.find("msci-eval: warning: cannot keep results in " + blocked), 0u)
      << result.err;
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
}

// The results of a plan's command are kept, too.
TEST_F(MsciEval, warns_where_the_results_of_a_plan_cannot_be_kept) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "its reference needs python3";
  const std::string folder = MSCI_DOCS "/plan_example/";
  const auto blocked = write("blocked", "a file");
  const auto judged = eval(
      folder + "smooth.metal --plan " + folder + "plan.json --verify-only --device cpu --no-cache",
      "XDG_CACHE_HOME=" + blocked);
  EXPECT_EQ(judged.status, 0) << judged.err;
  EXPECT_EQ(judged.err.find("msci-eval: warning: cannot keep results in " + blocked), 0u)
      << judged.err;
  EXPECT_EQ(std::count(judged.err.begin(), judged.err.end(), '\n'), 1) << judged.err;
}

TEST_F(MsciEval, ends_with_a_message_where_memory_ends) {
  const auto kernel = write("k.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 1; }
)");
  const auto plan = write("large.json", R"({"sizes": [{"label": "large", "n": 155000000}],
  "buffers": {"x": {"type": "float", "count": "n"}, "y": {"type": "float", "count": "n"}},
  "launches": [{"kernel": "f", "grid": ["n"], "threadgroup": [64], "bind": {"0": "x"}}]})");
  const auto result = run_command("ulimit -v 1200000; " + program_path("msci-eval") + " " + kernel +
                                      " --plan " + plan + " --check",
                                  folder_);
  expect_one_line(result, "the system gives no more memory");
}

TEST_F(MsciEval, unknown_options_are_bad_usage) {
  EXPECT_EQ(eval("--no-such-option").status, 2);
  expect_one_line(eval("--verify"), "--verify; did you mean \"--verify-only\"?");
  expect_one_line(eval_program(program("nbody") + " --task nbody --time-limit 10s"),
                  "--time-limit: 10s is not a number of seconds");
  expect_one_line(eval_program(program("nbody") + " --task nbody --memory-limit 1G"),
                  "--memory-limit: 1G is not a whole number of MiB");
  EXPECT_EQ(eval_program(program("nbody") + " --task nbody --time-limit 0").status, 2);
  EXPECT_EQ(eval_program(program("nbody") + " --emit spirv").status, 2);
}

TEST_F(MsciEval, lists_and_helps) {
  EXPECT_NE(eval("--list-devices").out.find("0  0:0  "), std::string::npos);
  const auto devices = eval("--list-devices --json").out;
  const auto first = Json::parse(devices.substr(0, devices.find('\n')));
  EXPECT_EQ(first["index"], 0);
  EXPECT_FALSE(first["name"].get<std::string>().empty());
  EXPECT_GT(first["global_memory"], 0);
  const auto faults = eval("--list-faults").out;
  EXPECT_NE(faults.find("\ncheck.division_by_zero         note   an integer is divided by zero"),
            std::string::npos)
      << faults;
  const auto help = eval("--help");
  EXPECT_EQ(help.status, 0);
  const auto examples = help.out.find("Examples:");
  ASSERT_NE(examples, std::string::npos);
  for (const std::string mode :
       {"--strict", "--check", "--inputs", "--prove", "--numerics", "--reduce", "--vs"})
    EXPECT_NE(help.out.find(mode, examples), std::string::npos) << mode << "\n" << help.out;
}

TEST_F(MsciEval, times_nothing_that_is_not_proven) {
  const auto kernel = program("nbody");
  const auto proof = folder_ / "verify_result.json";
  const auto perf = " --task nbody --perf-result " + (folder_ / "perf_result.json");
  expect_one_line(eval_program(kernel + perf), "no timing without proof: " + proof);
  EXPECT_EQ(eval_program(kernel + " --task nbody --verify-only --verify-result " + proof).status,
            0);
  const auto other = variant("nbody", "}", "}\n");
  expect_one_line(eval_program(other + perf), "it is about another kernel");
  EXPECT_FALSE(fs::exists(folder_ / "perf_result.json"));
  EXPECT_EQ(eval_program(kernel + perf + " --protocol metal-sci").status, 0);
  const auto json = Json::parse(contents(folder_ / "perf_result.json"));
  EXPECT_EQ(json["passed_cases"], 3);
  EXPECT_GT(json["speedup"], 0);
}

// Another text behind the name of the proven kernel must not be timed. A pipe gives its text once.
TEST_F(MsciEval, times_the_text_that_is_proven) {
  const auto proof = folder_ / "verify_result.json";
  const auto perf = folder_ / "perf_result.json";
  const auto kernel = program("nbody");
  EXPECT_EQ(eval_program(kernel + " --task nbody --verify-only --verify-result " + proof).status,
            0);
  const auto piped =
      eval_program("- --task nbody --protocol metal-sci --perf-result " + perf + " < " + kernel);
  EXPECT_EQ(piped.status, 0) << piped.err;
  const auto json = Json::parse(contents(perf));
  EXPECT_EQ(json["passed_cases"], 3);
  EXPECT_EQ(json["candidate"], Json::parse(contents(proof))["candidate"]);
}

TEST_F(MsciEval, emits_a_program_file_as_it_is) {
  const auto emitted = eval_program(program("nbody") + " --emit opencl");
  EXPECT_EQ(emitted.status, 0);
  const auto again = eval_program(write("again.cl", emitted.out) + " --emit opencl");
  EXPECT_EQ(again.out, emitted.out);
}

TEST_F(MsciEval, refuses_a_program_that_no_translation_is) {
  const auto assembly = variant("nbody", "}", "}\nvoid f(void) { asm(\"nop\"); }\n");
  expect_one_line(eval_program(assembly + " --task nbody"), "contains 'asm'");
  const auto changed = write("changed.cl", contents(program("nbody")) + "\n");
  expect_one_line(eval_program(changed + " --task nbody"), "was changed or cut off");
}

// Four bodies at a time: a quarter of the waits, with four times the registers.
TEST_F(MsciEval, compares_with_a_rival_by_prediction_and_says_why) {
  const auto answer = contents(MSCI_DOCS "/demo/nbody/4.md");
  const auto begin = answer.find("#include");
  const auto kernel = write("four.metal", answer.substr(begin, answer.find("```", begin) - begin));
  const auto options = kernel + " --task nbody --vs seed --verify-only --predict m1-pro";
  const auto result = eval(options + " --json");
  EXPECT_EQ(result.status, 0) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["versus"], nullptr);  // nothing was measured
  const auto& predicted = json["predicted_versus"];
  EXPECT_EQ(predicted["rival"], "nbody.metal");
  EXPECT_EQ(predicted["claim"], "faster");
  EXPECT_GT(predicted["confidence"], 0.8);
  ASSERT_EQ(predicted["sizes"].size(), 3u);
  const auto& size = predicted["sizes"][2];
  EXPECT_EQ(size["candidate_seconds"], json["sizes"][2]["predicted_seconds"]);
  EXPECT_EQ(size["moved"][0]["counter"], "chain_cycles");
  EXPECT_LT(size["moved"][0]["candidate"], size["moved"][0]["rival"]);
  const auto text = eval(options).out;
  EXPECT_NE(text.find("against nbody.metal, as predicted for m1-pro"), std::string::npos) << text;
  EXPECT_NE(text.find(", faster with a confidence of "), std::string::npos) << text;
}

// A Metal host could not build its pipeline; a profile has no text that counts the bytes.
TEST_F(MsciEval, refuses_too_much_threadgroup_memory_with_a_prediction_too) {
  const auto kernel = write("k.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& N [[buffer(3)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[10000];
  tile[t] = i < N ? x[i] : 0.0f;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (i < N) y[i] = a * tile[t] + y[i];
}
)");
  const auto result = eval(kernel + " --task saxpy --verify-only --predict m1-pro --json");
  EXPECT_EQ(result.status, 1) << result.out << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["threadgroup_bytes"], 40000);
  EXPECT_NE(json["fail_reason"].get<std::string>().find("40000"), std::string::npos) << result.out;
}

TEST_F(MsciEval, predicts_beside_measured_times) {
  const auto source = write("k.metal", seed("nbody"));
  const auto json =
      Json::parse(eval(source + " --task nbody --predict m2 --json --protocol metal-sci").out);
  EXPECT_EQ(json["chip"], "m2");
  EXPECT_GT(json["predicted_score"], 0);
  for (const auto& size : json["sizes"]) {
    EXPECT_GT(size["gpu_seconds"], 0);
    EXPECT_GT(size["predicted_seconds"], 0);
    EXPECT_NE(size["advice"], "");
  }
}

// A model's answer must not choose what it is.
TEST_F(MsciEval, a_text_that_begins_as_a_program_is_judged_as_metal) {
  const auto result = eval(program("nbody") + " --task nbody --verify-only --json");
  EXPECT_EQ(result.status, 1) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["compile_ok"], false);
  EXPECT_NE(std::string(json["fail_reason"]).find("--program reads one"), std::string::npos)
      << result.out;
}

// The compiler needs much of the stack for it, and finds it however many devices there are.
TEST_F(MsciEval, a_deeply_nested_source_is_read_for_several_devices_as_for_one) {
  std::string sum = "a * x[i]";
  for (int i = 0; i < 8000; ++i) sum += " + x[i]";
  const std::string deep = R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) { if (i < n) y[i] = )" +
                           sum + "; }\n";
  std::string files;
  for (const std::string name : {"a", "b", "c"}) files += write(name + ".metal", deep) + " ";
  const auto result =
      eval(files + "--task saxpy --verify-only --stop-at-wrong --json --device 0,0");
  EXPECT_EQ(result.status, 1) << result.err;
  std::istringstream lines(result.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_EQ(Json::parse(line)["compile_ok"], true) << line;
}

TEST_F(MsciEval, without_files_the_seeds_are_evaluated) {
  const auto result = eval("--task nbody,heat2d --verify-only --json");
  EXPECT_EQ(result.status, 0) << result.err;
  std::istringstream lines(result.out);
  for (const std::string task : {"nbody", "heat2d"}) {
    std::string line;
    ASSERT_TRUE(std::getline(lines, line));
    EXPECT_EQ(Json::parse(line)["task"], task);
    EXPECT_EQ(Json::parse(line)["correct"], true);
  }
}

// A race on lines 7 and 8, with `behind` at the end of line 8.
std::string racing_saxpy(const std::string& behind = "") {
  return R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[256];
  tile[t] = i < n ? x[i] : 0.0f;
  if (i < n) y[i] += a * tile[t ^ 1];)" +
         behind + "\n}\n";
}

// Only a size that a certificate asks for shows that the kernel is wrong.
TEST_F(MsciEval, a_strict_verdict_without_a_certificate_makes_no_sizes) {
  auto source = seed("heat2d");
  const std::string right = "c + alpha *";
  source.replace(source.find(right), right.size(), "c + (NX * NX == 344569u ? 2.0f : alpha) *");
  const auto result =
      eval(write("wrong.metal", source) +
           " --task heat2d --device cpu --verify-only --strict --no-certificate --json");
  EXPECT_EQ(result.status, 0) << result.err;
  const auto strict = Json::parse(result.out)["strict"];
  EXPECT_EQ(strict["passed"], true);
  EXPECT_EQ(strict["certificate"], nullptr);
  EXPECT_EQ(strict["never_executed"], nullptr);
  EXPECT_GT(strict["sizes"].size(), 2U);
  for (const auto& size : strict["sizes"]) {
    const auto label = size["label"].get<std::string>();
    EXPECT_FALSE(label.starts_with("made") || label.starts_with("again")) << label;
  }
}

// OpenCL C has no checked form, so part of the strict verdict is missing.
// Another comment is not another draw of inputs, and a new nonce of the user's is one.
TEST_F(MsciEval, remembers_a_refused_program_whatever_its_text_is) {
  auto text = seed("heat2d");
  text.insert(text.find("alpha * (around"), "1.00002f * ");
  const auto nonce_of = [&](const std::string& source, const std::string& more) {
    const auto result = eval(write("approximate.metal", source) +
                             " --task heat2d --strict --verify-only --device cpu --json" + more);
    EXPECT_EQ(result.status, 1) << result.err;
    return Json::parse(result.out)["strict"]["nonce"].get<std::string>();
  };
  const auto first = nonce_of(text, "");
  EXPECT_EQ(nonce_of("// Another text.\n" + text, ""), first);
  EXPECT_NE(nonce_of("// One more.\n" + text, " --no-cache"), first);
  EXPECT_EQ(nonce_of("// The last one.\n" + text, " --nonce 5eed"), "0000000000005eed");
}

TEST_F(MsciEval, a_translated_program_cannot_be_judged_strictly) {
  const auto command = "--program " + program("heat2d") + " --task heat2d --verify-only ";
  const auto result = eval(command + "--strict --json");
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_NE(
      result.err.find("strictly: a run with checked accesses is missing: a translated program "
                      "has no checked form. --verdict compatible judges without such runs"),
      std::string::npos)
      << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["correct"], nullptr);
  EXPECT_EQ(json["strict"]["passed"], false);
  EXPECT_EQ(json["strict"]["not_checked"], "a translated program has no checked form");
  EXPECT_EQ(eval(command + "--verdict compatible").status, 0);
}

// Clang needs more stack for it than a thread has: the processes of checked runs get as much as
// those of plain ones.
TEST_F(MsciEval, what_a_plain_run_translates_a_strict_one_translates_too) {
  auto source = seed("nbody");  // the quickest to judge
  const std::string softening = "eps * eps";
  std::string sum = softening;
  for (int i = 0; i < 20'000; ++i) sum += " + 0.0f";
  source.replace(source.find(softening), softening.size(), sum);
  const auto kernel = write("deep.metal", source);
  const auto command = kernel + " --task nbody --verify-only --device cpu";
  const auto plain = eval(command);
  ASSERT_EQ(plain.status, 0) << plain.out << plain.err;
  const auto strict = eval(command + " --strict");
  EXPECT_EQ(strict.status, 0) << strict.out << strict.err;
}

TEST_F(MsciEval, a_race_is_told_at_its_line_with_both_threads) {
  const auto kernel = write("race.metal", racing_saxpy());
  const auto result = eval(kernel + " --task saxpy --check --json --device cpu");
  EXPECT_EQ(result.status, 1) << result.err;
  const auto json = Json::parse(result.out);
  EXPECT_EQ(json["valid"], false);
  EXPECT_EQ(json["size"], "4096");
  const auto& findings = json["findings"];
  const auto race = std::find_if(findings.begin(), findings.end(),
                                 [](const auto& each) { return each["id"] == "check.race"; });
  ASSERT_NE(race, findings.end()) << result.out;
  EXPECT_EQ((*race)["line"], 8);
  EXPECT_EQ((*race)["notes"][0]["line"], 7);
  const auto text = eval(kernel + " --task saxpy --check --device cpu").out;
  EXPECT_NE(text.find("race.metal:8:"), std::string::npos) << text;
  EXPECT_NE(text.find("[check.race]"), std::string::npos) << text;
}

// Only the engine has checks and counters, so a GPU must not take their place, whatever is named.
TEST_F(MsciEval, checks_and_profiles_run_on_the_processor) {
  const auto check = write("race.metal", racing_saxpy()) + " --task saxpy --json ";
  const auto profile = write("k.metal", seed("nbody")) + " --task nbody --json ";
  const std::string note = " runs on cpu, not on --device ";
  for (const auto& [command, mode] : {std::pair<std::string, std::string>{check, "--check"},
                                      std::pair<std::string, std::string>{profile, "--profile"}}) {
    const auto plain = eval(command + mode + " --device cpu");
    const auto expected = Json::parse(plain.out);
    EXPECT_EQ(plain.err.find(note), std::string::npos) << plain.err;
    EXPECT_TRUE(std::string(expected["device"]).starts_with("cpu")) << expected["device"];
    EXPECT_EQ(expected["requested_device"], nullptr);
    EXPECT_EQ(eval(command + mode).out, plain.out);
    for (const std::string device : {"pocl", "nvidia", "0"}) {
      const auto result = eval(command + mode + " --device " + device);
      EXPECT_EQ(result.status, plain.status) << result.err;
      EXPECT_NE(result.err.find("msci-eval: note: " + mode + note + device + ": only msci's own"),
                std::string::npos)
          << result.err;
      auto json = Json::parse(result.out);
      EXPECT_EQ(json["requested_device"], device);
      json["requested_device"] = nullptr;
      EXPECT_EQ(json, expected);
    }
  }
}

// A right saxpy with one more statement, on line 7.
std::string saxpy_with(const std::string& statement) {
  return R"(#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  constant float& a [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = a * x[i] + y[i];
  )" + statement +
         "\n}\n";
}

TEST_F(MsciEval, numbers_that_go_wrong_are_traced) {
  const auto kernel =
      write("numbers.metal",
            saxpy_with("if (i < n) { const short cut = 1000 * i; y[i] = exp(x[i] + 100 + cut); }"));
  const auto result = eval(kernel + " --task saxpy --check --json --device cpu");
  EXPECT_EQ(result.status, 0) << result.err;  // notes
  const auto json = Json::parse(result.out);
  const auto finding = [&](const std::string& id) -> Json {
    for (const auto& each : json["findings"])
      if (each["id"] == id) return each;
    return nullptr;
  };
  const auto infinity = finding("check.not_finite");
  ASSERT_FALSE(infinity.is_null()) << result.out;
  EXPECT_NE(std::string(infinity["message"]).find("computes infinity: exp("), std::string::npos)
      << infinity;
  EXPECT_TRUE(std::string(infinity["notes"][0]["message"]).starts_with("x (at byte ")) << infinity;
  const auto cut = finding("check.narrowed");
  ASSERT_FALSE(cut.is_null()) << result.out;
  EXPECT_EQ(cut["notes"][0]["message"], "with 32 bits in its place, the results are others");
}

// The sum of 128 numbers of 1000 does not fit 16 bits. Whether it may be cut, the expected results
// say.
TEST_F(MsciEval, a_narrow_number_is_an_error_if_the_results_are_right_without_it) {
  const auto kernel = write("sums.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void sums(device const uint* x [[buffer(0)]], device float* y [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  ushort sum = 0;
  for (uint k = 0; k < 128; ++k) sum = sum + x[k];
  y[i] = sum;
}
)");
  const auto plan = write("sums.json", R"({"sizes": [{"label": "one", "n": 128}],
  "buffers": {"x": {"type": "uint", "count": "n", "fill": {"constant": 1000}},
              "y": {"type": "float", "count": "n"}},
  "launches": [{"kernel": "sums", "grid": [128], "threadgroup": [64], "bind": {"0": "x", "1": "y"}}],
  "expect": {"y": {"file": "y.npy"}}})");
  const auto checked = [&](float expected) {
    write("y.npy", npy_of(std::vector<float>(128, expected)));
    return eval(kernel + " --plan " + plan + " --check --device cpu");
  };
  const auto wrong = checked(128000);
  EXPECT_EQ(wrong.status, 1) << wrong.out;
  EXPECT_NE(
      wrong.out.find(": error: thread (0, 0, 0) of threadgroup (0, 0, 0) converts an integer "),
      std::string::npos)
      << wrong.out;
  EXPECT_NE(
      wrong.out.find("note: the results are wrong; with 32 bits in its place, they are right"),
      std::string::npos)
      << wrong.out;
  const auto meant = checked(128000 - 65536);
  EXPECT_EQ(meant.status, 0) << meant.out;
  EXPECT_NE(meant.out.find("note: with 32 bits in its place, the results are others"),
            std::string::npos)
      << meant.out;
}

TEST_F(MsciEval, a_comment_of_the_source_suppresses_a_fault) {
  const auto checked = [&](const std::string& source) {
    return eval(write("race.metal", source) + " --task saxpy --check --json --device cpu");
  };
  const std::string rule = "(hazard.threadgroup_race) the neighbour is in this simdgroup\n";
  const std::string block = "// msci: allow-begin" + rule + racing_saxpy() +
                            "// msci: allow-end(hazard.threadgroup_race)\n";
  for (const auto& source : {racing_saxpy("  // msci: allow" + rule),
                             "// msci: allow-file" + rule + racing_saxpy(), block}) {
    const auto result = checked(source);
    EXPECT_EQ(result.status, 0) << source << result.out << result.err;
    const auto json = Json::parse(result.out);
    EXPECT_EQ(json["findings"], Json::array()) << source;
    EXPECT_EQ(json["suppressed"][0]["id"], "check.race") << source;
    EXPECT_EQ(json["suppressed"][0]["reason"], "the neighbour is in this simdgroup") << source;
  }
  for (const auto& source : {racing_saxpy("  // msci: allow(hazard.out_of_bounds) another kind"),
                             racing_saxpy("  // msci: allow(hazard.threadgroup_race)"),
                             racing_saxpy("\n  // msci: allow" + rule)})
    EXPECT_EQ(checked(source).status, 1) << source;
  // A fault that lint does not find.
  const auto only_seen_running = checked("// msci: allow-file(hazard.out_of_bounds) it is meant\n" +
                                         saxpy_with("if (i == 70) y[n + i] = 1;"));
  EXPECT_EQ(only_seen_running.status, 0) << only_seen_running.out;
  const auto json = Json::parse(only_seen_running.out);
  EXPECT_EQ(json["suppressed"][0]["id"], "check.out_of_bounds");
  for (const auto& each : json["diagnostics"]) EXPECT_NE(each["id"], "lint.unused_suppression");
}

TEST_F(MsciEval, a_checked_run_is_written_as_sarif) {
  const std::string allowed = "  // msci: allow(hazard.threadgroup_race) it is meant";
  const auto racing = write("race.metal", racing_saxpy());
  const auto suppressed = write("allowed.metal", racing_saxpy(allowed));
  const auto result =
      eval(racing + " " + suppressed + " --task saxpy --check --sarif --device cpu");
  EXPECT_EQ(result.status, 1) << result.err;
  const auto run = Json::parse(result.out)["runs"][0];
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], true);
  const auto find = [&](const std::string& rule, const std::string& file) {
    for (const auto& each : run["results"]) {
      const std::string uri = each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
      if (each["ruleId"] == rule && uri.ends_with(file)) return each;
    }
    return Json();
  };
  const auto race = find("check.race", "/race.metal");
  ASSERT_FALSE(race.is_null()) << result.out;
  EXPECT_EQ(race["level"], "error");
  EXPECT_EQ(race["locations"][0]["physicalLocation"]["region"]["startLine"], 8);
  EXPECT_EQ(race["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 7);
  EXPECT_FALSE(race.contains("suppressions"));
  const auto& rule = run["tool"]["driver"]["rules"][0];
  EXPECT_EQ(rule["id"], "check.race");
  EXPECT_TRUE(rule["shortDescription"]["text"].get<std::string>().starts_with("two threads access"))
      << rule;
  EXPECT_EQ(find("hazard.threadgroup_race", "/race.metal")["properties"]["inRun"], "confirmed")
      << result.out;
  EXPECT_EQ(find("check.race", "/allowed.metal")["suppressions"][0]["justification"],
            "it is meant");
  const auto refused =
      eval(write("k.metal", "kernel void saxpy(") + " --task saxpy --check --sarif --device cpu");
  EXPECT_EQ(refused.status, 1) << refused.err;
  const auto said = Json::parse(refused.out)["runs"][0]["invocations"][0];
  EXPECT_EQ(said["toolExecutionNotifications"].size(), 1u) << refused.out;
  EXPECT_EQ(eval(racing + " --task saxpy --sarif --device cpu").status, 2);
}

TEST_F(MsciEval, a_wild_access_is_told_at_its_line_with_its_thread) {
  const auto kernel = write("wild.metal", saxpy_with("if (i == 70) y[(ulong(i) << 33) + n] = 1;"));
  const auto result = eval(kernel + " --task saxpy --verify-only --stop-at-wrong --device cpu");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_NE(result.out.find("wild.metal:7:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("thread (70, 0, 0) of threadgroup (0, 0, 0) writes outside of y"),
            std::string::npos)
      << result.out;
}

TEST_F(MsciEval, a_loop_without_end_is_stopped_and_named) {
  const auto kernel =
      write("endless.metal",
            saxpy_with("for (device volatile float* f = y; i == 3 && f[i] != 1e30f;) f[i] = 0;"));
  const auto options = kernel + " --task saxpy --device cpu";
  const auto result = eval_to_the_limit(options + " --verify-only --stop-at-wrong", " was there");
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_NE(result.err.find(" s of running"), std::string::npos) << result.err;
  EXPECT_NE(result.err.find("endless.metal:7: thread (3, 0, 0) of threadgroup "
                            "(0, 0, 0) was there"),
            std::string::npos)
      << result.err;
  const auto place = "endless.metal:7: thread (3, 0, 0)";
  expect_one_line(eval_to_the_limit(options + " --check", place), place);
  // A profile cannot tell a loop without end from a slow device.
  const auto why = "could not profile saxpy: no result after";
  const auto profile = eval_to_the_limit(options + " --profile", why);
  EXPECT_EQ(profile.status, 2) << profile.out;
  EXPECT_NE(profile.err.find(why), std::string::npos) << profile.err;
}

// The first access outside its buffers is found, even if the loop behind it takes for ever.
TEST_F(MsciEval, faults_before_the_time_limit_are_reported) {
  const auto kernel = write(
      "stray.metal", saxpy_with("if (i == 3) { y[1u << 30] = 1; for (device volatile float* f = y; "
                                "f[i] != 1e30f;) f[i] = 0; }"));
  const auto fault = "thread (3, 0, 0) of threadgroup (0, 0, 0) writes outside of y";
  const auto result = eval_to_the_limit(kernel + " --task saxpy --check --device cpu", fault);
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_NE(result.out.find(fault), std::string::npos) << result.out;
}

TEST_F(MsciEval, mistakes_of_a_plan_are_not_the_kernels) {
  const auto kernel = write("selected.metal", R"(#include <metal_stdlib>
using namespace metal;
[[visible]] float doubled(float x) { return 2 * x; }
float halved(float x) { return x / 2; }
kernel void apply(visible_function_table<float(float)> table [[buffer(0)]],
                  device float* x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = table[i % 2](i + 1.0f);
}
)");
  const auto plan_with = [&](const std::string& second) {
    return write("selected.json",
                 R"({"sizes": [{"label": "8", "n": 8}], "tolerance": {"max_abs": 0.1},
                     "buffers": {"x": {"type": "float", "count": "n"}},
                     "launches": [{"kernel": "apply", "grid": ["n"], "threadgroup": [8],
                       "bind": {"0": {"functions": ["doubled", )" +
                     second + R"(]}, "1": "x"}}],
                     "expect": {"x": {"file": "selected.bin"}}})");
  };
  write("selected.bin", std::string(32, 'A'));
  const auto command = kernel + " --plan " + plan_with(R"("halved")");
  for (const std::string mode : {" --verify-only", " --check", " --profile"}) {
    const auto result = eval(command + mode + " --device cpu");
    EXPECT_EQ(result.status, 2) << result.out;
    EXPECT_NE(result.err.find("/launches/0/bind/0/functions/1: function 'halved' is not "
                              "[[visible]], so a table cannot hold it"),
              std::string::npos)
        << result.err;
  }
  plan_with("null");
  const auto result = eval(command + " --check");
  EXPECT_EQ(result.status, 1) << result.err;
  EXPECT_NE(result.out.find("selected.metal:7:"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("thread (1, 0, 0) of threadgroup (0, 0, 0) calls an empty entry of the "
                            "table of functions"),
            std::string::npos)
      << result.out;
}

// Its private arrays exceed what PoCL and the engine have: the kernel is not to blame.
TEST_F(MsciEval, a_kernel_that_a_device_dies_of_could_not_be_judged) {
  const auto kernel =
      write("large.metal", saxpy_with("float p[1 << 26]; for (uint k = 0; k < n; ++k) "
                                      "p[k * 7919 % 67108864] = k; "
                                      "if (n == 1) y[i] = p[i * 31 % 67108864];"));
  for (const std::string device : {"cpu", "pocl"}) {
    const auto result =
        eval(kernel + " --task saxpy --verify-only --stop-at-wrong --device " + device);
    EXPECT_EQ(result.status, 2) << device << ": " << result.out << result.err;
    EXPECT_NE(result.err.find("large.metal on saxpy: "), std::string::npos)
        << device << ": " << result.err;
  }
}

// What passes there runs on the device; what does not, runs on the processor alone.
TEST_F(MsciEval, the_processor_reaches_the_strict_verdicts_of_other_devices) {
  const std::string options = " --strict --verify-only --stop-at-wrong --device pocl --json";
  const auto right = eval("--task nbody" + options);
  ASSERT_EQ(right.status, 0) << right.err;
  const auto seed = Json::parse(right.out);
  EXPECT_FALSE(std::string(seed["device"]).starts_with("cpu ")) << seed["device"];
  EXPECT_TRUE(std::string(seed["strict"]["device"]).starts_with("cpu ")) << seed["strict"];
  EXPECT_TRUE(seed["strict"]["certificate"].is_object()) << seed["strict"];
  const auto kernel = write("wrong.metal", saxpy_with("y[i] += 1;"));
  const auto wrong = eval(kernel + " --task saxpy" + options);
  EXPECT_EQ(wrong.status, 1) << wrong.err;
  const auto result = Json::parse(wrong.out);
  EXPECT_EQ(result["device"], seed["strict"]["device"]);
  EXPECT_FALSE(result["sizes"][0]["correct"]) << wrong.out;
}

TEST_F(MsciEval, the_example_of_a_plan_is_right) {
  if (std::system("python3 -c '' 2>/dev/null") != 0) GTEST_SKIP() << "its reference needs python3";
  const std::string folder = MSCI_DOCS "/plan_example/";
  const auto command = folder + "smooth.metal --plan " + folder + "plan.json ";
  const auto result = eval(command + "--verify-only --held-out");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("all sizes right"), std::string::npos) << result.out;
  EXPECT_EQ(eval(command + "--check").status, 0);
}

// A sum of 64 elements by each threadgroup, with one mistake.
class WrongSums : public MsciEval {
 protected:
  // msci-eval on the kernel with a text replaced, in a grid of that many threads.
  ProgramResult judge(const std::string& from, const std::string& to,
                      const std::string& options = "", const std::string& grid = "n") const {
    std::string kernel = R"(#include <metal_stdlib>
using namespace metal;
kernel void sum(device const float* x [[buffer(0)]], device float* sums [[buffer(1)]],
                uint i [[thread_position_in_grid]], uint t [[thread_index_in_threadgroup]],
                uint g [[threadgroup_position_in_grid]]) {
  threadgroup float partial[64];
  partial[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint width = 32; width > 0; width /= 2) {
    if (t < width) partial[t] += partial[t + width];
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (t == 0) sums[g] = partial[0];
}
)";
    const auto at = kernel.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    kernel.replace(at, from.size(), to);
    write("ones.sh",
          "for i in $(seq \"$2\"); do printf '\\000\\000\\200\\102'; done >\"$1/sums.out\"");
    const auto plan = write("plan.json", R"({"sizes": [{"label": "first", "n": 256}],
  "buffers": {"x": {"type": "float", "count": "n", "fill": {"constant": 1}},
              "sums": {"type": "float", "count": "n/64"}},
  "launches": [{"kernel": "sum", "grid": [")" +
                                             grid +
                                             R"("], "threadgroup": [64],
                "bind": {"0": "x", "1": "sums"}}],
  "expect": {"sums": {}}, "reference": ["sh", "ones.sh", "{folder}", "4"],
  "tolerance": {"max_abs": 1e-4}})");
    return eval(write("k.metal", kernel) + " --plan " + plan + " --device " + device_ +
                " --verify-only " + options);
  }

  std::string device_ = "cpu";

  static void expect_part(const ProgramResult& result, const std::string& part) {
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.out.find("WRONG"), std::string::npos) << result.out;
    EXPECT_NE(result.out.find(part), std::string::npos) << result.out;
  }
};

constexpr const char* first_barrier = "  threadgroup_barrier(mem_flags::mem_threadgroup);\n  for";

TEST_F(WrongSums, are_followed_by_the_line_of_the_mistake_and_its_cause) {
  EXPECT_EQ(judge("0", "0").status, 0);
  const auto heading = "  a run with every access checked, at size first, finds:\n";
  const struct {
    const char *from, *to, *grid, *line, *id;
  } mistakes[] = {
      {"0", "0", "n/64", ":13:", "[check.unstored]"},  // threadgroups, not threads
      {first_barrier, "  for", "n", ":7:", "[check.race]"},
      {"threadgroup float partial", "float partial", "n", ":10:", "[check.uninitialised]"},
      {"width = 32", "width = 64", "n", ":10:", "[check.out_of_bounds]"}};
  for (const auto& [from, to, grid, line, id] : mistakes) {
    const auto result = judge(from, to, "", grid);
    expect_part(result, heading);
    const auto at = result.out.find(heading);
    const auto found = at == std::string::npos ? "" : result.out.substr(at);
    EXPECT_NE(found.find(line), std::string::npos) << result.out;
    EXPECT_NE(found.find(id), std::string::npos) << result.out;
  }
  expect_part(judge("0", "0", "", "n/64"), "has 4 threads in threadgroups of 64");
}

TEST_F(WrongSums, of_a_tile_that_is_larger_than_the_threadgroup_read_what_nobody_wrote) {
  expect_part(judge("partial[64];\n  partial[t] = x[i];\n" + std::string(first_barrier) +
                        " (uint width = 32",
                    "partial[128];\n  partial[t] = x[i];\n" + std::string(first_barrier) +
                        " (uint width = 64"),
              "k.metal:10:34: error: thread (0, 0, 0) of threadgroup (0, 0, 0) reads partial (at "
              "byte 256 of 512), which was never written [check.uninitialised]\n");
}

TEST_F(WrongSums, without_a_fault_are_followed_by_what_to_try_next) {
  const std::string next = "find no fault: look at the arithmetic, and at which elements";
  expect_part(judge("+=", "-="), next);
  expect_part(judge("+=", "-="), next);  // a kept verdict
  for (const auto* options : {"--no-diagnosis", "--json"})
    EXPECT_EQ(judge("+=", "-=", options).out.find("every access checked"), std::string::npos);
}

TEST_F(WrongSums, on_another_device_are_checked_on_the_processor) {
  device_ = "pocl";
  const std::string checked = " on the processor with every access checked, at ";
  expect_part(judge("0", "0", "", "n/64"), "  a run" + checked + "size first, finds");
  const auto result = judge("+=", "-=");
  expect_part(result, "  runs" + checked + "first, find no fault: judge the kernel with --device");
  expect_part(result, "if it is right there, look at what differs on ");
}

TEST_F(WrongSums, of_several_kernels_are_only_counted) {
  const auto result = judge("+=", "-=", folder_ / "k.metal");
  EXPECT_EQ(result.out.find("every access checked"), std::string::npos) << result.out;
  EXPECT_NE(result.err.find("2 results are wrong; msci-eval FILE --task TASK --check looks for"),
            std::string::npos)
      << result.err;
}

// Checks a kernel of x, y and t under a plan that says nothing of what x and y hold.
class CheckedOpenPlan : public MsciEval {
 protected:
  ProgramResult check(const std::string& body) {
    const auto kernel = write("k.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void k(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
              uint t [[thread_position_in_grid]]) {
  )" + body + "\n}\n");
    const auto plan = write("open.json", R"({"sizes": [{"label": "one", "n": 64}],
  "buffers": {"x": {"type": "float", "count": "n"}, "y": {"type": "float", "count": "n"}},
  "launches": [{"kernel": "k", "grid": [64], "threadgroup": [64], "bind": {"0": "x", "1": "y"}}]})");
    return eval(kernel + " --plan " + plan + " --check --device cpu");
  }
};

TEST_F(CheckedOpenPlan, equal_stores_are_let_go_and_counted) {
  const auto result = check("y[t] = 7; y[63 - t] = 7;");
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_NE(result.out.find("64 conflicting stores of equal values were let go, the first at "),
            std::string::npos)
      << result.out;
}

TEST_F(CheckedOpenPlan, what_is_equal_by_zeros_alone_is_a_race) {
  const auto result = check("y[0] = x[t];");
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_NE(result.out.find("[check.race]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("note: with zeros, where the plan leaves contents open, the stores are "
                            "equal"),
            std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("the answer is the same in 8 orders of the threads"), std::string::npos)
      << result.out;
}

TEST_F(CheckedOpenPlan, a_race_is_confirmed_by_other_orders) {
  const auto result = check("y[0] = float(t / 32) + x[t];");
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_NE(result.out.find("the answer depends on the order of the threads: reversed changes it"),
            std::string::npos)
      << result.out;
}

TEST_F(CheckedOpenPlan, lanes_change_their_order_too) {
  const auto result = check("if (t < 32) y[0] = float(t);");
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_NE(result.out.find("the answer depends on the order of the threads: lanes:reversed"),
            std::string::npos)
      << result.out;
}

TEST_F(CheckedOpenPlan, concurrent_launches_change_their_order_too) {
  const auto kernel = write("k.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void one(device float* y [[buffer(0)]], uint t [[thread_position_in_grid]]) { y[t] = 1; }
kernel void two(device float* y [[buffer(0)]], uint t [[thread_position_in_grid]]) { y[t] = 2; }
)");
  const auto plan = write("concurrent.json", R"({"sizes": [{"label": "one"}],
  "buffers": {"y": {"type": "float", "count": 64}}, "launches": [
    {"kernel": "one", "grid": [64], "threadgroup": [64], "concurrent": true, "bind": {"0": "y"}},
    {"kernel": "two", "grid": [64], "threadgroup": [64], "concurrent": true, "bind": {"0": "y"}}]})");
  const auto result = eval(kernel + " --plan " + plan + " --check --device cpu");
  EXPECT_EQ(result.status, 1) << result.out;
  EXPECT_NE(
      result.out.find("  the answer is the same in 8 orders of the threads, with the launches "
                      "in the plan's order\n  the answer depends on the order of the concurrent "
                      "launches: the reverse of the plan's changes it\n"),
      std::string::npos)
      << result.out;
}

TEST_F(CheckedOpenPlan, a_hazard_may_not_be_reached) {
  const auto result = check("if (x[0] == 5) {\n    y[0] += 1;\n  }\n  y[t] = 1;");
  EXPECT_EQ(result.status, 0) << result.out;
  EXPECT_NE(result.out.find("[hazard.lost_update]"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("\n  not reached by this run\n"), std::string::npos) << result.out;
}

// Of a task with one size, one buffer of floats and its number of elements.
std::string plan_text(const std::string& more = "", const std::string& count_type = "uint") {
  return R"({"sizes": [{"label": "eight", "n": 8}],)" + more + R"(
  "buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [0, 1]}},
              "n": {"type": ")" +
         count_type + R"(", "values": ["n", "n"]}},
  "launches": [{"kernel": "twice", "grid": [8], "threadgroup": [8], "bind": {"0": "x", "1": "n"}}],
  "expect": {"x": {"file": "x.npy"}}})";
}

constexpr const char* twice = R"(#include <metal_stdlib>
using namespace metal;
kernel void twice(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] = 2.0f * x[i];
}
)";

// Three small sizes and a held-out one, whose turns take no time.
std::string plan_of_small_sizes() {
  return R"({"sizes": [{"label": "a", "n": 8}, {"label": "b", "n": 16}, {"label": "c", "n": 24}],
  "held_out": {"label": "hidden", "n": 32},
  "buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [0, 1]}},
              "n": {"type": "uint", "values": ["n"]}},
  "launches": [{"kernel": "twice", "grid": ["n"], "threadgroup": [8], "bind": {"0": "x", "1": "n"}}],
  "expect": {"x": {"file": "x_{n}.npy"}}})";
}

TEST_F(MsciEval, measures_in_turns_with_a_rival) {
  for (const std::size_t n : {8, 16, 24, 32}) {
    std::vector<float> expected;
    for (std::size_t i = 0; i < n; ++i) expected.push_back(2.0f * static_cast<float>(i));
    write("x_" + std::to_string(n) + ".npy", npy_of(expected));
  }
  const auto plan = " --plan " + write("plan.json", plan_of_small_sizes()) + " --json";
  const auto rival = write("rival.metal", twice);
  const auto same = eval(write("twice.metal", "// another name\n" + std::string(twice)) + plan +
                         " --vs " + rival);
  EXPECT_EQ(same.status, 0) << same.err;
  EXPECT_EQ(Json::parse(same.out)["versus"]["same_program"], true);
  EXPECT_EQ(Json::parse(same.out)["versus"]["sizes"], Json::array());
  auto other = std::string(twice);
  other.insert(other.find("2.0f"), "n > 1000 ? 0.0f : ");
  const auto turns = eval(write("other.metal", other) + plan + " --vs " + rival);
  EXPECT_EQ(turns.status, 0) << turns.err;
  const auto pairs = Json::parse(turns.out)["versus"]["sizes"];
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_EQ(pairs[0]["label"], "a");
  EXPECT_EQ(pairs[0]["candidate"].size(), 12u);
  EXPECT_EQ(pairs[0]["rival"].size(), 12u);
  for (const auto& seconds : pairs[2]["candidate"]) EXPECT_GT(seconds, 0);

  // Slow at the held-out size alone.
  auto text = std::string(twice);
  text.insert(text.find("  if (i < n)"),
              "  float s = x[i];\n"
              "  for (uint k = 0; n == 32 && k < 2000000; ++k) s = fract(1.7f * s + 0.3f);\n"
              "  if (s > 100) return;\n");
  const auto slow = eval(write("slow.metal", text) + plan + " --gate --vs " + rival);
  EXPECT_EQ(slow.status, 1) << slow.err;
  EXPECT_EQ(Json::parse(slow.out)["verdict"], "silent-regression");
  EXPECT_EQ(Json::parse(slow.out)["same_program"], false);
  EXPECT_LT(Json::parse(slow.out)["speedup"]["high"], 1);
}

// Of a texture of one texel, at a size of that label.
std::string plan_of_a_texel(const std::string& label) {
  return R"({"sizes": [{"label": ")" + label + R"("}],
  "textures": {"dot": {"format": "r8unorm", "width": 1, "height": 1}},
  "launches": [{"kernel": "paint", "grid": [1], "threadgroup": [1], "textures": {"0": "dot"}}],
  "expect": {"dot": {"file": "dot.bin"}}})";
}

constexpr const char* paint = R"(#include <metal_stdlib>
using namespace metal;
kernel void paint(texture2d<float, access::write> dot [[texture(0)]]) {
  dot.write(float4(1), uint2(0, 0));
}
)";

TEST_F(MsciEval, saves_images_beside_any_verdict) {
  write("dot.bin", "\xff");
  const auto images = folder_ / "images";
  const auto options = " --verify-only --save-images " + images;
  const auto kernel = write("paint.metal", paint);
  const auto plan = " --plan " + write("plan.json", plan_of_a_texel("one"));
  for (int turn = 0; turn < 2; ++turn) {  // a verdict that is kept would save none
    std::filesystem::remove_all(images);
    const auto result = eval(kernel + plan + options);
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_TRUE(std::filesystem::exists(images + "/one.dot.png"));
    EXPECT_TRUE(std::filesystem::exists(images + "/one.dot.expected.png"));
  }
  const auto longer = write("long.json", plan_of_a_texel(std::string(300, 'l')));
  const auto result = eval(kernel + " --plan " + longer + options);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.err.find("msci-eval: warning: no image of result 'dot' at size lll"),
            std::string::npos)
      << result.err;
  EXPECT_NE(result.err.find("File name too long"), std::string::npos) << result.err;
  expect_one_line(eval(kernel + " " + kernel + plan + options),
                  "--save-images needs one --plan, one --device and at most one FILE");
}

TEST_F(MsciEval, a_plan_without_a_held_out_size_has_none) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  const auto kernel = write("twice.metal", twice);
  const auto bare = kernel + " --plan " + write("plan.json", plan_text());
  EXPECT_EQ(eval(bare + " --verify-only").status, 0) << eval(bare + " --verify-only").err;
  const std::string remedy = "plan.json has no held-out size; add \"held_out\"";
  expect_one_line(eval(bare + " --held-out"), remedy);
  expect_one_line(eval(bare + " --gate --vs " + kernel), remedy);
  for (const std::string option : {"--strict", "--fuzz-sizes 2", "--task nbody"})
    EXPECT_EQ(eval(bare + " " + option).status, 2) << option;

  const auto whole = kernel + " --plan " +
                     write("whole.json", plan_text(R"("held_out": {"label": "same", "n": 8},)"));
  const std::string seedless =
      "whole.json has no seed to compare with; add \"seed\", or name a kernel";
  expect_one_line(eval(whole + " --gate"), seedless);
  expect_one_line(eval(whole + " --vs seed"), seedless);
  expect_one_line(eval(kernel + " " + whole + " --gate --vs " + kernel), "--gate needs one FILE");
  const auto gate = eval(whole + " --gate --vs " + kernel);
  EXPECT_EQ(gate.status, 0) << gate.err;
  EXPECT_NE(gate.out.find("at the held-out size same"), std::string::npos) << gate.out;
  EXPECT_NE(gate.out.find("both translate to the same program"), std::string::npos) << gate.out;
}

TEST_F(MsciEval, tells_where_a_plan_binds_another_kind_of_number_than_the_kernel_reads) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  const auto kernel = write("twice.metal", twice) + " --verify-only --plan ";
  const auto right = eval(kernel + write("plan.json", plan_text()));
  EXPECT_EQ(right.out.find("note:"), std::string::npos) << right.out;
  const auto mismatched = eval(kernel + write("short.json", plan_text("", "ushort")));
  EXPECT_NE(mismatched.out.find(
                "twice reads uint at [[buffer(1)]] ('n'), where the task binds packed_ushort2"),
            std::string::npos)
      << mismatched.out;
}

// The template would be instantiated two to the power of 24 times.
constexpr const char* bomb = R"(
template <int N, int M> struct Bomb { enum { value = Bomb<N - 1, 2 * M>::value + Bomb<N - 1, 2 * M + 1>::value }; };
template <int M> struct Bomb<0, M> { enum { value = 1 }; };
constant int load = Bomb<24, 0>::value;
)";

TEST_F(MsciEval, a_limit_of_ours_is_no_verdict_and_the_batch_goes_on) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  const auto plan = " --verify-only --json --time-limit 600 --memory-limit 300 --plan " +
                    write("plan.json", plan_text());
  const auto heavy = write("heavy.metal", std::string(twice) + bomb);
  const auto result = eval(heavy + " " + write("twice.metal", twice) + plan);
  EXPECT_EQ(result.status, 2);
  std::istringstream lines(result.out);
  std::string first, second;
  std::getline(lines, first);
  std::getline(lines, second);
  const auto json = Json::parse(first);
  EXPECT_TRUE(json["compile_ok"].is_null());
  EXPECT_TRUE(json["correct"].is_null());
  EXPECT_NE(
      json["error"].get<std::string>().find("could not be linted and translated: it takes more "
                                            "than 300 MiB of memory"),
      std::string::npos)
      << first;
  EXPECT_EQ(Json::parse(second)["correct"], true);
  expect_one_line(eval(heavy + " --emit opencl --time-limit 600 --memory-limit 64"),
                  "it takes more than 64 MiB of memory");
}

TEST_F(MsciEval, tells_the_notes_of_the_kernels_that_run) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  const auto plan = write("plan.json", plan_text());
  const auto kernel = write("k.metal", std::string(twice) + R"(
static uint shared_by_both(uint n) { return n / 0; }
kernel void other(device uint* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {
  y[i] = i / 0 + shared_by_both(i);
}
)");
  for (const std::string mode : {"--verify-only", "--check"}) {
    const auto command = kernel + " --json --device cpu --plan " + plan + " " + mode;
    EXPECT_EQ(Json::parse(eval(command).out)["diagnostics"], Json::array()) << mode;
    // The same finding in a function that the kernel calls is its own.
    std::string calling = contents(kernel);
    calling.replace(calling.find("2.0f"), 4, "(2.0f + 0 * shared_by_both(i))");
    calling = "static uint shared_by_both(uint n);\n" + calling;
    const auto json = Json::parse(
        eval(write("calling.metal", calling) + " --json --device cpu --plan " + plan + " " + mode)
            .out);
    ASSERT_EQ(json["diagnostics"].size(), 1u) << mode << json;
    EXPECT_EQ(json["diagnostics"][0]["id"], "hazard.undefined_arithmetic") << json;
  }
}

TEST_F(MsciEval, reads_included_files_only_where_it_is_told_to) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  write("include/factor.h", "constant float factor = FACTOR;\n");
  std::string text = twice;
  text.replace(text.find("2.0f"), 4, "factor");
  const auto kernel = write("k.metal", "#include \"include/factor.h\"\n" + text);
  const auto run = kernel + " --verify-only --plan " + write("plan.json", plan_text());
  const auto refused = eval(run + " -D FACTOR=2");
  EXPECT_EQ(refused.status, 1);
  EXPECT_NE(refused.out.find("file not found [security.include]"), std::string::npos)
      << refused.out;
  const std::string here = " -I " + (folder_ / ".");
  EXPECT_EQ(eval(run + here + " -D FACTOR=2").status, 0) << eval(run + here + " -D FACTOR=2").out;
  EXPECT_EQ(eval(run + here + " -D FACTOR=3").status, 1);
  EXPECT_EQ(eval(run + here + " -- -DFACTOR=2 -c").status, 0);
  const auto forced =
      write("plain.metal", text) + " --verify-only --plan " + (folder_ / "plan.json");
  const auto included = " -D FACTOR=2 --include " + (folder_ / "include/factor.h");
  EXPECT_EQ(eval(forced + included).status, 0) << eval(forced + included).out;
}

TEST_F(MsciEval, refuses_a_file_after_the_dashes) {
  const auto kernel = write("k.metal", twice);
  expect_one_line(eval("--task nbody -- " + kernel),
                  kernel +
                      " comes after '--', which begins compiler options; put files before it: "
                      "msci-eval " +
                      kernel + " -- -DN=8");
  expect_one_line(eval(kernel + " -- --task nbody"),
                  "--task comes after '--', which begins compiler options; put options of "
                  "msci-eval before it");
}

TEST_F(MsciEval, finds_headers_of_system_folders) {
  write("x.npy", npy_of({0, 2, 4, 6, 8, 10, 12, 14}));
  write("sys/Foo/factor.h", "constant float factor = 2;\n");
  std::string text = twice;
  text.replace(text.find("2.0f"), 4, "factor");
  const auto run = write("k.metal", "#include <Foo/factor.h>\n" + text) + " --verify-only --plan " +
                   write("plan.json", plan_text());
  EXPECT_EQ(eval(run + " --isystem " + (folder_ / "sys")).status, 0);
  EXPECT_EQ(eval(run + " -- -isystem " + (folder_ / "sys")).status, 0);
  EXPECT_EQ(eval(run).status, 1);
}

TEST_F(MsciEval, expected_results_of_the_kernels_type_are_named_by_their_types) {
  const auto kernel = write("count.metal", R"(kernel void count(device int* y [[buffer(0)]],
    uint i [[thread_position_in_grid]]) { y[i] = -1; })");
  const auto plan = write("count.json", R"({"sizes": [{"label": "4", "n": 4}],
    "buffers": {"y": {"type": "float", "count": "n"}},
    "launches": [{"kernel": "count", "grid": ["n"], "threadgroup": [4], "bind": {"0": "y"}}],
    "expect": {"y": {"file": "count.bin"}}, "tolerance": {"max_abs": 0.1}})");
  write("count.bin", std::string(16, '\xff'));
  const auto result = eval(kernel + " --plan " + plan);
  EXPECT_EQ(result.status, 2) << result.out;
  EXPECT_NE(result.err.find("contain a NaN, which equals no value; the types differ: count reads "
                            "int at [[buffer(0)]] ('y'), where the task binds device float *"),
            std::string::npos)
      << result.err;
}

// Three numbers are bound, and Metal's uint3 has the room of four.
TEST_F(MsciEval, a_value_that_a_plan_binds_too_short_is_told_with_both_sizes) {
  const auto taking = [&](const std::string& type) {
    return write("shape.metal", R"(#include <metal_stdlib>
using namespace metal;
kernel void fill(device uint* y [[buffer(0)]], constant )" +
                                    type + R"(& shape [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) { y[i] = shape.x + shape.y + shape.z; }
)");
  };
  const auto plan = write("shape.json", R"({"sizes": [{"label": "4", "n": 4}],
    "buffers": {"y": {"type": "uint", "count": "n"}, "shape": {"type": "uint", "values": ["n", 2, 3]}},
    "launches": [{"kernel": "fill", "grid": ["n"], "threadgroup": [4],
                  "bind": {"0": "y", "1": "shape"}}],
    "expect": {"y": {"file": "shape.bin"}}})");
  write("shape.bin", std::string("\t\0\0\0\t\0\0\0\t\0\0\0\t\0\0\0", 16));
  for (const std::string mode : {"", " --check", " --prove"}) {
    const auto result = eval(taking("uint3") + " --device cpu --plan " + plan + mode);
    EXPECT_EQ(result.status, 1) << result.err;
    EXPECT_NE(result.out.find("fill takes 16 bytes for 'shape' at [[buffer(1)]] (uint3), where the "
                              "plan binds 12 bytes; bind 16, or take packed_uint3"),
              std::string::npos)
        << mode << ": " << result.out;
  }
  const auto packed = eval(taking("packed_uint3") + " --device cpu --plan " + plan);
  EXPECT_EQ(packed.status, 0) << packed.out << packed.err;
}

TEST_F(MsciEval, a_plan_that_makes_no_sense_is_refused_in_a_line) {
  const auto plan = write("plan.json", R"({"sizes": [{"label": "a"}], "buffers": []})");
  expect_one_line(eval_program(program("nbody") + " --plan " + plan),
                  "/buffers: it must be an object");
}

}  // namespace
}  // namespace msci
