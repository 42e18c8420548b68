#include <fmt/format.h>

#include <algorithm>

#include "base/formats/xml.h"
#include "search/report/charts/charts.h"
#include "search/report/html/pages.h"
#include "search/report/summary.h"

namespace msci {
namespace {

std::string navigation(const Summary& summary, std::size_t candidate, const std::string& title,
                       const CandidateLinks& links) {
  auto text = fmt::format("<nav><a href=\"index.html\">{}</a>", escape_xml(title));
  const auto link = [&](std::size_t to, std::string_view relation, std::string_view words) {
    text += fmt::format("<a rel=\"{}\" href=\"{}\">{} {}</a>", relation, links.of(to), words,
                        escape_xml(summary.candidates[to].record.name));
  };
  if (candidate > 0) link(candidate - 1, "prev", "previous:");
  if (candidate + 1 < summary.candidates.size()) link(candidate + 1, "next", "next:");
  return text + "</nav>\n";
}

std::string facts(const RatedCandidate& candidate) {
  std::string text = "<dl>\n";
  for (const auto& [name, value] : facts_of(candidate))
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_xml(name), escape_xml(value));
  return text + "</dl>\n";
}

std::string roofline(const ResultRecord& record, const ResultRecord* seed) {
  const auto narrow = roofline_chart(record, seed, ChartWidth::narrow);
  if (!narrow) return {};
  return html_figure("roofline", "Roofline",
                     record.device + ": discs are this candidate, by size; rings are its seed.",
                     *narrow, *roofline_chart(record, seed, ChartWidth::wide));
}

// The profile of the same text for the same task; null without one.
const ProfilePage* profile_of(const ResultRecord& record, const std::optional<std::string>& source,
                              const std::vector<ProfilePage>& profiles) {
  const auto found = std::find_if(profiles.begin(), profiles.end(), [&](const ProfilePage& page) {
    if (page.sizes.empty() || page.task != record.task) return false;
    return source ? page.source == *source
                  : page.file == record.file && page.source.size() == record.source_bytes;
  });
  return found == profiles.end() ? nullptr : &*found;
}

std::string why_no_source(const ResultRecord& record) {
  if (record.source_file.empty()) return "The result does not name its file.";
  return fmt::format("{} is not a .metal file here, or has changed since it was judged.",
                     record.source_file);
}

std::string source_part(const ResultRecord& record, const std::vector<ProfilePage>& profiles) {
  auto source = source_of(record);
  const auto* profile = profile_of(record, source, profiles);
  if (!source && profile) source = profile->source;
  auto text = fmt::format("<h2>Findings</h2>\n{}",
                          record.diagnostics.empty()
                              ? "<p>The result has none.</p>\n"
                              : finding_list(record.diagnostics, source.has_value()));
  text += "<h2>Source</h2>\n";
  if (!source) return text + fmt::format("<p>{}</p>\n", escape_xml(why_no_source(record)));
  return text + annotated_source(*source, record.diagnostics, profile);
}

}  // namespace

std::string candidate_page(const Summary& summary, std::size_t candidate, const std::string& title,
                           const CandidateLinks& links) {
  const auto& rated = summary.candidates[candidate];
  const auto& record = rated.record;
  auto text = navigation(summary, candidate, title, links) +
              fmt::format("<h1>{}</h1>\n", escape_xml(record.name)) + facts(rated);
  if (const auto sizes = size_table(record); !sizes.rows.empty()) text += html_table(sizes, links);
  text += roofline(record, seed_of(record, summary.seeds));
  return html_page(record.name + " – " + title, text + source_part(record, summary.profiles));
}

}  // namespace msci
