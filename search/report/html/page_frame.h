// What all pages of a report share: the head with its policy, the style, and the script.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace msci {

// A file of this folder inside the program.
struct PagePart {
  std::string_view name;
  std::string_view text;
};
extern const std::vector<PagePart> page_parts;

// A whole page around that HTML. Its policy allows the page's own script and nothing else, so that
// a text of a candidate that got through the escaping could neither run nor load anything.
std::string html_page(std::string_view title, std::string_view body);

// The text of a figure's charts: the narrow one for phones, the wide one for other screens and
// paper. With one chart only, all have that.
std::string html_figure(std::string_view id, std::string_view title, std::string_view note,
                        std::string_view narrow, std::string_view wide = {});

}  // namespace msci
