// The options of a program as a table. A row says all that the program knows of an option: its
// names, its text, what it excludes and needs, whether results that are kept depend on it, and its
// field in a request to the program's server. The command line, refusals, the key of kept results,
// requests and their schema follow from the rows.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/json.h"

namespace CLI {
class App;
}

namespace msci {

// What a flag without a value of its own does.
using FlagAction = std::function<void()>;

// A value that an option sets and reads as a text; without `get`, it is never part of a key.
struct TextTarget {
  std::function<void(const std::string&)> set;
  std::function<std::string()> get = nullptr;
};

// Where an option puts its value. A bool and an action are flags.
using OptionTarget =
    std::variant<bool*, unsigned*, std::uint64_t*, double*, std::string*, std::optional<unsigned>*,
                 std::optional<std::uint64_t>*, std::optional<double>*, std::optional<std::string>*,
                 std::vector<std::string>*, FlagAction, TextTarget>;

struct OptionRange {
  double least = 0;
  double most = std::numeric_limits<double>::infinity();
};
using OneOf = std::vector<std::string>;
// Says what is wrong with a value; empty if nothing is.
using OptionTest = std::function<std::string(const std::string&)>;
// The values that are allowed: all, a range, one of some names, or those that pass a test.
using OptionCheck = std::variant<std::monostate, OptionRange, OneOf, OptionTest>;

// What would have no effect beside an option, and is refused there.
struct Exclusion {
  const char* what;               // an option, or a kind of options
  const char* unless = nullptr;   // an option beside which both have an effect
  const char* message = nullptr;  // instead of "A excludes B"
};

// The field of a request that stands for an option.
struct RequestField {
  const char* name = nullptr;  // null: requests do not have the option
  const char* about = "";
  const char* verdict = nullptr;  // the only verdict for which the field has an effect
  const char* pattern = nullptr;  // of a text, as a regular expression of JSON Schema
};

struct OptionTraits {
  std::string value = "";  // its type in the help, "N"; empty for a flag
  OptionCheck check = {};
  bool splits_commas = false;  // a list: one argument holds several values, separated by commas
  bool shows_default = false;
  bool is_required = false;
  const char* needs = nullptr;  // another option
  // Options of one kind have an effect in the same modes; modes and exclusions name the kind.
  const char* kind = "";
  std::vector<Exclusion> excludes = {};
  // Of a mode: the only options, or kinds of options, that have an effect beside it. Those that
  // need it do, too.
  std::optional<std::vector<const char*>> beside = std::nullopt;
  bool in_key = false;  // whether results that are kept depend on it
  // Whether it says where a batch runs and how its results look, and not how each file is judged.
  bool is_local = false;
};

struct OptionRow {
  const char* names;  // "--jobs,-j"; a name without dashes is positional
  OptionTarget target;
  std::string about;  // in the help
  OptionTraits traits = {};
  RequestField field = {};
};

inline OptionRow option(const char* names, OptionTarget target, std::string about,
                        OptionTraits traits = {}, RequestField field = {}) {
  return {names, std::move(target), std::move(about), std::move(traits), field};
}

// Options under one title of the help; an empty title is the help's first group.
struct OptionGroup {
  std::string title;
  std::vector<OptionRow> rows;
};
using OptionTable = std::vector<OptionGroup>;

// Declares the options to the parser, which fills their targets and refuses what is excluded.
void declare(CLI::App& app, const OptionTable& table);

// The words of the parsed command line that set options, without those of local rows.
std::vector<std::string> shared_words(const CLI::App& app, const OptionTable& table);

// The values of all rows that results depend on, by their names.
OrderedJson key_of(const OptionTable& table);

// Reads the fields of a request into the targets: flags, whole numbers and texts. The reader keeps
// the errors.
void read_fields(ObjectReader& reader, const std::vector<OptionRow>& rows);
// The properties of these fields in the schema of a request.
OrderedJson schema_of_fields(const std::vector<OptionRow>& rows);

}  // namespace msci
