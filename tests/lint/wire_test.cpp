#include "lint/wire.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

Host full_host() {
  const Range range{{1, 2}, {3, 4}};
  return {
      .files = {{"host.mm", "int main() {}"}},
      .fetched = {{"f", range}},
      .dispatched = {{"f", range, {{0, 4, "float", true, range}, {1, {}, "", false, range}}}},
      .mentioned = {"text"},
      .libraries = 2,
      .cpu_work = {{.range = range, .call = "a loop", .lands_in = {{"f", 1}}, .remains = true}}};
}

Report full_report() {
  return {.source = {"s.metal", "bytes of any kind: \xff\xfe"},
          .compiled = true,
          .kernels = {"f", "g"},
          .findings = {{.rule = "metal.restrict",
                        .severity = Severity::note,
                        .file = "host.mm",
                        .range = {{1, 2}, {3, 4}},
                        .message = "a \xff message",
                        .notes = {{{{5, 6}, {7, 8}}, "a note"}},
                        .fixes = {{.edits = {{{{9, 10}, {11, 12}}, "text"}}, .safe = false}}}},
          .allowed = {{{.rule = "hazard.x"}, "a reason"}},
          .expectation = {{"f"},
                          {{"f", 1, "device float *"}},
                          "the task",
                          std::make_shared<const Host>(full_host())}};
}

void expect_same(const Report& a, const Report& b) {
  EXPECT_EQ(a.source.name, b.source.name);
  EXPECT_EQ(a.source.text, b.source.text);
  EXPECT_EQ(a.compiled, b.compiled);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.findings, b.findings);
  EXPECT_EQ(a.allowed, b.allowed);
  EXPECT_EQ(a.expectation.kernels, b.expectation.kernels);
  EXPECT_EQ(a.expectation.promises, b.expectation.promises);
  EXPECT_EQ(a.expectation.from, b.expectation.from);
  ASSERT_EQ(a.expectation.host == nullptr, b.expectation.host == nullptr);
  if (a.expectation.host) {
    EXPECT_EQ(*a.expectation.host, *b.expectation.host);
  }
}

TEST(Wire, brings_over_all_that_a_report_holds) {
  const auto sent = from_wire(to_wire(Examination{full_report(), Report{}, 3}));
  ASSERT_TRUE(sent);
  expect_same(sent->report, full_report());
  ASSERT_TRUE(sent->mended);
  expect_same(*sent->mended, {});
  EXPECT_EQ(sent->fixes, 3u);
  EXPECT_FALSE(from_wire(to_wire(Examination{full_report(), {}, 0}))->mended);
}

TEST(Wire, brings_over_errors) {
  const auto sent = from_wire(to_wire(Error{"no way"}));
  ASSERT_FALSE(sent);
  EXPECT_EQ(sent.error().message, "no way");
}

TEST(Wire, takes_no_nonsense) {
  const auto bytes = to_wire(Examination{full_report(), {}, 0});
  EXPECT_FALSE(from_wire(""));
  EXPECT_FALSE(from_wire("nonsense"));
  EXPECT_FALSE(from_wire(bytes.substr(0, bytes.size() / 2)));
  EXPECT_FALSE(from_wire("\x80"));  // an empty object
}

}  // namespace
}  // namespace msci
