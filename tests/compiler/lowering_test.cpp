// Each lowering turns lower/STEP/NAME.ll into lower/STEP/NAME.expected.ll. MSCI_UPDATE=1 rewrites
// the expected files.
#include <gtest/gtest.h>
#include <llvm/IR/Verifier.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>

#include "analysis/check/passes/calls.h"
#include "analysis/check/passes/check_parts.h"
#include "compiler/frontend/optimise.h"
#include "compiler/frontend/passes.h"
#include "compiler/lower/lowerings.h"
#include "compiler/lower/parameters.h"
#include "compiler/pointers/pointers.h"
#include "tests/compiler/golden.h"
#include "tests/compiler/ir.h"

namespace msci {
namespace {

namespace fs = std::filesystem;

// What a file says before its IR: "; parameters: buffer threadgroup thread_position_in_grid".
std::vector<std::string> parameters_in(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (const std::string head = "; parameters:"; line.starts_with(head)) {
      std::istringstream words(line.substr(head.size()));
      return {std::istream_iterator<std::string>(words), {}};
    }
  return {};
}

KernelInterface interface_in(const std::string& text, llvm::Module& ir) {
  KernelInterface interface{.function = first_function(ir).getName().str()};
  interface.signature.name = interface.function;
  interface.signature.symbol = "msci_" + interface.function;
  for (const auto& parameter : parameters_in(text)) {
    const bool is_buffer = parameter == "buffer";
    if (!is_buffer && parameter != "threadgroup") {
      interface.parameters.push_back(PositionParameter{*position_attribute(parameter)});
      continue;
    }
    interface.parameters.push_back(BoundParameter{interface.signature.arguments.size()});
    interface.signature.arguments.push_back(
        {.kind = is_buffer ? KernelArgument::Kind::buffer : KernelArgument::Kind::threadgroup,
         .name = "a" + std::to_string(interface.signature.arguments.size())});
  }
  return interface;
}

// Checks take source locations from a unit; these tests have no source.
template <typename Check>
void with_locations(Check check) {
  auto unit = parse({"empty.metal", ""});
  ASSERT_TRUE(unit) << unit.error().message;
  SourceLocations locations(*unit);
  check(locations);
}

template <typename Pass>
void run_pass(llvm::Module& ir, Pass pass) {
  llvm::FunctionPassManager passes;
  passes.addPass(std::move(pass));
  run(ir, std::move(passes));
}

using Lowering = std::function<void(llvm::Module& ir, const std::string& text)>;

const std::map<std::string, Lowering>& lowerings() {
  static const std::map<std::string, Lowering> table{
      {"count_true_as_one", [](llvm::Module& ir, auto&) { count_true_as_one(ir); }},
      {"give_opencl_parameters",
       [](llvm::Module& ir, const std::string& text) {
         give_opencl_parameters(ir, {interface_in(text, ir)});
       }},
      {"name_constant_space", [](llvm::Module& ir, auto&) { name_constant_space(ir); }},
      {"copy_as_pointers", [](llvm::Module& ir, auto&) { copy_as_pointers(ir); }},
      {"inline_everything", [](llvm::Module& ir, auto&) { inline_everything(ir); }},
      {"infer_address_spaces", [](llvm::Module& ir, auto&) { infer_address_spaces(ir); }},
      {"read_references_first", [](llvm::Module& ir, auto&) { read_references_first(ir); }},
      {"take_vectors_apart", [](llvm::Module& ir, auto&) { run_pass(ir, TakeVectorsApart()); }},
      {"wide_integers", [](llvm::Module& ir, auto&) { run_pass(ir, ExpandWideIntegers()); }},
      {"make_printable", [](llvm::Module& ir, auto&) { make_printable(ir); }},
      {"schedule_for_pressure", [](llvm::Module& ir, auto&) { schedule_for_pressure(ir); }},
      {"reconverge_loops", [](llvm::Module& ir, auto&) { reconverge_loops(ir); }},
      {"expand_address_constants", [](llvm::Module& ir, auto&) { expand_address_constants(ir); }},
      {"gather_lanes", [](llvm::Module& ir, auto&) { gather_lanes(ir); }},
      {"check_accesses",
       [](llvm::Module& ir, const std::string& text) {
         auto signature = interface_in(text, ir).signature;
         signature.symbol = signature.name;
         std::vector kernels{signature};
         with_locations([&](auto& locations) { check_accesses(ir, kernels, locations); });
       }},
      {"check_private_memory",
       [](llvm::Module& ir, auto&) {
         with_locations([&](auto& locations) { check_private_memory(ir, locations); });
       }},
      {"check_values",
       [](llvm::Module& ir, auto&) {
         with_locations([&](auto& locations) { check_values(ir, locations); });
       }},
      {"drop_what_holds", [](llvm::Module& ir, auto&) { drop_what_holds(ir); }},
  };
  return table;
}

std::vector<fs::path> inputs() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(MSCI_LOWERINGS))
    if (entry.path().extension() == ".ll" && entry.path().stem().extension() != ".expected")
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

class LoweringFile : public testing::TestWithParam<fs::path> {};

TEST_P(LoweringFile, gives_the_expected_ir) {
  const auto& path = GetParam();
  const auto lowering = lowerings().find(path.parent_path().filename());
  ASSERT_NE(lowering, lowerings().end()) << "no lowering has the name of the folder";
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  llvm::LLVMContext context;
  const auto ir = parse_ir(text, context);
  ASSERT_TRUE(ir);
  lowering->second(*ir, text);
  EXPECT_FALSE(llvm::verifyModule(*ir, &llvm::errs()));
  expect_golden(print_ir(*ir), fs::path(path).replace_extension(".expected.ll"));
}

INSTANTIATE_TEST_SUITE_P(Lowering, LoweringFile, testing::ValuesIn(inputs()), [](const auto& info) {
  return info.param.parent_path().filename().string() + "_" + info.param.stem().string();
});

TEST(Lowering, has_a_file_for_every_step) {
  std::set<std::string> tested;
  for (const auto& path : inputs()) tested.insert(path.parent_path().filename());
  for (const auto& [name, lowering] : lowerings()) EXPECT_TRUE(tested.contains(name)) << name;
}

}  // namespace
}  // namespace msci
