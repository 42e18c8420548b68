#include "lint/output/rule_gallery.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/formats/xml.h"

namespace msci {
namespace {

// The colours of the report.
constexpr std::string_view style = R"(
:root { color-scheme: light dark; --ground: #fff; --ink: #1d2433; --dim: #5a6272; --rule: #dfe3ea;
  --accent: #2f6fb5; --track: #edf0f5; --bad: #b3261e; --warn: #8a5a00; --good: #22693c; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14181f; --ink: #e6e9ef; --dim: #a3acbb; --rule: #333b48;
  --accent: #6aa9ec; --track: #232a35; --bad: #ff8a80; --warn: #f0b74a; --good: #6fcf8e; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 60rem; background: var(--ground);
  color: var(--ink); font: 15px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.2rem; margin: 2.5rem 0 .25rem; padding-top: .5rem;
  border-top: 1px solid var(--rule); }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
a { color: var(--accent); }
p { margin: .25rem 0 .6rem; }
.error { color: var(--bad); } .warning { color: var(--warn); } .note { color: var(--dim); }
.after { color: var(--good); font-weight: 600; margin: 0; }
pre, code { font: .88em/1.5 ui-monospace, monospace; tab-size: 4; }
pre { background: var(--track); border-radius: 5px; padding: .6rem .8rem; overflow-x: auto;
  margin: .25rem 0 .6rem; }
pre b { color: var(--bad); font-weight: 600; }
ul.index { columns: 16rem; list-style: none; padding: 0; } table { border-collapse: collapse; }
td, th { border-bottom: 1px solid var(--rule); padding: .2rem .6rem .2rem 0; text-align: left; }
details summary { cursor: pointer; color: var(--dim); }
)";

// `code`, **strong** and [text](link), whose text alone stays: the links lead to other files.
std::string inline_html(std::string_view text) {
  std::string html;
  while (!text.empty()) {
    const auto mark = text.front();
    const auto close = mark == '`' ? text.find('`', 1) : mark == '[' ? text.find("](") : text.npos;
    if (mark == '`' && close != text.npos) {
      html += fmt::format("<code>{}</code>", escape_xml(text.substr(1, close - 1)));
      text.remove_prefix(close + 1);
    } else if (mark == '[' && close != text.npos && text.find(')', close) != text.npos) {
      html += inline_html(text.substr(1, close - 1));
      text.remove_prefix(text.find(')', close) + 1);
    } else {
      const auto next = std::min(text.find_first_of("`[", 1), text.size());
      html += escape_xml(text.substr(0, next));
      text.remove_prefix(next);
    }
  }
  return html;
}

// The lines of a block of code, with `// expect: message` as a finding of its own line.
std::string code_html(const std::vector<std::string_view>& lines) {
  constexpr std::string_view mark = "// expect: ";
  std::string html = "<pre>";
  std::string waiting;  // for the next line, below which it belongs
  for (const auto line : lines) {
    const auto at = line.find(mark);
    const auto before = at == line.npos ? line : line.substr(0, at);
    auto finding = at == line.npos
                       ? std::string()
                       : fmt::format("<b>  ▲ {}</b>\n", escape_xml(line.substr(at + mark.size())));
    if (at != line.npos && before.find_first_not_of(' ') == before.npos) {
      waiting += finding;
      continue;
    }
    html += escape_xml(before.substr(0, before.find_last_not_of(' ') + 1)) + "\n" + finding +
            std::exchange(waiting, {});
  }
  return html + waiting + "</pre>\n";
}

std::string block_title(std::string_view words) {
  if (words.starts_with("metal fixed unsafe"))
    return "<p class=\"after\">After the fix, which can change results:</p>\n";
  if (words.starts_with("metal fixed")) return "<p class=\"after\">After the fix:</p>\n";
  if (words.ends_with("host")) return "<p>With this host program:</p>\n";
  return {};
}

// Markdown as the pages of rules use it: sections, paragraphs, lists, tables and code.
class PageHtml {
 public:
  std::string of(std::string_view page) {
    while (!page.empty()) {
      const auto end = std::min(page.find('\n'), page.size());
      line(page.substr(0, end));
      page.remove_prefix(std::min(end + 1, page.size()));
    }
    end_paragraph();
    if (is_folded_) html_ += "</details>\n";
    return std::move(html_);
  }

 private:
  void line(std::string_view text) {
    if (is_code_) return code_line(text);
    if (text.starts_with("```")) {
      end_paragraph();
      html_ += block_title(text.substr(3));
      is_code_ = true;
    } else if (text.starts_with("## ")) {
      end_paragraph();
      section(text.substr(3));
    } else if (text.starts_with("# ")) {
      end_paragraph();
    } else if (text.empty()) {
      end_paragraph();
    } else {
      if (text.starts_with("- ") || text.starts_with("|")) end_paragraph();
      if (!paragraph_.empty()) paragraph_ += ' ';
      paragraph_ += text;
    }
  }

  void code_line(std::string_view text) {
    if (!text.starts_with("```")) return code_.push_back(text);
    html_ += code_html(std::exchange(code_, {}));
    is_code_ = false;
  }

  // What a rule leaves alone is long, and read by few.
  void section(std::string_view title) {
    if (is_folded_) html_ += "</details>\n";
    is_folded_ = title == "Not flagged";
    html_ += is_folded_ ? "<details><summary>Not flagged</summary>\n"
                        : fmt::format("<h3>{}</h3>\n", inline_html(title));
  }

  void end_paragraph() {
    if (paragraph_.empty()) return;
    if (paragraph_.starts_with("- "))
      html_ += fmt::format("<ul><li>{}</li></ul>\n", inline_html(paragraph_.substr(2)));
    else if (paragraph_.find_first_not_of("|-: ") != std::string::npos)
      html_ += fmt::format("<p>{}</p>\n", inline_html(paragraph_));
    paragraph_.clear();
  }

  std::string html_;
  std::string paragraph_;
  std::vector<std::string_view> code_;
  bool is_code_ = false;
  bool is_folded_ = false;
};

std::string entry(const ListedRule& rule) {
  const auto severity = to_string(rule.rule->severity);
  return fmt::format("<h2 id=\"{0}\">{0} <span class=\"{1}\">{1}</span></h2>\n{2}",
                     escape_xml(rule.id), severity, PageHtml().of(rule.page));
}

}  // namespace

std::string rule_gallery(std::span<const ListedRule> rules) {
  std::string index;
  std::string entries;
  for (const auto& rule : rules) {
    index += fmt::format("<li><a href=\"#{0}\">{0}</a></li>\n", escape_xml(rule.id));
    entries += entry(rule);
  }
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Rules of msci-lint</title>\n<style>{}</style>\n</head>\n<body>\n"
      "<h1>Rules of msci-lint</h1>\n<p>{} rules. A red line is the finding about the line above "
      "it.</p>\n<ul class=\"index\">\n{}</ul>\n{}</body>\n</html>\n",
      style, rules.size(), index, entries);
}

}  // namespace msci
