#include <fmt/format.h>

#include <array>

#include "lint/explanation.h"
#include "lint/rule.h"

namespace msci {
namespace {

struct Advice {
  std::string_view start;  // of the compiler's message
  std::string_view part;   // that it must hold as well
  std::string_view remedy;
};

constexpr std::string_view all_or_any =
    "a comparison of vectors gives one result per component: use all(…) or any(…)";

// In order: the first that fits is given.
constexpr std::array advice = {
    Advice{"vector component access exceeds type", "", "name only components that this vector has"},
    Advice{"illegal vector component name", "",
           "components are xyzw or rgba, at most four, and not mixed"},
    Advice{"vector is not assignable", "", "each component can be assigned only once"},
    Advice{"cannot convert between vector values of different size", "",
           "give both operands the same number of components"},
    Advice{"excess elements in vector initializer", "", "remove the excess elements"},
    Advice{"value of type 'bool", "is not contextually convertible to 'bool'", all_or_any},
    Advice{"cannot initialize a variable of type 'bool'", " 'bool' values)", all_or_any},
    Advice{"cannot initialize a variable of type 'const bool'", " 'bool' values)", all_or_any},
    Advice{"cannot initialize a variable of type '", "(vector of ",
           "convert to the type, or use the same number of components"},
};

// Whether it is a vector's constructor that no list of arguments fits: 'float3', 'uint2'.
bool is_construction(std::string_view message) {
  constexpr std::string_view start = "no matching function for call to '";
  if (!message.starts_with(start)) return false;
  auto name = message.substr(start.size());
  name = name.substr(0, name.find('\''));
  if (name.empty() || name.back() < '2' || name.back() > '4') return false;
  name.remove_suffix(1);
  constexpr std::array<std::string_view, 12> scalars = {"float", "half",  "bfloat", "int",
                                                        "uint",  "short", "ushort", "char",
                                                        "uchar", "long",  "ulong",  "bool"};
  for (const auto scalar : scalars)
    if (name == scalar) return true;
  return false;
}

// 'as_type<float, S>', in the note behind a refused cast: "as_type cast from 'S' to 'float' …".
std::string refused_cast(const Diagnostic& diagnostic) {
  constexpr std::string_view start = "'as_type<";
  for (const auto& note : diagnostic.notes) {
    const auto begin = note.message.find(start);
    const auto end = note.message.find(">'", begin);
    if (begin == std::string::npos || end == std::string::npos) continue;
    const auto types = note.message.substr(begin + start.size(), end - begin - start.size());
    const auto comma = types.find(", ");
    if (comma != std::string::npos && types.find(", ", comma + 1) == std::string::npos)
      return fmt::format("as_type cast from '{}' to '{}' is not allowed", types.substr(comma + 2),
                         types.substr(0, comma));
  }
  return "this as_type cast is not allowed";
}

}  // namespace

extern constinit const Rule vector{
    .severity = Severity::error,
    .match_diagnostic =
        [](const Unit&, const Diagnostic& diagnostic, Finding& finding) {
          const std::string_view text = diagnostic.message;
          if (text.ends_with("as_type is for scalars and vectors")) {
            finding.message = refused_cast(diagnostic);
            return DiagnosticMatch::finding;
          }
          if (is_construction(text)) {
            finding.notes.clear();
            add_remedy(finding,
                       "its arguments must have as many components in total as the vector, or be "
                       "one scalar; vectors among them must have its component type");
            return DiagnosticMatch::finding;
          }
          for (const auto& each : advice)
            if (text.starts_with(each.start) && text.find(each.part) != std::string_view::npos) {
              add_remedy(finding, each.remedy);
              return DiagnosticMatch::finding;
            }
          return DiagnosticMatch::none;
        },
};

}  // namespace msci
