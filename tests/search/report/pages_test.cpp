// The HTML pages of a report: their policy, their links, and the annotated source.
#include "search/report/html/pages.h"

#include <gtest/gtest.h>

#include <set>

#include "base/formats/base64.h"
#include "base/sha256.h"
#include "search/report/summary.h"
#include "tests/support/folder.h"

namespace msci {
namespace {

constexpr const char* source_text = "kernel void f(device float *x) {\n  x[0] = 1 < 2;\n}\n";

Diagnostic finding(unsigned line, std::string message, Severity severity = Severity::warning) {
  return {.severity = severity,
          .id = "slow.made_up",
          .place = {"", {{line, 3}, {line, 4}}},
          .message = std::move(message)};
}

ProfilePage profile() {
  return {.file = "k.metal",
          .source = source_text,
          .task = "heat2d",
          .chip = "m2",
          .sizes = {{.label = "s",
                     .seconds = 1e-3,
                     .launches = {{.kernel = "f",
                                   .advice = "bound by nothing",
                                   .lines = {{.line = 2, .instructions = 4, .cycles = 8}}}}}}};
}

SizeResult size(std::string label) {
  return {.label = std::move(label),
          .answer = Verdict{.correct = true},
          .timing =
              Timing{.seconds = 1, .achieved = 5, .ceiling = 10, .fraction = 0.5, .intensity = 0.5},
          .ceiling_unit = "GB/s"};
}

ResultRecord candidate(std::string file) {
  ResultRecord record;
  record.name = file;
  record.file = file;
  record.source_file = std::move(file);
  record.source_bytes = std::string_view(source_text).size();
  record.task = "heat2d";
  record.device = "cpu";
  record.ceilings = Ceilings{.gflops = 100, .gbps = 10};
  record.result = Outcome(Scored{.sizes = {size("small"), size("large")}, .score = 0.5});
  return record;
}

ResultRecord profiled() {
  ResultRecord record;
  record.is_judged = false;
  record.profile = profile();
  return record;
}

std::string page_of(const std::vector<ReportPage>& pages, std::string_view file) {
  for (const auto& page : pages)
    if (page.file == file) return page.text;
  return {};
}

std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Pages, allow_the_script_that_they_hold_and_no_other) {
  for (const auto& page : pages_of(summarise({candidate("k.metal")}), "t")) {
    const auto& text = page.text;
    ASSERT_EQ(count(text, "<script>"), 1u) << page.file;
    const auto begin = text.find("<script>") + 8;
    const auto script = text.substr(begin, text.find("</script>") - begin);
    EXPECT_GT(script.size(), 100u);
    const auto hash = to_base64(sha256_digest_of(script));
    EXPECT_NE(text.find("script-src 'sha256-" + hash + "'"), std::string::npos) << page.file;
    EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  }
}

TEST(Pages, link_candidates_from_every_table_and_to_each_other) {
  const auto pages = pages_of(summarise({candidate("a.metal"), candidate("b.metal")}), "t");
  ASSERT_EQ(pages.size(), 3u);
  const auto index = page_of(pages, "index.html");
  EXPECT_NE(index.find("<a href=\"candidate-a.metal.html\">a.metal</a>"), std::string::npos);
  EXPECT_NE(index.find("<a href=\"candidate-b.metal.html\">b.metal</a>"), std::string::npos);
  const auto second = page_of(pages, "candidate-b.metal.html");
  EXPECT_NE(second.find("<a rel=\"prev\" href=\"candidate-a.metal.html\">"), std::string::npos);
  EXPECT_EQ(second.find("rel=\"next\""), std::string::npos);
  EXPECT_NE(second.find("<a href=\"index.html\">t</a>"), std::string::npos);
  const auto alone = to_html(summarise({candidate("a.metal"), candidate("b.metal")}), "t");
  EXPECT_NE(alone.find("<a href=\"#candidate-a.metal\">a.metal</a>"), std::string::npos);
  EXPECT_EQ(alone.find("candidate-a.metal.html"), std::string::npos);
}

// A search that goes on puts other candidates first; its pages keep their addresses.
TEST(Pages, keep_their_names_when_ranks_change) {
  auto first = candidate("run/01"), second = candidate("run/02");
  const auto files = [](const std::vector<ReportPage>& pages) {
    std::set<std::string> names;
    for (const auto& page : pages) names.insert(page.file);
    return names;
  };
  const auto before = files(pages_of(summarise({first, second}), "t"));
  std::get<Scored>(std::get<Outcome>(second.result)).score = 0.9;
  EXPECT_EQ(files(pages_of(summarise({second, first}), "t")), before);
  EXPECT_TRUE(before.contains("candidate-run-02.html"));
}

// A name is no path, and no two pages are one file.
TEST(Pages, have_names_of_their_own_whatever_candidates_are_called) {
  auto same = candidate("../..//a b");
  const auto pages = pages_of(summarise({same, same, candidate(".. .. a b")}), "t");
  std::set<std::string> names;
  for (const auto& page : pages) {
    EXPECT_TRUE(names.insert(page.file).second) << page.file;
    EXPECT_EQ(page.file.find_first_of("/ "), std::string::npos) << page.file;
  }
  EXPECT_EQ(names.size(), 4U);
}

ResultRecord seed_of_heat2d(const std::string& file) {
  auto seed = candidate(file);
  seed.role = EvaluationResult::Role::seed;
  std::get<Scored>(std::get<Outcome>(seed.result)).score = 0.25;
  return seed;
}

TEST(Pages, begin_with_what_came_of_it_and_the_best_kernel_beside_its_seed) {
  Folder folder;
  const std::string faster = "kernel void f(device float *x) {\n  x[0] = 2 < 1;\n}\n";
  const auto seed = seed_of_heat2d(folder.write("seed.metal", source_text));
  auto best = candidate(folder.write("best.metal", faster));
  best.name = "run/01";
  best.source_bytes = faster.size();
  auto summary = summarise({seed, best});
  summary.origin = "Made then by <msci-report>";
  const auto page = to_html(summary, "t");
  const auto headline =
      page.find("heat2d: the best candidate is run/01, score 0.5000 (the seed: 0.2500).");
  ASSERT_NE(headline, std::string::npos) << page;
  EXPECT_LT(headline, page.find("<table>"));
  EXPECT_NE(page.find("<span class=\"removed\">-  x[0] = 1 &lt; 2;</span>"), std::string::npos)
      << page;
  EXPECT_NE(page.find("<span class=\"added\">+  x[0] = 2 &lt; 1;</span>"), std::string::npos);
  EXPECT_NE(page.find("Made then by &lt;msci-report&gt;"), std::string::npos);
  EXPECT_NE(to_markdown(summary).find("# msci report\n\nheat2d: the best candidate is run/01"),
            std::string::npos);
}

TEST(Pages, have_no_chart_of_one_point_and_no_table_twice) {
  auto best = candidate("a.metal");
  best.generator = "g";
  const auto page = to_html(summarise({seed_of_heat2d("seed.metal"), best}), "t");
  for (const auto* id : {"cascade", "held-out", "diagnostics"})
    EXPECT_EQ(page.find("<figure id=\"" + std::string(id)), std::string::npos) << id;
  for (const auto* title : {"task heat2d", "bound by bandwidth"})
    EXPECT_EQ(page.find(title), std::string::npos) << title;
  EXPECT_EQ(count(page, "<td class=\"words\">g</td>"), 0u) << "the generator is all";
  EXPECT_EQ(page.find("<details><summary>Candidates"), std::string::npos) << "it is folded";
  EXPECT_NE(page.find("<h2>Candidates</h2>"), std::string::npos);
}

TEST(Pages, of_a_profile_alone_say_so_and_keep_its_code) {
  const auto page = to_html(summarise({profiled()}), "t");
  EXPECT_NE(page.find("<p>1 profile.</p>"), std::string::npos) << page;
  EXPECT_EQ(page.find("0 candidates"), std::string::npos);
  EXPECT_NE(page.find("<td class=\"words line\">\u00a0\u00a0x[0] = 1 &lt; 2;</td>"),
            std::string::npos)
      << page;
}

// Two tasks with the same file name: each row leads to its own page.
TEST(Pages, tell_candidates_of_one_name_apart) {
  auto other = candidate("a.metal");
  other.task = "nbody";
  const auto index = page_of(pages_of(summarise({candidate("a.metal"), other}), "t"), "index.html");
  EXPECT_GE(count(index, "<a href=\"candidate-a.metal-heat2d.html\">a.metal</a>"), 2u) << index;
  EXPECT_GE(count(index, "<a href=\"candidate-a.metal-nbody.html\">a.metal</a>"), 2u) << index;
}

// Points far to the right of where slope and peak meet leave both of them in sight.
TEST(Pages, show_the_slope_wherever_the_points_are) {
  auto record = candidate("a.metal");
  auto& scored = std::get<Scored>(std::get<Outcome>(record.result));
  for (auto& each : scored.sizes) each.timing->intensity = 1000;
  const auto page = page_of(pages_of(summarise({record}), "t"), "candidate-a.metal.html");
  EXPECT_EQ(count(page, ">memory: 10 GB/s<"), 2u) << "in the narrow chart and in the wide one";
}

TEST(Pages, name_the_slope_the_peak_and_the_sizes_of_a_roofline) {
  const auto pages = pages_of(summarise({candidate("a.metal")}), "t");
  const auto page = page_of(pages, "candidate-a.metal.html");
  for (const auto* words : {">memory: 10 GB/s<", ">arithmetic: 100 GFLOPS<", ">small</text>"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
  EXPECT_NE(page_of(pages, "index.html").find(">a.metal</text>"), std::string::npos);
}

// 5 GB/s in a second are 100 GB/s where the chip takes 0.05 s: 50 GFLOPS at 0.5 operations a byte.
TEST(Pages, show_the_roofline_of_a_chip_for_predictions) {
  auto record = candidate("a.metal");
  record.chip = "m1-pro";
  auto& scored = std::get<Scored>(std::get<Outcome>(record.result));
  for (auto& each : scored.sizes) each.predicted = PredictedTime{.seconds = 0.05};
  const auto page = page_of(pages_of(summarise({record}), "t"), "index.html");
  for (const auto* words : {"m1-pro, as predicted: ", ">memory: 200 GB/s<",
                            ">arithmetic: 4500 GFLOPS<", "a.metal heat2d small: 100 GB/s"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST(Pages, show_the_source_with_findings_below_its_lines_and_the_profile_beside_them) {
  Folder folder;
  const auto path = folder.write("k.metal", source_text);
  auto record = candidate(path);
  record.diagnostics = {finding(2, "stores <one> number")};
  const auto page = pages_of(summarise({record, profiled()}), "t").at(1).text;
  EXPECT_NE(page.find("<tr id=\"L2\" class=\"flagged\">"), std::string::npos) << page;
  EXPECT_NE(
      page.find("  x[0] = 1 &lt; 2;</td><td class=\"share\" style=\"--share:100.0%\">100.0 %"),
      std::string::npos)
      << page;
  const auto line = page.find("id=\"L2\"");
  EXPECT_LT(page.find("stores &lt;one&gt; number", line), page.find("id=\"L3\"")) << page;
  EXPECT_NE(page.find("<a href=\"#L2\">line 2</a>: <b class=\"warning\">warning</b> column 3: "),
            std::string::npos)
      << page;
}

TEST(Pages, take_the_source_from_a_profile_where_the_file_is_gone) {
  const auto page = page_of(pages_of(summarise({candidate("k.metal"), profiled()}), "t"),
                            "candidate-k.metal.html");
  EXPECT_NE(page.find("id=\"L3\""), std::string::npos) << page;
}

TEST(Pages, show_no_file_that_is_not_the_source_which_was_judged) {
  Folder folder;
  const auto changed = folder.write("changed.metal", std::string(source_text) + "// more\n");
  const auto secret = folder.write("secret.txt", source_text);
  for (const auto& path : {changed, secret, folder / "gone.metal"}) {
    const auto page = pages_of(summarise({candidate(path)}), "t").at(1).text;
    EXPECT_EQ(page.find("id=\"L1\""), std::string::npos) << path;
    EXPECT_NE(page.find("is not a .metal file here, or has changed"), std::string::npos) << path;
  }
}

TEST(Source, keeps_a_page_whole_whatever_it_holds) {
  const auto text =
      annotated_source("</table><script>alert(1)</script>\r\n\x1b[31m\xff\n// \xe2\x80\xae",
                       {finding(0, "nowhere"), finding(99, "<b>")}, nullptr);
  EXPECT_EQ(text.find("<script>"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << "turns the direction of writing";
  EXPECT_EQ(count(text, "<tr id="), 3u) << text;
}

}  // namespace
}  // namespace msci
