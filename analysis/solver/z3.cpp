#include "analysis/solver/z3.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace msci::prover {
namespace {

// What we use of Z3's interface in C, which has been the same since 2015. Formulas are texts, so
// that they can be printed, and given to another solver.
struct Library {
  void* (*make_configuration)() = nullptr;
  void (*delete_configuration)(void*) = nullptr;
  void* (*make_context)(void*) = nullptr;
  void (*delete_context)(void*) = nullptr;
  const char* (*evaluate)(void*, const char*) = nullptr;
  void (*set_error_handler)(void*, void (*)(void*, int)) = nullptr;
  void (*get_version)(unsigned*, unsigned*, unsigned*, unsigned*) = nullptr;
};

constexpr const char* file_name = "libz3.so.4";

template <typename Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

// "libz3.so.4 is missing", or why it is of no use.
Error why_not_loaded() {
  const std::string_view said = dlerror();
  if (said.find("No such file") != said.npos) return {fmt::format("{} is missing", file_name)};
  return {fmt::format("{} cannot be loaded: {}", file_name, said)};
}

Result<Library> load() {
  auto* library = dlopen(file_name, RTLD_NOW | RTLD_LOCAL);
  if (!library) return why_not_loaded();
  Library loaded;
  if (!find(library, "Z3_mk_config", loaded.make_configuration) ||
      !find(library, "Z3_del_config", loaded.delete_configuration) ||
      !find(library, "Z3_mk_context", loaded.make_context) ||
      !find(library, "Z3_del_context", loaded.delete_context) ||
      !find(library, "Z3_eval_smtlib2_string", loaded.evaluate) ||
      !find(library, "Z3_set_error_handler", loaded.set_error_handler) ||
      !find(library, "Z3_get_version", loaded.get_version))
    return Error{fmt::format("{} is not a Z3 that msci can use: a function is missing", file_name)};
  return loaded;
}

// The answer is then an error text, which is not "unsat".
void ignore_error(void*, int) {}

// The value behind an expression in "((expression value)", from `at` on; moves `at` behind it.
std::int64_t read_value(std::string_view text, std::size_t& at) {
  while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
  std::string value;
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char each = text[at];
    if (each == '(') ++depth;
    if (each == ')' && depth-- == 0) break;
    if (each == ' ' && depth == 0) break;
    if (std::isalnum(static_cast<unsigned char>(each)) || each == '-') value += each;
  }
  if (value == "true") return 1;
  const bool is_hexadecimal = value.starts_with('x'), is_binary = value.starts_with('b');
  const char* digits = value.c_str() + (is_hexadecimal || is_binary ? 1 : 0);
  return std::strtoll(digits, nullptr, is_hexadecimal ? 16 : is_binary ? 2 : 10);
}

// Of "((a 1)\n (b (- 5)) (c #x0000000a) (d true))".
std::map<std::string, std::int64_t> read_values(std::string_view text,
                                                const std::vector<std::string>& asked) {
  std::map<std::string, std::int64_t> values;
  std::size_t at = 0;
  for (const auto& each : asked) {
    const auto found = text.find("(" + each + " ", at);
    if (found == text.npos) continue;
    at = found + each.size() + 2;
    values[each] = read_value(text, at);
  }
  return values;
}

class LoadedZ3 : public Z3 {
 public:
  explicit LoadedZ3(const Library& library) : library_(library) {}
  LoadedZ3(const LoadedZ3&) = delete;
  LoadedZ3& operator=(const LoadedZ3&) = delete;
  ~LoadedZ3() override {
    if (context_) library_.delete_context(context_);
  }

  void share(const std::string& commands) override {
    shared_ += commands;
    unread_ += commands;
  }

  Solution solve(const std::string& commands, const std::vector<std::string>& asked,
                 unsigned steps) override {
    const auto solution = solve_within(commands, asked, steps);
    note_steps();
    return solution;
  }

  std::uint64_t steps() override { return solving_ + read_ / characters_per_step + charged_; }
  void charge(std::uint64_t steps) override { charged_ += steps; }

 private:
  static constexpr unsigned easy_steps = 50'000;
  static constexpr std::uint64_t characters_per_step = 4;  // about the same time

  Solution solve_within(const std::string& commands, const std::vector<std::string>& asked,
                        unsigned steps) {
    // Most questions are easy. A fresh state takes Z3 longer than these, and decides more.
    evaluate(std::exchange(unread_, {}) + "(push)\n");
    auto easy = ask(commands, asked, std::min(steps, easy_steps));
    evaluate("(pop)\n");
    if (easy.answer != Answer::undecided || steps <= easy_steps) return easy;
    // Each way decides some questions quickly that take another one minutes.
    auto solution = ask_afresh(without_cuts, commands, asked, std::min(steps, quick_steps));
    if (solution.answer == Answer::undecided && steps > quick_steps)
      solution = ask_afresh(older_arithmetic, commands, asked, steps / 2);
    if (solution.answer == Answer::undecided && steps > quick_steps)
      solution = ask_afresh(without_cuts, commands, asked, steps / 2);
    start_afresh(usual);
    unread_ = shared_;
    return solution;
  }

  static constexpr unsigned quick_steps = 200'000;

  // Z3's way with integers. The newer arithmetic decides most questions in fewer steps, and hard
  // ones in still fewer where it splits cases in place of cutting off solutions that are no
  // integers. Its numbers may grow until a step takes seconds; those of the older one do not.
  struct Method {
    unsigned solver, cut_ratio;  // one cut for so many tries
  };
  static constexpr Method usual{6, 4}, without_cuts{6, 1'000'000'000}, older_arithmetic{2, 4};

  void start_afresh(Method method) {
    evaluate(
        fmt::format("(reset)\n(set-option :smt.arith.solver {})\n"
                    "(set-option :smt.arith.branch_cut_ratio {})\n",
                    method.solver, method.cut_ratio));
  }

  Solution ask_afresh(Method method, const std::string& commands,
                      const std::vector<std::string>& asked, unsigned steps) {
    start_afresh(method);
    return ask(shared_ + commands, asked, steps);
  }

  void note_steps() {
    const auto said = evaluate("(get-info :rlimit)");  // "(:rlimit 7)"
    const auto digits = said.find_first_of("0123456789");
    if (digits != said.npos) solving_ = std::strtoull(said.data() + digits, nullptr, 10);
  }

  std::string_view evaluate(const std::string& text) {
    read_ += text.size();
    if (!context_) make_context();
    return library_.evaluate(context_, text.c_str());
  }

  // Takes many milliseconds, which are spared where no question needs Z3.
  void make_context() {
    auto* configuration = library_.make_configuration();
    context_ = library_.make_context(configuration);
    library_.set_error_handler(context_, ignore_error);
    library_.delete_configuration(configuration);
  }

  // A limit of steps and not of time: it gives the same answer on a busy machine, and needs no
  // thread, of which some versions of Z3 wait for ever.
  Solution ask(const std::string& commands, const std::vector<std::string>& asked, unsigned steps) {
    const auto said =
        evaluate(fmt::format("(set-option :rlimit {})\n{}(check-sat)\n", steps, commands));
    if (said == "unsat\n") return {Answer::impossible, {}};
    if (said != "sat\n") return {};
    if (asked.empty()) return {Answer::possible, {}};
    std::string question = "(get-value (";
    for (const auto& each : asked) question += each + " ";
    auto values = read_values(evaluate(question + "))\n"), asked);
    // Z3 may come to its limit on the way to a value, too.
    if (values.size() < asked.size()) return {};
    return {Answer::possible, std::move(values)};
  }

  Library library_;
  void* context_ = nullptr;
  std::string shared_, unread_;              // what the state of Z3 lacks of the former
  std::uint64_t read_ = 0;                   // characters
  std::uint64_t solving_ = 0, charged_ = 0;  // steps
};

class NoZ3 final : public Z3 {
 public:
  void share(const std::string& /*commands*/) override {}
  Solution solve(const std::string& /*commands*/, const std::vector<std::string>& /*asked*/,
                 unsigned /*steps*/) override {
    return {};
  }
  std::uint64_t steps() override { return charged_; }
  void charge(std::uint64_t steps) override { charged_ += steps; }

 private:
  std::uint64_t charged_ = 0;
};

}  // namespace

std::int64_t integer_of(const Solution& solution, const std::string& name) {
  const auto found = solution.values.find(name);
  return found == solution.values.end() ? 0 : found->second;
}

Result<std::string> Z3::version() {
  const auto library = load();
  if (!library) return library.error();
  unsigned major = 0, minor = 0, build = 0, revision = 0;
  library->get_version(&major, &minor, &build, &revision);
  return fmt::format("{}.{}.{}.{}", major, minor, build, revision);
}

std::unique_ptr<Z3> Z3::none() { return std::make_unique<NoZ3>(); }

Result<std::unique_ptr<Z3>> Z3::open() {
  const auto library = load();
  if (!library)
    return Error{
        fmt::format("proofs need Z3: {}; install the package libz3-4 of Debian, or that "
                    "of your system",
                    library.error().message)};
  return std::unique_ptr<Z3>(std::make_unique<LoadedZ3>(*library));
}

}  // namespace msci::prover
