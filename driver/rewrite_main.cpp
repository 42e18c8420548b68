// msci-rewrite: the process behind `msci-generate rewrite`.
#include <fmt/format.h>

#include <cstdlib>
#include <iostream>
#include <iterator>

#include "base/files/read_file.h"
#include "base/files/standard_output.h"
#include "base/io/exit_status.h"
#include "base/io/report.h"
#include "driver/tools.h"
#include "search/rewrite/rewrite.h"

namespace msci {
namespace {

int report_error(const Error& error) {
  msci::report_error("msci-generate", error);
  return not_right;
}

std::string answer_of(const search::RewrittenKernel& kernel) {
  std::string text = "This kernel differs from the one before in this:\n\n";
  for (const auto& about : kernel.about) text += fmt::format("- It {}.\n", about);
  return fmt::format("{}\n```metal\n{}{}```\n", text, kernel.text,
                     kernel.text.ends_with('\n') ? "" : "\n");
}

}  // namespace

int rewrite_main(int argc, char** argv) {
  search::RewriteRequest request;
  if (argc > 1) request.seed = std::strtoull(argv[1], nullptr, 10);
  if (argc > 2) request.number = std::max(std::strtoull(argv[2], nullptr, 10), 1ull);
  if (argc > 3) request.only = argv[3];
  const std::string prompt(std::istreambuf_iterator<char>(std::cin), {});
  auto source = source_from("kernel.metal", search::kernel_of(prompt));
  if (!source) return report_error(source.error());
  const auto kernel = search::rewrite(*source, request);
  if (!kernel) return report_error(kernel.error());
  fmt::print("{}", answer_of(*kernel));
  if (const auto error = flush_standard_output()) return report_error(*error);
  return all_right;
}

}  // namespace msci
