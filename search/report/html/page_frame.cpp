#include <fmt/format.h>

#include "base/formats/base64.h"
#include "base/formats/xml.h"
#include "base/sha256.h"
#include "search/report/html/pages.h"

namespace msci {
namespace {

std::string_view part(std::string_view name) {
  for (const auto& each : page_parts)
    if (each.name == name) return each.text;
  return {};
}

}  // namespace

std::string html_page(std::string_view title, std::string_view body) {
  const auto script = part("sort_and_filter.js");
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
      "'unsafe-inline'; script-src 'sha256-{}'; img-src data:\">\n<link rel=\"icon\" "
      "href=\"data:,\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n{}"
      "<script>{}</script>\n</body>\n</html>\n",
      to_base64(sha256_digest_of(script)), escape_xml(title), part("style.css"), body, script);
}

std::string html_figure(std::string_view id, std::string_view title, std::string_view note,
                        std::string_view narrow, std::string_view wide) {
  auto text =
      fmt::format("<figure id=\"{}\"{}>", escape_xml(id), wide.empty() ? "" : " class=\"large\"");
  text += fmt::format("<figcaption>{}<span>{}</span></figcaption>\n", escape_xml(title),
                      escape_xml(note));
  if (wide.empty()) return text + fmt::format("{}</figure>\n", narrow);
  return text + fmt::format(
                    "<div class=\"narrow\">\n{}</div>\n<div class=\"wide\">\n{}</div>\n"
                    "</figure>\n",
                    narrow, wide);
}

}  // namespace msci
