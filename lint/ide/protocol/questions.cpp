#include "lint/ide/protocol/questions.h"

#include <fmt/format.h>

#include <algorithm>

#include "lint/ide/features.h"
#include "lint/ide/names.h"
#include "lint/ide/protocol/replies.h"

namespace msci {
namespace {

Location place_in(const Question& question) {
  return question.converter.location(question.params.at("position"));
}

Json file_begin(const Question& question, const std::string& path) {
  const Json begin{{"line", 0}, {"character", 0}};
  return {{"uri", uri_in(question.open, path)}, {"range", {{"start", begin}, {"end", begin}}}};
}

// Five numbers for each token, relative to the token before.
Json semantic_data(const std::vector<SemanticToken>& tokens, const Converter& converter) {
  Json data = Json::array();
  unsigned line = 0;
  unsigned column = 0;
  for (const auto& token : tokens) {
    const auto range = converter.range(token.range);
    const unsigned here = range["start"]["line"];
    const unsigned begin = range["start"]["character"];
    const unsigned end = range["end"]["character"];
    data.push_back(here - line);
    data.push_back(here == line ? begin - column : begin);
    data.push_back(end - begin);
    data.push_back(token.kind);
    data.push_back(token.modifiers);
    line = here;
    column = begin;
  }
  return data;
}

}  // namespace

namespace answers {

Json outline(const Question& question) {
  return symbols_json(symbols_of(question.unit), question.converter);
}

// Where else the document has the name at a place.
Json highlights(const Question& question) {
  const auto* found = declaration_at(question.unit, place_in(question));
  if (!found) return nullptr;
  Json json = Json::array();
  for (const auto& range : occurrences_of(question.unit, *found))
    json.push_back({{"range", question.converter.range(range)}});
  return json;
}

Json hover(const Question& question) {
  const auto hover = hover_at(question.unit, place_in(question));
  if (!hover) return nullptr;
  auto text = fmt::format("```metal\n{}\n```", hover->declaration);
  if (!hover->meaning.empty()) text += fmt::format("\n\n{}", hover->meaning);
  if (hover->is_metals) text += "\n\n*Part of Metal*";
  return {{"contents", markdown(std::move(text))},
          {"range", question.converter.range(hover->range)}};
}

Json links(const Question& question) {
  Json json = Json::array();
  for (const auto& link : include_links(question.unit))
    json.push_back({{"range", question.converter.range(link.range)},
                    {"target", uri_in(question.open, link.path)}});
  return json;
}

Json definition(const Question& question) {
  const auto place = place_in(question);
  for (const auto& link : include_links(question.unit))
    if (link.range.begin <= place && place <= link.range.end)
      return file_begin(question, link.path);
  const auto hover = hover_at(question.unit, place_in(question));
  if (!hover || !hover->place.is_known()) return nullptr;  // a Metal header, which is not a file
  return location_in(question.unit, hover->place, question.converter, question.uri, question.open);
}

Json type_definition(const Question& question) {
  const auto place = type_place_at(question.unit, place_in(question));
  if (!place.is_known()) return nullptr;
  return location_in(question.unit, place, question.converter, question.uri, question.open);
}

Json selections(const Question& question) {
  std::vector<Location> places;
  for (const auto& position : question.params.at("positions"))
    places.push_back(question.converter.location(position));
  Json all = Json::array();
  for (const auto& steps : selections_at(question.unit, places)) {
    Json json;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      Json each{{"range", question.converter.range(*step)}};
      if (!json.is_null()) each["parent"] = std::move(json);
      json = std::move(each);
    }
    all.push_back(std::move(json));
  }
  return all;
}

Json folds(const Question& question) {
  Json json = Json::array();
  for (const auto& fold : folds_of(question.unit.source()))
    json.push_back({{"startLine", fold.first - 1},
                    {"endLine", fold.last - 1},
                    {"kind", fold.kind == FoldKind::comment   ? "comment"
                             : fold.kind == FoldKind::imports ? "imports"
                                                              : "region"}});
  return json;
}

Json hints(const Question& question) {
  constexpr int type_hint = 1;
  constexpr int parameter_hint = 2;
  const auto range = question.converter.range_from(question.params.at("range"));
  Json json = Json::array();
  for (const auto& hint : inlay_hints(question.unit, range)) {
    Json each{{"position", question.converter.position(hint.place)},
              {"label", hint.text},
              {"kind", hint.is_type ? type_hint : parameter_hint},
              {"paddingLeft", !hint.is_type}};
    if (!hint.explanation.empty()) each["tooltip"] = hint.explanation;
    if (!hint.insertion.empty())
      each["textEdits"] =
          question.converter.edits({{{"", {hint.place, hint.place}}, hint.insertion}});
    json.push_back(std::move(each));
  }
  return json;
}

Json all_tokens(const Question& question) {
  return {{"data", semantic_data(semantic_tokens(question.unit), question.converter)}};
}

Json tokens_in_range(const Question& question) {
  const auto range = question.converter.range_from(question.params.at("range"));
  auto tokens = semantic_tokens(question.unit);
  std::erase_if(tokens, [&](const SemanticToken& token) {
    return token.range.end <= range.begin || range.end <= token.range.begin;
  });
  return {{"data", semantic_data(tokens, question.converter)}};
}

Json renamable(const Question& question) {
  const auto found = renamable_at(question.unit, question.request.contract, place_in(question));
  if (!found) return {{"error", found.error().message}};
  return {{"range", question.converter.range(found->range)}, {"placeholder", found->symbol.name}};
}

Json lenses(const Question& question) {
  return code_lenses(question.unit, question.converter, question.uri,
                     tasks_of(question.request.contract, question.tasks));
}

}  // namespace answers

}  // namespace msci
