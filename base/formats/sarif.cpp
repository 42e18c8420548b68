#include "base/formats/sarif.h"

#include <filesystem>

#include "base/files/uri.h"
#include "base/text.h"

namespace msci {

std::size_t sarif_column(std::string_view text, Location at) {
  return characters_in(line_at(text, at.line).substr(0, at.column - 1)) + 1;
}

OrderedJson sarif_artifact(const std::string& file) {
  return {{"uri", uri_of(std::filesystem::path(file).lexically_normal().string())}};
}

OrderedJson sarif_suppressions(const std::string& reason) {
  return OrderedJson::array({{{"kind", "inSource"}, {"justification", reason}}});
}

std::string sarif_document(OrderedJson driver, OrderedJson invocation, OrderedJson results) {
  const OrderedJson json{
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", OrderedJson::array({{{"tool", {{"driver", std::move(driver)}}},
                                    {"invocations", OrderedJson::array({std::move(invocation)})},
                                    {"columnKind", "unicodeCodePoints"},
                                    {"results", std::move(results)}}})}};
  return json.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace msci
