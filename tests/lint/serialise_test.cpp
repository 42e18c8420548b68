#include "lint/run/serialise.h"

#include <gtest/gtest.h>

#include "lint/run/lint_files.h"

namespace msci {
namespace {

Host full_host() {
  const Range range{{1, 2}, {3, 4}};
  return {
      .files = {{"host.mm", "int main() {}"}},
      .fetched = {{"f", range}},
      .dispatched =
          {{"f", range, {{0, 4, "float", true, 2, range}, {1, {}, "", false, 0, range}}, true, 3}},
      .mentioned = {"text"},
      .libraries = 2,
      .cpu_work = {{.range = range, .call = "a loop", .lands_in = {{"f", 1}}, .remains = true}}};
}

FileReport full_report() {
  return {
      .source = {"s.metal", "bytes of any kind: \xff\xfe"},
      .compiled = true,
      .kernels = {"f", "g"},
      .findings = {{.rule = "metal.restrict",
                    .severity = Severity::note,
                    .place = {"host.mm", {{1, 2}, {3, 4}}},
                    .message = "a \xff message",
                    .notes = {{{"", {{5, 6}, {7, 8}}}, "a note"}},
                    .fixes = {{.edits = {{{"", {{9, 10}, {11, 12}}}, "text"}}, .safe = false}}}},
      .suppressed = {{{.rule = "hazard.x"}, "a reason"}},
      .contract = {{{"f", {{1, "device float *", "x", "the input"}}}},
                   "the task",
                   std::make_shared<const Host>(full_host())},
      .warnings = {"a warning"}};
}

void expect_same(const FileReport& a, const FileReport& b) {
  EXPECT_EQ(a.source.name, b.source.name);
  EXPECT_EQ(a.source.text, b.source.text);
  EXPECT_EQ(a.compiled, b.compiled);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.findings, b.findings);
  EXPECT_EQ(a.suppressed, b.suppressed);
  EXPECT_EQ(a.contract.kernels, b.contract.kernels);
  EXPECT_EQ(a.contract.from, b.contract.from);
  EXPECT_EQ(a.warnings, b.warnings);
  ASSERT_EQ(a.contract.host == nullptr, b.contract.host == nullptr);
  if (a.contract.host) {
    EXPECT_EQ(*a.contract.host, *b.contract.host);
  }
}

TEST(Unfinished, keeps_what_was_found_and_says_why) {
  const LintJob job{.source = {"k.metal", "text"}};
  FileReport so_far{.findings = {{.rule = "metal.restrict", .severity = Severity::error}}};
  const auto result = unfinished(job, {"it takes too long", serialise(LintResult{so_far})});
  EXPECT_EQ(result.report.source, job.source);
  EXPECT_EQ(result.report.findings, so_far.findings);
  EXPECT_EQ(result.report.error, "it takes too long");
  EXPECT_TRUE(unfinished(job, {"it crashed", ""}).report.findings.empty());
}

TEST(Serialise, keeps_all_members_of_a_result) {
  const auto sent = deserialise(serialise(LintResult{full_report(), FileReport{}, {"a.rule"}}));
  ASSERT_TRUE(sent);
  expect_same(sent->report, full_report());
  ASSERT_TRUE(sent->fixed);
  expect_same(*sent->fixed, {});
  EXPECT_EQ(sent->fixes, std::vector<std::string>{"a.rule"});
  EXPECT_FALSE(deserialise(serialise(LintResult{full_report(), {}, {}}))->fixed);
}

TEST(Serialise, keeps_errors) {
  const auto sent = deserialise(serialise(Error{"no way"}));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().message, "no way");
}

TEST(Serialise, keeps_all_that_a_host_holds) {
  auto host = full_host();
  host.failure = "a reason";
  const auto sent = deserialise_host(serialise(host));
  ASSERT_TRUE(sent);
  EXPECT_EQ(*sent, host);
  EXPECT_FALSE(deserialise_host("nonsense"));
  EXPECT_FALSE(deserialise_host(serialise(host).substr(1)));
}

TEST(Serialise, refuses_malformed_bytes) {
  const auto bytes = serialise(LintResult{full_report(), {}, {}});
  EXPECT_FALSE(deserialise(""));
  EXPECT_FALSE(deserialise("nonsense"));
  EXPECT_FALSE(deserialise(bytes.substr(0, bytes.size() / 2)));
  EXPECT_FALSE(deserialise("\x80"));  // an empty object
}

}  // namespace
}  // namespace msci
