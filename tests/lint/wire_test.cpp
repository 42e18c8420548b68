#include "lint/wire.h"

#include <gtest/gtest.h>

namespace msci {
namespace {

Report full_report() {
  return {.source = {"s.metal", "bytes of any kind: \xff\xfe"},
          .compiled = true,
          .kernels = {"f", "g"},
          .findings = {{.rule = "metal.restrict",
                        .severity = Severity::note,
                        .range = {{1, 2}, {3, 4}},
                        .message = "a \xff message",
                        .notes = {{{{5, 6}, {7, 8}}, "a note"}},
                        .fixes = {{.edits = {{{{9, 10}, {11, 12}}, "text"}}, .safe = false}}}},
          .allowed = {{{.rule = "hazard.x"}, "a reason"}},
          .expectation = {{"f"}, "the task"}};
}

void expect_same(const Report& a, const Report& b) {
  EXPECT_EQ(a.source.name, b.source.name);
  EXPECT_EQ(a.source.text, b.source.text);
  EXPECT_EQ(a.compiled, b.compiled);
  EXPECT_EQ(a.kernels, b.kernels);
  EXPECT_EQ(a.findings, b.findings);
  EXPECT_EQ(a.allowed, b.allowed);
  EXPECT_EQ(a.expectation, b.expectation);
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
