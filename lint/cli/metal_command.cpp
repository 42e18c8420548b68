#include "lint/cli/metal_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/files/install_paths.h"
#include "base/text.h"

namespace msci {
namespace {

constexpr std::array<std::string_view, 7> makes_code = {"-S", "-emit-llvm",  "-M",     "-MM",
                                                        "-r", "-dynamiclib", "-static"};
// Platforms whose SDKs have Metal; versions may follow: "macosx14.0".
constexpr std::array<std::string_view, 7> platforms = {
    "macosx",      "iphoneos", "iphonesimulator", "appletvos", "appletvsimulator",
    "xrsimulator", "xros"};
constexpr int no_such_utility = 72;  // EX_OSFILE

bool contains(const auto& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Reads words from the left.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {}
  bool is_at_end() const { return next_ == words_.size(); }
  const std::string& take() { return words_[next_++]; }
  // The value of an option that holds it ("-xmetal") or has it in the next word.
  Result<std::string> value_of(std::string_view word, std::string_view option) {
    if (word.size() > option.size()) return std::string(word.substr(option.size()));
    if (is_at_end()) return Error{fmt::format("argument to '{}' is missing", option)};
    return take();
  }
  std::vector<std::string> rest() const {
    return {words_.begin() + static_cast<std::ptrdiff_t>(next_), words_.end()};
  }

 private:
  const std::vector<std::string>& words_;
  std::size_t next_ = 0;
};

// Sets what a flag without a value says about the whole call; false if it is another one.
bool take_mode(std::string_view word, MetalCommand& command) {
  if (word == "-fsyntax-only")
    command.syntax_only = true;
  else if (word == "-E")
    command.kind = MetalCommand::Kind::preprocess;
  else if (word == "-v")
    command.says_version = true;
  else if (word == "--version")
    command.kind = MetalCommand::Kind::version;
  else if (word == "--help" || word == "-help")
    command.kind = MetalCommand::Kind::help;
  else if (word == "-w")
    command.hides_warnings = true;
  else
    return word == "-P" || word == "-pedantic";
  return true;
}

// Sorts what is left: files, flags to tell of, and errors.
std::optional<Error> take_rest(const std::vector<std::string>& words, bool has_language,
                               MetalCommand& command) {
  for (const auto& word : words) {
    const bool is_file = word == "-" || !word.starts_with('-');
    if (is_file && word != "-" && !has_language && !word.ends_with(".metal"))
      return Error{fmt::format(
          "'{}' is not Metal source: sources end in .metal, or stand behind '-x metal'; msci makes "
          "no code, so there is nothing to link",
          word)};
    if (word == "-" && !has_language)
      return Error{"'-x metal' is required when input is from standard input"};
    if (is_file)
      command.files.push_back(word);
    else if (word.starts_with("-f"))
      command.ignored.push_back(word);
    else
      return Error{fmt::format("unknown argument: '{}'", word)};
  }
  return std::nullopt;
}

XcrunCommand refused(std::string why, int status = 1) {
  return {.kind = XcrunCommand::Kind::refused, .why = std::move(why), .status = status};
}

std::string why_without(std::string_view utility) {
  if (utility.starts_with("metal") || utility.starts_with("air"))
    return fmt::format(
        "unable to find utility \"{}\": this is msci's xcrun, whose metal checks sources and makes "
        "no code for {} to work on; build libraries on a Mac",
        utility, utility);
  return fmt::format("unable to find utility \"{}\": this is msci's xcrun, which has only metal",
                     utility);
}

}  // namespace

bool MetalCommand::wants_code() const {
  return !output.empty() && output != "/dev/null" && !syntax_only && kind == Kind::check;
}

Result<MetalCommand> metal_command_from(const std::vector<std::string>& words) {
  MetalCommand command;
  std::vector<std::string> flags;
  bool has_language = false;
  for (Words left(words); !left.is_at_end();) {
    const auto& word = left.take();
    if (take_mode(word, command)) continue;
    if (contains(makes_code, word))
      return Error{
          fmt::format("'{}' is refused: msci checks Metal sources and makes no code", word)};
    if (word.starts_with("-o")) {
      auto file = left.value_of(word, "-o");
      if (!file) return file.error();
      command.output = *std::move(file);
    } else if (word.starts_with("-x")) {
      const auto language = left.value_of(word, "-x");
      if (!language) return language.error();
      if (*language != "metal")
        return Error{fmt::format("language not recognized: '{}'; msci checks metal", *language)};
      has_language = true;
    } else {
      flags.push_back(word);
    }
  }
  const auto rest = take_compiler_flags(flags, command.compile);
  if (!rest) return rest.error();
  if (auto error = take_rest(*rest, has_language, command)) return *std::move(error);
  const bool only_asks = command.kind == MetalCommand::Kind::version ||
                         command.kind == MetalCommand::Kind::help || command.says_version;
  if (command.files.empty() && !only_asks) return Error{"no input files"};
  if (command.files.size() > 1 && !command.output.empty() && contains(words, "-c"))
    return Error{"cannot specify -o when generating multiple output files"};
  return command;
}

std::string metal_marker(const MetalCommand& command) {
  return fmt::format(
      "This is no Metal code. msci {} wrote this file because MSCI_METAL is \"check\", after it "
      "found no error in {}.\nBuild with Apple's metal for a library.\n",
      program_version(), printable(fmt::format("{}", fmt::join(command.files, " "))));
}

XcrunCommand xcrun_command_from(const std::vector<std::string>& words) {
  bool finds = false;
  for (Words left(words); !left.is_at_end();) {
    const auto& word = left.take();
    if (!word.starts_with('-')) {
      if (word != "metal") return refused(why_without(word), no_such_utility);
      return {.kind = finds ? XcrunCommand::Kind::find_metal : XcrunCommand::Kind::run_metal,
              .arguments = left.rest()};
    }
    // One dash or two.
    const auto name = std::string_view(word).substr(word.starts_with("--") ? 2 : 1);
    if (name == "sdk" || name == "toolchain") {
      if (left.is_at_end()) return refused(fmt::format("{} requires an argument", word));
      const auto& value = left.take();
      const auto is_known = [&](std::string_view each) { return value.starts_with(each); };
      if (name == "sdk" && value.find('/') == value.npos &&
          std::none_of(platforms.begin(), platforms.end(), is_known))
        return refused(fmt::format("SDK \"{}\" cannot be located", value));
    } else if (name == "find" || name == "f") {
      finds = true;
    } else if (name == "version") {
      return {.kind = XcrunCommand::Kind::version};
    } else if (name == "help" || name == "h") {
      return {.kind = XcrunCommand::Kind::help};
    } else if (name.starts_with("show-")) {
      return refused(fmt::format("{} is refused: there is no SDK here, only msci's metal", word));
    } else if (!contains(std::array{"run", "r", "log", "l", "verbose", "v", "no-cache", "n",
                                    "kill-cache", "k"},
                         name)) {
      return refused(fmt::format("unknown argument: '{}'", word));
    }
  }
  return refused("no utility is named; msci's xcrun has metal");
}

std::string_view metal_help() {
  return "Checks Metal sources as Xcode's metal reads its command line, and makes no code.\n"
         "Usage: metal [FLAGS] FILE.metal...     or: metal [FLAGS] -x metal -\n"
         "\n"
         "Errors are those that Apple's compiler reports; warnings are msci-lint's, about races,\n"
         "bounds and limits. Both go to standard error. The status is 1 after an error, 2 if msci\n"
         "could not check a source to its end, else 0.\n"
         "\n"
         "Flags that take effect:\n"
         "  -I, -isystem, -D, -U, -include, -std=, -ffast-math, -fno-fast-math,\n"
         "  -fmetal-math-mode=, -mmacosx-version-min=, -mios-version-min=, -target, --target=\n"
         "  -x metal         the files are Metal sources, whatever their names are\n"
         "  -fsyntax-only    check, and write nothing, also with -o\n"
         "  -E               print the source as the preprocessor leaves it, without Metal's\n"
         "                   headers and, as with -P, without line markers\n"
         "  -w               no warnings\n"
         "  -v, --version    what this is\n"
         "Flags that are ignored:\n"
         "  -c, -g..., -O..., -W..., -m..., -MD, -MF and others about output, debugging and\n"
         "  warnings. msci has none of the warnings that -W names, and -Werror makes no errors of\n"
         "  msci's. A warning tells of any other flag that begins with -f.\n"
         "Any other flag is an error.\n"
         "\n"
         "-o FILE is an error, since there is no code to write. -o /dev/null is not. If the\n"
         "environment has MSCI_METAL=check, FILE becomes a text that says that it is no code.\n";
}

std::string_view xcrun_help() {
  return "Starts msci's metal as Xcode's xcrun does; it has no other utility and no SDK.\n"
         "Usage: xcrun [-sdk NAME] [-toolchain NAME] metal [ARGUMENTS]\n"
         "       xcrun [-sdk NAME] --find metal\n"
         "See metal --help.\n";
}

}  // namespace msci
