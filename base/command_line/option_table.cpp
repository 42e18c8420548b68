#include "base/command_line/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <string_view>
#include <type_traits>

namespace msci {
namespace {

bool is_whole_number(const OptionTarget& target) {
  return std::holds_alternative<unsigned*>(target) ||
         std::holds_alternative<std::uint64_t*>(target) ||
         std::holds_alternative<std::optional<unsigned>*>(target) ||
         std::holds_alternative<std::optional<std::uint64_t>*>(target);
}

bool is_number(const OptionTarget& target) {
  return is_whole_number(target) || std::holds_alternative<double*>(target) ||
         std::holds_alternative<std::optional<double>*>(target);
}

// Says why a text such as "10s" is not a number. Empty for a number, even one that is out of range.
std::string complaint_about_number(const std::string& text, const OptionRow& row) {
  double real = 0;
  std::int64_t whole = 0;
  std::uint64_t large = 0;
  using CLI::detail::lexical_cast;
  if (is_whole_number(row.target) ? lexical_cast(text, whole) || lexical_cast(text, large)
                                  : lexical_cast(text, real))
    return "";
  const auto& unit = row.traits.value;
  return fmt::format("{} is not a {}number{}", text, is_whole_number(row.target) ? "whole " : "",
                     unit == "SECONDS" ? " of seconds"
                     : unit == "MIB"   ? " of MiB"
                                       : "");
}

CLI::Option* add(CLI::App& app, const OptionRow& row) {
  return std::visit(
      [&](auto target) -> CLI::Option* {
        using Target = decltype(target);
        if constexpr (std::is_same_v<Target, bool*>)
          return app.add_flag(row.names, *target, row.about);
        else if constexpr (std::is_same_v<Target, FlagAction>)
          return app.add_flag_callback(row.names, target, row.about);
        else if constexpr (std::is_same_v<Target, TextTarget>)
          return app.add_option_function<std::string>(row.names, target.set, row.about);
        else
          return app.add_option(row.names, *target, row.about);
      },
      row.target);
}

void check(CLI::Option& option, const OptionRow& row) {
  if (is_number(row.target))
    option.check([row](const std::string& text) { return complaint_about_number(text, row); });
  if (const auto* range = std::get_if<OptionRange>(&row.traits.check)) {
    if (std::isinf(range->most))
      option.check(CLI::NonNegativeNumber);
    else if (is_whole_number(row.target))
      option.check(CLI::Range(static_cast<long>(range->least), static_cast<long>(range->most)));
    else
      option.check(CLI::Range(range->least, range->most));
  } else if (const auto* names = std::get_if<OneOf>(&row.traits.check)) {
    option.check(CLI::IsMember(*names));
  } else if (const auto* test = std::get_if<OptionTest>(&row.traits.check)) {
    option.check(*test);
  }
}

void declare_row(CLI::App& app, const OptionRow& row, const std::string& title) {
  auto* option = add(app, row);
  if (!row.traits.value.empty()) option->type_name(row.traits.value);
  if (!title.empty()) option->group(title);
  check(*option, row);
  if (std::holds_alternative<std::vector<std::string>*>(row.target) && !option->get_positional())
    option->allow_extra_args(false);
  if (row.traits.splits_commas) option->delimiter(',');
  if (row.traits.shows_default) option->capture_default_str();
  if (row.traits.is_required) option->required();
  if (row.traits.needs) option->needs(app.get_option(row.traits.needs));
}

template <typename Take>
void for_each_row(const OptionTable& table, Take take) {
  for (const auto& group : table)
    for (const auto& row : group.rows) take(row);
}

// The first of the names, which help and messages use.
std::string name_of(const OptionRow& row) {
  const std::string_view names = row.names;
  return std::string(names.substr(0, names.find(',')));
}

void refuse_pair(const CLI::App& app, const OptionRow& row, const Exclusion& exclusion,
                 const OptionRow& other) {
  const auto name = name_of(row), other_name = name_of(other);
  if (name == other_name || app.count(other_name) == 0) return;
  if (exclusion.unless && app.count(exclusion.unless) > 0) return;
  if (exclusion.message) throw CLI::ValidationError(exclusion.message);
  throw CLI::ExcludesError(name, other_name);
}

bool is_named(const OptionRow& row, std::string_view what) {
  return row.traits.kind == what || name_of(row) == what;
}

// Whether an option needs another one, by way of others.
bool depends_on(const OptionTable& table, const OptionRow& row, const OptionRow& other) {
  if (!row.traits.needs) return false;
  if (is_named(other, row.traits.needs)) return true;
  bool depends = false;
  for_each_row(table, [&](const OptionRow& each) {
    if (name_of(each) == row.traits.needs) depends = depends_on(table, each, other);
  });
  return depends;
}

// Refuses what would have no effect beside a mode.
void refuse_beside(const CLI::App& app, const OptionTable& table, const OptionRow& mode) {
  for_each_row(table, [&](const OptionRow& other) {
    if (&other == &mode || app.count(name_of(other)) == 0) return;
    const auto has_effect = [&](const char* what) { return is_named(other, what); };
    if (!std::ranges::any_of(*mode.traits.beside, has_effect) && !depends_on(table, other, mode))
      throw CLI::ExcludesError(name_of(mode), name_of(other));
  });
}

// It runs after parsing, because CLI11's own exclusions would fill its help with their lists.
void refuse_excluded(const CLI::App& app, const OptionTable& table) {
  for_each_row(table, [&](const OptionRow& row) {
    if (app.count(name_of(row)) == 0) return;
    for (const auto& exclusion : row.traits.excludes)
      for_each_row(table, [&](const OptionRow& other) {
        if (is_named(other, exclusion.what)) refuse_pair(app, row, exclusion, other);
      });
    if (row.traits.beside) refuse_beside(app, table, row);
  });
}

OrderedJson value_of(const OptionTarget& target) {
  return std::visit(
      [](auto value) -> OrderedJson {
        using Value = decltype(value);
        if constexpr (requires { value->has_value(); })
          return *value ? OrderedJson(**value) : OrderedJson(nullptr);
        else if constexpr (std::is_same_v<Value, TextTarget>)
          return value.get ? OrderedJson(value.get()) : OrderedJson(nullptr);
        else if constexpr (std::is_same_v<Value, FlagAction>)
          return nullptr;  // the option that it stands for has the value
        else
          return *value;
      },
      target);
}

// What is wrong with the value of a field; empty if nothing is.
std::string complaint_about(const OptionRow&, bool) { return ""; }
std::string complaint_about(const OptionRow& row, std::uint64_t number) {
  const auto& range = std::get<OptionRange>(row.traits.check);  // one of unsigned numbers
  const auto value = static_cast<double>(number);
  if (value < range.least) return fmt::format("at least {}", range.least);
  return value > range.most ? fmt::format("at most {}", range.most) : "";
}
std::string complaint_about(const OptionRow& row, const std::string& text) {
  if (const auto* names = std::get_if<OneOf>(&row.traits.check))
    return std::ranges::find(*names, text) == names->end()
               ? fmt::format("expected one of {}", fmt::join(*names, ", "))
               : "";
  const auto* test = std::get_if<OptionTest>(&row.traits.check);
  return test ? (*test)(text) : "";
}

template <typename Read, typename Value>
void read_field(ObjectReader& reader, const OptionRow& row, Value& value) {
  Read read{};
  if (!reader.read(row.field.name, read)) return;
  if (const auto complaint = complaint_about(row, read); !complaint.empty())
    reader.report_error(row.field.name, complaint);
  else
    value = static_cast<Value>(read);
}

}  // namespace

void declare(CLI::App& app, const OptionTable& table) {
  bool excludes = false;
  for (const auto& group : table)
    for (const auto& row : group.rows) {
      declare_row(app, row, group.title);
      excludes |= !row.traits.excludes.empty() || row.traits.beside;
    }
  if (excludes) app.parse_complete_callback([&app, table] { refuse_excluded(app, table); });
}

std::vector<std::string> shared_words(const CLI::App& app, const OptionTable& table) {
  std::vector<const CLI::Option*> local;
  for_each_row(table, [&](const OptionRow& row) {
    if (row.traits.is_local) local.push_back(app.get_option(name_of(row)));
  });
  std::vector<std::string> words;
  for (const auto* option : app.get_options()) {
    if (option->count() == 0 || std::ranges::find(local, option) != local.end()) continue;
    const auto name = option->get_name();
    if (option->get_items_expected_max() == 0) {
      words.push_back(name);
      continue;
    }
    for (const auto& value : option->results()) {
      if (name.starts_with("--")) {
        words.push_back(name + "=" + value);
      } else {  // -I=folder would be the folder "=folder"
        words.push_back(name);
        words.push_back(value);
      }
    }
  }
  return words;
}

OrderedJson key_of(const OptionTable& table) {
  OrderedJson key = OrderedJson::object();
  for_each_row(table, [&](const OptionRow& row) {
    if (row.traits.in_key) key[name_of(row)] = value_of(row.target);
  });
  return key;
}

void read_fields(ObjectReader& reader, const std::vector<OptionRow>& rows) {
  for (const auto& row : rows) {
    if (!row.field.name) continue;
    std::visit(
        [&](auto target) {
          using Target = decltype(target);
          if constexpr (std::is_same_v<Target, bool*>)
            read_field<bool>(reader, row, *target);
          else if constexpr (std::is_same_v<Target, unsigned*> ||
                             std::is_same_v<Target, std::optional<unsigned>*>)
            read_field<std::uint64_t>(reader, row, *target);
          else if constexpr (std::is_same_v<Target, std::string*>)
            read_field<std::string>(reader, row, *target);
          else
            assert(false && "no request has a field of this type yet");
        },
        row.target);
  }
}

OrderedJson schema_of_fields(const std::vector<OptionRow>& rows) {
  OrderedJson properties = OrderedJson::object();
  for (const auto& row : rows) {
    if (!row.field.name) continue;
    OrderedJson property;
    if (const auto* names = std::get_if<OneOf>(&row.traits.check)) {
      property["enum"] = *names;
    } else if (std::holds_alternative<bool*>(row.target)) {
      property["type"] = "boolean";
    } else {
      property["type"] = is_whole_number(row.target) ? "integer" : "string";
    }
    if (const auto* range = std::get_if<OptionRange>(&row.traits.check)) {
      property["minimum"] = static_cast<unsigned>(range->least);
      property["maximum"] = static_cast<unsigned>(range->most);
    }
    if (row.field.pattern) property["pattern"] = row.field.pattern;
    property["description"] = row.field.about;
    properties[row.field.name] = std::move(property);
  }
  return properties;
}

}  // namespace msci
