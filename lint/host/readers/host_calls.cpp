#include <algorithm>
#include <numeric>

#include "lint/host/readers/readers.h"

namespace msci::host {

const CallArgument* TextCall::argument(std::string_view label, std::size_t position) const {
  const auto found = std::ranges::find(arguments, label, &CallArgument::label);
  if (!label.empty() && found != arguments.end()) return &*found;
  return position < arguments.size() ? &arguments[position] : nullptr;
}

Calls::Calls(const std::vector<Word>& words, HostLanguage language)
    : words_(words), language_(language), matches_(words.size()) {
  std::iota(matches_.begin(), matches_.end(), std::size_t{0});
  match_brackets();
  for (std::size_t i = 0; i + 1 < words_.size(); ++i)
    if (words_[i].is_name() && words_[i + 1].is("(")) calls_.push_back(call_at(i, i + 1));
}

std::span<const TextCall> Calls::in(WordRange range) const {
  const auto first = std::ranges::lower_bound(calls_, range.first, {}, &TextCall::at);
  const auto end = std::ranges::lower_bound(calls_, range.end, {}, &TextCall::at);
  return {first, std::max(first, end)};
}

// A closing bracket without its opening one is passed over.
void Calls::match_brackets() {
  const auto opening = [](const Word& word) {
    return word.is(")") ? "(" : word.is("]") ? "[" : word.is("}") ? "{" : "";
  };
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < words_.size(); ++i) {
    const auto& word = words_[i];
    if (word.is("(") || word.is("[") || word.is("{")) open.push_back(i);
    const std::string_view wanted = opening(word);
    if (wanted.empty() || open.empty() || !words_[open.back()].is(wanted)) continue;
    matches_[i] = open.back();
    matches_[open.back()] = i;
    open.pop_back();
  }
}

std::vector<CallArgument> Calls::parts(WordRange range) const {
  std::vector<CallArgument> all;
  const auto mark = language_ == HostLanguage::python ? "=" : ":";
  const bool has_labels = language_ != HostLanguage::rust;
  for (auto first = range.first; first < range.end;) {
    auto end = first;
    while (end < range.end && !words_[end].is(","))
      end = matches_[end] > end && matches_[end] < range.end ? matches_[end] + 1 : end + 1;
    CallArgument part{.value = {first, end}};
    if (has_labels && first + 1 < end && words_[first].is_name() && words_[first + 1].is(mark) &&
        !is(first + 2, "=")) {
      part.label = words_[first].text;
      part.value.first += 2;
    }
    if (first < end) all.push_back(part);
    first = end + 1;
  }
  return all;
}

TextCall Calls::call_at(std::size_t name, std::size_t open) const {
  TextCall call{.name = words_[name].text, .at = name, .close = matches_[open]};
  while (call.name.size() > 1 && call.name.ends_with('_')) call.name.remove_suffix(1);
  if (call.close > open) call.arguments = parts({open + 1, call.close});
  if (name == 0 || !words_[name - 1].is(".")) return call;
  auto before = name - 1;
  while (before > 0 && (words_[before - 1].is("?") || words_[before - 1].is("!"))) --before;
  if (before > 0 && words_[before - 1].is_name()) call.receiver = words_[before - 1].text;
  return call;
}

}  // namespace msci::host
